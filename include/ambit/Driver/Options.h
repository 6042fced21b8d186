// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each verb of the command line can be asked to do, as plain data. The
// command line fills these structs; tests and tools fill them directly. Their
// initial values are the defaults that the help prints.

#ifndef AMBIT_DRIVER_OPTIONS_H
#define AMBIT_DRIVER_OPTIONS_H

#include "ambit/Driver/Phase.h"
#include "ambit/Import/InputValue.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ambit {

/// `--dim NAME=LO..HI%DIVISOR`: what values the symbol `name` may take.
struct DimOption {
  std::string name;
  int64_t min = 0;
  int64_t max = INT64_MAX;
  int64_t divisor = 1;
};

/// `--exact NAME=a,b,c` and `--bucket NAME=a,b,c`. The values are distinct, not
/// negative, and in increasing order.
struct SymbolValues {
  std::string name;
  std::vector<int64_t> values;
};

/// How a model file is read: what every verb that takes a model shares.
struct ModelOptions {
  /// Path of the model (.onnx or .mlir).
  std::string input;
  /// Declared ranges of symbols, at most one per name.
  std::vector<DimOption> dims;
  /// Conditions that every shape satisfies ("kv == past + seq"): guards, and
  /// facts for the compiler.
  std::vector<std::string> constraints;
  /// Replaces the declared dims of an input: one text per dim, an integer or an
  /// expression in symbols ("batch", "2*seq+1").
  std::map<std::string, std::vector<std::string>> inputShapes;
  /// What inputs hold at every call; checked like a guard.
  std::map<std::string, InputValue> values;
  /// In a Resize by scales with `align_corners`, compute positions from the
  /// floor of size * scale.
  bool floorsResizeLength = false;
  /// Names of dims that read like expressions are no labels.
  bool strictDims = false;
  /// Path of a JSON list of observed input shapes. Empty: none.
  std::string samples;
  /// Make relations that all samples have guards, which fills `proposals`.
  bool acceptProposals = false;
  /// As `constraints`, but found in samples.
  std::vector<std::string> proposals;
  /// Folders where external data may lie beside the model's own.
  std::vector<std::string> externalDataDirs;
  /// The file that will be written: none of the model's weights may lie there.
  std::string written;
};

/// Which variants a model gets.
struct VariantOptions {
  std::vector<SymbolValues> exact;
  std::vector<SymbolValues> buckets;
  /// Keep a generic variant for shapes that no other variant admits.
  bool fallback = true;
  /// More variants than this are an error that says how many were asked for.
  unsigned maxVariants = 64;
};

/// What `ambit compile` writes.
enum class EmitKind { Graph, Kernels, Loops, Llvm, Asm, Obj, So };

/// Every kind with its command line name, in pipeline order.
llvm::ArrayRef<std::pair<llvm::StringRef, EmitKind>> allEmitKinds();
llvm::StringRef emitKindName(EmitKind kind);

struct CompileOptions : ModelOptions, VariantOptions {
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
  /// Leaves the names of kernels out of the object.
  bool strip = false;
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

/// `input` is a model or a compiled object; the options of the bases are for
/// models.
struct InspectOptions : ModelOptions, VariantOptions {
  /// Show these sections only; all when none is asked for.
  bool guards = false, variants = false;
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
