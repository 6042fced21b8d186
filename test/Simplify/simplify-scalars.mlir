// graph-simplify on the scalars inside of maps.
// RUN: ambit-opt %s -graph-simplify -split-input-file | FileCheck %s

!x = tensor<2xf32>

// CHECK-LABEL: @square
func.func @square(%x: !x) -> !x {
  // CHECK: ^bb0(%[[A:.*]]: f32):
  // CHECK-NEXT: %[[B:.*]] = arith.mulf %[[A]], %[[A]] : f32
  // CHECK-NEXT: graph.yield %[[B]]
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant 2.0 : f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// -----

!x = tensor<2xf32>

// CHECK-LABEL: @cube
func.func @cube(%x: !x) -> !x {
  // CHECK: %[[S:.*]] = arith.mulf %[[A:.*]], %[[A]] : f32
  // CHECK-NEXT: arith.mulf %[[S]], %[[A]] : f32
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant 3.0 : f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// -----

!x = tensor<2xf32>

// CHECK-LABEL: @reciprocal
func.func @reciprocal(%x: !x) -> !x {
  // CHECK: arith.divf %{{.*}}, %{{.*}} : f32
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant -1.0 : f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// -----

!x = tensor<2xf32>

// The power of minus infinity is plus infinity, the root is not a number.
// CHECK-LABEL: @root
func.func @root(%x: !x) -> !x {
  // CHECK: %[[L:.*]] = arith.cmpf oeq, %[[A:.*]], %{{.*}} : f32
  // CHECK: %[[P:.*]] = arith.addf %[[A]], %{{.*}} : f32
  // CHECK: %[[R:.*]] = math.sqrt %[[P]]
  // CHECK: arith.select %[[L]], %{{.*}}, %[[R]]
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant 0.5 : f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// -----

!x = tensor<2xf32>

// CHECK-LABEL: @otherPower
func.func @otherPower(%x: !x) -> !x {
  // CHECK: math.powf
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant 1.5 : f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// -----

!x = tensor<2xf32>

// Division by a power of two is an exact multiplication, by 3 it is not.
// CHECK-LABEL: @division
func.func @division(%x: !x) -> !x {
  // CHECK-DAG: %[[C:.*]] = arith.constant 1.250000e-01 : f32
  // CHECK-DAG: %[[THREE:.*]] = arith.constant 3.000000e+00 : f32
  // CHECK: %[[M:.*]] = arith.mulf %{{.*}}, %[[C]] : f32
  // CHECK: arith.divf %[[M]], %[[THREE]] : f32
  %0 = graph.map %x : (!x) -> !x {
  ^bb0(%a: f32):
    %c = arith.constant 8.0 : f32
    %d = arith.divf %a, %c : f32
    %e = arith.constant 3.0 : f32
    %f = arith.divf %d, %e : f32
    graph.yield %f : f32
  }
  return %0 : !x
}

// -----

// A cast to a wider type and back disappears; to a narrower it stays.
// CHECK-LABEL: @casts
func.func @casts(%h: tensor<2xf16>, %x: tensor<2xf32>) -> (tensor<2xf16>, tensor<2xf32>) {
  // CHECK-NOT: arith.extf %{{.*}} : f16 to f64
  %0 = graph.map %h : (tensor<2xf16>) -> tensor<2xf16> {
  ^bb0(%a: f16):
    %b = arith.extf %a : f16 to f64
    %c = arith.truncf %b : f64 to f16
    graph.yield %c : f16
  }
  // CHECK: arith.truncf %{{.*}} : f32 to f16
  // CHECK-NEXT: arith.extf
  %1 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    %b = arith.truncf %a : f32 to f16
    %c = arith.extf %b : f16 to f32
    graph.yield %c : f32
  }
  return %0, %1 : tensor<2xf16>, tensor<2xf32>
}
