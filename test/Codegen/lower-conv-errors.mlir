// RUN: not ambit-opt %s --lower-kernels 2>&1 | FileCheck %s

// CHECK: error: padding reaches code generation; graph-expand-padding removes it
func.func private @padded(%x: tensor<1x3x10xf32>, %w: tensor<4x3x3xf32>)
    -> tensor<1x4x10xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>,
      low = array<i64: 1>, high = array<i64: 1>, groups = 1 : i64}
      : (tensor<1x3x10xf32>, tensor<4x3x3xf32>) -> tensor<1x4x10xf32>
  return %0 : tensor<1x4x10xf32>
}
