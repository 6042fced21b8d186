// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The patterns of graph-simplify, by subject.

#ifndef AMBIT_LIB_SIMPLIFY_PATTERNS_H
#define AMBIT_LIB_SIMPLIFY_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace ambit {

/// Operands of maps: scalar constants, duplicates, unused ones; trivial maps.
void populateMapPatterns(mlir::RewritePatternSet &patterns);
/// Broadcast, reshape, transpose, slice, concat, pad, gather, resize.
void populateMovementPatterns(mlir::RewritePatternSet &patterns);
/// Affine maps after convolutions.
void populateConvPatterns(mlir::RewritePatternSet &patterns);
/// Scalars in bodies of maps: powers, divisions, and the canonicalizations of
/// arith and math.
void populateScalarPatterns(mlir::RewritePatternSet &patterns);

} // namespace ambit

#endif // AMBIT_LIB_SIMPLIFY_PATTERNS_H
