// A short loop whose values are known is computed; long ones and those that
// their data ends stay. Bodies are folded too.
// RUN: ambit-opt %s -graph-fold-constants | FileCheck %s

// 1, then 2 * 1 + 0, 2 * 2 + 1, 2 * 5 + 2.
// CHECK-LABEL: @short
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<12> : tensor<i64>
// CHECK-NEXT: return %[[C]]
func.func @short() -> tensor<i64> {
  %0 = graph.constant dense<1> : tensor<i64>
  %1 = graph.loop "i" below <[3]> carries(%0) : (tensor<i64>) -> tensor<i64> {
  ^bb0(%a: tensor<i64>):
    %2 = graph.dims <[i]> : tensor<i64>
    %3 = graph.map %a, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64> {
    ^bb0(%p: i64, %q: i64):
      %s = arith.addi %p, %p : i64
      %t = arith.addi %s, %q : i64
      graph.yield %t : i64
    }
    graph.next carries(%3 : tensor<i64>)
  }
  return %1 : tensor<i64>
}

// Two trips: the second one makes the condition false.
// CHECK-LABEL: @stacked
// CHECK: graph.constant dense<{{\[}}1, 1, 0, 0]> : tensor<4xi64>
func.func @stacked() -> tensor<4xi64> {
  %0 = graph.constant dense<1> : tensor<i64>
  %1 = graph.loop "i" below <[4]> uses(%0) : (tensor<i64>) -> tensor<4xi64> {
  ^bb0(%a: tensor<i64>):
    %2 = graph.dims <[i]> : tensor<i64>
    %3 = graph.map %2, %a : (tensor<i64>, tensor<i64>) -> tensor<i1> {
    ^bb0(%p: i64, %q: i64):
      %s = arith.cmpi slt, %p, %q : i64
      graph.yield %s : i1
    }
    graph.next stacks(%a : tensor<i64>) while %3 : tensor<i1>
  }
  return %1 : tensor<4xi64>
}

// Several results fold together: 1 + 2 + 2 + 2, and what it was in each trip.
// CHECK-LABEL: @several
// CHECK-NEXT: %[[SUM:.*]] = graph.constant dense<7> : tensor<i64>
// CHECK-NEXT: %[[TRIPS:.*]] = graph.constant dense<[3, 5, 7]> : tensor<3xi64>
// CHECK-NEXT: return %[[SUM]], %[[TRIPS]]
func.func @several() -> (tensor<i64>, tensor<3xi64>) {
  %0 = graph.constant dense<1> : tensor<i64>
  %1 = graph.constant dense<2> : tensor<i64>
  %2:2 = graph.loop "i" below <[3]> carries(%0) uses(%1)
      : (tensor<i64>, tensor<i64>) -> (tensor<i64>, tensor<3xi64>) {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %3 = graph.map %a, %b : (tensor<i64>, tensor<i64>) -> tensor<i64> {
    ^bb0(%p: i64, %q: i64):
      %s = arith.addi %p, %q : i64
      graph.yield %s : i64
    }
    graph.next carries(%3 : tensor<i64>) stacks(%3 : tensor<i64>)
  }
  return %2#0, %2#1 : tensor<i64>, tensor<3xi64>
}

// CHECK-LABEL: @long
// CHECK: graph.loop
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.constant dense<[2.000000e+00, 1.000000e+00]>
// CHECK-NEXT: graph.next
func.func @long(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = graph.loop "i" below <[1000]> carries(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>):
    %1 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %2 = graph.slice %1 <[1]> <[2]> [-1] : (tensor<2xf32>) -> tensor<2xf32>
    graph.next carries(%2 : tensor<2xf32>)
  }
  return %0 : tensor<2xf32>
}
