// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every `graph` op says about itself: its shape rule, its tail rule, its
// meaning, and how it takes part in kernels.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHINTERFACES_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHINTERFACES_TD

include "mlir/IR/OpBase.td"

def ShapeRuleOpInterface : OpInterface<"ShapeRuleOpInterface"> {
  let cppNamespace = "::ambit::graph";
  let description = [{
    The shape rule of an op: result types as expressions in its operands' dims,
    and the conditions under which the op is defined. The same rule serves the
    builders, the verifier, and inference after symbols were bound.
  }];
  let methods = [InterfaceMethod<[{
      Appends one type for each result. Conditions go through
      `context.require`, which proves, refuses, or records a guard. Emits an
      error at the op on failure.
    }],
    "::llvm::LogicalResult", "inferTypes",
    (ins "::ambit::graph::ShapeContext &":$context,
         "::llvm::SmallVectorImpl<::mlir::RankedTensorType> &":$types)>];
  let verify = "return ::ambit::graph::detail::verifyShapeRule($_op);";
}

def ReferenceOpInterface : OpInterface<"ReferenceOpInterface"> {
  let cppNamespace = "::ambit::graph";
  let description = [{
    The reference evaluation of an op on host tensors, by plain loops. Used by
    constant folding and as the oracle of the tests. Implemented by external
    models in lib/Reference, so that the dialect does not depend on it.
  }];
  let methods = [InterfaceMethod<[{
      Appends one tensor for each result. `symbols` gives the value of each
      symbol that the op's attributes mention. Emits an error at the op when the
      data is outside of what the op is defined for.
    }],
    "::llvm::LogicalResult", "evaluate",
    (ins "::llvm::ArrayRef<const ::ambit::reference::HostTensor *>":$operands,
         "const std::map<std::string, int64_t> &":$symbols,
         "std::vector<::ambit::reference::HostTensor> &":$results)>];
}

def KernelOpInterface : OpInterface<"KernelOpInterface"> {
  let cppNamespace = "::ambit::graph";
  let description = [{
    How an op takes part in kernels: where its work is done, what it reads on
    the way, how much work it is, which data it refuses. The passes that form
    kernels and the cost model know ops by this rule alone.
  }];
  let methods = [InterfaceMethod<"The rule; see KernelRule.h.",
    "::ambit::graph::KernelRule", "getKernelRule">];
}

def TailRuleOpInterface : OpInterface<"TailRuleOpInterface"> {
  let cppNamespace = "::ambit::graph";
  let description = [{
    The tail rule of an op: what happens when it is computed on sizes that were
    rounded up. It says what the elements beyond the true sizes of its operands,
    their tails, must be so that the elements within the true size of its result
    have the same bits as without padding, and what is then in the result's tails.
  }];
  let methods = [InterfaceMethod<[{
      The rule for an op with true sizes; see TailRule.h.
    }],
    "::ambit::graph::TailRule", "getTailRule",
    (ins "::ambit::graph::TailContext &":$context)>];
}

def SizeSourceOpInterface : OpInterface<"SizeSourceOpInterface"> {
  let cppNamespace = "::ambit::graph";
  let description = [{
    An op that sets an unbacked symbol. It has effects, so that it stays where it
    is: other ops may use the symbol without using the result.
  }];
  let methods = [
    InterfaceMethod<"The symbol that the op sets.", "::llvm::StringRef",
                    "getSymbol">,
    InterfaceMethod<"The dim of the first result whose size is its value.",
                    "int64_t", "getSymbolDim">];
}

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHINTERFACES_TD
