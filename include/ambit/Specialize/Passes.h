// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn a model into its variants.

#ifndef AMBIT_SPECIALIZE_PASSES_H
#define AMBIT_SPECIALIZE_PASSES_H

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Specialize/Padding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

namespace ambit {

#define GEN_PASS_DECL
#include "ambit/Specialize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "ambit/Specialize/Passes.h.inc"

} // namespace ambit

#endif // AMBIT_SPECIALIZE_PASSES_H
