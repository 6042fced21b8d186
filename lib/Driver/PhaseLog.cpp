// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// IR dumps and times of phases.

#include "PhaseLog.h"
#include "EmitModel.h"
#include "ambit/Driver/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ambit;

void PhaseLog::begin(Phase) { start = std::chrono::steady_clock::now(); }

void PhaseLog::end(Phase phase) {
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  seconds.emplace_back(phase, time.count());
}

LogicalResult PhaseLog::dump(Phase phase, ModuleOp module) {
  if (options.dumpIrDir.empty())
    return success();
  if (std::error_code error =
          llvm::sys::fs::create_directories(options.dumpIrDir))
    return emitError(FileLineColLoc::get(module.getContext(), options.dumpIrDir,
                                         0, 0))
           << "cannot create the folder: " << error.message();
  std::string name;
  llvm::raw_string_ostream(name)
      << llvm::format("%02d-", int(phase) + 1) << phaseName(phase) << ".mlir";
  llvm::SmallString<128> path(options.dumpIrDir);
  llvm::sys::path::append(path, name);
  return writeText(path, printModule(module, /*elide=*/true),
                   module.getContext());
}

void PhaseLog::report(llvm::raw_ostream &out) const {
  if (!options.timeReport)
    return;
  double total = 0;
  for (auto [phase, time] : seconds) {
    out << llvm::format("%8.3f s  ", time) << phaseName(phase) << '\n';
    total += time;
  }
  out << llvm::format("%8.3f s  total\n", total);
}
