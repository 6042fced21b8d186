// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a model file to a module with inferred shapes.

#include "LoadModel.h"
#include "ambit/Dialect/Sym/IR/Constraints.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Import/Onnx/OnnxImport.h"
#include "ambit/Shape/InferShapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ambit;

/// Sets the ranges of `--dim` on the symbols of a module read from text.
static LogicalResult declareDims(ModuleOp module, const ModelOptions &options) {
  OpBuilder b(module.getContext());
  for (const DimOption &dim : options.dims) {
    sym::SymbolOp found;
    std::string names;
    for (auto symbol : module.getOps<sym::SymbolOp>()) {
      if (symbol.getName() == dim.name)
        found = symbol;
      names += (names.empty() ? "'" : ", '") + symbol.getName().str() + "'";
    }
    if (!found)
      return emitError(optionLocation(module.getContext(), "--dim"))
             << "the model has no symbol '" << dim.name << "'; its symbols are "
             << (names.empty() ? "none" : names);
    found.setMinAttr(b.getI64IntegerAttr(dim.min));
    found.setMaxAttr(b.getI64IntegerAttr(dim.max));
    found.setDivisorAttr(b.getI64IntegerAttr(dim.divisor));
  }
  return success();
}

/// Adds the guards of `--constraint` after the symbols of a module read from
/// text.
static LogicalResult declareConstraints(ModuleOp module,
                                        ArrayRef<Condition> constraints) {
  Location loc = optionLocation(module.getContext(), "--constraint");
  if (failed(sym::checkConstraints(loc, sym::getDomain(module), constraints)))
    return failure();
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(module.getBody());
  for (auto symbol : module.getOps<sym::SymbolOp>())
    b.setInsertionPointAfter(symbol);
  for (const Condition &constraint : constraints)
    b.create<sym::GuardOp>(loc, constraint.str());
  return success();
}

static OwningOpRef<ModuleOp> importText(const ModelOptions &options,
                                        ArrayRef<Condition> constraints,
                                        MLIRContext &context) {
  if (!options.inputShapes.empty()) {
    emitError(optionLocation(&context, "--input-shape"))
        << "is for ONNX models; a .mlir file declares its own shapes";
    return {};
  }
  auto module = parseSourceFile<ModuleOp>(options.input, &context);
  if (!module)
    return {};
  if (!module->lookupSymbol<func::FuncOp>("main")) {
    emitError(FileLineColLoc::get(&context, options.input, 0, 0))
        << "has no function '@main'";
    return {};
  }
  if (failed(declareDims(*module, options)) ||
      failed(declareConstraints(*module, constraints)))
    return {};
  if (!(*module)->hasAttr("ambit.model"))
    (*module)->setAttr("ambit.model",
                       StringAttr::get(&context,
                                       llvm::sys::path::stem(options.input)));
  return module;
}

OwningOpRef<ModuleOp> ambit::importModel(const ModelOptions &options,
                                         MLIRContext &context) {
  // Phases build ops of dialects that no pass declares.
  context.loadAllAvailableDialects();
  Location constraintsLoc = optionLocation(&context, "--constraint");
  FailureOr<SmallVector<Condition>> constraints =
      sym::parseConstraints(constraintsLoc, options.constraints);
  if (failed(constraints))
    return {};
  if (llvm::sys::path::extension(options.input) == ".mlir")
    return importText(options, *constraints, context);
  OnnxImportOptions onnx;
  for (const DimOption &dim : options.dims)
    onnx.dims[dim.name] = SymbolRange{dim.min, dim.max, dim.divisor};
  onnx.inputShapes = options.inputShapes;
  onnx.constraints.assign(constraints->begin(), constraints->end());
  onnx.constraintsLoc = constraintsLoc;
  onnx.dimsLoc = optionLocation(&context, "--dim");
  onnx.inputShapesLoc = optionLocation(&context, "--input-shape");
  return importOnnx(options.input, onnx, context);
}

LogicalResult ambit::inferModel(ModuleOp module) {
  graph::ShapeContext context(sym::getDomain(module), makeGuardSink(module));
  return inferShapes(module.lookupSymbol<func::FuncOp>("main"), context);
}

OwningOpRef<ModuleOp> ambit::loadModel(const ModelOptions &options,
                                       MLIRContext &context) {
  OwningOpRef<ModuleOp> module = importModel(options, context);
  if (!module || failed(inferModel(*module)))
    return {};
  return module;
}

FailureOr<Plan> ambit::planModel(ModuleOp module,
                                 const VariantOptions &options) {
  PlanOptions wanted;
  for (const SymbolValues &exact : options.exact)
    wanted.exact[exact.name] = exact.values;
  for (const SymbolValues &bucket : options.buckets)
    wanted.buckets[bucket.name] = bucket.values;
  wanted.fallback = options.fallback;
  wanted.maxVariants = options.maxVariants;
  return makePlan(module.getContext(), sym::getDomain(module), wanted);
}
