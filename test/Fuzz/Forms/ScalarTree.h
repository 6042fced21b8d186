// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random bodies of maps.

#ifndef AMBIT_TEST_FUZZ_SCALARTREE_H
#define AMBIT_TEST_FUZZ_SCALARTREE_H

#include "Generation.h"

namespace ambit::fuzz {

/// Grows a body op by op. Scalars that are not exact only meet functions that
/// change little when their argument does.
class ScalarTree {
public:
  ScalarTree(Random &random, mlir::OpBuilder &builder, mlir::Location loc)
      : random(random), b(builder), loc(loc) {}

  void addLeaf(Value scalar, bool isExact);
  /// Adds ops; the last scalar is then a result that depends on an input.
  void grow(int64_t steps);
  /// The last scalar, of a type that a tensor may have.
  Value result() { return scalars.back().value; }

  struct Scalar {
    Value value;
    bool isExact;
  };

private:
  Scalar pick(llvm::function_ref<bool(Type)> fits);
  Scalar pickOfType(Type type) {
    return pick([=](Type other) { return other == type; });
  }
  Scalar step();
  Scalar floatStep();
  Scalar steadyUnary(Scalar x);
  Scalar anyUnary(Scalar x);
  Scalar floatBinary(Scalar x, Scalar y);
  Scalar integerStep();
  Scalar compare();
  Scalar select();
  Scalar convert();
  Value number(Type type, double value);
  template <typename Op> Value make(mlir::ValueRange operands) {
    return b.create<Op>(loc, operands);
  }

  Random &random;
  mlir::OpBuilder &b;
  mlir::Location loc;
  SmallVector<Scalar> scalars;
};

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_SCALARTREE_H
