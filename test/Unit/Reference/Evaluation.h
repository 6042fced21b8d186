// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a small function of graph ops and evaluates it.

#ifndef AMBIT_TEST_UNIT_REFERENCE_EVALUATION_H
#define AMBIT_TEST_UNIT_REFERENCE_EVALUATION_H

#include "ambit/Reference/Reference.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

/// One module and what evaluating its function @main gave.
class Evaluation {
public:
  /// Parses the text of a module; a parse error goes to `errors`.
  explicit Evaluation(llvm::StringRef text);

  /// A tensor of these elements, converted to the type written as in IR.
  ambit::reference::HostTensor tensor(llvm::StringRef type,
                                      llvm::ArrayRef<double> elements);

  mlir::ModuleOp getModule() { return *module; }

  /// Evaluates @main. On success `errors` stays empty.
  bool run(llvm::ArrayRef<ambit::reference::HostTensor> inputs = {});

  /// The elements of an output, by value.
  std::vector<double> elements(size_t output = 0) const;
  std::vector<int64_t> dims(size_t output = 0) const;

  std::vector<ambit::reference::HostTensor> outputs;
  /// All diagnostics, each ended by a line break.
  std::string errors;

private:
  mlir::DialectRegistry registry;
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

#endif // AMBIT_TEST_UNIT_REFERENCE_EVALUATION_H
