// The folds of graph ops.
// RUN: ambit-opt %s -canonicalize | FileCheck %s

!x = tensor<?x?xf32, #sym.shape<[n, m]>>

// Sizes without symbols are constants of any element type.
// CHECK-LABEL: @dims
func.func @dims() -> (tensor<2xi64>, tensor<f32>, tensor<0xi64>, tensor<1xi64>) {
  // CHECK-DAG: graph.constant dense<[3, -1]> : tensor<2xi64>
  %0 = graph.dims <[3, -1]> : tensor<2xi64>
  // CHECK-DAG: graph.constant dense<2.000000e+00> : tensor<f32>
  %1 = graph.dims <[2]> : tensor<f32>
  // CHECK-DAG: graph.constant dense<> : tensor<0xi64>
  %2 = graph.dims <[]> : tensor<0xi64>
  // CHECK-DAG: graph.dims <[n]> : tensor<1xi64>
  %3 = graph.dims <[n]> : tensor<1xi64>
  return %0, %1, %2, %3 : tensor<2xi64>, tensor<f32>, tensor<0xi64>, tensor<1xi64>
}

// CHECK-LABEL: @identities
// CHECK-SAME: (%[[X:.*]]: tensor
func.func @identities(%x: !x) -> (!x, !x, !x, !x, !x, !x) {
  %0 = graph.broadcast %x to <[n, m]> : (!x) -> !x
  %1 = graph.reshape %x to <[n, m]> : (!x) -> !x
  %2 = graph.transpose %x [0, 1] : (!x) -> !x
  %3 = graph.slice %x <[0, 0]> <[n, m]> [1, 1] : (!x) -> !x
  %4 = graph.concat %x along 1 : (!x) -> !x
  %5 = graph.reduce %x <max> [] : (!x) -> !x
  // CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
  return %0, %1, %2, %3, %4, %5 : !x, !x, !x, !x, !x, !x
}

// A slice with the type of its input is no identity when it reverses.
// CHECK-LABEL: @reversal
func.func @reversal(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>> {
  // CHECK: graph.slice
  %0 = graph.slice %x <["n - 1"]> <[n]> [-1] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>>
  return %0 : tensor<?xf32, #sym.shape<[n]>>
}

// CHECK-LABEL: @reshapeChain
// CHECK-SAME: (%[[X:.*]]: tensor
func.func @reshapeChain(%x: !x) -> tensor<?x1x?xf32, #sym.shape<[n, 1, m]>> {
  %0 = graph.reshape %x to <["n*m"]> : (!x) -> tensor<?xf32, #sym.shape<["n*m"]>>
  // CHECK-NEXT: %[[R:.*]] = graph.reshape %[[X]] to <[n, 1, m]>
  %1 = graph.reshape %0 to <[n, 1, m]> : (tensor<?xf32, #sym.shape<["n*m"]>>) -> tensor<?x1x?xf32, #sym.shape<[n, 1, m]>>
  // CHECK-NEXT: return %[[R]]
  return %1 : tensor<?x1x?xf32, #sym.shape<[n, 1, m]>>
}

// A chain of reshapes that ends where it began disappears.
// CHECK-LABEL: @reshapeThereAndBack
// CHECK-SAME: (%[[X:.*]]: tensor
func.func @reshapeThereAndBack(%x: !x) -> !x {
  %0 = graph.reshape %x to <["n*m"]> : (!x) -> tensor<?xf32, #sym.shape<["n*m"]>>
  %1 = graph.reshape %0 to <[n, m]> : (tensor<?xf32, #sym.shape<["n*m"]>>) -> !x
  // CHECK-NEXT: return %[[X]]
  return %1 : !x
}

// CHECK-LABEL: @transposeChain
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>
func.func @transposeChain(%x: tensor<2x3x4xf32>) -> (tensor<4x2x3xf32>, tensor<2x3x4xf32>) {
  %0 = graph.transpose %x [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  // CHECK-NEXT: %[[T:.*]] = graph.transpose %[[X]] [2, 0, 1]
  %1 = graph.transpose %0 [1, 2, 0] : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
  %2 = graph.transpose %1 [1, 2, 0] : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: return %[[T]], %[[X]]
  return %1, %2 : tensor<4x2x3xf32>, tensor<2x3x4xf32>
}

// Scalar constants of a body stay inside of it.
// CHECK-LABEL: @body
func.func @body(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: graph.map
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    // CHECK: arith.constant 3.000000e+00 : f32
    %c = arith.constant 1.0 : f32
    %d = arith.constant 2.0 : f32
    %e = arith.addf %c, %d : f32
    %f = arith.mulf %a, %e : f32
    graph.yield %f : f32
  }
  return %0 : tensor<2xf32>
}

// Ops without a use disappear.
// CHECK-LABEL: @dead
func.func @dead(%x: tensor<2x2xf32>) {
  %0 = graph.contract %x, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK-NEXT: return
  return
}
