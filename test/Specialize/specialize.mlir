// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants in order of priority, each with its sizes bound and min decided.
// RUN: ambit-opt %s --plan-variants="exact=batch:1,seq:8 bucket=seq:16:128" --specialize | FileCheck %s

module attributes {ambit.model = "m"} {
  sym.symbol "batch" min 1 max 64
  sym.symbol "seq" min 1 max 512
  func.func @main(%x: tensor<?x?xf32, #sym.shape<[batch, seq]>> {ambit.name = "x"})
      -> (tensor<?x?xf32, #sym.shape<[batch, "min(64, seq)"]>> {ambit.name = "y"}) {
    %0 = graph.slice %x <[0, 0]> <[batch, "min(64, seq)"]> [1, 1] : (tensor<?x?xf32, #sym.shape<[batch, seq]>>) -> tensor<?x?xf32, #sym.shape<[batch, "min(64, seq)"]>>
    return %0 : tensor<?x?xf32, #sym.shape<[batch, "min(64, seq)"]>>
  }
}

// CHECK-NOT: @main
// CHECK: func.func @batch_1_seq_8(%[[X:.*]]: tensor<1x8xf32> {ambit.name = "x"}) -> (tensor<1x8xf32> {ambit.name = "y"})
// CHECK-SAME: ambit.variant
// CHECK-NEXT: return %[[X]]

// CHECK: func.func @batch_1_seq_1_16(%[[X:.*]]: tensor<1x?xf32, #sym.shape<[1, seq]>>
// CHECK-SAME: ambit.variant
// CHECK-NEXT: return %[[X]]

// CHECK: func.func @batch_1_seq_17_128
// CHECK: graph.slice
// CHECK-SAME: tensor<1x?xf32, #sym.shape<[1, "min(64, seq)"]>>

// CHECK: func.func @generic
// CHECK-SAME: ambit.variant

// CHECK: dispatch.model "m" {
// CHECK-NEXT: dispatch.input "x" : tensor<?x?xf32, #sym.shape<[batch, seq]>>
// CHECK-NEXT: dispatch.output "y" : tensor<?x?xf32, #sym.shape<[batch, "min(64, seq)"]>>
// CHECK-NEXT: dispatch.variant @batch_1_seq_8 kind exact where ["batch == 1", "seq == 8"]
// CHECK-NEXT: dispatch.variant @batch_1_seq_1_16 kind range where ["batch == 1", "seq <= 16"]
// CHECK-NEXT: dispatch.variant @batch_1_seq_17_128 kind range where ["batch == 1", "seq >= 17", "seq <= 128"]
// CHECK-NEXT: dispatch.variant @generic kind generic{{$}}
// CHECK-NEXT: }
