// graph-simplify on ops that only move elements.
// RUN: ambit-opt %s -graph-simplify | FileCheck %s

!x = tensor<?x?xf32, #sym.shape<[n, m]>>
!v = tensor<?xf32, #sym.shape<[m]>>

// CHECK-LABEL: @broadcasts
// CHECK-SAME: (%[[V:.*]]: tensor
func.func @broadcasts(%v: !v) -> tensor<2x?x?xf32, #sym.shape<[2, n, m]>> {
  %0 = graph.reshape %v to <[1, m]> : (!v) -> tensor<1x?xf32, #sym.shape<[1, m]>>
  %1 = graph.broadcast %0 to <[n, m]> : (tensor<1x?xf32, #sym.shape<[1, m]>>) -> !x
  // CHECK-NEXT: %[[B:.*]] = graph.broadcast %[[V]] to <[2, n, m]>
  %2 = graph.broadcast %1 to <[2, n, m]> : (!x) -> tensor<2x?x?xf32, #sym.shape<[2, n, m]>>
  // CHECK-NEXT: return %[[B]]
  return %2 : tensor<2x?x?xf32, #sym.shape<[2, n, m]>>
}

// CHECK-LABEL: @transposeOfUnitDims
func.func @transposeOfUnitDims(%x: tensor<?x1x?xf32, #sym.shape<[n, 1, m]>>) -> (tensor<1x?x?xf32, #sym.shape<[1, n, m]>>, tensor<?x1x?xf32, #sym.shape<[m, 1, n]>>) {
  // CHECK: graph.reshape %{{.*}} to <[1, n, m]>
  %0 = graph.transpose %x [1, 0, 2] : (tensor<?x1x?xf32, #sym.shape<[n, 1, m]>>) -> tensor<1x?x?xf32, #sym.shape<[1, n, m]>>
  // CHECK: graph.transpose %{{.*}} [2, 1, 0]
  %1 = graph.transpose %x [2, 1, 0] : (tensor<?x1x?xf32, #sym.shape<[n, 1, m]>>) -> tensor<?x1x?xf32, #sym.shape<[m, 1, n]>>
  return %0, %1 : tensor<1x?x?xf32, #sym.shape<[1, n, m]>>, tensor<?x1x?xf32, #sym.shape<[m, 1, n]>>
}

// CHECK-LABEL: @slices
func.func @slices(%x: tensor<20xf32>) -> tensor<2xf32> {
  %0 = graph.slice %x <[2]> <[6]> [2] : (tensor<20xf32>) -> tensor<6xf32>
  // CHECK-NEXT: graph.slice %{{.*}} <[10]> <[2]> [-6]
  %1 = graph.slice %0 <[4]> <[2]> [-3] : (tensor<6xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// CHECK-LABEL: @concats
// CHECK-SAME: (%[[X:.*]]: tensor<2x2xf32>, %[[Y:.*]]: tensor<2x2xf32>, %[[E:.*]]: tensor<0x2xf32>,
func.func @concats(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>, %e: tensor<0x2xf32>, %x4: tensor<4x2xf32>) -> (tensor<6x2xf32>, tensor<4x4xf32>) {
  %0 = graph.concat %x, %y along 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  // CHECK-DAG: graph.concat %[[X]], %[[Y]], %[[X]] along 0
  %1 = graph.concat %0, %e, %x along 0 : (tensor<4x2xf32>, tensor<0x2xf32>, tensor<2x2xf32>) -> tensor<6x2xf32>
  // Along another dim nothing is flattened.
  // CHECK-DAG: %[[YX:.*]] = graph.concat %[[Y]], %[[X]] along 0
  // CHECK-DAG: graph.concat %[[YX]], %arg3 along 1
  %2 = graph.concat %y, %x along 0 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %3 = graph.concat %2, %x4 along 1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<6x2xf32>, tensor<4x4xf32>
}

// What is used twice stays an input: otherwise every level of concat(t, t)
// would double the number of inputs.
// CHECK-LABEL: @sharedConcats
// CHECK: %[[A:.*]] = graph.concat %arg0, %arg0 along 0
// CHECK: %[[B:.*]] = graph.concat %[[A]], %[[A]] along 0
// CHECK: graph.concat %[[B]], %[[B]] along 0
func.func @sharedConcats(%x: tensor<1xf32>) -> tensor<8xf32> {
  %0 = graph.concat %x, %x along 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %1 = graph.concat %0, %0 along 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %2 = graph.concat %1, %1 along 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Where 0 and n are the same size, the other type stays.
// CHECK-LABEL: @emptyIsWrittenDifferently
// CHECK: graph.concat
func.func @emptyIsWrittenDifferently(%x: tensor<0x?xf32, #sym.shape<[0, n]>>)
    -> tensor<0x0xf32> {
  %0 = graph.constant dense<> : tensor<0x0xf32>
  %1 = graph.concat %0, %x along 1 : (tensor<0x0xf32>, tensor<0x?xf32, #sym.shape<[0, n]>>) -> tensor<0x0xf32>
  return %1 : tensor<0x0xf32>
}

// CHECK-LABEL: @nothingPaddedOrResized
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor
func.func @nothingPaddedOrResized(%x: !x, %v: tensor<f32>) -> !x {
  %0 = graph.pad %x with %v <[0, 0]> <[0, 0]> : (!x, tensor<f32>) -> !x
  %1 = graph.resize %0 to <[n, m]> {coordinates = #graph.coordinates<half_pixel>, mode = #graph.resize_mode<linear>} : (!x) -> !x
  // CHECK-NEXT: return %[[X]]
  return %1 : !x
}

// A constant index is a slice where it is known to lie inside.
// CHECK-LABEL: @gathers
func.func @gathers(%x: !x) -> (!v, tensor<?x1xf32, #sym.shape<[n, 1]>>, !v) {
  // CHECK-DAG: %[[S:.*]] = graph.slice %{{.*}} <[0, 0]> <[1, m]> [1, 1]
  // CHECK-DAG: graph.reshape %[[S]] to <[m]>
  %0 = graph.constant dense<0> : tensor<i64>
  %1 = graph.gather %x at %0 along 0 : (!x, tensor<i64>) -> !v
  // CHECK-DAG: graph.slice %{{.*}} <[0, "m - 1"]> <[n, 1]> [1, 1]
  %2 = graph.constant dense<-1> : tensor<1xi32>
  %3 = graph.gather %x at %2 along 1 : (!x, tensor<1xi32>) -> tensor<?x1xf32, #sym.shape<[n, 1]>>
  // CHECK-DAG: graph.gather
  %4 = graph.constant dense<1> : tensor<i64>
  %5 = graph.gather %x at %4 along 0 : (!x, tensor<i64>) -> !v
  return %1, %3, %5 : !v, tensor<?x1xf32, #sym.shape<[n, 1]>>, !v
}
