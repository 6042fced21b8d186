// Where graph-simplify leaves maps after convolutions alone.
// RUN: ambit-opt %s -graph-simplify | FileCheck %s

!x = tensor<?x1x?xf32, #sym.shape<[n, 1, t]>>
!y = tensor<?x2x?xf32, #sym.shape<[n, 2, t]>>

// The convolution has another use.
// CHECK-LABEL: @used
func.func @used(%x: !x) -> (!y, !y) {
  %w = graph.constant dense<1.0> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK: arith.mulf
  %1 = graph.map %0 : (!y) -> !y {
  ^bb0(%a: f32):
    %two = arith.constant 2.0 : f32
    %c = arith.mulf %a, %two : f32
    graph.yield %c : f32
  }
  return %0, %1 : !y, !y
}

// The filter is no constant.
// CHECK-LABEL: @filter
func.func @filter(%x: !x, %w: tensor<2x1x1xf32>) -> !y {
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK: arith.mulf
  %1 = graph.map %0 : (!y) -> !y {
  ^bb0(%a: f32):
    %two = arith.constant 2.0 : f32
    %c = arith.mulf %a, %two : f32
    graph.yield %c : f32
  }
  return %1 : !y
}

// The scale varies along another dim.
// CHECK-LABEL: @spatial
func.func @spatial(%x: tensor<1x1x2xf32>) -> tensor<1x2x2xf32> {
  %w = graph.constant dense<1.0> : tensor<2x1x1xf32>
  %scale = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = graph.broadcast %scale to <[1, 2, 2]> : (tensor<2xf32>) -> tensor<1x2x2xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2xf32>
  // CHECK: arith.mulf
  %1 = graph.map %0, %s : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    graph.yield %c : f32
  }
  return %1 : tensor<1x2x2xf32>
}

// The body is not affine.
// CHECK-LABEL: @square
func.func @square(%x: !x) -> !y {
  %w = graph.constant dense<1.0> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK: arith.mulf
  %1 = graph.map %0 : (!y) -> !y {
  ^bb0(%a: f32):
    %c = arith.mulf %a, %a : f32
    graph.yield %c : f32
  }
  return %1 : !y
}

// The scaled filter would overflow.
// CHECK-LABEL: @overflow
func.func @overflow(%x: !x) -> !y {
  %w = graph.constant dense<1.0e30> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK: arith.mulf
  %1 = graph.map %0 : (!y) -> !y {
  ^bb0(%a: f32):
    %big = arith.constant 1.0e30 : f32
    %c = arith.mulf %a, %big : f32
    graph.yield %c : f32
  }
  return %1 : !y
}

// A narrow filter would lose precision.
// CHECK-LABEL: @half
func.func @half(%x: tensor<1x1x1xf16>) -> tensor<1x1x1xf16> {
  %w = graph.constant dense<1.0> : tensor<1x1x1xf16>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x1xf16>, tensor<1x1x1xf16>) -> tensor<1x1x1xf16>
  // CHECK: arith.mulf
  %1 = graph.map %0 : (tensor<1x1x1xf16>) -> tensor<1x1x1xf16> {
  ^bb0(%a: f16):
    %two = arith.constant 2.0 : f16
    %c = arith.mulf %a, %two : f16
    graph.yield %c : f16
  }
  return %1 : tensor<1x1x1xf16>
}
