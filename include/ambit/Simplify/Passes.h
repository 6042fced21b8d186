// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that make `graph` IR smaller and simpler.

#ifndef AMBIT_SIMPLIFY_PASSES_H
#define AMBIT_SIMPLIFY_PASSES_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"

namespace ambit {

#define GEN_PASS_DECL
#include "ambit/Simplify/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Simplify/Passes.h.inc"

} // namespace ambit

#endif // AMBIT_SIMPLIFY_PASSES_H
