// Loops survive a round trip; a loop whose results nobody needs goes away.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s
// RUN: ambit-opt %s --canonicalize | FileCheck %s --check-prefix=CANON

!row = tensor<4xf32>
!x = tensor<?x4xf32, #sym.shape<[n, 4]>>

// CHECK-LABEL: @sums
// CANON-LABEL: @sums
func.func @sums(%zero: !row, %x: !x) -> (!row, !x) {
  // CHECK: %[[R:.*]]:2 = graph.loop "i" below <[n]> carries(%arg0) uses(%arg1) : (tensor<4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>) -> (tensor<4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[X:.*]]: tensor<?x4xf32, #sym.shape<[n, 4]>>):
  // CHECK-NEXT: graph.slice %[[X]] <[i, 0]> <[1, 4]>
  // CHECK: graph.next carries(%{{.*}} : tensor<4xf32>) stacks(%{{.*}} : tensor<4xf32>)
  // CHECK: return %[[R]]#0, %[[R]]#1
  %0:2 = graph.loop "i" below <[n]> carries(%zero) uses(%x) : (!row, !x) -> (!row, !x) {
  ^bb0(%a: !row, %rows: !x):
    %1 = graph.slice %rows <[i, 0]> <[1, 4]> [1, 1] : (!x) -> tensor<1x4xf32>
    %2 = graph.reshape %1 to <[4]> : (tensor<1x4xf32>) -> !row
    %3 = graph.map %a, %2 : (!row, !row) -> !row {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      graph.yield %s : f32
    }
    graph.next carries(%3 : !row) stacks(%3 : !row)
  }
  return %0#0, %0#1 : !row, !x
}

// CHECK-LABEL: @conditions
// CANON-LABEL: @conditions
func.func @conditions(%go: tensor<i1>, %x: !row) -> !row {
  // CHECK: graph.loop "i" below <[7]> carries(%arg1) uses(%arg0) if %arg0 : (tensor<4xf32>, tensor<i1>, tensor<i1>) -> tensor<4xf32>
  // CHECK: graph.next carries(%{{.*}} : tensor<4xf32>) while %{{.*}} : tensor<i1>
  %0 = graph.loop "i" below <[7]> carries(%x) uses(%go) if %go : (!row, tensor<i1>, tensor<i1>) -> !row {
  ^bb0(%a: !row, %c: tensor<i1>):
    graph.next carries(%a : !row) while %c : tensor<i1>
  }
  return %0 : !row
}

// CHECK-LABEL: @grows
func.func @grows(%x: tensor<1xf32>) -> tensor<8xf32> {
  // CHECK: graph.loop "i" below <[7]> carries(%arg0) : (tensor<1xf32>) -> tensor<8xf32>
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32, #sym.shape<["i + 1"]>>):
  %0 = graph.loop "i" below <[7]> carries(%x) : (tensor<1xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<?xf32, #sym.shape<["i + 1"]>>):
    %1 = graph.slice %a <[0]> <[1]> [1] : (tensor<?xf32, #sym.shape<["i + 1"]>>) -> tensor<1xf32>
    %2 = graph.concat %a, %1 along 0 : (tensor<?xf32, #sym.shape<["i + 1"]>>, tensor<1xf32>) -> tensor<?xf32, #sym.shape<["i + 2"]>>
    graph.next carries(%2 : tensor<?xf32, #sym.shape<["i + 2"]>>)
  }
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: @unused
// CHECK: graph.loop
// CANON-LABEL: @unused
// CANON-NEXT: return
func.func @unused(%x: !row) {
  %0 = graph.loop "i" below <[7]> carries(%x) : (!row) -> !row {
  ^bb0(%a: !row):
    graph.next carries(%a : !row)
  }
  return
}
