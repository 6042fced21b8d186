// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan: which variants of a model there are and which shapes each takes.

#ifndef AMBIT_SPECIALIZE_PLAN_H
#define AMBIT_SPECIALIZE_PLAN_H

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Specialize/Buckets.h"
#include "ambit/Specialize/Traffic.h"
#include "ambit/Specialize/VariantCosts.h"
#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Location.h"
#include "mlir/Pass/Pass.h"
#include <string>
#include <vector>

namespace ambit {

/// What was asked for.
struct PlanOptions {
  /// Sizes of a symbol that get a body of their own.
  std::map<std::string, std::vector<int64_t>> exact;
  /// Upper ends of intervals: 16, 32 means [min, 16] and [17, 32].
  std::map<std::string, BucketEnds> buckets;
  /// What variants make of a symbol's intervals; "" speaks for the others.
  std::map<std::string, BucketKind> kinds;
  /// Whether a generic variant takes what the others leave.
  bool fallback = true;
  Sharing sharing = Sharing::Auto;
  /// Expected times, which intervals of the kind Auto need, and traffic;
  /// without them Sharing::Auto shares nothing.
  VariantCosts costs;
  /// Observed shapes that choose the variants, up to `maxVariants`.
  std::optional<Traffic> traffic;
  unsigned maxVariants = 64;
};

/// What the planner looks at.
struct PlanInput {
  /// The model's domain, as known at entry.
  Domain model;
  /// Where each of the domain's facts comes from; empty when nobody knows.
  llvm::SmallVector<mlir::Location> origins;
  PlanOptions options;
  /// Symbols of the domain that are expressions in those before them.
  std::vector<std::pair<std::string, Expr>> definitions = {};
};

/// One variant and the shapes that it takes.
struct VariantPlan {
  /// Also the name of its function: "batch_1_seq_17_32", "generic".
  std::string name;
  dispatch::VariantKind kind = dispatch::VariantKind::Range;
  /// The symbols that are narrower than in the model.
  std::map<std::string, SymbolRange> box;
  /// The model's domain, guards included, within the box.
  Domain domain;
  /// The name of the function that it shares; empty when it has its own.
  std::string shares = {};
};

/// A variant that was left out because no shape reaches it.
struct OmittedVariant {
  std::string name, reason;
  /// The rule that admits none of its shapes, or the option that asked for it.
  mlir::Location loc;
};

/// The variants in order of priority: the first whose domain holds a shape
/// runs.
struct Plan {
  Domain model;
  std::vector<VariantPlan> variants;
  std::vector<OmittedVariant> omitted;
  /// What the traffic is expected to take, when there is some.
  std::optional<TrafficReport> traffic;
};

/// What the planner looks at in a module with inferred shapes.
PlanInput makePlanInput(mlir::ModuleOp module, PlanOptions options);

/// Makes the plan for a model's domain. Values of one symbol are alternatives,
/// values of several symbols are combined; sizes come before intervals, the
/// generic variant comes last. A variant that no shape can reach is left out.
/// Errors blame the options by the location NameLoc("--exact") and so on.
mlir::FailureOr<Plan> makePlan(mlir::MLIRContext *context,
                               const PlanInput &input);

/// Proves that each variant lies inside the model's domain, that where two
/// variants overlap the more special one comes first, and that together they
/// cover the model's domain. A failed proof is an error with a shape that shows
/// it. makePlan has made these proofs.
mlir::LogicalResult verifyPlan(mlir::MLIRContext *context, const Plan &plan);

/// The conditions that single the variant out among the model's shapes.
llvm::SmallVector<Condition> getConditions(const Plan &plan,
                                           const VariantPlan &variant);

/// The pass `plan-variants` with these options, which need not be text.
std::unique_ptr<mlir::Pass> createPlanVariantsPass(PlanOptions options);

} // namespace ambit

#endif // AMBIT_SPECIALIZE_PLAN_H
