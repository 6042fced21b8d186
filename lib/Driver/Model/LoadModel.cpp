// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a model file to a module with inferred shapes.

#include "LoadModel.h"
#include "../Calibrate/CalibrationFile.h"
#include "../Profile/ModelProfile.h"
#include "CheckText.h"
#include "ModelCosts.h"
#include "Samples.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Dialect/Sym/IR/Constraints.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Import/Onnx/OnnxImport.h"
#include "ambit/Shape/Passes.h"
#include "ambit/Specialize/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace ambit;

/// Longer texts have places that MLIR cannot count.
constexpr uint64_t kMaxTextBytes = INT32_MAX;

/// Sets the ranges of `--dim` on the symbols of a module read from text.
static LogicalResult declareDims(ModuleOp module, const ModelOptions &options) {
  OpBuilder b(module.getContext());
  for (const DimOption &dim : options.dims) {
    sym::SymbolOp found;
    std::string names;
    for (auto symbol : module.getOps<sym::SymbolOp>()) {
      if (symbol.getUnbacked())
        continue;
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

/// Conditions that hold for every shape, each with the option that says so.
static FailureOr<std::vector<ImportConstraint>>
readConstraints(const ModelOptions &options, MLIRContext &context) {
  std::vector<ImportConstraint> all;
  for (const auto &[option, texts] :
       {std::pair("--constraint", &options.constraints),
        std::pair("--from-samples", &options.proposals)}) {
    Location loc = optionLocation(&context, option);
    FailureOr<SmallVector<Condition>> conditions =
        sym::parseConstraints(loc, *texts);
    if (failed(conditions))
      return failure();
    for (Condition &condition : *conditions)
      all.push_back({std::move(condition), loc});
  }
  return all;
}

/// Adds the guards of `--constraint` after the symbols of a module read from
/// text.
static LogicalResult
declareConstraints(ModuleOp module, ArrayRef<ImportConstraint> constraints) {
  if (constraints.empty())
    return success();
  SmallVector<Condition> conditions;
  for (const ImportConstraint &constraint : constraints)
    conditions.push_back(constraint.condition);
  if (failed(sym::checkConstraints(constraints.front().loc,
                                   sym::getEntryDomain(module), conditions)))
    return failure();
  OpBuilder b(module.getContext());
  b.setInsertionPointToStart(module.getBody());
  for (auto symbol : module.getOps<sym::SymbolOp>())
    b.setInsertionPointAfter(symbol);
  for (const ImportConstraint &constraint : constraints)
    b.create<sym::GuardOp>(constraint.loc, constraint.condition.str());
  return success();
}

/// A module read from text, with a function @main.
static OwningOpRef<ModuleOp> parseText(const ModelOptions &options,
                                       MLIRContext &context) {
  Location loc = FileLineColLoc::get(&context, options.input, 0, 0);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> text =
      readInput(options.input, kMaxTextBytes);
  if (!text) {
    emitError(loc) << "cannot read '" << options.input
                   << "': " << llvm::toString(text.takeError());
    return {};
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*text), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (module && !module->lookupSymbol<func::FuncOp>("main")) {
    emitError(loc) << "has no function '@main'";
    return {};
  }
  if (module && failed(checkText(*module)))
    return {};
  return module;
}

static OwningOpRef<ModuleOp> importText(const ModelOptions &options,
                                        ArrayRef<ImportConstraint> constraints,
                                        MLIRContext &context) {
  if (!options.inputShapes.empty()) {
    emitError(optionLocation(&context, "--input-shape"))
        << "is for ONNX models; a .mlir file declares its own shapes";
    return {};
  }
  if (!options.values.empty()) {
    emitError(optionLocation(&context, "--value"))
        << "is for ONNX models; a .mlir file has constants of its own";
    return {};
  }
  OwningOpRef<ModuleOp> module = parseText(options, context);
  if (!module)
    return {};
  if (failed(declareDims(*module, options)) ||
      failed(declareConstraints(*module, constraints)))
    return {};
  if (!(*module)->hasAttr(attributes::kModel))
    (*module)->setAttr(
        attributes::kModel,
        StringAttr::get(&context, llvm::sys::path::stem(options.input)));
  return module;
}

bool ambit::canDeclareShapes(const ModelOptions &options) {
  return llvm::sys::path::extension(options.input) != ".mlir";
}

FailureOr<std::vector<ModelInput>>
ambit::readInputs(const ModelOptions &options, MLIRContext &context) {
  context.loadAllAvailableDialects();
  std::vector<ModelInput> inputs;
  if (!canDeclareShapes(options)) {
    OwningOpRef<ModuleOp> module = parseText(options, context);
    if (!module)
      return failure();
    auto main = module->lookupSymbol<func::FuncOp>("main");
    for (NamedShape &shape : getInputShapes(main))
      inputs.push_back(
          {std::move(shape.name),
           std::vector<Expr>(shape.dims.begin(), shape.dims.end())});
    return inputs;
  }
  ImportOptions onnx;
  onnx.inputShapes = options.inputShapes;
  onnx.values = options.values;
  onnx.strictDims = options.strictDims;
  onnx.inputShapesLoc = optionLocation(&context, "--input-shape");
  onnx.valuesLoc = optionLocation(&context, "--value");
  onnx.externalDataDirs = options.externalDataDirs;
  auto read = readOnnxInputs(options.input, onnx, context);
  if (failed(read))
    return failure();
  for (auto &[name, dims] : *read)
    inputs.push_back({std::move(name), std::move(dims)});
  return inputs;
}

/// What the importer of ONNX is told.
static ImportOptions importOptionsOf(const ModelOptions &options,
                                     std::vector<ImportConstraint> constraints,
                                     MLIRContext &context) {
  ImportOptions onnx;
  for (const DimOption &dim : options.dims)
    onnx.dims[dim.name] = SymbolRange{dim.min, dim.max, dim.divisor};
  onnx.inputShapes = options.inputShapes;
  onnx.values = options.values;
  onnx.strictDims = options.strictDims;
  onnx.constraints = std::move(constraints);
  if (options.floorsResizeLength)
    onnx.resizeLength = ResizeLength::Floored;
  onnx.dimsLoc = optionLocation(&context, "--dim");
  onnx.valuesLoc = optionLocation(&context, "--value");
  onnx.inputShapesLoc = optionLocation(&context, "--input-shape");
  onnx.externalDataDirs = options.externalDataDirs;
  onnx.written = options.written;
  return onnx;
}

FailureOr<std::map<std::string, OperatorSupport>>
ambit::readOperators(const ModelOptions &options, MLIRContext &context) {
  context.loadAllAvailableDialects();
  FailureOr<std::vector<ImportConstraint>> constraints =
      readConstraints(options, context);
  if (failed(constraints))
    return failure();
  return readOnnxOperators(
      options.input, importOptionsOf(options, std::move(*constraints), context),
      context);
}

OwningOpRef<ModuleOp> ambit::importModel(const ModelOptions &given,
                                         MLIRContext &context) {
  // Phases build ops of dialects that no pass declares.
  context.loadAllAvailableDialects();
  SampleReport report;
  FailureOr<ModelOptions> applied = applySamples(given, context, report);
  if (failed(applied))
    return {};
  const ModelOptions &options = *applied;
  FailureOr<std::vector<ImportConstraint>> constraints =
      readConstraints(options, context);
  if (failed(constraints))
    return {};
  if (!canDeclareShapes(options))
    return importText(options, *constraints, context);
  return importOnnx(options.input,
                    importOptionsOf(options, std::move(*constraints), context),
                    context);
}

static LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager manager(module.getContext());
  manager.addPass(std::move(pass));
  return manager.run(module);
}

LogicalResult ambit::inferModel(ModuleOp module) {
  return runPass(module, createInferShapesPass());
}

OwningOpRef<ModuleOp> ambit::loadModel(const ModelOptions &options,
                                       MLIRContext &context) {
  OwningOpRef<ModuleOp> module = importModel(options, context);
  if (!module || failed(inferModel(*module)))
    return {};
  return module;
}

/// Whether the planner has to choose buckets or, of padded ones, those that
/// share a body.
static bool needsCosts(const PlanOptions &options) {
  return llvm::any_of(options.buckets, [&](const auto &bucket) {
    auto own = options.kinds.find(bucket.first);
    if (own == options.kinds.end())
      own = options.kinds.find("");
    BucketKind::Way way = own->second.way;
    return way == BucketKind::Way::Auto ||
           (way == BucketKind::Way::Padded && options.sharing == Sharing::Auto);
  });
}

FailureOr<ModelCosts> ambit::measureCosts(ModuleOp module,
                                          const VariantOptions &options) {
  FailureOr<cost::Rates> rates = getRates(options, module.getContext());
  if (failed(rates))
    return failure();
  return ModelCosts::measure(module, *rates);
}

FailureOr<PlanOptions> ambit::getPlanOptions(ModuleOp module,
                                             const VariantOptions &options,
                                             const ModelCosts *known) {
  PlanOptions wanted;
  for (const SymbolValues &exact : options.exact)
    wanted.exact[exact.name] = exact.values;
  wanted.buckets = options.buckets;
  wanted.kinds = options.bucketKinds;
  if (!wanted.buckets.empty())
    wanted.kinds.emplace("", BucketKind{BucketKind::Way::Auto, 1});
  wanted.fallback = options.fallback;
  wanted.sharing = options.sharing;
  wanted.maxVariants = options.maxVariants;
  if (!options.profile.empty()) {
    FailureOr<Traffic> traffic = readTraffic(module, options.profile);
    if (failed(traffic))
      return failure();
    wanted.traffic = std::move(*traffic);
  }
  if (known) {
    wanted.costs = known->times();
  } else if (wanted.traffic || needsCosts(wanted)) {
    FailureOr<ModelCosts> costs = measureCosts(module, options);
    if (failed(costs))
      return failure();
    wanted.costs = costs->times();
  }
  return wanted;
}

LogicalResult ambit::planModel(ModuleOp module, const VariantOptions &options) {
  FailureOr<PlanOptions> wanted = getPlanOptions(module, options);
  if (failed(wanted))
    return failure();
  return runPass(module, createPlanVariantsPass(std::move(*wanted)));
}
