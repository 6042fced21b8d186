// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the `dispatch` dialect.

#ifndef AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_TD
#define AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PruneGuardsPass : Pass<"dispatch-prune-guards", "::mlir::ModuleOp"> {
  let summary = "drops guards that follow from the others";
  let description = [{
    A `sym.guard` goes away when the ranges of the symbols and the remaining
    guards prove it; those that mention unbacked symbols are left alone, and prove
    nothing, since they are checked later. Of bounds of one symbol the tightest
    stays, else later guards go before earlier ones, and the order of the rest is
    kept. Exactly the same shapes are admitted afterwards. A guard that no shape
    passes is refused.

    ```mlir
    sym.symbol "seq" min 1 max 512
    sym.guard "seq >= 2"
    sym.guard "seq >= 1"
    ```
    ==>
    ```mlir
    sym.symbol "seq" min 1 max 512
    sym.guard "seq >= 2"
    }
    ```
  }];
  let dependentDialects = ["::ambit::sym::SymDialect"];
}

def LowerPass : Pass<"dispatch-lower", "::mlir::ModuleOp"> {
  let summary = "turns the model's description into tables and functions";
  let description = [{
    Replaces `dispatch.model` and the module's `sym` ops by what the runtime
    reads: the constant `ambit_descriptor_instance` with everything that it
    points to, and compiled functions that evaluate guards, choose a variant,
    and compute output dims and workspace sizes. Bodies are referred to by name;
    those that the module does not define are declared.

    A symbol takes its value from the first input dim that is this symbol alone,
    else from the first that is a linear form of it ("2*n + 1"), which is solved
    for it. Every input dim is then held against its expression. Unbacked symbols
    get their values from bodies; what output dims are at most is computed for
    the caller. Refused are: a symbol that no such dim gives, an output without
    such a bound, a variant without a workspace, a module with
    other than one model.

    A variant is chosen by the rank of each symbol among the boundaries of all
    variants and a table lookup. Conditions that are not bounds of one symbol
    are evaluated only where they matter. When the table would have more than
    `max-cells` entries, the variants are tried in order instead.

    ```mlir
    sym.symbol "n" min 0 max 64
    dispatch.model "m" {
      dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.variant @main kind generic workspace <[0]>
    }
    ```
    ==>
    ```mlir
    llvm.func hidden @main(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
        -> i32
    ...
    llvm.func internal @ambit_model_select(%symbols: !llvm.ptr) -> i32
    ...
    llvm.mlir.global external hidden constant @ambit_descriptor_instance()
    ```
  }];
  let options = [Option<"maxCells", "max-cells", "unsigned", "16384",
                        "entries of the variant table, at most">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::ambit::sym::SymDialect"];
}

#endif // AMBIT_DIALECT_DISPATCH_TRANSFORMS_PASSES_TD
