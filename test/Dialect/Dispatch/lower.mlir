// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables and functions of a small model, in the order of descriptor.h.
// RUN: ambit-opt %s --dispatch-lower --split-input-file | FileCheck %s

module {
  sym.symbol "n" min 1 max 64 declared
  sym.guard "n != 7" loc("Add_4")
  dispatch.model "m" cpu "x86-64-v3" isa ["avx2"] {
    dispatch.input "x" : tensor<?x3xf32, #sym.shape<[n, 3]>>
    dispatch.output "y" : tensor<?xi64, #sym.shape<["2*n + 1"]>>
    dispatch.variant @n_8 kind "exact" where ["n == 8"] workspace <[64]>
    dispatch.variant @generic kind "generic" workspace <["8*n"]>
    dispatch.check "node 'G': index is out of range"
  }
}
// CHECK-NOT: sym.
// CHECK-NOT: arith.
// Bodies are declared.
// CHECK-DAG: llvm.func hidden @n_8(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func hidden @generic(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32

// Two boundaries, 8 and 9, cut n into three cells.
// CHECK: llvm.mlir.global internal constant @ambit_cells(dense<[1, 0, 1]> : tensor<3xi16>)
// CHECK: llvm.func internal @ambit_model_select(%{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.func internal @ambit_model_workspace_generic(%{{.*}}: !llvm.ptr) -> i64

// CHECK: ambit_text_0("n\00")
// CHECK: @ambit_input_0_dims() {{.*}} : !llvm.array<2 x struct<(ptr, i64, i64)>>
// CHECK: @ambit_inputs() {{.*}} : !llvm.array<1 x struct<(ptr, i32, i32, ptr)>>
// CHECK: @ambit_outputs() {{.*}} : !llvm.array<1 x struct<(ptr, i32, i32, ptr)>>
// CHECK: \22condition\22: \22n != 7\22,\0A   \22class\22: \22relation\22,\0A   \22origin\22: \22node 'Add_4'\22
// CHECK: @ambit_symbols() {{.*}} : !llvm.array<1 x struct<(ptr, i64, i64, i64, i32, i32, i64, i64, i64, i64, ptr)>>
// CHECK: ("n >= 1\00")
// CHECK: ("option --dim\00")
// CHECK: ("n <= 64\00")
// CHECK: ("n != 7\00")
// CHECK: ("node 'Add_4'\00")
// CHECK: @ambit_guards() {{.*}} : !llvm.array<3 x struct<(ptr, ptr, i32, i32, ptr)>>
// CHECK: ("n == 8\00")
// CHECK: ("every shape\00")
// CHECK: @ambit_variants() {{.*}} : !llvm.array<2 x struct<(ptr, ptr, ptr, ptr, ptr, ptr)>>
// CHECK: @ambit_checks()
// CHECK: @ambit_isa() {{.*}} : !llvm.array<2 x struct<(ptr)>>
// CHECK: llvm.mlir.global external hidden constant @ambit_descriptor_instance()
// CHECK-SAME: !llvm.struct<(i32, i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)>

// -----

// Every input dim is computed, to be held against what comes. A dim that is a
// linear form gives its symbol: dim 0 of input 0 is 2*n + 0.
// CHECK: llvm.func internal @ambit_model_input_dims
// CHECK: @ambit_symbols()
// CHECK: %[[SCALE:.*]] = llvm.mlir.constant(2 : i64)
// CHECK-NEXT: llvm.insertvalue %[[SCALE]], %{{.*}}[6]
// CHECK-NEXT: %[[OFFSET:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.insertvalue %[[OFFSET]], %{{.*}}[7]
module {
  sym.symbol "n" min 0 max 64
  dispatch.model "m" {
    dispatch.input "a" : tensor<?xf32, #sym.shape<["2*n"]>>
    dispatch.input "b" : tensor<?xf32, #sym.shape<["n + 1"]>>
    dispatch.variant @generic kind "generic" workspace <[0]>
  }
}
