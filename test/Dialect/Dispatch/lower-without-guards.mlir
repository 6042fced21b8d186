// A model without guards: no switch without cases, which translation to LLVM IR
// does not survive.
// RUN: ambit-opt %s --dispatch-lower | FileCheck %s

// CHECK-LABEL: llvm.func internal @ambit_model_guard_holds
// CHECK-NOT: llvm.switch
// CHECK: llvm.return
module {
  sym.symbol "n" min 0 max 9223372036854775807
  dispatch.model "m" cpu "x86-64-v3" isa ["avx2"] {
    dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.variant @generic kind generic workspace <[0]>
  }
}
