// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan stands in the module, as the model's description.
// RUN: ambit-opt %s --split-input-file --plan-variants="exact=n:8" | FileCheck %s
// RUN: ambit-opt %s --split-input-file --plan-variants="bucket=n:16:64 padded=n" | FileCheck %s --check-prefix=PADDED
// RUN: ambit-opt %s --split-input-file --plan-variants="bucket=n:16:64 padded=n share" | FileCheck %s --check-prefix=SHARED
// RUN: ambit-opt %s --split-input-file --plan-variants="exact=n:1 bucket=n:64 max-variants=3" --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=OMITTED

module {
  sym.symbol "n" min 1 max 64
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>> {ambit.name = "x"}) -> tensor<?xf32, #sym.shape<[n]>> {
    return %x : tensor<?xf32, #sym.shape<[n]>>
  }
}

// CHECK: func.func @main(
// CHECK: dispatch.model "model" {
// CHECK-NEXT: dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
// CHECK-NEXT: dispatch.output "output0" : tensor<?xf32, #sym.shape<[n]>>
// CHECK-NEXT: dispatch.variant @n_8 kind exact where ["n == 8"]{{$}}
// CHECK-NEXT: dispatch.variant @generic kind generic{{$}}
// CHECK-NEXT: }

// PADDED: dispatch.variant @n_1_16 kind padded where ["n <= 16"]
// PADDED-NEXT: dispatch.variant @n_17_64 kind padded where ["n >= 17", "n <= 64"]

// SHARED: dispatch.variant @n_1_16 kind padded where ["n <= 16"] tops {n = 16 : i64} shares @padded_n
// SHARED-NEXT: dispatch.variant @n_17_64 kind padded where ["n >= 17", "n <= 64"] tops {n = 64 : i64} shares @padded_n

// All shapes are taken before the generic variant's turn.
// OMITTED: dispatch.variant @n_1_64 kind range loc(
// OMITTED-NEXT: dispatch.omitted "generic" because "the variants before it take all of its shapes" loc("plan")

// -----

// A rule keeps a variant out: the note is there where the rule came from. One
// about a size that the body finds keeps nothing out.
// OMITTED: dispatch.variant @n_1_64 kind range loc(
// OMITTED-NEXT: dispatch.omitted "n_1" because "rule 'n >= 2' from node 'Pad_2' admits none of its shapes" loc("Pad_2")
module attributes {ambit.model = "m"} {
  sym.symbol "n" min 1 max 64
  sym.symbol "k" min 0 max 64 unbacked
  sym.guard "k <= 0" loc("NonZero_1")
  sym.guard "n >= 2" loc("Pad_2")
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) {
    return
  }
}
