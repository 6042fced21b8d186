// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a model is read and which variants it gets: the options that verbs on
// models share.

#ifndef AMBIT_DRIVER_MODELOPTIONS_H
#define AMBIT_DRIVER_MODELOPTIONS_H

#include "ambit/Import/InputValue.h"
#include "ambit/Specialize/Buckets.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ambit {

/// `--dim NAME=LO..HI%DIVISOR`: what values the symbol `name` may take.
struct DimOption {
  std::string name;
  int64_t min = 0;
  int64_t max = INT64_MAX;
  int64_t divisor = 1;
};

/// `--exact NAME=a,b,c`. The values are distinct and in increasing order.
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
  std::map<std::string, BucketEnds> buckets;
  /// What variants make of a symbol's intervals; "" speaks for the others,
  /// which choose when nothing does.
  std::map<std::string, BucketKind> bucketKinds;
  /// Path of a profile that chooses the variants; then none of these is given.
  /// Empty: none.
  std::string profile;
  /// Which padded variants share a body.
  Sharing sharing = Sharing::Auto;
  /// Path of measured rates that choices depend on, or "cpu" for those of this
  /// processor in the user's cache folder. Empty: those built in.
  std::string calibration;
  /// Keep a generic variant for shapes that no other variant admits.
  bool fallback = true;
  /// More variants than this are an error that says how many were asked for.
  unsigned maxVariants = 64;
};

} // namespace ambit

#endif // AMBIT_DRIVER_MODELOPTIONS_H
