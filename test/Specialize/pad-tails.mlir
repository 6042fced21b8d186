// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A padded variant computes on its tops. What comes in is padded, what goes out
// is cut, and a tail is set where an op needs it and nowhere else.
// RUN: ambit-opt %s --specialize | FileCheck %s
// RUN: ambit-opt %s --specialize=free-padding=nan | FileCheck %s --check-prefix=NAN

sym.symbol "n" min 1 max 8
func.func @main(%q: tensor<?x4xf32, #sym.shape<[n, 4]>>, %k: tensor<4x?xf32, #sym.shape<[4, n]>>, %v: tensor<?x4xf32, #sym.shape<[n, 4]>>)
    -> (tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<4xf32>, tensor<1xi64>, tensor<?xi64, #sym.shape<["min(2, n)"]>>) {
  %scores = graph.contract %q, %k : (tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<4x?xf32, #sym.shape<[4, n]>>) -> tensor<?x?xf32, #sym.shape<[n, n]>>
  %p = graph.softmax %scores along 1 : (tensor<?x?xf32, #sym.shape<[n, n]>>) -> tensor<?x?xf32, #sym.shape<[n, n]>>
  %y = graph.contract %p, %v : (tensor<?x?xf32, #sym.shape<[n, n]>>, tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x4xf32, #sym.shape<[n, 4]>>
  %sums = graph.reduce %y <sum> [0] : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<4xf32>
  %size = graph.dims <[n]> : tensor<1xi64>
  %first = graph.slice %q <[0, 0]> <[n, 1]> [1, 1] : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x1xf32, #sym.shape<[n, 1]>>
  %row = graph.reshape %first to <[n]> : (tensor<?x1xf32, #sym.shape<[n, 1]>>) -> tensor<?xf32, #sym.shape<[n]>>
  %best = graph.topk %row <["min(2, n)"]> along 0 : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<["min(2, n)"]>>
  return %y, %sums, %size, %best : tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<4xf32>, tensor<1xi64>, tensor<?xi64, #sym.shape<["min(2, n)"]>>
} loc("main")
dispatch.model "m" {
  dispatch.variant @n_1_8 kind padded tops {n = 8}
}

// CHECK: func.func @n_1_8(%[[Q:.*]]: tensor<?x4xf32, #sym.shape<[n, 4]>>, %[[K:.*]]: tensor<4x?xf32, #sym.shape<[4, n]>>, %[[V:.*]]: tensor<?x4xf32, #sym.shape<[n, 4]>>)
// CHECK-DAG: %[[ZERO:.*]] = graph.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[NEGATIVE:.*]] = graph.constant dense<-0.000000e+00> : tensor<f32>
// What a softmax leaves is as good as 0; the other factor's tail is -0, so that
// no bit of a sum changes.
// CHECK-DAG: %[[VALUES:.*]] = graph.pad %[[V]] with %[[NEGATIVE]] <[0, 0]> <["-n + 8", 0]>
// CHECK-DAG: %[[KEYS:.*]] = graph.pad %[[K]] with %[[ZERO]] <[0, 0]> <[0, "-n + 8"]>
// CHECK-DAG: %[[QUERIES:.*]] = graph.pad %[[Q]] with %[[ZERO]] <[0, 0]> <["-n + 8", 0]>
// CHECK: %[[SCORES:.*]] = graph.contract %[[QUERIES]], %[[KEYS]] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
// CHECK-DAG: %[[AT:.*]] = graph.iota <[8, 8]> along 1 {elementType = i32}
// CHECK-DAG: %[[N:.*]] = graph.dims <[n]> : tensor<i32>
// CHECK: %[[MASKED:.*]] = graph.map %[[SCORES]], %[[AT]], %{{.*}} : (tensor<8x8xf32>
// CHECK: arith.constant 0xFF800000 : f32
// CHECK: arith.cmpi slt
// CHECK: %[[P:.*]] = graph.softmax %[[MASKED]] along 1
// CHECK: %[[Y:.*]] = graph.contract %[[P]], %[[VALUES]] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK: %[[SET:.*]] = graph.map %[[Y]],
// CHECK: %[[OUT:.*]] = graph.slice %[[SET]] <[0, 0]> <[n, 4]> [1, 1]
// CHECK: %[[SUMS:.*]] = graph.reduce %[[SET]] <sum> [0] : (tensor<8x4xf32>) -> tensor<4xf32>
// CHECK: %[[SIZE:.*]] = graph.dims <[n]> : tensor<1xi64>
// CHECK: %[[BEST:.*]] = graph.topk %{{.*}} <["min(2, n)"]> along 0 : (tensor<?xf32, #sym.shape<[n]>>)
// CHECK: return %[[OUT]], %[[SUMS]], %[[SIZE]], %[[BEST]]

// CHECK: dispatch.variant @n_1_8 kind padded tops {n = 8 : i64} padding ["6 ops on padded sizes, 1 on true sizes"
// CHECK-SAME: padding of operand 0 beyond 'n' is -Inf"
// CHECK-SAME: padding of operand 1 beyond 'n' is -0"
// CHECK-SAME: padding of operand 0 beyond 'n' is 0"
// CHECK-SAME: computed on true sizes: it searches in its data"

// Only what no op needs anything of is filled with NaN.
// NAN-DAG: %[[NAN:.*]] = graph.constant dense<0x7FC00000> : tensor<f32>
// NAN-DAG: graph.pad %arg2 with %{{.*}} <[0, 0]> <["-n + 8", 0]>
// NAN-DAG: graph.pad %arg1 with %[[NAN]]
// NAN-DAG: graph.pad %arg0 with %[[NAN]]
