// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the parameters of a lowered kernel. Whatever calls one, unpacks its
// block or reads its arguments asks here for their places.

#ifndef AMBIT_LIB_CODEGEN_KERNELSIGNATURE_H
#define AMBIT_LIB_CODEGEN_KERNELSIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace ambit {

/// In this order: a flat buffer for each input, and for the result; the sizes;
/// the units to run, from begin to end; the record of failures and the number
/// of this launch's check.
class KernelSignature {
public:
  /// Of a kernel of `graph` ops.
  KernelSignature(unsigned inputs, unsigned sizes)
      : inputs(inputs), sizes(sizes) {}
  /// Of a function that `createKernelTarget` made.
  explicit KernelSignature(mlir::func::FuncOp lowered);

  unsigned input(unsigned index) const { return index; }
  unsigned result() const { return inputs; }
  unsigned countBuffers() const { return inputs + 1; }
  unsigned size(unsigned index) const { return countBuffers() + index; }
  unsigned countSizes() const { return sizes; }
  unsigned begin() const { return size(sizes); }
  unsigned end() const { return begin() + 1; }
  unsigned failures() const { return begin() + 2; }
  unsigned check() const { return begin() + 3; }
  unsigned count() const { return begin() + 4; }

private:
  unsigned inputs, sizes;
};

/// Creates the function that a kernel becomes, before it and without a body.
mlir::func::FuncOp createKernelTarget(mlir::func::FuncOp kernel,
                                      unsigned sizes);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_KERNELSIGNATURE_H
