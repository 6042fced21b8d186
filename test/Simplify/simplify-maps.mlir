// graph-simplify on maps: operands and scalars.
// RUN: ambit-opt %s -graph-simplify | FileCheck %s

!x = tensor<?x4xf32, #sym.shape<[n, 4]>>

// A repeated scalar moves into the body.
// CHECK-LABEL: @scalarConstant
// CHECK-SAME: (%[[X:.*]]: tensor
func.func @scalarConstant(%x: !x) -> !x {
  %0 = graph.constant dense<3.0> : tensor<1x1xf32>
  %1 = graph.broadcast %0 to <[n, 4]> : (tensor<1x1xf32>) -> !x
  // CHECK-NEXT: graph.map %[[X]] :
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: %[[C:.*]] = arith.constant 3.000000e+00 : f32
  // CHECK-NEXT: arith.divf %[[A]], %[[C]] : f32
  %2 = graph.map %x, %1 : (!x, !x) -> !x {
  ^bb0(%a: f32, %b: f32):
    %c = arith.divf %a, %b : f32
    graph.yield %c : f32
  }
  return %2 : !x
}

// A vector of constants stays an operand.
// CHECK-LABEL: @vectorConstant
func.func @vectorConstant(%x: !x) -> !x {
  %0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // CHECK: %[[B:.*]] = graph.broadcast
  %1 = graph.broadcast %0 to <[n, 4]> : (tensor<4xf32>) -> !x
  // CHECK: graph.map %{{.*}}, %[[B]]
  %2 = graph.map %x, %1 : (!x, !x) -> !x {
  ^bb0(%a: f32, %b: f32):
    %c = arith.divf %a, %b : f32
    graph.yield %c : f32
  }
  return %2 : !x
}

// Unsigned constants enter the body signless.
// CHECK-LABEL: @unsigned
func.func @unsigned(%x: tensor<2xui8>) -> tensor<2xui8> {
  %0 = graph.constant dense<200> : tensor<2xui8>
  // CHECK: arith.constant -56 : i8
  %1 = graph.map %x, %0 : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8> {
  ^bb0(%a: i8, %b: i8):
    %c = arith.addi %a, %b : i8
    graph.yield %c : i8
  }
  return %1 : tensor<2xui8>
}

// CHECK-LABEL: @equalAndUnusedInputs
// CHECK-SAME: (%[[X:.*]]: tensor<{{.*}}>, %{{.*}}: tensor
func.func @equalAndUnusedInputs(%x: !x, %y: !x) -> !x {
  // CHECK-NEXT: graph.map %[[X]] :
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: arith.mulf %[[A]], %[[A]]
  %0 = graph.map %x, %y, %x : (!x, !x, !x) -> !x {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %d = arith.mulf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// CHECK-LABEL: @identity
// CHECK-SAME: (%[[X:.*]]: tensor<{{.*}}>, %[[U:.*]]: tensor
func.func @identity(%x: !x, %u: tensor<2xui8>) -> (!x, tensor<2xi8>) {
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    %b = math.powf %a, %one : f32
    graph.yield %b : f32
  }
  // One that changes the sign of the type stays.
  // CHECK: %[[I:.*]] = graph.map %[[U]]
  %1 = graph.map %u : (tensor<2xui8>) -> tensor<2xi8> {
  ^bb0(%a: i8):
    graph.yield %a : i8
  }
  // CHECK: return %[[X]], %[[I]]
  return %0, %1 : !x, tensor<2xi8>
}

// Equal maps are one.
// CHECK-LABEL: @equalMaps
func.func @equalMaps(%x: !x) -> (!x, !x) {
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    graph.yield %b : f32
  }
  // CHECK-COUNT-1: graph.map
  // CHECK-NOT: graph.map
  %1 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    graph.yield %b : f32
  }
  return %0, %1 : !x, !x
}
