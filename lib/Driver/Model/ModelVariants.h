// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the planned variants of a module, as text and as JSON.

#ifndef AMBIT_LIB_DRIVER_MODEL_MODELVARIANTS_H
#define AMBIT_LIB_DRIVER_MODEL_MODELVARIANTS_H

#include "ModelShapes.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// A line for each variant in the module's `dispatch.model`, then one for each
/// that was left out.
void printVariants(mlir::ModuleOp module, llvm::raw_ostream &out);
/// For each padded variant of a specialized module: how much of it is padded,
/// where padding has a value that an op needs, which ops keep true sizes.
void printPadding(mlir::ModuleOp module, llvm::raw_ostream &out);
/// {"VARIANT": [the lines]}.
Json paddingToJson(mlir::ModuleOp module);
/// [{"name", "kind", "domain"}].
Json variantsToJson(mlir::ModuleOp module);
/// Why variants were left out: a list of texts.
Json omittedToJson(mlir::ModuleOp module);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_MODELVARIANTS_H
