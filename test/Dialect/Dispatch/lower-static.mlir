// A model without symbols has dims of the same type as any other.
// RUN: ambit-opt %s --dispatch-lower | FileCheck %s

// CHECK-LABEL: llvm.func internal @ambit_model_output_dims
// CHECK: llvm.store %{{.*}} : i64, !llvm.ptr
module {
  dispatch.model "m" cpu "x86-64-v3" isa ["avx2"] {
    dispatch.input "x" : tensor<3xf32>
    dispatch.output "y" : tensor<3xf32>
    dispatch.variant @generic kind generic workspace <[0]>
  }
}
