// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types follow from the operands; what cannot be proven is a guard at the op
// that asks for it, behind the symbols and guards that are there.
// RUN: ambit-opt %s --infer-shapes --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

!n = tensor<?xf32, #sym.shape<[n]>>
!m = tensor<?xf32, #sym.shape<[m]>>

// CHECK: sym.symbol "n"
// CHECK-NEXT: sym.symbol "m"
// CHECK-NEXT: sym.guard "m <= 8"
// CHECK-NEXT: sym.guard "{{m == n|n == m}}" loc("Add_1")
// CHECK-NOT: sym.guard
// CHECK: func.func @main
// CHECK-SAME: -> tensor<?xf32, #sym.shape<[m]>>
module {
  sym.symbol "n" min 1 max 64
  sym.symbol "m" min 1 max 64
  sym.guard "m <= 8"
  func.func @main(%x: !n, %y: !m) -> !n {
    %0 = graph.map %x, %y : (!n, !m) -> !n {
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      graph.yield %sum : f32
    } loc("Add_1")
    // The same condition again is a fact.
    %1 = graph.map %0, %x : (!n, !n) -> !n {
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      graph.yield %sum : f32
    } loc("Add_2")
    return %1 : !n
  }
}

// -----

// A function that is not the model's keeps its types.
// CHECK: func.func @other(%{{.*}}: tensor<?xf32, #sym.shape<[n]>>
// CHECK: func.func @main(%{{.*}}) -> (tensor<?xi64, #sym.shape<["n + 1"]>>, tensor<2xi64>)
module {
  sym.symbol "n" min 1 max 64
  func.func @other(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<["1*n"]>> {
    return %x : tensor<?xf32, #sym.shape<[n]>>
  }
  func.func @main(%x: tensor<?xi64, #sym.shape<[n]>>, %y: tensor<1xi64>) -> (tensor<?xi64, #sym.shape<[k]>>, tensor<2xi64>) {
    %0 = graph.concat %x, %y along 0 : (tensor<?xi64, #sym.shape<[n]>>, tensor<1xi64>) -> tensor<?xi64, #sym.shape<[k]>>
    // A small tensor of known elements is their expressions.
    // CHECK: graph.dims <[n, 7]> : tensor<2xi64>
    %1 = graph.dims <[n]> : tensor<1xi64>
    %2 = graph.constant dense<7> : tensor<1xi64>
    %3 = graph.concat %1, %2 along 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    return %0, %3 : tensor<?xi64, #sym.shape<[k]>>, tensor<2xi64>
  }
}
