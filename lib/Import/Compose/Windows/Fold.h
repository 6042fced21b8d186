// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows put back into an image: the reverse of taking them out.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_FOLD_H
#define AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_FOLD_H

#include "Window.h"

namespace ambit::compose {

struct FoldSpec {
  SmallVector<Expr> image;
  SmallVector<int64_t> block;
  /// Its padding is around the image, and left out of the result.
  WindowSpec window;
};

/// Blocks [batch, channels * block, positions] as [batch, channels, image...]:
/// where blocks overlap their elements are added.
Value fold(ValueBuilder &b, Value x, const FoldSpec &spec);

/// The elements of x at places in the flat result, which is 0 elsewhere.
/// `unpooled` are the dims that the places are of; the result is padded to
/// `shape`.
Value unpool(ValueBuilder &b, Value x, Value places, ArrayRef<Expr> unpooled,
             ArrayRef<Expr> shape);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_FOLD_H
