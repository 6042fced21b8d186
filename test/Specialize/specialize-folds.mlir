// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Broadcasts of a size that may be 1 are decided where the size is bound, and
// shapes as data become constants.
// RUN: ambit-opt %s --plan-variants="exact=n:1:4" --specialize | FileCheck %s

sym.symbol "n" min 1 max 64
func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> (tensor<?xf32, #sym.shape<["max(4, n)"]>>, tensor<1xi64>) {
  %0 = graph.broadcast %x to <["max(4, n)"]> : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<["max(4, n)"]>>
  %1 = graph.dims <["2*n"]> : tensor<1xi64>
  return %0, %1 : tensor<?xf32, #sym.shape<["max(4, n)"]>>, tensor<1xi64>
}
// The guard of that broadcast.
sym.guard "n == 1 || n == 4 || n >= 4"

// CHECK: func.func @n_1(%[[X:.*]]: tensor<1xf32>) -> (tensor<4xf32>, tensor<1xi64>)
// CHECK-DAG: %[[Y:.*]] = graph.broadcast %[[X]] to <[4]> : (tensor<1xf32>) -> tensor<4xf32>
// CHECK-DAG: %[[D:.*]] = graph.constant dense<2> : tensor<1xi64>
// CHECK: return %[[Y]], %[[D]]

// CHECK: func.func @n_4(%[[X:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<1xi64>)
// CHECK-NEXT: %[[D:.*]] = graph.constant dense<8> : tensor<1xi64>
// CHECK-NEXT: return %[[X]], %[[D]]

// CHECK: func.func @generic
// Names of tensors and model are optional.
// CHECK: dispatch.model "model"
// CHECK-NEXT: dispatch.input "input0"
// CHECK-NEXT: dispatch.output "output0"
// CHECK-NEXT: dispatch.output "output1"
