// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference evaluator: what every `graph` op means, as plain loops.

#ifndef AMBIT_REFERENCE_REFERENCE_H
#define AMBIT_REFERENCE_REFERENCE_H

#include "ambit/Reference/HostTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectRegistry.h"
#include <map>
#include <string>
#include <vector>

namespace ambit::reference {

/// Tensors above this size are refused by the evaluator with an error.
constexpr int64_t kMaxTensorBytes = int64_t(1) << 34;

/// Attaches `graph::ReferenceOpInterface` to every `graph` op.
///
/// Floats: one scalar op computes in double and rounds once to the type of its
/// result, which for + - * / and sqrt is exactly the arithmetic of that type.
/// Sums of f16, bf16 and f32 run in f32 and round to the element type at the
/// end, f64 in f64. Integers wrap around; an integer division by zero is an
/// error. NaN wins in maxima and minima.
void registerReferenceModels(mlir::DialectRegistry &registry);

/// Runs a function of `graph` ops. Symbols get their values from the dims of
/// the arguments that are bare symbols, on top of what `symbols` already holds;
/// all dims of arguments, every value's declared shape, and the module's
/// `sym.symbol` ranges and `sym.guard`s are checked. Dead values are freed on
/// the way. Emits an error at the function or the op on failure.
mlir::LogicalResult
evaluateFunction(mlir::func::FuncOp function, llvm::ArrayRef<HostTensor> inputs,
                 std::vector<HostTensor> &outputs,
                 std::map<std::string, int64_t> symbols = {});

} // namespace ambit::reference

#endif // AMBIT_REFERENCE_REFERENCE_H
