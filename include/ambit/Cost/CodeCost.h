// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of a variant takes in the object and in the compiler, before
// anything is compiled: from the number and kinds of its kernels.

#ifndef AMBIT_COST_CODECOST_H
#define AMBIT_COST_CODECOST_H

#include "ambit/Cost/BodyCost.h"

namespace ambit::cost {

/// Bytes of an object, and seconds of one processor that its code takes to
/// compile.
struct CodeSize {
  int64_t bytes = 0;
  double seconds = 0;
  /// Those that no variant before has.
  unsigned kernels = 0;
};

/// The code of a model's bodies. A kernel is compiled once for each set of
/// constants among its sizes, and variants share what is equal.
class CodeCost {
public:
  /// Reads a body in which every symbol is free, after `place-weights`.
  static CodeCost of(mlir::func::FuncOp generic);

  /// Kernels that variants have so far: a number, and the sizes that are
  /// constants.
  using Known = std::set<
      std::pair<unsigned, llvm::SmallVector<std::optional<int64_t>, 4>>>;
  /// What one more body takes in which `fixed` are constants, of these sizes.
  /// Its kernels are known afterwards.
  CodeSize add(const Sizes &sizes, const Symbols &fixed, Known &known) const;
  /// What more it takes when it is padded up to these sizes: those of the
  /// symbols `padded`.
  CodeSize getPadding(const Symbols &padded) const;
  /// What a variant takes that runs the body of another.
  static CodeSize getEntry();
  /// What an object takes without variants: the runtime and all weights.
  CodeSize common() const;

private:
  struct Kernel {
    /// Its loops compute tiles; it reads beyond the elements of its result.
    bool isTiled, readsTail;
    /// Of scalar bodies.
    int64_t instructions;
  };
  struct Launch {
    unsigned kernel;
    /// What its kernel's sizes are.
    llvm::SmallVector<Expr, 4> sizes;
    /// The symbols that must be constants for its code to be simple.
    Symbols inner;
  };

  void add(mlir::Operation *op);
  void addLaunch(graph::LaunchOp launch);
  unsigned addKernel(mlir::func::FuncOp function);

  std::vector<Kernel> kernels;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  std::vector<Launch> launches;
  /// Calls of the library.
  unsigned calls = 0;
  /// Symbols of each input and output, which padding copies.
  std::vector<Symbols> copied;
  int64_t weightBytes = 0;
};

} // namespace ambit::cost

#endif // AMBIT_COST_CODECOST_H
