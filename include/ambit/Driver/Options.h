// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each verb of the command line can be asked to do, as plain data. The
// command line fills these structs; tests and tools fill them directly. Their
// initial values are the defaults that the help prints.

#ifndef AMBIT_DRIVER_OPTIONS_H
#define AMBIT_DRIVER_OPTIONS_H

#include "ambit/Driver/ModelOptions.h"
#include "ambit/Driver/Phase.h"
#include "ambit/Specialize/Padding.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ambit {

/// What `ambit compile` writes.
enum class EmitKind { Graph, Kernels, Loops, Llvm, Asm, Obj, So };

/// Every kind with its command line name, in pipeline order.
llvm::ArrayRef<std::pair<llvm::StringRef, EmitKind>> allEmitKinds();
llvm::StringRef emitKindName(EmitKind kind);

/// A limit that verbs which make or plan shared objects have.
struct SizeLimit {
  /// A shared object of more bytes is an error. 0: no limit.
  uint64_t maxBytes = 0;
};

struct CompileOptions : ModelOptions, VariantOptions, SizeLimit {
  /// Path of the result, "-" for stdout. Never empty: ambitMain fills in "-"
  /// for text and `libNAME.so` or `NAME.o` otherwise.
  std::string output;
  EmitKind emit = EmitKind::So;
  /// Stop after this phase and print its IR to the output.
  std::optional<Phase> stopAfter;
  /// Write the IR after each phase to `DIR/NN-phase.mlir`. Empty: do not.
  std::string dumpIrDir;
  /// Print the wall time of each phase to stderr.
  bool timeReport = false;
  /// Print the variant table and why each variant exists to stderr.
  bool explain = false;
  /// LLVM's name of the processor the code is for; "native" is this machine.
  std::string targetCpu = "x86-64-v3";
  /// Folder of compiled parts, shared with other compiles. Empty: none.
  std::string cacheDir;
  /// Leaves the names of kernels out of the object.
  bool strip = false;
  /// What padding holds where it does not matter.
  FreePadding paddingFill = FreePadding::Zero;
  /// 0 to 3. 2 is what is measured.
  unsigned optLevel = 2;
};

struct ShapesOptions : ModelOptions {
  /// Values of symbols: shapes are printed with these put in.
  std::map<std::string, int64_t> set;
  /// Instead, tell where each dim of this value comes from. Empty: do not.
  std::string why;
  bool json = false;
};

struct PlanVerbOptions : ModelOptions, VariantOptions, SizeLimit {
  /// Where to write a page about the plan; "-" is stdout, instead of the table.
  /// Empty: none.
  std::string html;
  bool json = false;
};

struct CalibrateOptions {
  /// Where to write; "-" is stdout, empty the place of this processor in the
  /// user's cache folder.
  std::string output;
};

struct ProfileOptions {
  enum class Action { Merge, Suggest };
  Action action = Action::Merge;
  /// Merge: profiles, at least one. Suggest: a compiled object and a profile.
  std::vector<std::string> files;
  /// Merge: where to write; "-" is stdout.
  std::string output = "-";
  /// Suggest: print JSON.
  bool json = false;
};

/// `input` is a model or a compiled object; the options of the bases are for
/// models.
struct InspectOptions : ModelOptions, VariantOptions {
  /// Show these sections only; all when none is asked for.
  bool guards = false, variants = false;
  /// Instead, say what padding each padded variant of a model needs and why.
  bool padding = false;
  /// Instead, say which operators of a model are supported.
  bool ops = false;
  bool json = false;
};

struct RunOptions {
  /// Path of the compiled object.
  std::string input;
  /// "NAME=FILE", where FILE is a .npy or .pb; names and files may hold a '='.
  std::vector<std::string> inputs;
  /// Fill every input that has no file with seeded random values.
  bool random = false;
  uint64_t seed = 0;
  /// Values of symbols, for random inputs.
  std::map<std::string, int64_t> set;
  /// Write every output to `DIR/NAME.npy`. Empty: print a summary only.
  std::string outputDir;
  /// Number of runs; the time of each is reported when it is not 1.
  unsigned repeat = 1;
  /// Threads that each run may use. More never change a result.
  unsigned threads = 1;
  /// Say which variant these shapes take, and why.
  bool explain = false;
  bool json = false;
};

} // namespace ambit

#endif // AMBIT_DRIVER_OPTIONS_H
