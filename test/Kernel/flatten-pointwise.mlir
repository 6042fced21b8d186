// Pointwise convolutions see an image as one row; elementwise ops stay beside
// them.
// RUN: ambit-opt %s --graph-flatten-pointwise | FileCheck %s

!in = tensor<1x4x?x6xf32, #sym.shape<[1, 4, h, 6]>>
!out = tensor<1x2x?x6xf32, #sym.shape<[1, 2, h, 6]>>

// CHECK-LABEL: func.func @epilogue
// CHECK: %[[X:.*]] = graph.reshape %arg0 to <[1, 4, "6*h"]>
// CHECK: %[[W:.*]] = graph.reshape %arg1 to <[2, 4, 1]>
// CHECK: %[[CONV:.*]] = graph.conv %[[X]], %[[W]]
// CHECK: %[[ROW:.*]] = graph.reshape %arg2 to <[1, 2, 1]>
// CHECK: %[[BIAS:.*]] = graph.broadcast %[[ROW]] to <[1, 2, "6*h"]>
// CHECK: %[[REST:.*]] = graph.reshape %arg3 to <[1, 2, "6*h"]>
// CHECK: %[[SUM:.*]] = graph.map %[[CONV]], %[[BIAS]], %[[REST]]
// CHECK: graph.reshape %[[SUM]] to <[1, 2, h, 6]>
func.func @epilogue(%x: !in, %w: tensor<2x4x1x1xf32>, %bias: tensor<2x1x1xf32>,
                    %rest: !out) -> !out {
  %0 = graph.conv %x, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (!in, tensor<2x4x1x1xf32>) -> !out
  %1 = graph.broadcast %bias to <[1, 2, h, 6]> : (tensor<2x1x1xf32>) -> !out
  %2 = graph.map %0, %1, %rest : (!out, !out, !out) -> !out {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %3 = arith.addf %a, %b : f32
    %4 = arith.addf %3, %c : f32
    graph.yield %4 : f32
  }
  return %2 : !out
}

// Two in a row need no reshape between them.
// CHECK-LABEL: func.func @chain
// CHECK: graph.reshape
// CHECK: %[[FIRST:.*]] = graph.conv
// CHECK-NOT: graph.reshape %[[FIRST]]
// CHECK: %[[SECOND:.*]] = graph.conv %[[FIRST]]
// CHECK: graph.reshape %[[SECOND]] to <[1, 2, h, 6]>
func.func @chain(%x: !in, %v: tensor<4x4x1x1xf32>, %w: tensor<2x4x1x1xf32>)
    -> !out {
  %0 = graph.conv %x, %v {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (!in, tensor<4x4x1x1xf32>) -> !in
  %1 = graph.conv %0, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (!in, tensor<2x4x1x1xf32>) -> !out
  return %1 : !out
}

// A value for each column of the image has no flat broadcast.
// CHECK-LABEL: func.func @by_position
// CHECK: %[[CONV:.*]] = graph.conv {{.*}} -> tensor<1x2x?xf32
// CHECK: %[[BACK:.*]] = graph.reshape %[[CONV]] to <[1, 2, h, 6]>
// CHECK: graph.map %[[BACK]]
func.func @by_position(%x: !in, %w: tensor<2x4x1x1xf32>, %c: tensor<6xf32>)
    -> !out {
  %0 = graph.conv %x, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (!in, tensor<2x4x1x1xf32>) -> !out
  %1 = graph.broadcast %c to <[1, 2, h, 6]> : (tensor<6xf32>) -> !out
  %2 = graph.map %0, %1 : (!out, !out) -> !out {
  ^bb0(%a: f32, %b: f32):
    %3 = arith.mulf %a, %b : f32
    graph.yield %3 : f32
  }
  return %2 : !out
}

// A stride skips positions.
// CHECK-LABEL: func.func @stride
// CHECK-NOT: graph.reshape
func.func @stride(%x: tensor<1x4x8x8xf32>, %w: tensor<2x4x1x1xf32>)
    -> tensor<1x2x4x4xf32> {
  %0 = graph.conv %x, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, groups = 1 : i64}
      : (tensor<1x4x8x8xf32>, tensor<2x4x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// A last dim of one element would leave lanes idle.
// CHECK-LABEL: func.func @last_dim
// CHECK: %[[W:.*]] = graph.reshape %arg1 to <[4, 1, 3]>
// CHECK: %[[CONV:.*]] = graph.conv %{{.*}}, %[[W]] {{.*}} -> tensor<1x4x8xf32>
// CHECK: %[[MAX:.*]] = graph.window %[[CONV]] <max> {{.*}} -> tensor<1x4x4xf32>
// CHECK: graph.reshape %[[MAX]] to <[1, 4, 4, 1]>
func.func @last_dim(%x: tensor<1x4x10x1xf32>, %w: tensor<4x1x3x1xf32>)
    -> tensor<1x4x4x1xf32> {
  %0 = graph.conv %x, %w {low = array<i64: 0, 0>, high = array<i64: 0, 0>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64}
      : (tensor<1x4x10x1xf32>, tensor<4x1x3x1xf32>) -> tensor<1x4x8x1xf32>
  %1 = graph.window %0 <max> {window = array<i64: 2, 1>, low = array<i64: 0, 0>,
      high = array<i64: 0, 0>, strides = array<i64: 2, 1>,
      dilations = array<i64: 1, 1>}
      : (tensor<1x4x8x1xf32>) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}

// A filter that is empty in the last dim keeps it.
// CHECK-LABEL: func.func @empty_filter
// CHECK: graph.conv %arg0, %arg1 {{.*}}-> tensor<2x4x1x1xf32>
func.func @empty_filter(%x: tensor<2x1x3x1xf32>, %w: tensor<4x1x3x0xf32>)
    -> tensor<2x4x1x1xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 2>,
      dilations = array<i64: 1, 1>, low = array<i64: 0, 0>,
      high = array<i64: 0, 0>, groups = 1 : i64}
      : (tensor<2x1x3x1xf32>, tensor<4x1x3x0xf32>) -> tensor<2x4x1x1xf32>
  return %0 : tensor<2x4x1x1xf32>
}
