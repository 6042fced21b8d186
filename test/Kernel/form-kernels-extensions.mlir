// Extending halves costs less than storing what is twice as large: each kernel
// does it for itself, also behind a reshape.
// RUN: ambit-opt %s --graph-form-kernels | FileCheck %s

!x = tensor<?x8xf16, #sym.shape<[n, 8]>>
!wide = tensor<?x8xf32, #sym.shape<[n, 8]>>

// CHECK-LABEL: func.func @two_kernels
// CHECK-NOT: graph.launch @{{kernel_map_.*}}(%arg0) <[n]> : (tensor<?x8xf16
// CHECK: %[[SUM:.*]] = graph.launch @{{kernel_reduce_.*}}(%arg0) <[n]>
// CHECK: graph.launch @{{kernel_transpose_.*}}(%arg0) <[n]>
func.func @two_kernels(%x: !x) -> (tensor<?xf32, #sym.shape<[n]>>, tensor<8x?xf32, #sym.shape<[8, n]>>) {
  %0 = graph.map %x : (!x) -> !wide {
  ^bb0(%p: f16):
    %e = arith.extf %p : f16 to f32
    graph.yield %e : f32
  }
  %1 = graph.reduce %0 <sum> [1] : (!wide) -> tensor<?xf32, #sym.shape<[n]>>
  %2 = graph.transpose %0 [1, 0] : (!wide) -> tensor<8x?xf32, #sym.shape<[8, n]>>
  return %1, %2 : tensor<?xf32, #sym.shape<[n]>>, tensor<8x?xf32, #sym.shape<[8, n]>>
}

// CHECK-LABEL: func.func @behind_reshape
// CHECK: %[[FLAT:.*]] = graph.reshape %arg0 to <[n, 2, 4]>
// CHECK: graph.launch @{{kernel_reduce_.*}}(%[[FLAT]])
// CHECK-NOT: graph.launch
// CHECK: return
func.func @behind_reshape(%x: !x) -> tensor<?x2xf32, #sym.shape<[n, 2]>> {
  %0 = graph.map %x : (!x) -> !wide {
  ^bb0(%p: f16):
    %e = arith.extf %p : f16 to f32
    graph.yield %e : f32
  }
  %1 = graph.reshape %0 to <[n, 2, 4]> : (!wide) -> tensor<?x2x4xf32, #sym.shape<[n, 2, 4]>>
  %2 = graph.reduce %1 <sum> [2] : (tensor<?x2x4xf32, #sym.shape<[n, 2, 4]>>) -> tensor<?x2xf32, #sym.shape<[n, 2]>>
  return %2 : tensor<?x2xf32, #sym.shape<[n, 2]>>
}
