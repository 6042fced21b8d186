// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass that infers shapes.

#ifndef AMBIT_SHAPE_PASSES_TD
#define AMBIT_SHAPE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapesPass : Pass<"infer-shapes", "::mlir::ModuleOp"> {
  let summary = "gives every value the type that its op's shape rule says";
  let description = [{
    In: a module with `@main`, a single block of `graph` ops, and its symbols and
    guards. Out: every result type of `@main` follows from its operands' types by
    the op's shape rule; a condition of a rule that could not be proven is a
    `sym.guard` after the others, at the location of the op; a small integer
    tensor whose elements are known expressions is a `graph.dims`; a loop that
    runs no trip is gone. Types of other functions are left alone.

    Refused is an op with a condition that never holds.

    ```mlir
    sym.symbol "n" min 1 max 64
    sym.symbol "m" min 1 max 64
    func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>,
                    %y: tensor<?xf32, #sym.shape<[m]>>)
        -> tensor<?xf32, #sym.shape<[n]>> {
      %0 = graph.map %x, %y
          : (tensor<?xf32, #sym.shape<[n]>>, tensor<?xf32, #sym.shape<[m]>>)
          -> tensor<?xf32, #sym.shape<[n]>> {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        graph.yield %c : f32
      }
      return %0 : tensor<?xf32, #sym.shape<[n]>>
    }
    ```
    ==>
    ```mlir
    sym.guard "m == n"
    func.func @main(
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect",
                           "::ambit::sym::SymDialect"];
}

#endif // AMBIT_SHAPE_PASSES_TD
