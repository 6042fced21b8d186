// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the scalar bodies of `graph.map` ops: arithmetic that picks the float,
// signed or unsigned op by itself.

#ifndef AMBIT_LIB_IMPORT_SCALARBUILDER_H
#define AMBIT_LIB_IMPORT_SCALARBUILDER_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

namespace ambit::compose {

/// Builds scalar ops. Scalars are signless; `isUnsigned` says how to read the
/// integers among them.
class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc, bool isUnsigned)
      : builder(builder), loc(loc), isUnsigned(isUnsigned) {}

  using Value = mlir::Value;
  using Compare = Relation::Kind;

  template <typename OpT, typename... Args> Value make(Args &&...args) {
    return builder.create<OpT>(loc, std::forward<Args>(args)...);
  }

  /// A constant of the type of `like`; integers truncate.
  Value constant(double value, Value like);
  Value integer(int64_t value, Value like);
  Value smallest(Value like);
  Value largest(Value like);

  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  /// Integer division truncates.
  Value div(Value x, Value y);
  /// Has the sign of `x`, as C's fmod and %.
  Value remainder(Value x, Value y);
  /// NaN if either operand is.
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  Value neg(Value x);
  Value abs(Value x);
  /// An i1; false with NaN, except for NE.
  Value compare(Compare kind, Value x, Value y);
  Value select(Value condition, Value x, Value y);
  Value logicalNot(Value x);
  /// 1 / (1 + exp(-x)).
  Value sigmoid(Value x);
  /// log(1 + exp(x)) without overflow.
  Value softplus(Value x);
  bool isFloat(Value x) const {
    return llvm::isa<mlir::FloatType>(x.getType());
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool isUnsigned;
};

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_SCALARBUILDER_H
