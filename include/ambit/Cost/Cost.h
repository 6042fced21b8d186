// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost model: what an op, a scalar body and a kernel take, as expressions
// over symbols, and from how much work on something pays. Every constant of the
// model stands in lib/Cost. An estimate decides what is faster, never what is
// right: one that is off by a factor of two does no harm.

#ifndef AMBIT_COST_COST_H
#define AMBIT_COST_COST_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"

namespace ambit::cost {

/// Work is counted in ticks: one is a multiply-add of a tiled matrix product,
/// one element wide. A core of the baseline target does about this many in a
/// microsecond.
constexpr int64_t kTicksPerMicrosecond = 16000;

/// A number of ticks (or bytes) that depends on sizes: a sum of products of
/// dims, each with a weight. Weights saturate at INT64_MAX.
class Amount {
public:
  struct Term {
    /// Dims that are no constants; in the order in which they were given.
    llvm::SmallVector<Expr> box;
    int64_t weight;
  };

  /// Adds `each` for every point of a box.
  void add(llvm::ArrayRef<Expr> box, int64_t each);
  llvm::ArrayRef<Term> terms() const { return sum; }
  /// The amount at these sizes, saturated; nothing when one has no value.
  std::optional<int64_t>
  evaluate(const std::map<std::string, int64_t> &sizes) const;

private:
  llvm::SmallVector<Term> sum;
};

/// Ticks for one element of a map.
int64_t getTicks(graph::MapOp map);
/// About how many instructions the maps after the root of a kernel are, for
/// each element.
int64_t countEpilogueInstructions(mlir::Block &kernel);

/// Adds the ticks of what the op itself computes: no loads and stores.
void addTicks(Amount &amount, mlir::Operation *op);
/// The ticks of a kernel: each op once for every element that it computes, the
/// loads of the kernel's arguments and the stores of what it returns.
Amount getKernelTicks(mlir::Block &kernel);

//===-- What pays ---------------------------------------------------------===//

/// Less work than this stays on the caller's thread: handing it out and waiting
/// takes a few microseconds, and some tens when a worker has fallen asleep.
constexpr int64_t kParallelTicks = 30 * kTicksPerMicrosecond;
/// The work of the smallest piece that a thread takes at once.
constexpr int64_t kPieceTicks = 8 * kTicksPerMicrosecond;
/// A tile's epilogue of more instructions than this is emitted once, in a loop.
constexpr int64_t kMostInlineInstructions = 48;

/// How many rows of a convolution or window make a unit worth a call: of
/// `extents`, the points of one row, unknown ones count as typical.
struct RowPoints {
  /// The extent where it is a constant.
  std::optional<int64_t> extent;
  /// What it counts as where it is none.
  int64_t typical;
  /// More do not count.
  int64_t most = 4096;
};
int64_t chooseRowsPerUnit(llvm::ArrayRef<RowPoints> row, graph::WorkKind work);
/// How many points of an op, or elements of a kernel of maps alone, make a unit
/// worth a call.
int64_t countUnitPoints(graph::WorkKind work);
int64_t countUnitElements(mlir::Block &kernel);

} // namespace ambit::cost

#endif // AMBIT_COST_COST_H
