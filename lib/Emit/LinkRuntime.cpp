// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins a compiled module with the embedded runtime. Compiled functions get the
// target CPU; the runtime keeps baseline x86-64, because it must be able to run
// on a CPU that it is going to refuse. So it is the same code in every shared
// object, and was compiled when Ambit was built; bitcode of it serves the kinds
// of output that are one module. There LLVM inlines a function only into
// callers that have all its features: the two never mix in the wrong direction.

#include "Internals.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

extern "C" const char ambit_runtime_bitcode[], ambit_runtime_bitcode_end[];
extern "C" const char ambit_runtime_object[], ambit_runtime_object_end[];

namespace ambit {

static void hide(GlobalValue &value) {
  value.setLinkage(GlobalValue::InternalLinkage);
  value.setVisibility(GlobalValue::DefaultVisibility);
  value.setDSOLocal(true);
}

static bool isBuiltin(const GlobalValue &value) {
  return value.getName().starts_with("__");
}

/// Keeps a name out of the way of the runtime's own and the builtins'.
static void rename(GlobalValue &value) {
  StringRef name = value.getName();
  if (name.starts_with("ambit_") || isBuiltin(value))
    value.setName("model." + name.str());
}

/// Compiled code becomes internal before the link, so that no name of it can
/// collide with one of the runtime.
static void prepareCompiled(Module &module, const EmitOptions &options,
                            bool wideVectors) {
  emit::TargetSpec spec = emit::resolveTarget(options);
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    hide(function);
    rename(function);
    function.addFnAttr("target-cpu", spec.cpu);
    if (!spec.features.empty())
      function.addFnAttr("target-features", spec.features);
    if (wideVectors)
      function.addFnAttr("prefer-vector-width", "512");
    function.setDoesNotThrow();
  }
  for (GlobalVariable &global : module.globals()) {
    if (global.getName() == emit::kWeightSymbol) {
      global.setVisibility(GlobalValue::HiddenVisibility);
      global.setDSOLocal(true);
      if (options.weightBytes >= emit::kLargeWeights)
        global.setCodeModel(CodeModel::Large);
    } else if (global.getName() == emit::kDescriptorSymbol) {
      global.setLinkage(GlobalValue::ExternalLinkage);
      global.setVisibility(GlobalValue::HiddenVisibility);
      global.setDSOLocal(true);
    } else if (!global.isDeclaration()) {
      if (!global.hasLocalLinkage())
        hide(global);
      rename(global);
    }
  }
}

static Error verify(const Module &module, StringRef when) {
  std::string why;
  raw_string_ostream os(why);
  if (!verifyModule(module, &os))
    return Error::success();
  return make_error<InternalError>("malformed LLVM module " + when.str() +
                                   ": " + os.str());
}

/// `run` promises not to allocate, so compiled code may not know how to.
static Error checkNoAllocation(const Module &module) {
  for (StringRef name : {"malloc", "calloc", "realloc", "aligned_alloc",
                         "posix_memalign", "free"})
    if (const Function *function = module.getFunction(name);
        function && !function->use_empty())
      return make_error<InternalError>("compiled code calls '" + name.str() +
                                       "', but a run must not allocate");
  return Error::success();
}

/// Hides the runtime too. Builtins stay visible to the other units of the
/// module: the code generator refers to them by name.
static void hideRuntime(Module &module) {
  for (GlobalValue &value : module.global_values()) {
    if (value.isDeclaration() || value.hasLocalLinkage() ||
        value.getName() == emit::kQuerySymbol ||
        value.getName().starts_with("llvm."))
      continue;
    if (isBuiltin(value))
      value.setDSOLocal(true);
    else
      hide(value);
  }
}

Error prepareModule(Module &module, const EmitOptions &options) {
  auto machine = emit::createTargetMachine(options);
  if (!machine)
    return machine.takeError();
  auto isa = requiredIsa(options);
  if (!isa)
    return isa.takeError();
  GlobalVariable *descriptor =
      module.getGlobalVariable(emit::kDescriptorSymbol, true);
  if (!descriptor || descriptor->isDeclaration())
    return make_error<InternalError>("compiled module does not define '" +
                                     emit::kDescriptorSymbol.str() + "'");
  module.setTargetTriple(options.targetTriple);
  module.setDataLayout((*machine)->createDataLayout());
  if (module.getPICLevel() == PICLevel::NotPIC)
    module.setPICLevel(PICLevel::BigPIC);
  module.setSourceFileName("model");
  module.setModuleIdentifier("model");
  if (Error error = verify(module, "before the runtime is linked"))
    return error;
  if (Error error = checkNoAllocation(module))
    return error;
  prepareCompiled(module, options, is_contained(*isa, "avx512f"));
  if (NamedMDNode *ident = module.getNamedMetadata("llvm.ident"))
    ident->eraseFromParent();
  return Error::success();
}

StringRef getRuntimeObject() {
  return StringRef(ambit_runtime_object,
                   ambit_runtime_object_end - ambit_runtime_object);
}

Error linkRuntime(Module &module, const EmitOptions &options) {
  if (Error error = prepareModule(module, options))
    return error;
  MemoryBufferRef buffer(
      StringRef(ambit_runtime_bitcode,
                ambit_runtime_bitcode_end - ambit_runtime_bitcode),
      "runtime");
  auto runtime = parseBitcodeFile(buffer, module.getContext());
  if (!runtime)
    return make_error<InternalError>("embedded runtime: " +
                                     toString(runtime.takeError()));
  (*runtime)->setTargetTriple(options.targetTriple);
  (*runtime)->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(*runtime)))
    return make_error<InternalError>(
        "the runtime does not link with the module");
  hideRuntime(module);
  if (NamedMDNode *ident = module.getNamedMetadata("llvm.ident"))
    ident->eraseFromParent();
  return verify(module, "after the runtime was linked");
}

} // namespace ambit
