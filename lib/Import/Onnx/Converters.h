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

/// Converters by operator name.
class ConverterTable {
public:
  struct Entry {
    ConvertFn convert;
    /// The first `required` inputs are there when `convert` runs.
    unsigned required, atMost;
  };

  /// A table of every operator.
  ConverterTable();
  const Entry *lookup(StringRef opType) const {
    auto it = entries.find(opType);
    return it == entries.end() ? nullptr : &it->second;
  }
  /// Adds an operator with between `required` and `atMost` inputs.
  void add(StringRef opType, ConvertFn convert, unsigned required,
           unsigned atMost) {
    entries[opType] = Entry{convert, required, atMost};
  }
  void add(StringRef opType, ConvertFn convert, unsigned inputs) {
    add(opType, convert, inputs, inputs);
  }

private:
  llvm::StringMap<Entry> entries;
};

void addActivations(ConverterTable &table);
void addArithmetic(ConverterTable &table);
void addConstants(ConverterTable &table);
void addControlFlow(ConverterTable &table);
void addConvolutions(ConverterTable &table);
void addEinsum(ConverterTable &table);
void addGathers(ConverterTable &table);
void addLogic(ConverterTable &table);
void addMatrixProducts(ConverterTable &table);
void addMovement(ConverterTable &table);
void addNormalizations(ConverterTable &table);
void addPools(ConverterTable &table);
void addQuantization(ConverterTable &table);
void addReductions(ConverterTable &table);
void addReshape(ConverterTable &table);
void addResizes(ConverterTable &table);
void addSearches(ConverterTable &table);
void addShapes(ConverterTable &table);
void addSlices(ConverterTable &table);
void addTransposedConvolutions(ConverterTable &table);
void addUnaryMath(ConverterTable &table);

/// For `auto_pad`: whether windows are padded so that the result has
/// ceil(size / stride) positions, and on which side an odd element goes.
enum class AutoPad { NotSet, SameUpper, SameLower, Valid };

/// The attributes that Conv and the pools share, for `spatial` dims.
struct WindowAttrs {
  SmallVector<int64_t> strides, dilations, low, high;
  AutoPad autoPad = AutoPad::NotSet;
};

/// Reads strides, dilations, pads and auto_pad; nothing after an error.
std::optional<WindowAttrs> readWindowAttrs(NodeContext &c, size_t spatial);

/// Replaces `auto_pad` by amounts: as constants in `attrs` where they are
/// known, else by padding the spatial dims of `input` with `fill`, whose result
/// is returned. `window` holds the sizes of the window.
Value applyAutoPad(NodeContext &c, Value input, ArrayRef<int64_t> window,
                   double fill, WindowAttrs &attrs);

/// Element i of the result is data[i with i[axis] replaced by indices[i]], for
/// indices of the rank of the data.
Value gatherElements(NodeContext &c, Value data, Value indices, int64_t axis);

/// The convolution with the node's attributes, without bias.
Value convolve(NodeContext &c, Value input, Value filter);

/// The product of matrices of rank 2 or more, their batch dims broadcast.
Value multiplyMatrices(NodeContext &c, Value lhs, Value rhs);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_CONVERTERS_H
