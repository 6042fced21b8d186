// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random formula as two ONNX models: one computes it on f16 or bf16, the
// other on the same numbers in f32. Formulas are functions of this state.

#ifndef AMBIT_TEST_HALVES_COMPOSITE_H
#define AMBIT_TEST_HALVES_COMPOSITE_H

#include "ambit/Driver/Object/TensorFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <onnx/onnx_pb.h>
#include <random>

namespace ambit::halves {

using llvm::ArrayRef;
using Dims = llvm::SmallVector<int64_t, 4>;

/// The nearest number of a narrow type.
double roundTo(const llvm::fltSemantics &type, double value);

class Composite {
public:
  explicit Composite(uint64_t seed);

  // Random choices, the same on every host.
  int64_t below(int64_t count) { return engine() % uint64_t(count); }
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  template <typename T> T choose(std::initializer_list<T> items) {
    return items.begin()[below(items.size())];
  }

  /// An input with numbers around `offset`, at most `scale` away; each dim is a
  /// symbol unless `isStatic`. Returns its name.
  std::string addInput(ArrayRef<int64_t> dims, double scale, double offset = 0,
                       bool isStatic = false);
  /// A constant with such numbers.
  std::string addConstant(ArrayRef<int64_t> dims, double scale,
                          double offset = 0);
  std::string addIntegers(ArrayRef<int64_t> values);

  /// A node with one output, whose name is returned.
  class Node {
  public:
    Node(Composite &owner, llvm::StringRef opType,
         ArrayRef<std::string> inputs);
    Node &set(llvm::StringRef name, int64_t value);
    Node &setInts(llvm::StringRef name, ArrayRef<int64_t> values);
    Node &setFloat(llvm::StringRef name, float value);
    Node &setString(llvm::StringRef name, llvm::StringRef value);
    operator std::string() const { return output; }

  private:
    onnx::AttributeProto &attribute(llvm::StringRef name);
    onnx::NodeProto &node;
    std::string output;
  };
  Node add(llvm::StringRef opType, ArrayRef<std::string> inputs) {
    return Node(*this, opType, inputs);
  }

  /// Makes a value the result of the models.
  void finish(const std::string &result);

  /// What was chosen, for messages: the operators in order.
  std::string text() const;

  bool isBfloat = false;
  const llvm::fltSemantics &semantics() const {
    return isBfloat ? llvm::APFloat::BFloat() : llvm::APFloat::IEEEhalf();
  }
  onnx::ModelProto narrow, single;
  /// In the order of the models' inputs, which have the narrow type in both.
  std::vector<TensorData> inputs;

private:
  std::vector<double> randomNumbers(ArrayRef<int64_t> dims, double scale,
                                    double offset);
  std::string newName() { return "v" + std::to_string(names++); }

  std::mt19937_64 engine;
  /// The nodes of both models.
  onnx::GraphProto nodes;
  unsigned names = 0;
};

/// Adds a random formula; the name of its result.
std::string addFormula(Composite &c);

} // namespace ambit::halves

#endif // AMBIT_TEST_HALVES_COMPOSITE_H
