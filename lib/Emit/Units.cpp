// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a module in parallel: it is cut into a fixed number of units, each
// of which goes through optimizer and code generator in a context of its own.
//
// The cut depends on the module alone, and what becomes of a kernel on the
// kernel alone: functions with the same attribute "ambit-unit" stay together,
// and are dealt out by its hash. Kernels are large and call little, so what is
// lost is inlining across units; a function that has one caller and is small
// goes with its caller. A unit holds nothing of others, so that a cache of
// objects finds it in the next model that has it.

#include "Internals.h"
#include "ambit/Emit/ObjectCache.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
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
#include "llvm/Support/xxhash.h"
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

/// Functions of fewer instructions are too little for a unit of their own.
constexpr uint64_t kSmallFunction = 200;

/// What a function is compiled with: functions of one name go together, those
/// without with whatever is left. The name depends on nothing else in the
/// module.
static StringRef getGroup(const Function &function) {
  uint64_t size = function.getInstructionCount();
  // Something to inline goes with its caller; a big body stands alone.
  const Function *root = size < kSmallFunction ? rootOf(function) : &function;
  for (const Function *member : {&function, root}) {
    Attribute group = member->getFnAttribute("ambit-unit");
    if (group.isValid())
      return group.getValueAsString();
  }
  return root->getInstructionCount() < kSmallFunction ? "" : root->getName();
}

/// Deals out functions by the hash of their group's name, so that what is in a
/// unit, and with that its code, changes little when the module does. Unit 0
/// takes what has no group, and all data.
static UnitMap assignUnits(const Module &module, unsigned units) {
  UnitMap unitOf;
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    StringRef group = getGroup(function);
    bool isOwn = units > 1 && !group.empty();
    unitOf[&function] = isOwn ? 1 + xxh3_64bits(group) % (units - 1) : 0;
  }
  return unitOf;
}

/// Units with the most code first: the last ones to end should be short.
static SmallVector<unsigned> orderUnits(const Module &module,
                                        const UnitMap &unitOf, unsigned units) {
  SmallVector<uint64_t> sizes(units, 0);
  for (const Function &function : module)
    sizes[unitOf.lookup(&function)] += function.getInstructionCount();
  auto order = to_vector(seq(units));
  stable_sort(order, [&](unsigned lhs, unsigned rhs) {
    return sizes[lhs] > sizes[rhs];
  });
  return order;
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
  // What others call is no part of this, and must not change its bytes.
  for (GlobalValue &value : make_early_inc_range(part->global_values()))
    if (value.use_empty() && (value.isDeclaration() || value.hasLocalLinkage()))
      value.eraseFromParent();
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

/// Compiles a unit, or finds it compiled.
static Expected<std::string> compileOrFind(ArrayRef<char> bitcode,
                                           const EmitOptions &options) {
  if (!options.cache)
    return compile(bitcode, options);
  std::string key = ObjectCache::makeKey(bitcode, options);
  if (std::optional<std::string> known = options.cache->find(key))
    return std::move(*known);
  Expected<std::string> object = compile(bitcode, options);
  if (object)
    options.cache->store(key, *object);
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
    for (unsigned unit : orderUnits(module, unitOf, units)) {
      auto bitcode = std::make_shared<SmallVector<char, 0>>(
          extractUnit(module, unitOf, unit));
      if (bitcode->empty())
        continue;
      pool.async([&, unit, bitcode] {
        Expected<std::string> object = compileOrFind(*bitcode, options);
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
