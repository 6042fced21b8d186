// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: following one element through the scalar body of a `graph.map`.

#ifndef AMBIT_LIB_SHAPE_FOLLOWMAP_H
#define AMBIT_LIB_SHAPE_FOLLOWMAP_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit {

/// What the body yields when its arguments are these expressions; nothing when
/// some step is not exact on integers or not decided.
std::optional<Expr> followBody(graph::MapOp op, llvm::ArrayRef<Expr> arguments,
                               graph::ShapeContext &context);

} // namespace ambit

#endif // AMBIT_LIB_SHAPE_FOLLOWMAP_H
