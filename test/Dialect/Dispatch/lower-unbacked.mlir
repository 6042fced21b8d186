// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A symbol that bodies set has no input; its guards are not checked at entry, and
// what output dims are at most is a function of its own.
// RUN: ambit-opt %s --dispatch-prune-guards --dispatch-lower | FileCheck %s

// A guard that is checked later proves nothing at entry: 'n >= 2' stays.
// CHECK-LABEL: llvm.func internal @ambit_model_guards_failed(
// CHECK: llvm.mlir.constant(2 : i64)
// CHECK: llvm.icmp "sge"
// CHECK-NOT: llvm.icmp
// CHECK: llvm.return

// CHECK-LABEL: llvm.func internal @ambit_model_output_bounds(
// CHECK: %[[N:.*]] = llvm.load
// CHECK: llvm.store %[[N]], %{{.*}} : i64

// CHECK: llvm.mlir.global internal constant @ambit_symbols
// CHECK: llvm.mlir.constant(-1 : i32)
// CHECK: llvm.mlir.constant(-1 : i32)

module {
  sym.symbol "n" min 0 max 64
  sym.symbol "k" min 0 max 64 unbacked
  sym.guard "n >= 2"
  sym.guard "k <= n"
  sym.guard "n >= k + 2"
  dispatch.model "m" {
    dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.output "y" : tensor<?xf32, #sym.shape<[k]>>
    dispatch.variant @generic kind generic workspace <[0]>
  }
}
