// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of a compilation, as a table of contents: `Compilation::run` names
// each phase once, in order, with the reason for its place.

#include "ambit/Driver/Pipeline.h"
#include "EmitModel.h"
#include "Model/LoadModel.h"
#include "Model/ModelVariants.h"
#include "PhaseLog.h"
#include "PhasePasses.h"
#include "ambit/Codegen/Passes.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Registration.h"
#include "ambit/Specialize/Passes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace ambit;

void ambit::registerPipelineDialects(DialectRegistry &registry) {
  registerAmbitDialects(registry);
}

namespace {
/// One model on its way through the phases.
class Compilation {
public:
  Compilation(const CompileOptions &options, MLIRContext &context,
              llvm::raw_ostream &out)
      : options(options), context(context), out(out), log(options) {}

  LogicalResult run();

private:
  using Step = LogicalResult (Compilation::*)();
  /// Runs a phase, dumps its IR, and says whether to go on.
  LogicalResult phase(Phase phase, Step step, bool &goOn);
  LogicalResult runPasses(llvm::function_ref<void(OpPassManager &)> build);
  /// Passes that nothing in a model can make fail: if they do, it is our bug.
  LogicalResult runOwnPasses(llvm::function_ref<void(OpPassManager &)> build);

  LogicalResult import();
  LogicalResult infer() { return inferModel(*module); }
  LogicalResult simplify() { return runPasses(buildSimplify); }
  LogicalResult plan();
  LogicalResult specialize();
  LogicalResult kernels();
  LogicalResult lower();
  LogicalResult dispatch();
  LogicalResult emit() { return emitModel(*module, options, out); }

  const CompileOptions &options;
  MLIRContext &context;
  llvm::raw_ostream &out;
  PhaseLog log;
  OwningOpRef<ModuleOp> module;
};
} // namespace

LogicalResult
Compilation::runPasses(llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&context);
  build(manager);
  return manager.run(*module);
}

LogicalResult
Compilation::runOwnPasses(llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&context);
  build(manager);
  // Once, not after each pass: these passes are many and bodies are long.
  manager.enableVerifier(false);
  if (succeeded(manager.run(*module)) && succeeded(mlir::verify(*module)))
    return success();
  return emitInternalError(module->getLoc()) << "code generation failed";
}

LogicalResult Compilation::import() {
  module = importModel(options, context);
  return success(bool(module));
}

LogicalResult Compilation::plan() {
  if (failed(planModel(*module, options)))
    return failure();
  if (options.explain)
    printVariants(*module, llvm::errs());
  return success();
}

LogicalResult Compilation::specialize() {
  LogicalResult result = runPasses([&](OpPassManager &manager) {
    manager.addPass(createSpecializePass({options.paddingFill}));
  });
  if (succeeded(result) && options.explain)
    printPadding(*module, llvm::errs());
  return result;
}

/// Says how much code the variants share.
static void explainKernels(ModuleOp module, llvm::raw_ostream &out) {
  unsigned launches = 0, kernels = 0;
  module.walk([&](graph::LaunchOp) { ++launches; });
  for (auto function : module.getOps<func::FuncOp>())
    kernels += function->hasAttr(attributes::kKernel);
  out << launches << " launches share " << kernels << " kernels\n";
}

LogicalResult Compilation::kernels() {
  LogicalResult result = runPasses(buildKernels);
  if (succeeded(result) && options.explain)
    explainKernels(*module, llvm::errs());
  return result;
}

LogicalResult Compilation::lower() {
  FailureOr<VectorTarget> vectors = getVectorTarget(options, context);
  if (failed(vectors))
    return failure();
  if (failed(runOwnPasses([&](OpPassManager &manager) {
        manager.addPass(createLowerKernelsPass(
            LowerKernelsPassOptions{vectors->vectorBytes, vectors->registers}));
      })))
    return failure();
  // A model may need more memory than there can be.
  return runPasses([](OpPassManager &manager) {
    manager.addPass(createLowerVariantsPass());
    manager.nest<func::FuncOp>().addPass(createCanonicalizerPass());
    manager.nest<func::FuncOp>().addPass(createCSEPass());
  });
}

LogicalResult Compilation::dispatch() {
  if (failed(describeTarget(*module, options)))
    return failure();
  // Guards may contradict each other, and symbols have no dim to be read from:
  // that is the model's fault.
  if (failed(runPasses([](OpPassManager &manager) {
        manager.addPass(dispatch::createPruneGuardsPass());
      })))
    return failure();
  // The tables refer to bodies that are C functions already.
  if (failed(runOwnPasses(buildLoopsToLLVMPipeline)) ||
      failed(runPasses([](OpPassManager &manager) {
        manager.addPass(dispatch::createLowerPass());
      })))
    return failure();
  return runOwnPasses([](OpPassManager &manager) {
    manager.addPass(arith::createArithExpandOpsPass());
    manager.addPass(createArithToLLVMConversionPass());
    manager.addPass(createReconcileUnrealizedCastsPass());
  });
}

LogicalResult Compilation::phase(Phase phase, Step step, bool &goOn) {
  log.begin(phase);
  LogicalResult result = (this->*step)();
  log.end(phase);
  if (failed(result))
    return failure();
  if (phase != Phase::Emit && failed(log.dump(phase, *module)))
    return failure();
  bool isWanted = options.stopAfter ? *options.stopAfter == phase
                                    : lastPhase(options.emit) == phase;
  goOn = !isWanted;
  if (isWanted && phase != Phase::Emit)
    return writeModule(*module, options, out);
  return success();
}

LogicalResult Compilation::run() {
  const std::pair<Phase, Step> steps[] = {
      // The model as it is, dims as expressions.
      {Phase::Import, &Compilation::import},
      // Every type and guard, before anything reasons about shapes.
      {Phase::Infer, &Compilation::infer},
      // Once for all variants, so that none can differ in the numbers.
      {Phase::Simplify, &Compilation::simplify},
      // Guards are known now; they are part of the domain to cover.
      {Phase::Plan, &Compilation::plan},
      // Sizes become constants before kernels are compared.
      {Phase::Specialize, &Compilation::specialize},
      // Over all variants at once, so that they share kernels.
      {Phase::Kernels, &Compilation::kernels},
      // Kernels before variants: calls need the kernels' signatures.
      {Phase::Lower, &Compilation::lower},
      // Needs each variant's workspace.
      {Phase::Dispatch, &Compilation::dispatch},
      {Phase::Emit, &Compilation::emit},
  };
  bool goOn = true;
  for (auto [which, step] : steps) {
    if (failed(phase(which, step, goOn)))
      return failure();
    if (!goOn)
      break;
  }
  log.report(llvm::errs());
  return success();
}

LogicalResult ambit::runCompile(const CompileOptions &options,
                                MLIRContext &context, llvm::raw_ostream &out) {
  return Compilation(options, context, out).run();
}
