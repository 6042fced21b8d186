// An op that sets a symbol becomes calls of the library: count, store the count,
// check what relies on it, write. Memory is planned for what the count is at
// most.
// RUN: ambit-opt %s --lower-kernels --lower-variants | FileCheck %s

!x = tensor<?xf32, #sym.shape<[n]>>
!i = tensor<1x?xi64, #sym.shape<[1, k]>>

// The intermediate [1, k] has the room of [1, n].
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[SYMBOLS:.*]]: !llvm.ptr, %[[EXEC:.*]]: !llvm.ptr) -> i32
// CHECK-SAME: ambit.workspace = #sym.shape<["64*floordiv(n + 7, 8)"]>
// CHECK: %[[COUNT:.*]] = llvm.call @ambit_nonzero_find(%[[BLOCK:.*]]) : (!llvm.ptr) -> i64
// CHECK: %[[K:.*]] = llvm.getelementptr %[[SYMBOLS]][1]
// CHECK: llvm.store %[[COUNT]], %[[K]]
// CHECK: arith.cmpi sle
// CHECK: cf.cond_br
// CHECK: arith.cmpi eq
// CHECK: cf.cond_br
// CHECK: return
// CHECK: llvm.call @ambit_nonzero_write(%[[BLOCK]]) : (!llvm.ptr) -> ()
// CHECK: call @copy_launch(
// CHECK: dispatch.variant @generic
// CHECK-SAME: checks ["the model: rule 'k <= n' fails for 'k'", "node 'pairs': rule 'k % 2 == 0' fails for 'k'"]
// CHECK: llvm.func hidden @ambit_nonzero_find(!llvm.ptr) -> i64

module {
  sym.symbol "n" min 0 max 1000
  sym.symbol "k" min 0 max 9223372036854775807 unbacked
  sym.guard "k <= n"
  sym.guard "k % 2 == 0" loc("pairs")
  func.func @generic(%x: !x) -> !i attributes {ambit.variant} {
    %0 = graph.nonzero %x sets "k" : (!x) -> !i
    %1 = graph.launch @copy(%0) <[k]> : (!i) -> !i
    return %1 : !i
  }
  dispatch.model "m" {
    dispatch.input "x" : !x
    dispatch.output "y" : !i
    dispatch.variant @generic kind generic
  }
  func.func private @copy(%x: !i) -> !i attributes {ambit.kernel, ambit.sizes = #sym.shape<[k]>} {
    %0 = graph.map %x : (!i) -> !i {
    ^bb0(%a: i64):
      graph.yield %a : i64
    }
    return %0 : !i
  }
}
