// Each op of the runtime's library: the functions it calls and the memory that
// they work in.
// RUN: ambit-opt %s --lower-variants --split-input-file | FileCheck %s

// One word for each of k = 3.
// CHECK-LABEL: func.func @topk(
// CHECK-SAME: ambit.workspace = #sym.shape<[64]>
// CHECK-NOT: _find
// CHECK: llvm.call @ambit_topk_write(
sym.symbol "n" min 0 max 1000
func.func @topk(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x3xi64, #sym.shape<[n, 3]>> attributes {ambit.variant} {
  %0 = graph.topk %x <[3]> along 1 : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x3xi64, #sym.shape<[n, 3]>>
  return %0 : tensor<?x3xi64, #sym.shape<[n, 3]>>
}

// -----

// Two words a row; the inverse may lie where the first op has worked.
// CHECK-LABEL: func.func @unique(
// CHECK-SAME: ambit.workspace = #sym.shape<["128*floordiv(n + 3, 4)"]>
// CHECK: llvm.call @ambit_unique_find(
// CHECK: llvm.call @ambit_unique_write(
// CHECK: llvm.call @ambit_unique_inverse_write(
// CHECK: llvm.call @ambit_histogram_write(
sym.symbol "n" min 0 max 1000
sym.symbol "u" min 0 max 9223372036854775807 unbacked
sym.guard "u <= n"
func.func @unique(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> (tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[u]>>) attributes {ambit.variant} {
  %0 = graph.unique %x sets "u" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[u]>>
  %1 = graph.unique_inverse %x : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[n]>>
  %2 = graph.histogram %1 to <[u]> : (tensor<?xi64, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[u]>>
  return %0, %2 : tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[u]>>
}

// -----

// Two words a box to sort them, three for each that may be kept.
// CHECK-LABEL: func.func @nms(
// CHECK-SAME: ambit.workspace = #sym.shape<["64*n"]>
// CHECK: llvm.call @ambit_nms_find(
// CHECK: llvm.call @ambit_nms_write(
sym.symbol "n" min 0 max 1000
sym.symbol "s" min 0 max 9223372036854775807 unbacked
sym.guard "s <= 2*n"
func.func @nms(%b: tensor<1x?x4xf32, #sym.shape<[1, n, 4]>>, %s: tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>, %m: tensor<i64>, %t: tensor<f32>) -> tensor<?x3xi64, #sym.shape<[s, 3]>> attributes {ambit.variant} {
  %0 = graph.nms %b, %s, %m, %t, %t sets "s" : (tensor<1x?x4xf32, #sym.shape<[1, n, 4]>>, tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[s, 3]>>
  return %0 : tensor<?x3xi64, #sym.shape<[s, 3]>>
}

// -----

// An op that refuses data knows where to report it, and its check.
// CHECK-LABEL: func.func @scatter(
// CHECK: llvm.call @ambit_scatter_write(
sym.symbol "n" min 0 max 1000
func.func @scatter(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) -> tensor<?x4xf32, #sym.shape<[n, 4]>> attributes {ambit.variant} {
  %0 = graph.scatter %u into %x at %i <add> : (tensor<2x4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<2x1xi64>) -> tensor<?x4xf32, #sym.shape<[n, 4]>>
  return %0 : tensor<?x4xf32, #sym.shape<[n, 4]>>
}

// -----

// CHECK-LABEL: func.func @packed(
// CHECK: llvm.call @ambit_unpack_write(
// CHECK: llvm.call @ambit_pack_write(
func.func @packed(%x: tensor<3xi4>) -> tensor<3xi4> attributes {ambit.variant} {
  %0 = graph.unpack %x : (tensor<3xi4>) -> tensor<3xi4>
  %1 = graph.pack %0 : (tensor<3xi4>) -> tensor<3xi4>
  return %1 : tensor<3xi4>
}
