// RUN: not ambit-opt %s --lower-kernels 2>&1 | FileCheck %s

// CHECK: error: padding reaches code generation; graph-expand-padding removes it
func.func private @padded(%x: tensor<1x3x10xf32>) -> tensor<1x3x10xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.window %x <sum> {window = array<i64: 3>, strides = array<i64: 1>,
      dilations = array<i64: 1>, low = array<i64: 1>, high = array<i64: 1>}
      : (tensor<1x3x10xf32>) -> tensor<1x3x10xf32>
  return %0 : tensor<1x3x10xf32>
}
