// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variant's conditions need not be bounds of one symbol: relations are facts
// in its body.
// RUN: ambit-opt %s --specialize | FileCheck %s

sym.symbol "n" min 1 max 64
sym.symbol "m" min 1 max 64
func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<["min(m, n)"]>> {
  %0 = graph.slice %x <[0]> <["min(m, n)"]> [1] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<["min(m, n)"]>>
  return %0 : tensor<?xf32, #sym.shape<["min(m, n)"]>>
}
dispatch.model "m" {
  dispatch.variant @short kind range where ["n <= m", "m <= 16"]
  dispatch.variant @generic kind generic
}

// CHECK: func.func @short(%[[X:.*]]: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>>
// CHECK-NEXT: return %[[X]]
// CHECK: func.func @generic
// CHECK: graph.slice
