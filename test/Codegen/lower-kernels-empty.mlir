// A kernel whose result has no elements has no units, and a reduction over no
// elements does not loop over the other dims.
// RUN: ambit-opt %s --lower-kernels --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @softmax_units(
// CHECK-SAME: %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK-DAG: %[[NONE:.*]] = arith.cmpi eq, %[[B]], %c0
// CHECK-DAG: %[[UNITS:.*]] = arith.select %[[NONE]], %c0, %{{.*}}
// CHECK: return %[[UNITS]]
func.func private @softmax(%x: tensor<?x?xf32, #sym.shape<[a, b]>>) -> tensor<?x?xf32, #sym.shape<[a, b]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[a, b]>} {
  %0 = graph.softmax %x along 1 : (tensor<?x?xf32, #sym.shape<[a, b]>>) -> tensor<?x?xf32, #sym.shape<[a, b]>>
  return %0 : tensor<?x?xf32, #sym.shape<[a, b]>>
}

// CHECK-LABEL: func.func private @reduce(
// CHECK-SAME: %[[A:[a-z0-9]*]]: index, %[[B:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: index, %{{[a-z0-9]*}}: index
// CHECK-DAG: %[[NONE:.*]] = arith.cmpi eq, %[[B]], %c0
// CHECK-DAG: %[[OUTER:.*]] = arith.select %[[NONE]], %c0, %[[A]]
// CHECK: scf.for %{{.*}} = %c0 to %[[OUTER]]
func.func private @reduce(%x: tensor<?x2x?xf32, #sym.shape<[a, 2, b]>>) -> tensor<2xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[a, b]>} {
  %0 = graph.reduce %x <sum> [0, 2] : (tensor<?x2x?xf32, #sym.shape<[a, 2, b]>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
