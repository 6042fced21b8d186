// Maps of much code and concats of many inputs become several ops.
// RUN: ambit-opt %s --graph-split-wide-ops="max-code-size=12 max-pieces=2" \
// RUN:   | FileCheck %s

!x = tensor<?xf16, #sym.shape<[n]>>

// Two sums of two inputs have a size of 14, one has 9.
// CHECK-LABEL: @sum
func.func @sum(%a: !x, %b: !x, %c: !x) -> !x {
  // CHECK: %[[AB:.*]] = graph.map %arg0, %arg1
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK-NEXT: graph.yield %[[SUM]]
  // CHECK: graph.map %[[AB]], %arg2
  // CHECK-NEXT: ^bb0(%[[LEFT:.*]]: f16, %[[C:.*]]: f16):
  // CHECK-NEXT: arith.addf %[[LEFT]], %[[C]]
  %0 = graph.map %a, %b, %c : (!x, !x, !x) -> !x {
  ^bb0(%p: f16, %q: f16, %r: f16):
    %s = arith.addf %p, %q : f16
    %t = arith.addf %s, %r : f16
    graph.yield %t : f16
  }
  return %0 : !x
}

// What crosses keeps its type, here wider than the elements; constants are on
// both sides.
// CHECK-LABEL: @wide
func.func @wide(%a: !x) -> !x {
  // CHECK: graph.map %arg0 : (tensor<?xf16, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>>
  // CHECK: arith.constant 2.000000e+00
  // CHECK: graph.map %{{.*}} : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf16, #sym.shape<[n]>>
  // CHECK: arith.constant 2.000000e+00
  // CHECK: arith.truncf
  %0 = graph.map %a : (!x) -> !x {
  ^bb0(%p: f16):
    %two = arith.constant 2.0 : f32
    %0 = arith.extf %p : f16 to f32
    %1 = arith.mulf %0, %two : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    %5 = arith.mulf %4, %4 : f32
    %6 = arith.mulf %5, %5 : f32
    %7 = arith.mulf %6, %two : f32
    %8 = arith.mulf %7, %two : f32
    %9 = arith.truncf %8 : f32 to f16
    graph.yield %9 : f16
  }
  return %0 : !x
}

// CHECK-LABEL: @concat
func.func @concat(%a: !x, %b: !x, %c: !x) -> tensor<?xf16, #sym.shape<["3*n"]>> {
  // CHECK: %[[AB:.*]] = graph.concat %arg0, %arg1 {{.*}} -> tensor<?xf16, #sym.shape<["2*n"]>>
  // CHECK: graph.concat %[[AB]], %arg2
  %0 = graph.concat %a, %b, %c along 0 : (!x, !x, !x) -> tensor<?xf16, #sym.shape<["3*n"]>>
  return %0 : tensor<?xf16, #sym.shape<["3*n"]>>
}
