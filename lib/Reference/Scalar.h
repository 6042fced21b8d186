// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar interpreter for bodies of `graph.map`.
//
// A body is read once into a list of steps over numbered cells, then run for
// every element. Floats are held as doubles that are values of their type: each
// step computes in double and rounds once. Integers are held as their bits,
// zero-extended to 64; steps that care for the sign extend it themselves.

#ifndef AMBIT_LIB_REFERENCE_SCALAR_H
#define AMBIT_LIB_REFERENCE_SCALAR_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include <functional>
#include <optional>
#include <vector>

namespace ambit::reference {

/// A scalar. Which member counts is known from its type.
struct Cell {
  double number = 0;
  uint64_t bits = 0;
};

/// Computes a step from its operands; nothing when the result is undefined.
using ScalarFn = std::function<std::optional<Cell>(llvm::ArrayRef<Cell>)>;

/// The function of an op on floats with a float result; null for other ops.
ScalarFn getFloatFn(mlir::Operation *op);
/// The function of an op on integers with an integer result; null for others.
ScalarFn getIntegerFn(mlir::Operation *op);
/// The function of a constant, comparison, select or conversion.
ScalarFn getOtherFn(mlir::Operation *op);

/// The nearest value of a float type.
double roundTo(mlir::Type type, double value);
/// The number of bits of an integer or index type.
unsigned widthOf(mlir::Type type);

/// Keeps the low `width` bits.
inline uint64_t truncate(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((uint64_t(1) << width) - 1);
}
/// The signed value of the low `width` bits.
inline int64_t signedValue(uint64_t bits, unsigned width) {
  return width == 0 || width >= 64
             ? int64_t(bits)
             : int64_t(bits << (64 - width)) >> (64 - width);
}

/// A body that is ready to run.
class ScalarFunction {
public:
  /// Reads a body; an error at the op that the interpreter does not know.
  static mlir::FailureOr<ScalarFunction> read(mlir::Block &body);

  /// The yielded scalar; nothing when a step was undefined (division by 0),
  /// then `getFailedOp` names it.
  std::optional<Cell> run(llvm::ArrayRef<Cell> arguments);
  mlir::Operation *getFailedOp() const { return failedOp; }

private:
  struct Step {
    mlir::Operation *op;
    ScalarFn compute;
    llvm::SmallVector<unsigned, 3> operands;
  };
  std::vector<Step> steps;
  std::vector<Cell> cells;
  unsigned result = 0;
  mlir::Operation *failedOp = nullptr;
};

} // namespace ambit::reference

#endif // AMBIT_LIB_REFERENCE_SCALAR_H
