// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant has one place for all variants, the generic variant's ones first;
// constants of kernels are in their code.
// RUN: ambit-opt %s --graph-place-weights | FileCheck %s

// CHECK: module attributes
// CHECK-SAME: ambit.weight_offsets = array<i64: 0, 64, 192>
// CHECK-SAME: ambit.weights = [dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>, dense<7.000000e+00> : tensor<17xf32>, dense<[true, false]> : tensor<2xi1>]
module {
  func.func @n_2() -> (tensor<2xi1>, tensor<3xf32>) attributes {ambit.variant} {
    %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %v = graph.constant dense<[true, false]> : tensor<2xi1>
    return %v, %w : tensor<2xi1>, tensor<3xf32>
  }
  func.func @generic() -> (tensor<3xf32>, tensor<17xf32>) attributes {ambit.variant} {
    %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %v = graph.constant dense<7.0> : tensor<17xf32>
    return %w, %v : tensor<3xf32>, tensor<17xf32>
  }
  func.func private @kernel() -> tensor<f32> attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
    %0 = graph.constant dense<5.0> : tensor<f32>
    return %0 : tensor<f32>
  }
}
