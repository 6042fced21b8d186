// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that share a function call it with what they pad to; so does each of
// its parts get it. Workspaces are those of the function at each top.
// RUN: ambit-opt %s --lower-kernels --lower-variants | FileCheck %s

sym.symbol "n" min 1 max 64
func.func @padded_n(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>> attributes {ambit.variant} {
  %y = graph.launch @fit(%x) <[n, top.n, "-n + top.n"]> : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[top.n]>>
  %z = graph.launch @fit(%y) <[top.n, n, "n - top.n"]> : (tensor<?xf32, #sym.shape<[top.n]>>) -> tensor<?xf32, #sym.shape<[n]>>
  return %z : tensor<?xf32, #sym.shape<[n]>>
}
func.func private @fit(%x: tensor<?xf32, #sym.shape<[a]>>) -> tensor<?xf32, #sym.shape<[b]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[a, b, c]>} {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.pad %x with %zero <[0]> <[c]> : (tensor<?xf32, #sym.shape<[a]>>, tensor<f32>) -> tensor<?xf32, #sym.shape<[b]>>
  return %0 : tensor<?xf32, #sym.shape<[b]>>
}
dispatch.model "m" {
  dispatch.variant @n_1_16 kind padded where ["n <= 16"] tops {n = 16} shares @padded_n
  dispatch.variant @n_17_64 kind padded where ["n >= 17"] tops {n = 64} shares @padded_n
}

// CHECK: func.func private @padded_n(%{{.*}}: !llvm.ptr, {{.*}}, %[[TOP:.*]]: i64) -> i32
// CHECK-SAME: ambit.workspace = #sym.shape<["64*floordiv(top.n + 15, 16)"]>
// CHECK-SAME: passthrough = ["noinline"]
// CHECK: arith.index_cast %[[TOP]] : i64 to index
// CHECK: func.func @n_1_16(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK: %[[C:.*]] = arith.constant 16 : i64
// CHECK: call @padded_n({{.*}}, %[[C]])
// CHECK: func.func @n_17_64(
// CHECK: dispatch.variant @n_1_16 {{.*}} workspace <[64]>
// CHECK-NEXT: dispatch.variant @n_17_64 {{.*}} workspace <[256]>
