// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan: which variants of a model there are and which shapes each takes.

#ifndef AMBIT_SPECIALIZE_PLAN_H
#define AMBIT_SPECIALIZE_PLAN_H

#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace ambit {

/// What was asked for.
struct PlanOptions {
  /// Sizes of a symbol that get a body of their own.
  std::map<std::string, std::vector<int64_t>> exact;
  /// Increasing upper ends of intervals: 16, 32 means [min, 16] and [17, 32].
  std::map<std::string, std::vector<int64_t>> buckets;
  /// Whether a generic variant takes what the others leave.
  bool fallback = true;
  unsigned maxVariants = 64;
};

/// One variant and the shapes that it takes.
struct VariantPlan {
  /// Also the name of its function: "batch_1_seq_17_32", "generic".
  std::string name;
  /// "exact" when every symbol of the box is one size, "range", or "generic".
  std::string kind;
  /// The symbols that are narrower than in the model.
  std::map<std::string, SymbolRange> box;
  /// The model's domain, guards included, within the box.
  Domain domain;
};

/// The variants in order of priority: the first whose domain holds a shape
/// runs.
struct Plan {
  Domain model;
  std::vector<VariantPlan> variants;
  /// Variants that were left out, and why, for people.
  std::vector<std::string> notes;
};

/// Makes the plan for a model's domain. Values of one symbol are alternatives,
/// values of several symbols are combined; sizes come before intervals, the
/// generic variant comes last. A variant that no shape can reach is left out.
/// Errors blame the options by the location NameLoc("--exact") and so on.
mlir::FailureOr<Plan> makePlan(mlir::MLIRContext *context, const Domain &model,
                               const PlanOptions &options);

/// Proves that each variant lies inside the model's domain, that where two
/// variants overlap the more special one comes first, and that together they
/// cover the model's domain. A failed proof is an error with a shape that shows
/// it. makePlan has made these proofs.
mlir::LogicalResult verifyPlan(mlir::MLIRContext *context, const Plan &plan);

/// The conditions that single the variant out among the model's shapes.
llvm::SmallVector<Condition> getConditions(const Plan &plan,
                                           const VariantPlan &variant);

/// A table for people, a line per variant.
void printPlan(const Plan &plan, llvm::raw_ostream &out);
/// The same as JSON: {"variants": [{"name", "kind", "where"}], "notes": []}.
void printPlanJson(const Plan &plan, llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_SPECIALIZE_PLAN_H
