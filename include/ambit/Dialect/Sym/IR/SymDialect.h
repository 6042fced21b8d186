// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ side of the `sym` dialect, and helpers for tensor types whose dims are
// expressions.

#ifndef AMBIT_DIALECT_SYM_IR_SYMDIALECT_H
#define AMBIT_DIALECT_SYM_IR_SYMDIALECT_H

#include "ambit/Symbolic/Domain.h"
#include "ambit/Symbolic/Expr.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"

#include "ambit/Dialect/Sym/IR/SymDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Sym/IR/SymAttributes.h.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Sym/IR/SymOps.h.inc"

namespace ambit::sym {

/// The attribute of a function's argument that lists its elements, in row-major
/// order, as expressions: a `sym.shape`.
inline constexpr llvm::StringLiteral kElements = "ambit.elements";

/// A ranked tensor type with these dims. Dims that are constant are static; the
/// encoding is present exactly when some dim is not, so equal shapes always
/// give equal types. Null when a dim is invalid or a negative constant.
mlir::RankedTensorType getTensorType(llvm::ArrayRef<Expr> dims,
                                     mlir::Type elementType);

/// The dims of a tensor type as expressions. A dynamic dim without encoding
/// (IR written by hand) gives the invalid expression.
llvm::SmallVector<Expr> getDims(mlir::Type type);

/// The product of the dims; 1 for rank 0.
Expr getNumElements(llvm::ArrayRef<Expr> dims);

/// The domain that the module's `sym.symbol` and `sym.guard` ops describe.
Domain getDomain(mlir::ModuleOp module);
/// What of it is known at entry: without unbacked symbols and their guards.
Domain getEntryDomain(mlir::ModuleOp module);

/// Reads a guard's condition; verified ops always have one.
Condition getCondition(GuardOp guard);

} // namespace ambit::sym

#endif // AMBIT_DIALECT_SYM_IR_SYMDIALECT_H
