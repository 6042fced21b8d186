// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run of a whole body takes, as expressions over its symbols: the table
// from which the planner chooses variants.

#ifndef AMBIT_COST_BODYCOST_H
#define AMBIT_COST_BODYCOST_H

#include "ambit/Cost/Cost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit::cost {

/// Values of all symbols that inputs give.
using Sizes = std::map<std::string, int64_t>;

/// The expected time of a model's bodies on one thread of the baseline target,
/// in microseconds, above 0. A size that has no value counts as 1.
class BodyCost {
public:
  /// Reads a body in which every symbol is free, after `form-kernels`.
  static BodyCost of(mlir::func::FuncOp generic);

  struct Times {
    /// Of a body with symbolic sizes.
    double generic;
    /// Of a body for exactly these sizes; also of a padded one that computes
    /// them.
    double exact;
  };
  Times at(const Sizes &sizes) const;

private:
  /// Why a kernel with symbolic sizes is slower than one with constant ones.
  enum Looseness { Steady, Rows, Window, Elements, Count };

  void add(mlir::Operation *op, mlir::ArrayRef<Expr> trips);
  /// `sizes` are the values of the kernel's parameters at a launch.
  void addKernel(mlir::Block &kernel, const std::map<Expr, Expr> &sizes,
                 mlir::ArrayRef<Expr> trips);
  /// Sums for the two times. Extents that many terms have are evaluated once.
  struct Sum {
    struct Term {
      llvm::SmallVector<unsigned> box;
      double generic, exact;
    };
    std::vector<Term> terms;
    std::vector<Expr> extents;
    void add(const Amount &amount, double generic, double exact);
  };
  void finish();

  Sum sum;
  Amount work[Count];
  /// Launches, and among them those of kernels with symbolic sizes.
  Amount launches, looseLaunches;
  /// Ticks of products whose number of rows is a symbol, for one row.
  Amount oneRow;
};

} // namespace ambit::cost

#endif // AMBIT_COST_BODYCOST_H
