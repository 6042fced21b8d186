// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emitter of the model's functions; each method emits one and returns its
// name.

#ifndef AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_FUNCTIONEMITTER_H
#define AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_FUNCTIONEMITTER_H

#include "Internals.h"
#include "ambit/Codegen/EmitExpr.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"

namespace ambit::dispatch::lowering {

class FunctionEmitter {
public:
  FunctionEmitter(mlir::OpBuilder &builder, mlir::Location loc,
                  const ModelTables &tables);

  /// All functions of the model.
  FunctionNames emitFunctions(size_t maxCells);

private:
  std::string emitGuardsFailed();
  std::string emitGuardHolds();
  std::string emitDefineSymbols();
  std::string emitInputDims();
  std::string emitOutputDims();
  std::string emitOutputBounds();
  std::string emitSelect(size_t maxCells);
  std::string emitWorkspace(const ModelTables::Variant &variant);
  std::string emitAdmits(const ModelTables::Variant &variant);
  std::string emitOutputs(llvm::StringRef name, Expr ModelTables::Dim::*part);
  mlir::Value emitOverflow(ExprEmitter &exprs, llvm::ArrayRef<Expr> dims);
  void storeDim(mlir::Value value, mlir::Value dims, int32_t position);
  /// Emits the code for some tensors, the first of whose dims has a position in
  /// the array `dims`, and returns the flags of the part.
  using EmitPart = llvm::function_ref<mlir::Value(
      mlir::Value dims, llvm::ArrayRef<ModelTables::Tensor> some,
      int32_t position)>;
  /// A function over tensors; of many, one that calls a function for every few.
  /// It returns the flags of all.
  std::string emitInParts(llvm::StringRef name,
                          llvm::ArrayRef<ModelTables::Tensor> tensors,
                          EmitPart emitPart);
  mlir::LLVM::LLVMFuncOp begin(llvm::StringRef name, mlir::Type result,
                               llvm::ArrayRef<mlir::Type> arguments);
  void end(mlir::LLVM::LLVMFuncOp function, mlir::Value result);
  /// Where the function at hand finds the symbols' values.
  void readSymbolsFrom(mlir::Value array) { symbols = array; }
  mlir::Value symbolAddress(size_t index);
  mlir::Value loadSymbol(llvm::StringRef name);
  /// A new emitter, which loads symbols as it meets them: its values are good
  /// where the current block dominates.
  ExprEmitter makeExprs();
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value emitAll(ExprEmitter &exprs, llvm::ArrayRef<Condition> conditions);

  // Select.cpp
  mlir::Value emitRank(const SelectTable::Axis &axis);
  mlir::Value emitCell(const SelectTable &table);
  std::string emitGlobal(llvm::StringRef name, mlir::Type elementType,
                         mlir::DenseElementsAttr values);
  mlir::Block *emitChain(mlir::Block *exit, llvm::ArrayRef<unsigned> variants,
                         llvm::ArrayRef<llvm::SmallVector<Condition>> residual);
  mlir::Value loadElement(llvm::StringRef global, mlir::Type elementType,
                          mlir::Value index);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ModelTables &tables;
  mlir::Type pointer, i32, i64;
  mlir::Value symbols;
  /// The position of each symbol in the array.
  llvm::StringMap<size_t> positions;
  llvm::SmallVector<mlir::Operation *> functions;
};

} // namespace ambit::dispatch::lowering

#endif // AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_FUNCTIONEMITTER_H
