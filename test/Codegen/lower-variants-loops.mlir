// Loops become control flow around the launches of their bodies.
// RUN: ambit-opt %s --lower-kernels --lower-variants -split-input-file | FileCheck %s

!row = tensor<4xf32>

// The carried value is copied into the result's buffer, then from the row of the
// stack that the kernel has written. Nothing needs the arena.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: ambit.workspace = #sym.shape<[0]>
// CHECK: %[[LAST:.*]] = llvm.load {{.*}} -> !llvm.ptr
// CHECK: "llvm.intr.memcpy"(%[[LAST]], %{{.*}}) <{isVolatile = false}>
// CHECK-NOT: llvm.intr.memset
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: %[[OFFSET:.*]] = arith.muli %[[I]]
// CHECK: %[[ROW:.*]] = llvm.getelementptr
// CHECK: llvm.store %[[LAST]],
// CHECK: llvm.store %[[ROW]],
// CHECK: call @add
// CHECK: "llvm.intr.memcpy"(%[[LAST]], %[[ROW]],
// CHECK: }
// CHECK: return
module {
  sym.symbol "n" min 0 max 64
  func.func @generic(%x: !row) -> (!row, tensor<?x4xf32, #sym.shape<[n, 4]>>) attributes {ambit.variant} {
    %0:2 = graph.loop "i" below <[n]> carries(%x) : (!row) -> (!row, tensor<?x4xf32, #sym.shape<[n, 4]>>) {
    ^bb0(%a: !row):
      %1 = graph.launch @add(%a) <["i + 1"]> : (!row) -> !row
      graph.next carries(%1 : !row) stacks(%1 : !row)
    }
    return %0#0, %0#1 : !row, tensor<?x4xf32, #sym.shape<[n, 4]>>
  }
  func.func private @add(%x: !row) -> !row attributes {ambit.kernel, ambit.sizes = #sym.shape<[k]>} {
    %0 = graph.map %x : (!row) -> !row {
    ^bb0(%a: f32):
      %1 = arith.addf %a, %a : f32
      graph.yield %1 : f32
    }
    return %0 : !row
  }
}

// -----

!row = tensor<4xf32>

// Two carried values that change places go through two slots of the arena; a
// condition on data is read before, and stops at a failed check too.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: ambit.workspace = #sym.shape<[128]>
// CHECK: scf.while
// CHECK: arith.cmpi slt
// CHECK: scf.condition
// CHECK: llvm.load {{.*}} -> i8
// CHECK-COUNT-4: "llvm.intr.memcpy"
// CHECK: llvm.load {{.*}} -> i64
// CHECK: scf.yield
module {
  func.func @generic(%x: !row, %y: !row, %go: tensor<i1>) -> (!row, !row) attributes {ambit.variant} {
    %0:2 = graph.loop "i" below <[5]> carries(%x, %y) uses(%go) if %go : (!row, !row, tensor<i1>, tensor<i1>) -> (!row, !row) {
    ^bb0(%a: !row, %b: !row, %c: tensor<i1>):
      graph.next carries(%b, %a : !row, !row) while %c : tensor<i1>
    }
    return %0#0, %0#1 : !row, !row
  }
}

// -----

!x = tensor<?xf32, #sym.shape<["n - 8"]>>
!row = tensor<4xf32>

// Sizes of a body that runs no trip may be negative; no slot is.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: ambit.workspace = #sym.shape<["64*floordiv(max(0, 4*n - 32) + 63, 64)
module {
  sym.symbol "n" min 0 max 64
  func.func @generic(%x: !row) -> !row attributes {ambit.variant} {
    %0 = graph.loop "i" below <["max(0, n - 8)"]> carries(%x) : (!row) -> !row {
    ^bb0(%a: !row):
      %1 = graph.launch @spread(%a) <["n - 8"]> : (!row) -> !x
      %2 = graph.launch @first(%1) <["n - 8"]> : (!x) -> !row
      graph.next carries(%2 : !row)
    }
    return %0 : !row
  }
  func.func private @spread(%x: !row) -> !x attributes {ambit.kernel, ambit.sizes = #sym.shape<["n - 8"]>} {
    %0 = graph.slice %x <[0]> <[1]> [1] : (!row) -> tensor<1xf32>
    %1 = graph.broadcast %0 to <["n - 8"]> : (tensor<1xf32>) -> !x
    return %1 : !x
  }
  func.func private @first(%x: !x) -> !row attributes {ambit.kernel, ambit.sizes = #sym.shape<["n - 8"]>} {
    %0 = graph.slice %x <[0]> <[1]> [1] : (!x) -> tensor<1xf32>
    %1 = graph.broadcast %0 to <[4]> : (tensor<1xf32>) -> !row
    return %1 : !row
  }
}
