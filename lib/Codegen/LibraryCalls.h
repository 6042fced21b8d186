// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the ops that functions of the runtime's library carry out.

#ifndef AMBIT_LIB_CODEGEN_LIBRARYCALLS_H
#define AMBIT_LIB_CODEGEN_LIBRARYCALLS_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace ambit {

/// How an op calls the library. Its functions take a block of 8-byte words, as
/// in lib/Runtime/Library/library.h: what was found, the address of the scratch
/// memory, that of the result, those of the operands, for an op with a `check`
/// the address of the report and the number of the check, `constants`, the
/// values of `sizes`.
///
///   int64_t ambit_NAME_find(block)   looks at the data; the op's symbol. Only
///                                    for ops that set one
///   void ambit_NAME_write(block)     writes the result, whose size is known
struct LibraryCall {
  /// Empty for an op that is none of the library's.
  std::string name;
  llvm::SmallVector<int64_t> constants;
  llvm::SmallVector<Expr> sizes;
  /// Memory that both functions may use, in bytes.
  Expr scratchBytes = 0;
  /// What is wrong with data that `write` refuses and reports; empty for none.
  std::string check;
};
LibraryCall getLibraryCall(mlir::Operation *op);

/// Words of the block before the operands.
enum LibraryWord { Found = 0, Scratch = 1, Result = 2, FirstOperand = 3 };

/// The words of the op's block.
int64_t countWords(mlir::Operation *op, const LibraryCall &call);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_LIBRARYCALLS_H
