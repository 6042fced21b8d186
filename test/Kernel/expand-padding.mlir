// Padding of convolutions and windows becomes graph.pad.
// RUN: ambit-opt %s --graph-expand-padding | FileCheck %s

// CHECK-LABEL: func.func @conv
// CHECK: %[[ZERO:.*]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[PADDED:.*]] = graph.pad %arg0 with %[[ZERO]] <[0, 0, 1]> <[0, 0, 1]>
// CHECK: graph.conv %[[PADDED]], %arg1 {{.*}}high = array<i64: 0>, low = array<i64: 0>
// CHECK-SAME: tensor<1x4x?xf32, #sym.shape<[1, 4, "n + 2"]>>
func.func @conv(%x: tensor<1x4x?xf32, #sym.shape<[1, 4, n]>>,
                %w: tensor<2x4x3xf32>)
    -> tensor<1x2x?xf32, #sym.shape<[1, 2, n]>> {
  %0 = graph.conv %x, %w {low = array<i64: 1>, high = array<i64: 1>,
      strides = array<i64: 1>, dilations = array<i64: 1>, groups = 1 : i64}
      : (tensor<1x4x?xf32, #sym.shape<[1, 4, n]>>, tensor<2x4x3xf32>)
      -> tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>
  return %0 : tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>
}

// The last window starts inside of the input and reaches one element beyond it.
// CHECK-LABEL: func.func @ceil
// CHECK: %[[LEAST:.*]] = graph.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[PADDED:.*]] = graph.pad %arg0 with %[[LEAST]] <[0, 0, 0]> <[0, 0, 1]>
// CHECK: graph.window %[[PADDED]] <max>
// CHECK-NOT: ceil
func.func @ceil(%x: tensor<1x4x15xf32>) -> tensor<1x4x8xf32> {
  %0 = graph.window %x <max> {window = array<i64: 2>, low = array<i64: 0>,
      high = array<i64: 0>, strides = array<i64: 2>, dilations = array<i64: 1>,
      ceil} : (tensor<1x4x15xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// CHECK-LABEL: func.func @integers
// CHECK: graph.constant dense<-128> : tensor<i8>
// CHECK: graph.constant dense<0> : tensor<ui8>
func.func @integers(%x: tensor<1x1x4xi8>, %y: tensor<1x1x4xui8>)
    -> (tensor<1x1x5xi8>, tensor<1x1x5xui8>) {
  %0 = graph.window %x <max> {window = array<i64: 2>, low = array<i64: 1>,
      high = array<i64: 1>, strides = array<i64: 1>, dilations = array<i64: 1>}
      : (tensor<1x1x4xi8>) -> tensor<1x1x5xi8>
  %1 = graph.window %y <max> {window = array<i64: 2>, low = array<i64: 1>,
      high = array<i64: 1>, strides = array<i64: 1>, dilations = array<i64: 1>}
      : (tensor<1x1x4xui8>) -> tensor<1x1x5xui8>
  return %0, %1 : tensor<1x1x5xi8>, tensor<1x1x5xui8>
}

// CHECK-LABEL: func.func @no_padding
// CHECK-NOT: graph.pad
func.func @no_padding(%x: tensor<1x4x16xf32>) -> tensor<1x4x8xf32> {
  %0 = graph.window %x <sum> {window = array<i64: 2>, low = array<i64: 0>,
      high = array<i64: 0>, strides = array<i64: 2>, dilations = array<i64: 1>,
      ceil} : (tensor<1x4x16xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// An empty input has no window that starts inside of it.
// CHECK-LABEL: func.func @none
// CHECK: %[[NONE:.*]] = graph.broadcast %{{.*}} to <[1, 4, 0]>
// CHECK-NOT: graph.window
// CHECK: return %[[NONE]]
func.func @none(%x: tensor<1x4x0xf32>) -> tensor<1x4x0xf32> {
  %0 = graph.window %x <max> {window = array<i64: 2>, low = array<i64: 0>,
      high = array<i64: 2>, strides = array<i64: 1>, dilations = array<i64: 1>,
      ceil} : (tensor<1x4x0xf32>) -> tensor<1x4x0xf32>
  return %0 : tensor<1x4x0xf32>
}

// A copy would cost more than what is done with it.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: graph.pad
// CHECK: graph.conv %arg0, %arg1 {{.*}}low = array<i64: 1, 1>
func.func @depthwise(%x: tensor<1x4x?x8xf32, #sym.shape<[1, 4, n, 8]>>,
                     %w: tensor<4x1x3x3xf32>)
    -> tensor<1x4x?x8xf32, #sym.shape<[1, 4, n, 8]>> {
  %0 = graph.conv %x, %w {low = array<i64: 1, 1>, high = array<i64: 1, 1>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      groups = 4 : i64}
      : (tensor<1x4x?x8xf32, #sym.shape<[1, 4, n, 8]>>, tensor<4x1x3x3xf32>)
      -> tensor<1x4x?x8xf32, #sym.shape<[1, 4, n, 8]>>
  return %0 : tensor<1x4x?x8xf32, #sym.shape<[1, 4, n, 8]>>
}
