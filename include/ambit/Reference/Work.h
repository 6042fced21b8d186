// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the evaluation of an op costs, known before it begins.

#ifndef AMBIT_REFERENCE_WORK_H
#define AMBIT_REFERENCE_WORK_H

#include "mlir/IR/Operation.h"

namespace ambit::reference {

/// What `countWork` gives for an op whose work is not known or has no limit.
constexpr uint64_t kUnknownWork = UINT64_MAX;

/// The number of scalar operations that `graph::ReferenceOpInterface::evaluate`
/// carries out, all trips of all loops included: a bound that depends on types
/// and attributes alone, so it is the same on every machine. One operation
/// takes about 10 ns. Unknown for results of dynamic shape, for loops whose
/// number of trips is no constant, and for ops without a known evaluation.
uint64_t countWork(mlir::Operation *op);

} // namespace ambit::reference

#endif // AMBIT_REFERENCE_WORK_H
