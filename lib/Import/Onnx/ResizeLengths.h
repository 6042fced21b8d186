// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which length of a resize by scales decides its positions.

#ifndef AMBIT_LIB_IMPORT_ONNX_RESIZELENGTHS_H
#define AMBIT_LIB_IMPORT_ONNX_RESIZELENGTHS_H

#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "ambit/Import/ImportOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit::onnx_import {

/// Makes resizes with `align_corners` take the wanted length where it matters:
/// a floor is the size of the result, thus needs no scales. Keeping what the
/// standard's tests have, but runtimes have not, is worth a warning.
void decideResizeLengths(mlir::func::FuncOp function,
                         ambit::graph::ShapeContext &context,
                         ResizeLength length);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_RESIZELENGTHS_H
