// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn a model into its variants.

#ifndef AMBIT_SPECIALIZE_PASSES_TD
#define AMBIT_SPECIALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanVariantsPass : Pass<"plan-variants", "::mlir::ModuleOp"> {
  let summary = "decides which variants a model gets";
  let description = [{
    In: a module with `@main`, its symbols and guards. Out: the same, and a
    `dispatch.model` that describes its inputs and outputs and the variants in
    order of priority: which shapes each takes, none of them with a body yet.
    Variants that were asked for and that no shape reaches are
    `dispatch.omitted`, with the rule that admits none of their shapes. Names of
    inputs and outputs are `@main`'s `ambit.name` attributes, the model's name is
    the module's `ambit.model`.

    Refused are: options that name no symbol of the module, sizes outside of a
    symbol's range, and a table of variants that cannot be proven to be right.

    Intervals become range variants, or padded ones when their symbol is listed
    in `padded`: those state their upper bounds, which is what they pad to. Those
    that are to share a function say which.

    ```mlir
    // ambit-opt --plan-variants=exact=n:8
    sym.symbol "n" min 1 max 64
    func.func @main(%x: tensor<?xf32, #sym.shape<[n]>> {ambit.name = "x"})
        -> (tensor<?xf32, #sym.shape<[n]>> {ambit.name = "y"}) {
      return %x : tensor<?xf32, #sym.shape<[n]>>
    }
    ```
    ==>
    ```mlir
    sym.symbol "n" min 1 max 64
    func.func @main(%x: tensor<?xf32, #sym.shape<[n]>> ...
    dispatch.model "model" {
      dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.variant @n_8 kind exact where ["n == 8"]
      dispatch.variant @generic kind generic
    }
    ```
  }];
  let options = [
    ListOption<"exact", "exact", "std::string",
               "NAME:SIZE:SIZE..., sizes with a variant of their own">,
    ListOption<"bucket", "bucket", "std::string",
               "NAME:SIZE:SIZE..., upper ends of intervals with a variant">,
    ListOption<"padded", "padded", "std::string",
               "NAME, a symbol whose intervals are padded">,
    Option<"fallback", "fallback", "bool", "true",
           "keep a generic variant for the other shapes">,
    Option<"share", "share", "bool", "false",
           "let padded variants of the same symbols share a function">,
    Option<"maxVariants", "max-variants", "unsigned", "64",
           "refuse to make more variants">];
  let dependentDialects = ["::ambit::dispatch::DispatchDialect",
                           "::ambit::sym::SymDialect"];
}

def SpecializePass : Pass<"specialize", "::mlir::ModuleOp"> {
  let summary = "makes one function for each variant of the plan";
  let description = [{
    In: a module with `@main` and the `dispatch.model` of `plan-variants`. Out:
    `@main` is replaced by one function for each variant. In it, symbols of one
    size are constants, expressions are simplified for the sizes that are left,
    and types are inferred again; its attribute is `ambit.variant`.

    The dims in the `dispatch.model` are true sizes: those of the tensors that a
    caller hands over. A padded variant computes on larger ones, its `tops`: its
    function pads what comes in, cuts what goes out, and sets elements beyond the
    true sizes where an op needs it (`TailRuleOpInterface`). Its op then has
    `padding`, a line for each such place and for each op that keeps true sizes.
    Where no op can be padded, the variant is one of kind range. Variants that
    share a function get that one, in which their tops are symbols.

    Refused are: a module without a plan, a variant whose name is taken, a guard
    that no shape of a variant passes, and `tops` below the sizes admitted.

    ```mlir
    sym.symbol "n" min 1 max 64
    func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>> {
      return %x : tensor<?xf32, #sym.shape<[n]>>
    }
    dispatch.model "m" {
      dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.variant @n_8 kind exact where ["n == 8"]
      dispatch.variant @generic kind generic
    }
    ```
    ==>
    ```mlir
    func.func @n_8(%x: tensor<8xf32>) -> tensor<8xf32> ...
    func.func @generic(%x: tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>> ...
    dispatch.model "m" {
    ```
  }];
  let options = [
    Option<"freePadding", "free-padding", "::ambit::FreePadding",
           "::ambit::FreePadding::Zero",
           "what padding holds that no op needs anything of; results do not "
           "depend on it",
           [{::llvm::cl::values(
             clEnumValN(::ambit::FreePadding::Zero, "zero", "0"),
             clEnumValN(::ambit::FreePadding::NaN, "nan", "NaN"),
             clEnumValN(::ambit::FreePadding::Huge, "huge", "1e30"))}]>];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::ambit::dispatch::DispatchDialect",
                           "::ambit::graph::GraphDialect",
                           "::ambit::sym::SymDialect"];
}

#endif // AMBIT_SPECIALIZE_PASSES_TD
