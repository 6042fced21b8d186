// Sliding sums and maxima.
// RUN: ambit-opt %s --lower-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @max(
// CHECK-COUNT-8: arith.maximumf
// CHECK-NOT: arith.maximumf
// CHECK: vector.store
func.func private @max(%x: tensor<1x3x10x10xf32>) -> tensor<1x3x8x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.window %x <max> {window = array<i64: 3, 3>,
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      low = array<i64: 0, 0>, high = array<i64: 0, 0>}
      : (tensor<1x3x10x10xf32>) -> tensor<1x3x8x8xf32>
  return %0 : tensor<1x3x8x8xf32>
}

// CHECK-LABEL: func.func private @sum(
// CHECK: arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK: arith.addf
// CHECK: vector.shuffle
// CHECK: arith.addf
func.func private @sum(%x: tensor<1x3x17xf32>) -> tensor<1x3x8xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.window %x <sum> {window = array<i64: 2>, strides = array<i64: 2>,
      dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>}
      : (tensor<1x3x17xf32>) -> tensor<1x3x8xf32>
  return %0 : tensor<1x3x8xf32>
}

// CHECK-LABEL: func.func private @unsigned(
// CHECK: arith.maxui %{{.*}} : vector<32xi8>
func.func private @unsigned(%x: tensor<1x3x33xui8>) -> tensor<1x3x32xui8>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.window %x <max> {window = array<i64: 2>, strides = array<i64: 1>,
      dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>}
      : (tensor<1x3x33xui8>) -> tensor<1x3x32xui8>
  return %0 : tensor<1x3x32xui8>
}
