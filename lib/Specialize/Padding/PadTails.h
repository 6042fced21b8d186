// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns the body of a variant into one that computes on sizes rounded up.

#ifndef AMBIT_LIB_SPECIALIZE_PADDING_PADTAILS_H
#define AMBIT_LIB_SPECIALIZE_PADDING_PADTAILS_H

#include "ambit/Specialize/Passes.h"
#include "ambit/Symbolic/Domain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit {

/// What padding came to, for people.
struct PaddingReport {
  /// A line for each op that needs something of a tail, or is computed on true
  /// sizes: "node 'Softmax_3': padding along 'seq' is set to -inf".
  std::vector<std::string> lines;
  /// Ops on padded sizes, and ops that have padded dims but keep true ones.
  unsigned padded = 0, kept = 0;
};

/// Rewrites a function of `graph` ops over symbolic sizes so that its ops
/// compute on the sizes `tops` instead of those symbols, which are at most as
/// large. Arguments, results and all numbers that are read as data keep the
/// true sizes: what comes in is padded, what goes out is cut. An op whose rule
/// does not allow it (`TailRuleOpInterface`) keeps true sizes as well. The
/// elements within true sizes have the bits that the function gave before.
mlir::LogicalResult padTails(mlir::func::FuncOp function, const Domain &domain,
                             const std::map<std::string, Expr> &tops,
                             FreePadding freePadding, PaddingReport &report);

} // namespace ambit

#endif // AMBIT_LIB_SPECIALIZE_PADDING_PADTAILS_H
