// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of converters: one small function for each ONNX operator, one file
// for each family in Ops/.

#ifndef AMBIT_LIB_IMPORT_ONNX_CONVERTERS_H
#define AMBIT_LIB_IMPORT_ONNX_CONVERTERS_H

#include "NodeContext.h"

namespace ambit::onnx_import {

/// Sets the outputs of a node. An output left null after no error was emitted
/// is one that the converter does not support.
using ConvertFn = void (*)(NodeContext &);

constexpr unsigned kAnyNumber = ~0u;

/// Converters by the full names of operators.
class ConverterTable {
public:
  /// One operator: how it is converted, and what is known of it before.
  struct Entry {
    /// A set of operand positions.
    using Positions = uint32_t;

    ConvertFn convert = nullptr;
    /// The first `required` inputs are there when `convert` runs.
    unsigned required = 0, atMost = 0;
    /// The first opset that has the operator.
    int64_t firstOpset = 1;
    /// The first opset with a form of it that the converter reads.
    int64_t oldestForm = 1;
    /// Operands whose elements decide shapes; of these, the ones for which a
    /// number beyond every size means the end; operands whose elements come out
    /// as they went in.
    Positions sizeOperands = 0, boundOperands = 0, movedOperands = 0;
    /// Operands that may be sequences or empty optionals.
    Positions sequenceOperands = 0;
    /// Only the operands' shapes matter.
    bool isOnShapes = false;
    /// Elements that are only stored, such as floats of 8 bits, are converted
    /// or handed on.
    bool convertsStored = false;

    static bool has(Positions positions, size_t operand) {
      return operand < 32 && (positions >> operand & 1);
    }
    Entry &since(int64_t opset) {
      firstOpset = opset;
      return *this;
    }
    Entry &readSince(int64_t opset) {
      oldestForm = opset;
      return *this;
    }
    Entry &sizes(std::initializer_list<unsigned> operands) {
      return addTo(sizeOperands, operands);
    }
    Entry &bounds(std::initializer_list<unsigned> operands) {
      addTo(boundOperands, operands);
      return addTo(sizeOperands, operands);
    }
    Entry &moves(std::initializer_list<unsigned> operands) {
      return addTo(movedOperands, operands);
    }
    Entry &movesAll() {
      movedOperands = ~Positions(0);
      return *this;
    }
    Entry &sequences(std::initializer_list<unsigned> operands) {
      return addTo(sequenceOperands, operands);
    }
    Entry &allSequences() {
      sequenceOperands = ~Positions(0);
      return *this;
    }
    /// All operands but a number of trips and a condition.
    Entry &carriesSequences() {
      sequenceOperands = ~Positions(3);
      return *this;
    }
    Entry &readsShapes() {
      isOnShapes = true;
      return *this;
    }
    Entry &storedTypes() {
      convertsStored = true;
      return *this;
    }
    /// Whether operands may have a type that nothing can be computed with.
    bool takesStored() const {
      return convertsStored || isOnShapes || movedOperands != 0;
    }

  private:
    Entry &addTo(Positions &positions,
                 std::initializer_list<unsigned> operands) {
      for (unsigned operand : operands)
        positions |= Positions(1) << operand;
      return *this;
    }
  };

  /// A table of every operator.
  ConverterTable();
  const Entry *lookup(const OnnxNode &node) const {
    auto it = entries.find(fullName(node));
    return it == entries.end() ? nullptr : &it->second;
  }
  /// Adds an operator with between `required` and `atMost` inputs, by its full
  /// name.
  Entry &add(StringRef opType, ConvertFn convert, unsigned required,
             unsigned atMost) {
    Entry entry;
    entry.convert = convert;
    entry.required = required;
    entry.atMost = atMost;
    return entries[opType] = entry;
  }
  Entry &add(StringRef opType, ConvertFn convert, unsigned inputs) {
    return add(opType, convert, inputs, inputs);
  }

private:
  llvm::StringMap<Entry> entries;
};

void addActivations(ConverterTable &table);
void addArithmetic(ConverterTable &table);
void addAttention(ConverterTable &table);
void addConstants(ConverterTable &table);
void addControlFlow(ConverterTable &table);
void addContrib(ConverterTable &table);
void addContribAttention(ConverterTable &table);
void addConvolutions(ConverterTable &table);
void addEmbeddings(ConverterTable &table);
void addFolds(ConverterTable &table);
void addGathers(ConverterTable &table);
void addGroupQueryAttention(ConverterTable &table);
void addLinearAttention(ConverterTable &table);
void addLogic(ConverterTable &table);
void addLosses(ConverterTable &table);
void addMatrixProducts(ConverterTable &table);
void addMovement(ConverterTable &table);
void addNormalizations(ConverterTable &table);
void addPools(ConverterTable &table);
void addQuantization(ConverterTable &table);
void addQuantizedContrib(ConverterTable &table);
void addRandom(ConverterTable &table);
void addRecurrent(ConverterTable &table);
void addReductions(ConverterTable &table);
void addReshape(ConverterTable &table);
void addResizes(ConverterTable &table);
void addRotary(ConverterTable &table);
void addSamplings(ConverterTable &table);
void addScatters(ConverterTable &table);
void addSearches(ConverterTable &table);
void addSequences(ConverterTable &table);
void addShapes(ConverterTable &table);
void addSignals(ConverterTable &table);
void addSlices(ConverterTable &table);
void addUnaryMath(ConverterTable &table);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_CONVERTERS_H
