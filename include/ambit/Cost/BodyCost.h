// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run of a whole body takes, as expressions over its symbols: the table
// from which the planner chooses variants.

#ifndef AMBIT_COST_BODYCOST_H
#define AMBIT_COST_BODYCOST_H

#include "ambit/Cost/Cost.h"
#include "ambit/Cost/Rates.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace ambit::cost {

/// Values of all symbols that inputs give, and a set of symbols.
using Sizes = std::map<std::string, int64_t>;
using Symbols = std::set<std::string>;

/// The expected time of a model's bodies on one thread of the baseline target,
/// in microseconds, above 0. A size that has no value counts as 1.
class BodyCost {
public:
  /// Reads a body in which every symbol is free, after `form-kernels`.
  static BodyCost of(mlir::func::FuncOp generic, const Rates &rates = {});

  struct Times {
    /// Of a body in which every symbol is free.
    double generic;
    /// Of a body in which some symbols are constants.
    double exact;
  };
  /// The times at these sizes; `fixed` are the symbols that are constants.
  Times at(const Sizes &sizes, const Symbols &fixed) const;
  /// What padding adds at these sizes, when `padded` are the symbols that vary
  /// up to them: inputs are copied, outputs are cut, what windows and
  /// reductions read gets its tail set.
  double getPadding(const Sizes &sizes, const Symbols &padded) const;

private:
  Rates rates;
  struct Term {
    /// Numbers of extents, whose product is multiplied.
    llvm::SmallVector<unsigned> box;
    /// The symbols that must be constants for the kernel to be faster; one that
    /// is only the first dim of its tensors, such as a batch, need not be.
    uint64_t loose;
    double exact, extra;
  };

  void addCopy(mlir::Type tensor);
  void add(mlir::Operation *op, mlir::ArrayRef<Expr> trips);
  /// `sizes` are the values of the kernel's parameters at a launch.
  void addKernel(mlir::Block &kernel, const std::map<Expr, Expr> &sizes,
                 mlir::ArrayRef<Expr> trips);
  void addTerms(const Amount &ticks, uint64_t loose, double exact,
                double extra);
  void addPadding(const Amount &elements, double ticks);
  uint64_t getMask(const Symbols &used);

  unsigned getExtent(Expr extent);
  llvm::SmallVector<unsigned> getBox(const Amount::Term &term);
  uint64_t findBits(const Symbols &set, bool isIn) const;
  llvm::SmallVector<double, 64> evaluate(const Sizes &sizes) const;

  std::vector<Term> terms;
  /// What padding adds, at padded values of the symbols `loose`.
  std::vector<Term> paddingTerms;
  std::vector<Expr> extents;
  /// Symbols by the bits of masks; those that find none share the last.
  std::vector<std::string> symbols;
};

} // namespace ambit::cost

#endif // AMBIT_COST_BODYCOST_H
