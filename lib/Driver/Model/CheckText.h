// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what verifiers cannot say of a model that is read as text, since the
// IR between phases may do without.

#ifndef AMBIT_LIB_DRIVER_MODEL_CHECKTEXT_H
#define AMBIT_LIB_DRIVER_MODEL_CHECKTEXT_H

#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// Emits errors where sizes of `@main` or guards use a symbol that is not
/// declared, or that no op has set before, and for kernels that the lowering
/// would not know what to do with.
mlir::LogicalResult checkText(mlir::ModuleOp module);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_CHECKTEXT_H
