// Kernels: what joins one, what ends one, and that equal ones are shared.
// RUN: ambit-opt %s --graph-form-kernels | FileCheck %s

!x = tensor<?x8xf32, #sym.shape<[n, 8]>>
!y = tensor<?x8xf32, #sym.shape<[m, 8]>>
!w = tensor<8x8xf32>

// Bias and activation are applied to the contraction's elements. The second
// layer has other weights and another symbol, but is the same code.
// CHECK-LABEL: func.func @layers
// CHECK: graph.launch @[[LAYER:kernel_contract_[0-9a-f]+]](%arg0, %arg2, %arg4) <[n]>
// CHECK: graph.launch @[[LAYER]](%arg1, %arg3, %arg4) <[m]>
func.func @layers(%x: !x, %y: !y, %w: !w, %v: !w, %b: tensor<8xf32>) -> (!x, !y) {
  %0 = graph.contract %x, %w : (!x, !w) -> !x
  %1 = graph.broadcast %b to <[n, 8]> : (tensor<8xf32>) -> !x
  %2 = graph.map %0, %1 : (!x, !x) -> !x {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %3 = graph.contract %y, %v : (!y, !w) -> !y
  %4 = graph.broadcast %b to <[m, 8]> : (tensor<8xf32>) -> !y
  %5 = graph.map %3, %4 : (!y, !y) -> !y {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  return %2, %5 : !x, !y
}

// What a second kernel needs is stored: the square has two users in different
// kernels. The reduction computes its own input from it.
// CHECK-LABEL: func.func @shared_value
// CHECK: %[[SQUARE:.*]] = graph.launch @{{kernel_map_.*}}(%arg0)
// CHECK: graph.launch @{{kernel_reduce_.*}}(%[[SQUARE]])
// CHECK: graph.launch @{{kernel_transpose_.*}}(%[[SQUARE]])
func.func @shared_value(%x: !x) -> (tensor<?xf32, #sym.shape<[n]>>,
                                    tensor<8x?xf32, #sym.shape<[8, n]>>) {
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%p: f32):
    %s = arith.mulf %p, %p : f32
    graph.yield %s : f32
  }
  %1 = graph.map %0 : (!x) -> !x {
  ^bb0(%p: f32):
    %s = arith.negf %p : f32
    graph.yield %s : f32
  }
  %2 = graph.reduce %1 <sum> [1] : (!x) -> tensor<?xf32, #sym.shape<[n]>>
  %3 = graph.transpose %0 [1, 0] : (!x) -> tensor<8x?xf32, #sym.shape<[8, n]>>
  return %2, %3 : tensor<?xf32, #sym.shape<[n]>>, tensor<8x?xf32, #sym.shape<[8, n]>>
}

// Arguments and values that are returned twice are copied: every output has a
// buffer of its own. A reshape shares its input's.
// CHECK-LABEL: func.func @aliases
// CHECK: %[[NEG:.*]] = graph.launch @[[NEGATE:kernel_map_[0-9a-f]+]](%arg0)
// CHECK: %[[FLAT:.*]] = graph.reshape %[[NEG]]
// CHECK: %[[COPY:.*]] = graph.launch @[[COPIES:kernel_map_[0-9a-f]+]](%arg0)
// CHECK: %[[AGAIN:.*]] = graph.launch @[[COPIES]](%[[NEG]])
// CHECK: return %[[COPY]], %[[FLAT]], %[[AGAIN]]
func.func @aliases(%x: !x) -> (!x, tensor<?xf32, #sym.shape<["8*n"]>>, !x) {
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%p: f32):
    %s = arith.negf %p : f32
    graph.yield %s : f32
  }
  %1 = graph.reshape %0 to <["8*n"]> : (!x) -> tensor<?xf32, #sym.shape<["8*n"]>>
  return %x, %1, %0 : !x, tensor<?xf32, #sym.shape<["8*n"]>>, !x
}

// What is no tensor needs no buffer to be returned in.
// CHECK-LABEL: func.func @scalar
// CHECK-NEXT: return %arg0 : index
func.func @scalar(%n: index) -> index {
  return %n : index
}

// CHECK: func.func private @[[LAYER]](%{{.*}}: tensor<?x8xf32, {{.*}}>, %{{.*}}: tensor<8x8xf32>
// CHECK-SAME: attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>}
// CHECK-NOT: func.func private @{{kernel_contract_.*}}
