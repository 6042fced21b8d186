// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op and attribute of the dispatch dialect survives printing and parsing.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s

sym.symbol "batch" min 1 max 64
sym.symbol "seq" min 1 max 512

// CHECK: dispatch.model "bert" cpu "x86-64-v3" isa ["avx2", "fma"] {
dispatch.model "bert" cpu "x86-64-v3" isa ["avx2", "fma"] {
  // CHECK-NEXT: dispatch.input "ids" : tensor<?x?xi64, #sym.shape<[batch, seq]>>
  dispatch.input "ids" : tensor<?x?xi64, #sym.shape<[batch, seq]>>
  // CHECK-NEXT: dispatch.output "scores" : tensor<?x2xf32, #sym.shape<[batch, 2]>>
  dispatch.output "scores" : tensor<?x2xf32, #sym.shape<[batch, 2]>>
  // CHECK-NEXT: dispatch.variant @seq_128 kind exact where ["seq == 128"] workspace <["4096*batch"]>
  dispatch.variant @seq_128 kind exact where ["seq == 128"] workspace <["4096*batch"]>
  // CHECK-NEXT: dispatch.variant @seq_1_64 kind range where ["seq <= 64"] checks ["node 'Gather_3': index is out of range"]
  dispatch.variant @seq_1_64 kind range where ["seq <= 64"] checks ["node 'Gather_3': index is out of range"]
  // CHECK-NEXT: dispatch.variant @seq_8_24 kind padded where ["seq <= 24"]
  dispatch.variant @seq_8_24 kind padded where ["seq <= 24"]
  // CHECK-NEXT: dispatch.variant @seq_25_32 kind padded where ["seq <= 32"] tops {seq = 32 : i64} shares @padded_seq padding ["text"]
  dispatch.variant @seq_25_32 kind padded where ["seq <= 32"] tops {seq = 32} shares @padded_seq padding ["text"]
  // CHECK-NEXT: dispatch.variant @seq_8_512 kind divisible where ["seq % 8 == 0"]
  dispatch.variant @seq_8_512 kind divisible where ["seq % 8 == 0"]
  // CHECK-NEXT: dispatch.variant @generic kind generic{{$}}
  dispatch.variant @generic kind generic
  // CHECK-NEXT: dispatch.omitted "seq_1" because "rule 'seq >= 2' admits none of its shapes"
  dispatch.omitted "seq_1" because "rule 'seq >= 2' admits none of its shapes"
}

// CHECK: dispatch.model "empty" {
dispatch.model "empty" {
}
