// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that share a function: it pads to a symbol, of which the tops of all
// are values. What it may rely on is what holds for each of them: a symbol that
// all have at one size is a constant.
// RUN: ambit-opt %s --specialize | FileCheck %s

sym.symbol "b" min 1 max 4
sym.symbol "n" min 1 max 64
sym.symbol "top.n" min 1 max 9
func.func @main(%x: tensor<?x?xf32, #sym.shape<[b, n]>>) -> (tensor<?xf32, #sym.shape<[b]>>, tensor<?x?xf32, #sym.shape<[b, "2*n"]>>) {
  %sum = graph.reduce %x <sum> [1] : (tensor<?x?xf32, #sym.shape<[b, n]>>) -> tensor<?xf32, #sym.shape<[b]>>
  %twice = graph.concat %x, %x along 1 : (tensor<?x?xf32, #sym.shape<[b, n]>>, tensor<?x?xf32, #sym.shape<[b, n]>>) -> tensor<?x?xf32, #sym.shape<[b, "2*n"]>>
  return %sum, %twice : tensor<?xf32, #sym.shape<[b]>>, tensor<?x?xf32, #sym.shape<[b, "2*n"]>>
}
dispatch.model "m" {
  dispatch.variant @n_1_8 kind padded where ["b == 1", "n <= 8"] tops {n = 8} shares @padded_n
  dispatch.variant @n_9_24 kind padded where ["b == 1", "n >= 9", "n <= 24"] tops {n = 24} shares @padded_n
  dispatch.variant @generic kind generic
}

// CHECK: func.func @generic(
// CHECK: func.func @padded_n(%arg0: tensor<1x?xf32, #sym.shape<[1, n]>>)
// The name of the symbol is unlike those of the model.
// CHECK: %[[PADDED:.*]] = graph.pad %arg0 with %{{.*}} <[0, 0]> <[0, "-n + top.n_"]>
// CHECK: graph.reduce %[[PADDED]] <sum> [1] : (tensor<1x?xf32, #sym.shape<[1, top.n_]>>) -> tensor<1xf32>
// CHECK-NOT: func.func

// CHECK: dispatch.variant @n_1_8 {{.*}} shares @padded_n padding ["1 ops on padded sizes
// CHECK-NEXT: dispatch.variant @n_9_24 {{.*}} shares @padded_n{{$}}
