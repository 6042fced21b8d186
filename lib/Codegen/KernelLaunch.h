// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the functions between variants and kernels, which decide at run time
// whether a launch is spread over threads.

#ifndef AMBIT_LIB_CODEGEN_KERNELLAUNCH_H
#define AMBIT_LIB_CODEGEN_KERNELLAUNCH_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace ambit {

/// Launches go through a block of 8-byte words in memory: struct ambit_exec of
/// the run, the number of the check, the kernel's buffers, its sizes. All
/// launches of a kernel share two functions:
///
///   NAME_task(block, begin, end)   runs the kernel on a range of units; it is
///                                  the task that struct ambit_exec takes
///   NAME_launch(block)             runs all units, on threads if they pay
///
/// The block may be reused as soon as a launch has returned.
class KernelLauncher {
public:
  explicit KernelLauncher(mlir::ModuleOp module) : symbols(module) {}

  /// The lowered kernel of a name.
  mlir::func::FuncOp kernelOf(llvm::StringRef name) const {
    return symbols.lookup<mlir::func::FuncOp>(name);
  }
  /// Whether lower-kernels has made the functions that a launch needs.
  bool isLowered(mlir::func::FuncOp kernel) const;
  /// The words of a kernel's block.
  static int64_t countWords(mlir::func::FuncOp kernel);
  /// Emits a launch at `b`. `buffers` are addresses; the result's comes last.
  /// `check` and `sizes` are `index`.
  void launch(mlir::OpBuilder &b, mlir::func::FuncOp kernel, mlir::Value block,
              mlir::Value exec, mlir::Value check, mlir::ValueRange buffers,
              mlir::ValueRange sizes);

private:
  struct Functions {
    mlir::func::FuncOp task;
    /// Null when the work is known, and too little for threads.
    mlir::func::FuncOp launch;
    /// The number of units in that case.
    int64_t units = 0;
  };
  Functions &functionsOf(mlir::func::FuncOp kernel);

  mlir::SymbolTable symbols;
  llvm::DenseMap<mlir::Operation *, Functions> known;
};

/// A flat memref over an address: the descriptor that the conversion of memrefs
/// to the LLVM dialect uses. Its extent is not tracked, because kernels go by
/// their sizes.
mlir::Value makeBuffer(mlir::OpBuilder &b, mlir::Location loc,
                       mlir::Value address, mlir::Type memrefType);

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_KERNELLAUNCH_H
