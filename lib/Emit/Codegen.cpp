// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's optimizer and code generator, for a whole module or for parts of it.
//
// Floating point stays as written: no fast-math, no reassociation, no SLP
// vectorizer, and multiply-add only where the module says fma. Variants of one
// model must agree bit for bit, so nothing may depend on how a loop is cut.

#include "Internals.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace ambit {

static void runPipeline(Module &module, TargetMachine &machine, int level) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level > 1;
  tuning.LoopInterleaving = level > 1;
  tuning.SLPVectorization = false;
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  OptimizationLevel chosen = level <= 0   ? OptimizationLevel::O0
                             : level == 1 ? OptimizationLevel::O1
                             : level == 2 ? OptimizationLevel::O2
                                          : OptimizationLevel::O3;
  ModulePassManager passes =
      level <= 0 ? builder.buildO0DefaultPipeline(chosen)
                 : builder.buildPerModuleDefaultPipeline(chosen);
  passes.run(module, modules);
}

static Expected<std::string> generate(Module &module, TargetMachine &machine,
                                      CodeGenFileType type) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, os, nullptr, type))
    return make_error<InternalError>(
        "the target cannot emit this kind of file");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}

Error optimize(Module &module, const EmitOptions &options) {
  auto machine = emit::createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  runPipeline(module, **machine, options.optLevel);
  return Error::success();
}

std::string emitLLVM(const Module &module) {
  std::string text;
  raw_string_ostream os(text);
  module.print(os, nullptr);
  return os.str();
}

static Expected<std::string> generateWhole(Module &module,
                                           const EmitOptions &options,
                                           CodeGenFileType type) {
  auto machine = emit::createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  return generate(module, **machine, type);
}

Expected<std::string> emitAssembly(Module &module, const EmitOptions &options) {
  return generateWhole(module, options, CodeGenFileType::AssemblyFile);
}

Expected<std::string> emitObject(Module &module, const EmitOptions &options) {
  return generateWhole(module, options, CodeGenFileType::ObjectFile);
}

Expected<std::string> emit::compileUnit(Module &module,
                                        const EmitOptions &options) {
  auto machine = createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  runPipeline(module, **machine, options.optLevel);
  return generate(module, **machine, CodeGenFileType::ObjectFile);
}

} // namespace ambit
