// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a module in parallel: it is cut into a fixed number of units, each
// of which goes through optimizer and code generator in a context of its own.
//
// The cut depends on the module alone. Kernels are large and call little, so
// functions are dealt out by size and what is lost is inlining across units;
// a function that has one caller and is small goes with its caller. Functions
// with the same attribute "ambit-unit" stay together: what a kernel's functions
// become does not depend on what else is in the module.

#include "Internals.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ambit {

using UnitMap = DenseMap<const GlobalValue *, unsigned>;

/// The one function that refers to `function`, if it does so by calls only.
static const Function *onlyCaller(const Function &function) {
  const Function *caller = nullptr;
  for (const Use &use : function.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isCallee(&use))
      return nullptr;
    if (caller && caller != call->getFunction())
      return nullptr;
    caller = call->getFunction();
  }
  return caller;
}

/// A leaf of the call chain is compiled with the function at its root.
static const Function *rootOf(const Function &function) {
  const Function *root = &function;
  // The bound keeps a cycle of functions that call each other from hanging us.
  for (int depth = 0; depth < 8; ++depth) {
    const Function *caller = onlyCaller(*root);
    if (!caller || caller == root)
      break;
    root = caller;
  }
  return root;
}

static UnitMap assignUnits(const Module &module, unsigned units) {
  MapVector<const Function *, uint64_t> weightOf;
  StringMap<const Function *> groups;
  DenseMap<const Function *, const Function *> roots;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    // Something to inline goes with its caller; a big body stands alone.
    uint64_t size = function.getInstructionCount();
    const Function *root = size < 200 ? rootOf(function) : &function;
    Attribute group = function.getFnAttribute("ambit-unit");
    if (group.isValid())
      root =
          groups.try_emplace(group.getValueAsString(), &function).first->second;
    roots[&function] = root;
    weightOf[root] += size + 20;
  }
  auto order = weightOf.takeVector();
  stable_sort(order, [](auto &a, auto &b) { return a.second > b.second; });
  SmallVector<uint64_t> load(units, 0);
  DenseMap<const Function *, unsigned> unitOfRoot;
  for (auto &[root, weight] : order) {
    unsigned lightest =
        std::min_element(load.begin(), load.end()) - load.begin();
    unitOfRoot[root] = lightest;
    load[lightest] += weight;
  }
  UnitMap result;
  for (auto &[function, root] : roots)
    result[function] = unitOfRoot.lookup(root);
  return result;
}

/// Plain constants that nobody compares by address are copied into every unit,
/// so that their values fold; unused copies are dropped again.
static bool isCopied(const GlobalVariable &global) {
  return global.hasLocalLinkage() && global.isConstant() &&
         global.hasGlobalUnnamedAddr() && global.hasInitializer() &&
         isa<ConstantData>(global.getInitializer());
}

static void share(Module &module) {
  unsigned unnamed = 0;
  for (GlobalValue &value : module.global_values()) {
    auto *global = dyn_cast<GlobalVariable>(&value);
    if (!value.hasLocalLinkage() || (global && isCopied(*global)))
      continue;
    if (!value.hasName())
      value.setName("ambit_unnamed_" + Twine(unnamed++));
    value.setLinkage(GlobalValue::ExternalLinkage);
    value.setVisibility(GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
  }
}

/// Nothing when the unit would define nothing.
static SmallVector<char, 0> extractUnit(const Module &module,
                                        const UnitMap &unitOf, unsigned unit) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> part =
      CloneModule(module, map, [&](const GlobalValue *value) {
        auto *global = dyn_cast<GlobalVariable>(value);
        if (global && isCopied(*global))
          return true;
        return unitOf.lookup(value) == unit;
      });
  SmallVector<char, 0> bytes;
  if (all_of(part->global_values(), [](const GlobalValue &value) {
        return value.isDeclaration() || value.hasLocalLinkage();
      }))
    return bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(*part, os);
  return bytes;
}

static void collectErrors(const DiagnosticInfo *info, void *text) {
  if (info->getSeverity() != DS_Error)
    return;
  raw_string_ostream os(*static_cast<std::string *>(text));
  DiagnosticPrinterRawOStream printer(os);
  info->print(printer);
}

static Expected<std::string> compile(ArrayRef<char> bitcode,
                                     const EmitOptions &options) {
  LLVMContext context;
  // Without a handler an error of the code generator ends the process.
  std::string complaint;
  context.setDiagnosticHandlerCallBack(collectErrors, &complaint);
  auto module = parseBitcodeFile(
      MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), "model"),
      context);
  if (!module)
    return make_error<InternalError>("cannot read back a unit: " +
                                     toString(module.takeError()));
  Expected<std::string> object = emit::compileUnit(**module, options);
  if (object && !complaint.empty())
    return make_error<InternalError>("code generation failed: " + complaint);
  return object;
}

Expected<std::vector<std::string>> emitObjects(Module &module,
                                               const EmitOptions &options) {
  unsigned units = std::max(1u, options.units);
  share(module);
  UnitMap unitOf = assignUnits(module, units);
  std::vector<std::string> objects(units);
  std::vector<std::string> failures(units);
  {
    DefaultThreadPool pool(hardware_concurrency(units));
    for (unsigned unit = 0; unit < units; ++unit) {
      auto bitcode = std::make_shared<SmallVector<char, 0>>(
          extractUnit(module, unitOf, unit));
      if (bitcode->empty())
        continue;
      pool.async([&, unit, bitcode] {
        Expected<std::string> object = compile(*bitcode, options);
        if (object)
          objects[unit] = std::move(*object);
        else
          failures[unit] = toString(object.takeError());
      });
    }
  }
  for (const std::string &failure : failures)
    if (!failure.empty())
      return make_error<InternalError>(failure);
  erase_if(objects, [](const std::string &object) { return object.empty(); });
  return objects;
}

} // namespace ambit
