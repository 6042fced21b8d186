// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which CPU code is made for, and which features an object must therefore ask
// for when it is loaded.

#include "Internals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace ambit {

char InternalError::ID;

Error emit::userError(const Twine &text) {
  return createStringError(std::make_error_code(std::errc::invalid_argument),
                           text);
}

static const Target *findTarget(StringRef triple, std::string &error) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
  Triple parsed(triple);
  if (parsed.getArch() != Triple::x86_64 || !parsed.isOSBinFormatELF()) {
    error = "expected x86_64 with ELF objects";
    return nullptr;
  }
  return TargetRegistry::lookupTarget(triple, error);
}

emit::TargetSpec emit::resolveTarget(const EmitOptions &options) {
  if (options.targetCpu != "native")
    return {options.targetCpu, ""};
  StringMap<bool> found = sys::getHostCPUFeatures();
  // Sorted: the order of a hash map must not reach the object.
  std::map<std::string, bool> sorted;
  for (const auto &entry : found)
    sorted[entry.getKey().str()] = entry.getValue();
  std::vector<std::string> parts;
  for (const auto &[name, enabled] : sorted)
    parts.push_back((enabled ? "+" : "-") + name);
  return {sys::getHostCPUName().str(), join(parts, ",")};
}

/// The subtarget without a machine: enough to know CPUs and features.
static Expected<std::unique_ptr<MCSubtargetInfo>>
createSubtarget(const EmitOptions &options) {
  std::string why;
  const Target *target = findTarget(options.targetTriple, why);
  if (!target)
    return emit::userError("target '" + options.targetTriple +
                           "' is not supported: " + why);
  emit::TargetSpec spec = emit::resolveTarget(options);
  std::unique_ptr<MCSubtargetInfo> base(
      target->createMCSubtargetInfo(options.targetTriple, "x86-64", ""));
  if (!base->isCPUStringValid(spec.cpu))
    return emit::userError("unknown target CPU '" + spec.cpu +
                           "', expected 'native' or one of: " +
                           join(knownCpus(options.targetTriple), ", "));
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(
      options.targetTriple, spec.cpu, spec.features));
  if (!subtarget->checkFeatures("+64bit"))
    return emit::userError("target CPU '" + spec.cpu + "' is not a 64-bit one");
  return subtarget;
}

std::vector<std::string> knownCpus(StringRef targetTriple) {
  std::vector<std::string> names;
  std::string why;
  const Target *target = findTarget(targetTriple, why);
  if (!target)
    return names;
  std::unique_ptr<MCSubtargetInfo> base(
      target->createMCSubtargetInfo(targetTriple, "x86-64", ""));
  for (const SubtargetSubTypeKV &cpu : base->getAllProcessorDescriptions()) {
    std::unique_ptr<MCSubtargetInfo> candidate(
        target->createMCSubtargetInfo(targetTriple, cpu.Key, ""));
    if (candidate->checkFeatures("+64bit"))
      names.push_back(cpu.Key);
  }
  return names;
}

Expected<std::vector<std::string>> requiredIsa(const EmitOptions &options) {
  auto subtarget = createSubtarget(options);
  if (!subtarget)
    return subtarget.takeError();
  std::vector<std::string> names;
#define AMBIT_ISA(name, word, bit, state)                                      \
  if ((*subtarget)->checkFeatures("+" name))                                   \
    names.push_back(name);
#include "../Runtime/isa.def"
#undef AMBIT_ISA
  return names;
}

Expected<std::unique_ptr<TargetMachine>>
emit::createTargetMachine(const EmitOptions &options) {
  auto subtarget = createSubtarget(options);
  if (!subtarget)
    return subtarget.takeError();
  std::string why;
  const Target *target = findTarget(options.targetTriple, why);
  TargetSpec spec = resolveTarget(options);
  TargetOptions machine;
  machine.FunctionSections = true;
  machine.DataSections = true;
  CodeGenOptLevel level = CodeGenOptLevel::Default;
  if (std::optional<CodeGenOptLevel> asked =
          CodeGenOpt::getLevel(options.optLevel))
    level = *asked;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      options.targetTriple, spec.cpu, spec.features, machine, Reloc::PIC_,
      CodeModel::Small, level));
}

} // namespace ambit
