// Register tiles of convolutions: output channels by output columns.
// RUN: ambit-opt %s --lower-kernels --canonicalize --cse | FileCheck %s

// The window is unrolled; weights are broadcast, input rows are plain loads.
// CHECK-LABEL: func.func private @unit_stride(
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK-NOT: scf.for
// CHECK-COUNT-9: memref.load %arg1
// CHECK: scf.yield
func.func private @unit_stride(%x: tensor<1x3x10x10xf32>,
                               %w: tensor<1x3x3x3xf32>) -> tensor<1x1x8x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>,
      dilations = array<i64: 1, 1>, low = array<i64: 0, 0>,
      high = array<i64: 0, 0>, groups = 1 : i64}
      : (tensor<1x3x10x10xf32>, tensor<1x3x3x3xf32>) -> tensor<1x1x8x8xf32>
  return %0 : tensor<1x1x8x8xf32>
}

// Stride 2: two loads that overlap in one element, and a shuffle.
// CHECK-LABEL: func.func private @stride_two(
// CHECK: %[[A:.*]] = vector.load %arg0[%[[AT:.*]]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[AT]], %c7
// CHECK: %[[B:.*]] = vector.load %arg0[%[[NEXT]]]
// CHECK: vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK-NOT: vector.gather
func.func private @stride_two(%x: tensor<1x3x17xf32>, %w: tensor<4x3x2xf32>)
    -> tensor<1x4x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>,
      low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64}
      : (tensor<1x3x17xf32>, tensor<4x3x2xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// CHECK-LABEL: func.func private @stride_three(
// CHECK: vector.gather
func.func private @stride_three(%x: tensor<1x3x25xf32>, %w: tensor<4x3x2xf32>)
    -> tensor<1x4x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 3>, dilations = array<i64: 1>,
      low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64}
      : (tensor<1x3x25xf32>, tensor<4x3x2xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// Ten channels are two tiles of five.
// CHECK-LABEL: func.func private @ten_channels(
// CHECK: scf.for %{{.*}} = %c0 to %c10 step %c5
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK-COUNT-10: vector.fma
// CHECK: scf.yield
func.func private @ten_channels(%x: tensor<1x16x16xf32>,
                                %w: tensor<10x16x1xf32>)
    -> tensor<1x10x16xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>,
      low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64}
      : (tensor<1x16x16xf32>, tensor<10x16x1xf32>) -> tensor<1x10x16xf32>
  return %0 : tensor<1x10x16xf32>
}

// A large window is a loop over its rows and columns.
// CHECK-LABEL: func.func private @large_window(
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK: scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args
// CHECK: scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args
func.func private @large_window(%x: tensor<1x3x7x14xf32>,
                                %w: tensor<2x3x7x7xf32>) -> tensor<1x2x1x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>,
      dilations = array<i64: 1, 1>, low = array<i64: 0, 0>,
      high = array<i64: 0, 0>, groups = 1 : i64}
      : (tensor<1x3x7x14xf32>, tensor<2x3x7x7xf32>) -> tensor<1x2x1x8xf32>
  return %0 : tensor<1x2x1x8xf32>
}

// Four rows of a channel: 6 x 3 vectors of the input for 4 x 9 products.
// CHECK-LABEL: func.func private @depthwise(
// CHECK-COUNT-9: memref.load %arg1
// CHECK: scf.for {{.*}} step %c4
// CHECK-COUNT-18: vector.load %arg0
// CHECK-NOT: vector.load %arg0
// CHECK: return
func.func private @depthwise(%x: tensor<1x5x18x10xf32>,
                             %w: tensor<5x1x3x3xf32>) -> tensor<1x5x16x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>,
      dilations = array<i64: 1, 1>, low = array<i64: 0, 0>,
      high = array<i64: 0, 0>, groups = 5 : i64}
      : (tensor<1x5x18x10xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x16x8xf32>
  return %0 : tensor<1x5x16x8xf32>
}

// The middle rows are inside, the first and the last are computed one by one.
// Columns before and behind the image are switched off.
// CHECK-LABEL: func.func private @padded(
// CHECK: scf.for {{.*}} step %c4
// CHECK-COUNT-6: vector.maskedload %arg0
// CHECK: scf.for {{.*}} step %c1
// CHECK: vector.maskedload %arg0
// CHECK: return
func.func private @padded(%x: tensor<1x5x16x8xf32>, %w: tensor<5x1x3x3xf32>)
    -> tensor<1x5x16x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>,
      dilations = array<i64: 1, 1>, low = array<i64: 1, 1>,
      high = array<i64: 1, 1>, groups = 5 : i64}
      : (tensor<1x5x16x8xf32>, tensor<5x1x3x3xf32>) -> tensor<1x5x16x8xf32>
  return %0 : tensor<1x5x16x8xf32>
}
