// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ side of the `graph` dialect.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHDIALECT_H
#define AMBIT_DIALECT_GRAPH_IR_GRAPHDIALECT_H

#include "ambit/Dialect/Graph/IR/KernelRule.h"
#include "ambit/Dialect/Graph/IR/ShapeContext.h"
#include "ambit/Dialect/Graph/IR/TailRule.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <map>
#include <string>
#include <vector>

namespace ambit::reference {
class HostTensor;
} // namespace ambit::reference

#include "ambit/Dialect/Graph/IR/GraphDialect.h.inc"
#include "ambit/Dialect/Graph/IR/GraphEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Graph/IR/GraphAttributes.h.inc"

#include "ambit/Dialect/Graph/IR/GraphInterfaces.h.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Graph/IR/GraphOps.h.inc"

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHDIALECT_H
