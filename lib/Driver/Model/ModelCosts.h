// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: what the variants of a model are expected to take, in time, bytes
// and seconds of the compiler.

#ifndef AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H
#define AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H

#include "ambit/Cost/CodeCost.h"
#include "ambit/Specialize/Plan.h"
#include "mlir/IR/BuiltinOps.h"

namespace ambit {

/// What is expected of a model's variants.
class ModelCosts {
public:
  /// Runs the phases up to `kernels` on a copy of a module with inferred
  /// shapes, for a generic variant alone, and adds up its kernels. No code is
  /// generated. Sizes that only a run knows count as typical ones.
  static mlir::FailureOr<ModelCosts> measure(mlir::ModuleOp module,
                                             const cost::Rates &rates);

  /// What they take when they run.
  VariantCosts times() const;
  /// What each takes beside those after it, in the object and to compile.
  std::vector<cost::CodeSize> codeOf(const Plan &plan) const;
  /// What the object takes without any.
  cost::CodeSize common() const { return code->common(); }

private:
  class Completion;

  std::shared_ptr<const Completion> completion;
  std::shared_ptr<const cost::BodyCost> body;
  std::shared_ptr<const cost::CodeCost> code;
};

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_MODELCOSTS_H
