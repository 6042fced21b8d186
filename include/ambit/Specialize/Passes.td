// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn a model into its variants.

#ifndef AMBIT_SPECIALIZE_PASSES_TD
#define AMBIT_SPECIALIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializePass : Pass<"specialize", "::mlir::ModuleOp"> {
  let summary = "makes one function for each variant of the model";
  let description = [{
    Plans the variants that the options ask for, replaces `@main` by one function
    for each, and describes them in a `dispatch.model`. In a variant, symbols of
    one size are constants and expressions are simplified for the sizes that are
    left; types are inferred again. Names of inputs and outputs are `@main`'s
    `ambit.name` attributes, the model's name is the module's `ambit.model`.

    Refused are: options that name no symbol of the module, sizes outside of a
    symbol's range, and a table of variants that cannot be proven to be right.

    ```mlir
    // ambit-opt --specialize=exact=n:8
    sym.symbol "n" min 1 max 64
    func.func @main(%x: tensor<?xf32, #sym.shape<[n]>> {ambit.name = "x"})
        -> (tensor<?xf32, #sym.shape<[n]>> {ambit.name = "y"}) {
      return %x : tensor<?xf32, #sym.shape<[n]>>
    }
    ```
    ==>
    ```mlir
    func.func @n_8(%x: tensor<8xf32> ...) -> (tensor<8xf32> ...)
    ...
    func.func @generic(%x: tensor<?xf32, #sym.shape<[n]>> ...
    dispatch.model "model" {
      dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.variant @n_8 kind "exact" where ["n == 8"]
      dispatch.variant @generic kind "generic"
    }
    ```
  }];
  let options = [
    ListOption<"exact", "exact", "std::string",
               "NAME:SIZE:SIZE..., sizes with a variant of their own">,
    ListOption<"bucket", "bucket", "std::string",
               "NAME:SIZE:SIZE..., upper ends of intervals with a variant">,
    Option<"fallback", "fallback", "bool", "true",
           "keep a generic variant for the other shapes">,
    Option<"maxVariants", "max-variants", "unsigned", "64",
           "refuse to make more variants">];
  let dependentDialects = ["::ambit::dispatch::DispatchDialect",
                           "::ambit::graph::GraphDialect",
                           "::ambit::sym::SymDialect"];
}

#endif // AMBIT_SPECIALIZE_PASSES_TD
