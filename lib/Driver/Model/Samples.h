// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: `--from-samples`, what observed input shapes say about a model.

#ifndef AMBIT_LIB_DRIVER_MODEL_SAMPLES_H
#define AMBIT_LIB_DRIVER_MODEL_SAMPLES_H

#include "ModelShapes.h"
#include "ambit/Driver/Options.h"

namespace ambit {

/// A relation that held in all samples. It is no fact: only the user knows
/// whether it always will.
struct Proposal {
  Condition condition;
  /// Different values that its symbols had together.
  size_t distinct = 0;
  /// Two of them: the first and the last.
  std::vector<std::map<std::string, int64_t>> examples;
};

struct SampleReport {
  size_t count = 0;
  /// Symbols that had one value, and those that had several.
  std::map<std::string, int64_t> fixed;
  std::vector<std::string> varied;
  std::vector<Proposal> proposals;
  bool accepted = false;
};

/// Reads `options.samples`, a JSON list of objects from input names to dims,
/// and returns the options that it stands for: what never varied is fixed, a
/// fixed dim that varied becomes a symbol, and with `acceptProposals` proposals
/// are constraints. Reports what it found as remarks. Without samples the
/// options come back as they are.
mlir::FailureOr<ModelOptions> applySamples(const ModelOptions &options,
                                           mlir::MLIRContext &context,
                                           SampleReport &report);

Json toJson(const SampleReport &report);

/// The relations that held for all of `rows`, each the values of the symbols
/// in one sample: equalities first, then b == p*a + q, then c == a + b + q. A
/// symbol that is proposed to depend on others is proposed once.
std::vector<Proposal>
findProposals(llvm::ArrayRef<std::string> symbols,
              llvm::ArrayRef<std::map<std::string, int64_t>> rows);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_SAMPLES_H
