// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that make `graph` IR smaller and simpler.

#ifndef AMBIT_SIMPLIFY_PASSES_TD
#define AMBIT_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def FoldConstantsPass : Pass<"graph-fold-constants", "::mlir::ModuleOp"> {
  let summary = "compute at compile time what depends on constants only";
  let description = [{
    Replaces an op whose operands are all constant by its value, which the
    reference evaluator computes. Ops that mention a symbol stay. A value that
    is much larger than the constants it comes from stays an op, and so does
    every broadcast that grows: kernels broadcast at no cost. An op whose
    evaluation fails (an index outside of its range) stays too, and fails when
    the model runs. Needs `registerReferenceModels`.

    The evaluator is slow, so an op stays when its value takes more scalar
    operations than `max-work`, or all values together take more than
    `total-work`: it is compiled like any other op and runs with the model. Both
    limits grow with the constants' bytes, so that what is linear in them is
    always computed; so does `total-bytes`, the memory that values may take in
    the model. What counts as work depends on the model alone
    (`reference::countWork`).

    Run it before variants are made: a value computed here may differ in its
    last bit from what compiled code makes of the same `exp`, and variants must
    agree on every bit.

    ```mlir
    %w = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
    %t = graph.transpose %w [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    ```
    ==>
    ```mlir
    %t = graph.constant dense<[[1.0, 3.0], [2.0, 4.0]]> : tensor<2x2xf32>
    ```
  }];
  let options = [
    Option<"maxBytes", "max-bytes", "int64_t", "64 << 20",
           "largest value that is computed, in bytes">,
    Option<"maxWork", "max-work", "int64_t", "1 << 26",
           "scalar operations that one value is worth, besides 8 for each byte "
           "of the constants it comes from">,
    Option<"totalWork", "total-work", "int64_t", "1 << 28",
           "scalar operations that all values together are worth, besides 8 "
           "for each byte of the module's constants">,
    Option<"totalBytes", "total-bytes", "int64_t", "16 << 20",
           "bytes that all values together may take, besides 4 times those of "
           "the module's constants">];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

def SimplifyPass : Pass<"graph-simplify", "::mlir::ModuleOp"> {
  let summary = "apply identities of graph ops and of the scalars in maps";
  let description = [{
    Applies folds and patterns until nothing changes, and merges equal ops.
    Shapes and guards stay as they are. Values stay bit-identical, except that a
    scale and shift of every channel after a convolution with a constant filter
    moves into the filter (rounded once there instead of after the sum), and
    that powers with a small constant exponent become products and roots.
    Needs constants: run `graph-fold-constants` before it.

    ```mlir
    %w = graph.constant dense<1.5> : tensor<1x2x1xf32>
    %y = graph.conv %x, %w {low = array<i64: 0>, high = array<i64: 0>,
        strides = array<i64: 1>, dilations = array<i64: 1>, groups = 1 : i64}
        : (tensor<1x2x8xf32>, tensor<1x2x1xf32>) -> tensor<1x1x8xf32>
    %two = graph.constant dense<2.0> : tensor<f32>
    %scale = graph.broadcast %two to <[1, 1, 8]>
        : (tensor<f32>) -> tensor<1x1x8xf32>
    %z = graph.map %y, %scale
        : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32> {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      graph.yield %c : f32
    }
    ```
    ==>
    ```mlir
    %w = graph.constant dense<3.0> : tensor<1x2x1xf32>
    %z = graph.conv %x, %w
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // AMBIT_SIMPLIFY_PASSES_TD
