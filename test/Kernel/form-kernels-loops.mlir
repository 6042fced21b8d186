// Kernels are formed in the bodies of loops as elsewhere, and shared with them.
// RUN: ambit-opt %s --graph-form-kernels | FileCheck %s

!row = tensor<4xf32>

// CHECK-LABEL: func.func @main
// CHECK: %[[ONCE:.*]] = graph.launch @[[KERNEL:.*]](%arg0)
// CHECK: graph.loop "i" below <[3]> carries(%[[ONCE]])
// CHECK: ^bb0(%[[A:.*]]: tensor<4xf32>):
// CHECK-NEXT: %[[NEXT:.*]] = graph.launch @[[KERNEL]](%[[A]])
// CHECK-NEXT: graph.next carries(%[[NEXT]]
// CHECK: func.func private @[[KERNEL]]
// CHECK-NOT: func.func
func.func @main(%x: !row) -> !row {
  %0 = graph.map %x : (!row) -> !row {
  ^bb0(%p: f32):
    %s = arith.addf %p, %p : f32
    graph.yield %s : f32
  }
  %1 = graph.loop "i" below <[3]> carries(%0) : (!row) -> !row {
  ^bb0(%a: !row):
    %2 = graph.map %a : (!row) -> !row {
    ^bb0(%p: f32):
      %s = arith.addf %p, %p : f32
      graph.yield %s : f32
    }
    graph.next carries(%2 : !row)
  }
  return %1 : !row
}
