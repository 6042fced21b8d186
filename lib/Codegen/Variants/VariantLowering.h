// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the state of one variant that is being lowered to a C function.

#ifndef AMBIT_LIB_CODEGEN_VARIANTS_VARIANTLOWERING_H
#define AMBIT_LIB_CODEGEN_VARIANTS_VARIANTLOWERING_H

#include "../KernelLaunch.h"
#include "../LibraryCalls.h"
#include "../MemoryPlan.h"
#include "ambit/Codegen/EmitExpr.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#define AMBIT_NO_LOADER
#include "ambit/runtime.h"

namespace ambit {

constexpr int32_t kOk = AMBIT_OK, kDataError = AMBIT_DATA_ERROR;

/// Where constants lie in the weight section.
using WeightTable = llvm::DenseMap<mlir::Attribute, int64_t>;

/// The function that code is emitted to: a variant's, or that of a part of it;
/// and what has a value in it at the current place.
struct BodyFunction {
  mlir::func::FuncOp target;
  mlir::Value inputs, outputs, arena, symbols, exec, block;
  std::map<std::string, mlir::Value> sizes;
  std::unique_ptr<ExprEmitter> exprs;
  /// Addresses of tensors.
  llvm::DenseMap<mlir::Value, mlir::Value> pointers;
  /// Whether it may return before its end.
  bool mayLeave = false;
};

/// Lowers one variant.
class VariantLowering : BodyFunction {
public:
  VariantLowering(mlir::func::FuncOp variant, KernelLauncher &launcher,
                  const WeightTable &weights)
      : variant(variant), launcher(launcher), weights(weights),
        b(variant.getContext()),
        pointer(mlir::LLVM::LLVMPointerType::get(b.getContext())),
        domain(dispatch::getBodyDomain(
            variant->getParentOfType<mlir::ModuleOp>(), variant.getName())) {}
  /// The function of a family: its tops follow the other arguments.
  VariantLowering(mlir::func::FuncOp function, const dispatch::Family &family,
                  KernelLauncher &launcher, const WeightTable &weights)
      : VariantLowering(function, launcher, weights) {
    for (const auto &[symbol, top] : family.tops)
      parameters.push_back(top);
  }
  /// Replaces the variant by its C function.
  mlir::LogicalResult run();
  /// What data the function may refuse; it reports by the position here.
  llvm::ArrayRef<mlir::Attribute> getChecks() const { return checks; }

private:
  mlir::LogicalResult checkWeights();
  void createTarget();
  void numberSymbols();
  void makeExprs(mlir::Location loc);
  void reserveBlock();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerStep(mlir::Operation *op);
  mlir::LogicalResult lowerLaunch(graph::LaunchOp launch);
  mlir::LogicalResult lowerLibraryOp(mlir::Operation *op,
                                     const LibraryCall &call);
  mlir::LogicalResult setSymbol(graph::SizeSourceOpInterface op,
                                mlir::Value count);
  mlir::LogicalResult checkSymbols(mlir::Operation *op,
                                   llvm::ArrayRef<Expr> sizes);
  void requireInBody(mlir::Value holds, const llvm::Twine &text,
                     mlir::Value found);
  mlir::Value callLibrary(llvm::StringRef function, mlir::Type result);
  void lowerReturn(mlir::Location loc);
  void assignOutputs();
  mlir::Value pointerOf(mlir::Value tensor);
  mlir::Value loadPointer(mlir::Value table, int64_t index);
  mlir::Value advance(mlir::Value base, mlir::Value bytes);
  mlir::Value checkIndex(graph::LaunchOp launch, mlir::func::FuncOp kernel);
  mlir::Value index(int64_t value);

  // Parts of long bodies: LowerParts.cpp.
  mlir::LogicalResult lowerInParts(llvm::ArrayRef<mlir::Operation *> steps);
  mlir::LogicalResult lowerPart(llvm::ArrayRef<mlir::Operation *> steps);
  void enterPart(llvm::ArrayRef<mlir::Operation *> steps,
                 const BodyFunction &outer,
                 llvm::SmallVectorImpl<mlir::Value> &operands);

  // Loops: LowerLoops.cpp.
  mlir::LogicalResult lowerLoop(graph::LoopOp loop);
  using Body =
      llvm::function_ref<mlir::FailureOr<mlir::Value>(mlir::Value trip)>;
  mlir::Value countTrips(graph::LoopOp loop);
  mlir::LogicalResult createTrips(graph::LoopOp loop, Body body);
  mlir::FailureOr<mlir::Value> lowerBody(graph::LoopOp loop, mlir::Value trip);
  void finishTrip(graph::LoopOp loop, llvm::ArrayRef<mlir::Value> rows);
  mlir::Value loadBool(mlir::Value tensor);
  mlir::Value hasNoFailure();
  void clear(mlir::Value to, mlir::Type type);
  void copy(mlir::Value to, mlir::Value from, mlir::Type type);

  mlir::func::FuncOp variant;
  KernelLauncher &launcher;
  const WeightTable &weights;
  llvm::SmallVector<mlir::Attribute> checks;
  mlir::OpBuilder b;
  mlir::Type pointer;
  /// Symbols known to the emitter so far, all of their numbers, and how many of
  /// the unbacked ones are set.
  std::set<std::string> known;
  std::map<std::string, int64_t> numbers;
  unsigned level = 0;
  /// Symbols that are arguments of the function and of its parts.
  llvm::SmallVector<std::string> parameters;
  Domain domain;
  MemoryPlan plan;
  llvm::DenseMap<mlir::Value, unsigned> outputOf;
  /// Parts made so far.
  unsigned parts = 0;
};

} // namespace ambit

#endif // AMBIT_LIB_CODEGEN_VARIANTS_VARIANTLOWERING_H
