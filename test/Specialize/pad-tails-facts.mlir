// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A size that a fact makes equal to padded ones is padded with them.
// RUN: ambit-opt %s --specialize | FileCheck %s

sym.symbol "p" min 1 max 8
sym.symbol "s" min 1 max 4
sym.symbol "kv" min 0 max 12
sym.guard "kv == p + s"
func.func @main(%cache: tensor<?x2xf32, #sym.shape<[kv, 2]>>, %new: tensor<?x2xf32, #sym.shape<[s, 2]>>, %past: tensor<?x2xf32, #sym.shape<[p, 2]>>)
    -> (tensor<?x2xf32, #sym.shape<[kv, 2]>>, tensor<2xf32>) {
  %y = graph.map %cache : (tensor<?x2xf32, #sym.shape<[kv, 2]>>) -> tensor<?x2xf32, #sym.shape<[kv, 2]>> {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    graph.yield %b : f32
  }
  %sum = graph.reduce %y <sum> [0] : (tensor<?x2xf32, #sym.shape<[kv, 2]>>) -> tensor<2xf32>
  return %y, %sum : tensor<?x2xf32, #sym.shape<[kv, 2]>>, tensor<2xf32>
}
dispatch.model "m" {
  dispatch.variant @p_1_8_s_1_4 kind padded tops {p = 8, s = 4}
}

// CHECK: graph.pad %arg0 with %{{.*}} <[0, 0]> <["-kv + 12", 0]>
// CHECK: graph.map %{{.*}} : (tensor<12x2xf32>
// CHECK: graph.reduce %{{.*}} <sum> [0] : (tensor<12x2xf32>) -> tensor<2xf32>
// CHECK: padding ["2 ops on padded sizes, 0 on true sizes"
