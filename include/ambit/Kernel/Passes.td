// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn a variant's graph into calls of outlined kernels.

#ifndef AMBIT_KERNEL_PASSES_TD
#define AMBIT_KERNEL_PASSES_TD

include "mlir/Pass/PassBase.td"

def FormKernelsPass : Pass<"graph-form-kernels", "::mlir::ModuleOp"> {
  let summary = "outline fused kernels and share equal ones";
  let description = [{
    In: functions of `graph` ops with inferred types. Out: the same functions as
    sequences of `graph.launch`, `graph.reshape` and `graph.constant`, and one
    private function with the attribute `ambit.kernel` for each kernel. Kernels
    that are equal up to symbols and locations are one function, whichever layer
    or variant they come from; its name is a hash of what it computes. Refuses
    nothing.

    ```mlir
    %0 = graph.contract %x, %w
        : (tensor<?x64xf32, #sym.shape<[n, 64]>>, tensor<64x8xf32>)
        -> tensor<?x8xf32, #sym.shape<[n, 8]>>
    %1 = graph.map %0 : (tensor<?x8xf32, #sym.shape<[n, 8]>>)
        -> tensor<?x8xf32, #sym.shape<[n, 8]>> {
    ^bb0(%sum: f32):
      %y = math.absf %sum : f32
      graph.yield %y : f32
    }
    ```
    ==>
    ```mlir
    %1 = graph.launch @kernel_contract_676225b73a955e93(%x, %w) <[n]>
    ...
    func.func private @kernel_contract_676225b73a955e93(
    ...
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
    ...
    %0 = graph.contract
    ...
    %1 = graph.map %0
    ...
    return %1
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

def PlaceWeightsPass : Pass<"graph-place-weights", "::mlir::ModuleOp"> {
  let summary = "gives constants in memory their places";
  let description = [{
    In: variants after graph-form-kernels, whose constants are what kernels read
    from memory. Out: the module has `ambit.weights`, every constant of a variant
    once, and `ambit.weight_offsets`, the byte behind the symbol `ambit_weights`
    where each begins. The generic variant's places do not depend on the other
    variants. Refuses nothing.

    ```mlir
    func.func @generic() -> tensor<3xf32> attributes {ambit.variant} {
      %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
      %v = graph.constant dense<[4.0, 5.0]> : tensor<2xf32>
      return %w : tensor<3xf32>
    }
    ```
    ==>
    ```mlir
    ambit.weight_offsets = array<i64: 0, 64>,
    ambit.weights = [dense<[1.0, 2.0, 3.0]> : tensor<3xf32>,
                     dense<[4.0, 5.0]> : tensor<2xf32>]
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

def ExpandPaddingPass : Pass<"graph-expand-padding"> {
  let summary = "turn the padding of convolutions and windows into graph.pad";
  let description = [{
    In: any `graph` ops. Out: the same values, and every `graph.conv` and
    `graph.window` has pads of 0 and no `ceil`; what they padded with is written
    by a `graph.pad`: 0, or the least value for a maximum. With `ceil` the high
    amount is what the last window reaches beyond the input. Depthwise
    convolutions of images keep their padding (see `isDepthwise`). Refused is a
    padded size that exceeds 64 bits.

    ```mlir
    %1 = graph.conv %x, %w {low = array<i64: 1>, high = array<i64: 1>,
        strides = array<i64: 1>, dilations = array<i64: 1>, groups = 1 : i64}
        : (tensor<1x4x8xf32>, tensor<2x4x3xf32>) -> tensor<1x2x8xf32>
    ```
    ==>
    ```mlir
    %zero = graph.constant dense<0.0> : tensor<f32>
    %0 = graph.pad %x with %zero <[0, 0, 1]> <[0, 0, 1]>
        : (tensor<1x4x8xf32>, tensor<f32>) -> tensor<1x4x10xf32>
    %1 = graph.conv %0, %w {dilations = array<i64: 1>, groups = 1 : i64,
        high = array<i64: 0>, low = array<i64: 0>, strides = array<i64: 1>}
        : (tensor<1x4x10xf32>, tensor<2x4x3xf32>) -> tensor<1x2x8xf32>
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

def FlattenPointwisePass : Pass<"graph-flatten-pointwise"> {
  let summary = "let pointwise convolutions see an image as one row";
  let description = [{
    In: `graph` ops after graph-expand-padding. Out: the same values; every
    `graph.conv` with a window of one element and stride 1 has one spatial dim,
    between reshapes that cost nothing, and no convolution or window has a last
    spatial dim of one element after another spatial dim. The reshape back moves below elementwise
    ops whose other operands are scalars, per-channel, or tensors of the same
    shape, so that they can join the convolution's kernel. Refuses nothing.

    ```mlir
    %0 = graph.conv %x, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
        strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
        : (tensor<1x4x5x6xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x5x6xf32>
    %1 = graph.map %0 : (tensor<1x2x5x6xf32>) -> tensor<1x2x5x6xf32> {
    ^bb0(%sum: f32):
      %y = math.absf %sum : f32
      graph.yield %y : f32
    }
    ```
    ==>
    ```mlir
    %flat = graph.reshape %x to <[1, 4, 30]> ...
    %filter = graph.reshape %w to <[2, 4, 1]> ...
    %0 = graph.conv %flat, %filter ...
        : (tensor<1x4x30xf32>, tensor<2x4x1xf32>) -> tensor<1x2x30xf32>
    %1 = graph.map %0 : (tensor<1x2x30xf32>) -> tensor<1x2x30xf32> ...
    %2 = graph.reshape %1 to <[1, 2, 5, 6]>
    ```
  }];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

def SplitWideOpsPass : Pass<"graph-split-wide-ops"> {
  let summary = "cut maps and concats that would make a kernel too large";
  let description = [{
    In: any `graph` ops. Out: the same values; no `graph.concat` has more than
    `max-pieces` inputs, and a `graph.map` whose code would be larger than
    `max-code-size` is a row of smaller ones, cut where one scalar crosses. The
    scalar becomes a tensor of its own type. Refuses nothing.

    ```mlir
    // ambit-opt --graph-split-wide-ops=max-code-size=12
    %0 = graph.map %a, %b, %c
        : (tensor<4xf16>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16> {
    ^bb0(%x: f16, %y: f16, %z: f16):
      %s = arith.addf %x, %y : f16
      %t = arith.addf %s, %z : f16
      graph.yield %t : f16
    }
    ```
    ==>
    ```mlir
    %0 = graph.map %a, %b : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16> {
    ^bb0(%x: f16, %y: f16):
      %s = arith.addf %x, %y : f16
      graph.yield %s : f16
    }
    %1 = graph.map %0, %c : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16> {
    ^bb0(%s: f16, %z: f16):
      %t = arith.addf %s, %z : f16
      graph.yield %t : f16
    }
    ```
  }];
  let options = [
    Option<"maxCodeSize", "max-code-size", "int64_t", /*default=*/"640",
           "the most that one kernel computes for an element">,
    Option<"maxPieces", "max-pieces", "uint64_t", /*default=*/"64",
           "the most inputs of a concat">];
  let dependentDialects = ["::ambit::graph::GraphDialect"];
}

#endif // AMBIT_KERNEL_PASSES_TD
