// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a variant is chosen when bounds do not tell.
// RUN: ambit-opt %s --dispatch-lower | FileCheck %s
// RUN: ambit-opt %s --dispatch-lower=max-cells=2 | FileCheck %s --check-prefix=SCAN

// Divisibility is no bound: it is evaluated in the cells where it matters.
// CHECK: @ambit_cells(dense<[2, 1, -1]> : tensor<3xi16>)
// CHECK: llvm.func internal @ambit_model_select
// CHECK: llvm.switch %{{.*}} : i32, ^[[EXIT:bb[0-9]+]](%{{.*}} : i32) [
// CHECK-NEXT: 2: ^
// CHECK: llvm.srem
module {
  sym.symbol "n" min 0 max 64
  dispatch.model "m" {
    dispatch.input "a" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.variant @n_16 kind range where ["n % 16 == 0", "n <= 32"] workspace <[0]>
    dispatch.variant @small kind range where ["n <= 48"] workspace <[0]>
  }
}

// A table that is too large gives way to trying the variants in order.
// SCAN-NOT: ambit_cells
// SCAN: llvm.func internal @ambit_model_select
// SCAN: llvm.cond_br
// SCAN: llvm.cond_br
// SCAN-NOT: llvm.switch
// SCAN: llvm.func internal @ambit_model_output_dims
