// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scales of a Resize: numbers, or quotients of sizes; and the sizes they
// give.

#ifndef AMBIT_LIB_IMPORT_ONNX_RESIZESCALES_H
#define AMBIT_LIB_IMPORT_ONNX_RESIZESCALES_H

#include "NodeContext.h"
#include "ambit/Import/Onnx/OnnxImport.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit::onnx_import {

/// The scale of one dim.
struct ResizeScale {
  float number = 1;
  /// What the graph divides by what to get the scale, such as the size of
  /// another tensor by that of the input. Such a scale is the quotient itself,
  /// before it is rounded to f32: the size it gives is the dividend.
  struct SizeQuotient {
    Expr over, under;
  };
  std::optional<SizeQuotient> quotient;

  bool isOne() const { return !quotient && number == 1; }
};

/// The elements of a tensor of scales; nothing when some are neither.
std::optional<SmallVector<ResizeScale>> readResizeScales(NodeContext &c,
                                                         Value scales);

/// floor(extent * scale) with the exact value of the f32, under a guard where
/// that is shorter to say for sizes up to some bound. A warning when a product
/// that is rounded to f32 has another floor for some size; an error for a scale
/// that is no number to compute with.
std::optional<Expr> scaleExtent(NodeContext &c, Expr extent, float scale);

/// Whether extent * scale may have a fraction.
bool mayLeaveFraction(Prover &prover, Expr extent, float scale);

/// Makes resizes with `align_corners` take the wanted length where it matters:
/// a floor is the size of the result, thus needs no scales. Keeping what the
/// standard's tests have, but runtimes have not, is worth a warning.
void decideResizeLengths(mlir::func::FuncOp function,
                         ambit::graph::ShapeContext &context,
                         ResizeLength length);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_RESIZESCALES_H
