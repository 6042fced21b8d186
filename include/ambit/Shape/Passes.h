// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that infers shapes.

#ifndef AMBIT_SHAPE_PASSES_H
#define AMBIT_SHAPE_PASSES_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Pass/Pass.h"

namespace ambit {

#define GEN_PASS_DECL
#include "ambit/Shape/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Shape/Passes.h.inc"

} // namespace ambit

#endif // AMBIT_SHAPE_PASSES_H
