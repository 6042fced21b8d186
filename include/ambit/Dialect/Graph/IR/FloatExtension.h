// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions that cost a kernel nothing worth storing.

#ifndef AMBIT_DIALECT_GRAPH_IR_FLOATEXTENSION_H
#define AMBIT_DIALECT_GRAPH_IR_FLOATEXTENSION_H

#include "mlir/IR/Operation.h"

namespace ambit::graph {

/// Whether the op is a map that does nothing but extend floats to a wider type.
/// Null is not.
bool isFloatExtension(mlir::Operation *op);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_FLOATEXTENSION_H
