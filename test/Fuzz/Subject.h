// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module under test as the reference evaluator sees it: inputs for given
// sizes, and what must come out.

#ifndef AMBIT_TEST_FUZZ_SUBJECT_H
#define AMBIT_TEST_FUZZ_SUBJECT_H

#include "ambit/Reference/HostTensor.h"
#include "ambit/Symbolic/Domain.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <map>

namespace ambit::fuzz {

using Sizes = std::map<std::string, int64_t>;
using Shapes = std::vector<std::vector<int64_t>>;

/// What the reference says about one set of inputs.
struct Expectation {
  /// Why the inputs are refused, or "".
  std::string refusal;
  /// Whether no output needs the op that refuses its data. Such an op goes when
  /// the graph is simplified, and its check with it.
  bool isNeedless = false;
  std::vector<reference::HostTensor> outputs;
  /// How far each output may be off; 0: not at all.
  std::vector<double> tolerance;
  /// Whether rounding decides what is infinite or no number in an output: a
  /// number that may be 0 within its error met an infinite one.
  std::vector<bool> isVague;
};

class Subject {
public:
  /// Reads the text of a module; the reason on failure, or "".
  std::string read(const std::string &text, mlir::MLIRContext &context);

  /// The domain with the guards that inference finds.
  const Domain &domain() const { return guarded; }
  std::vector<std::string> symbols() const;
  llvm::SmallVector<mlir::Type> resultElementTypes() const;
  /// The shapes of the inputs at these sizes; nothing when one is negative or
  /// the work is too much.
  std::optional<Shapes> inputShapes(const Sizes &sizes) const;
  /// Random inputs; the same for the same shapes.
  std::vector<reference::HostTensor> makeInputs(const Shapes &shapes) const;
  /// Whether numbers for symbols let the compiler compute math functions, which
  /// then are rounded as the reference rounds them.
  bool foldsMath() const;
  Expectation evaluate(const std::vector<reference::HostTensor> &inputs) const;
  /// The module with numbers for symbols.
  std::string staticText(const Sizes &sizes) const;

private:
  std::string infer();
  bool simplify();
  mlir::func::FuncOp main(mlir::ModuleOp module) const {
    return module.lookupSymbol<mlir::func::FuncOp>("main");
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Its main returns every value, the outputs last.
  mlir::OwningOpRef<mlir::ModuleOp> probe;
  /// What the outputs need of it.
  mlir::OwningOpRef<mlir::ModuleOp> simplified;
  Domain guarded;
};

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_SUBJECT_H
