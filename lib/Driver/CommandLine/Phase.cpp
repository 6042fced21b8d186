// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the phases and of what can be emitted.

#include "ambit/Driver/Phase.h"
#include "ambit/Driver/Options.h"

using namespace ambit;

namespace {
struct PhaseInfo {
  llvm::StringLiteral name, summary;
};
} // namespace

static constexpr PhaseInfo phaseTable[] = {
    {"import", "read the model into the graph dialect"},
    {"infer", "derive every shape as an expression in the input symbols"},
    {"simplify", "fold constants, remove duplicates, recognise patterns"},
    {"plan", "choose the variants and prove that they cover the domain"},
    {"specialize", "make one function per variant"},
    {"kernels", "fuse into kernels and share equal ones"},
    {"lower", "tile and vectorize kernels down to the LLVM dialect"},
    {"dispatch", "generate guard checks and the choice of a variant"},
    {"emit", "generate machine code and link the shared object"},
};

llvm::ArrayRef<Phase> ambit::allPhases() {
  static constexpr Phase phases[] = {
      Phase::Import, Phase::Infer,      Phase::Simplify,
      Phase::Plan,   Phase::Specialize, Phase::Kernels,
      Phase::Lower,  Phase::Dispatch,   Phase::Emit};
  static_assert(std::size(phases) == std::size(phaseTable),
                "every phase has a name and a summary");
  return phases;
}

llvm::StringRef ambit::phaseName(Phase phase) {
  return phaseTable[static_cast<size_t>(phase)].name;
}

llvm::StringRef ambit::phaseSummary(Phase phase) {
  return phaseTable[static_cast<size_t>(phase)].summary;
}

std::optional<Phase> ambit::parsePhase(llvm::StringRef name) {
  for (Phase phase : allPhases())
    if (phaseName(phase) == name)
      return phase;
  return std::nullopt;
}

llvm::ArrayRef<std::pair<llvm::StringRef, EmitKind>> ambit::allEmitKinds() {
  static const std::pair<llvm::StringRef, EmitKind> kinds[] = {
      {"graph", EmitKind::Graph}, {"kernels", EmitKind::Kernels},
      {"loops", EmitKind::Loops}, {"llvm", EmitKind::Llvm},
      {"asm", EmitKind::Asm},     {"obj", EmitKind::Obj},
      {"so", EmitKind::So}};
  return kinds;
}

llvm::StringRef ambit::emitKindName(EmitKind kind) {
  return allEmitKinds()[static_cast<size_t>(kind)].first;
}
