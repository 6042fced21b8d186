// graph-fold-constants computes what depends on constants only.
// RUN: ambit-opt %s -graph-fold-constants | FileCheck %s
// RUN: ambit-opt %s -graph-fold-constants=max-bytes=8 | FileCheck %s --check-prefix=LIMIT

// CHECK-LABEL: @transpose
// LIMIT-LABEL: @transpose
func.func @transpose() -> tensor<2x2xf32> {
  // CHECK-NEXT: %[[C:.*]] = graph.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]>
  // CHECK-NEXT: return %[[C]]
  // LIMIT: graph.transpose
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = graph.transpose %0 [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// A broadcast stays where it grows, but users see its value through it.
// CHECK-LABEL: @broadcast
func.func @broadcast() -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-DAG: %[[S:.*]] = graph.constant dense<1.000000e+00> : tensor<f32>
  %0 = graph.constant dense<1.0> : tensor<f32>
  %1 = graph.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK-DAG: %[[B:.*]] = graph.broadcast %[[S]]
  %2 = graph.broadcast %0 to <[2]> : (tensor<f32>) -> tensor<2xf32>
  // CHECK-DAG: %[[R:.*]] = graph.constant dense<[3.000000e+00, 4.000000e+00]>
  // CHECK-NOT: graph.map
  %3 = graph.map %1, %2 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    graph.yield %c : f32
  }
  // CHECK: return %[[B]], %[[R]]
  return %2, %3 : tensor<2xf32>, tensor<2xf32>
}

// So do halves that are only extended: kernels do that at no cost.
// CHECK-LABEL: @halves
func.func @halves() -> tensor<2xf32> {
  %0 = graph.constant dense<[2.0, 3.0]> : tensor<2xf16>
  // CHECK: graph.map
  %1 = graph.map %0 : (tensor<2xf16>) -> tensor<2xf32> {
  ^bb0(%a: f16):
    %c = arith.extf %a : f16 to f32
    graph.yield %c : f32
  }
  return %1 : tensor<2xf32>
}

// What is made of a broadcast and much larger than its source stays.
// CHECK-LABEL: @large
func.func @large() -> tensor<100x100xf32> {
  %0 = graph.constant dense<1.0> : tensor<f32>
  %1 = graph.broadcast %0 to <[100, 100]> : (tensor<f32>) -> tensor<100x100xf32>
  // CHECK: graph.map
  %2 = graph.map %1 : (tensor<100x100xf32>) -> tensor<100x100xf32> {
  ^bb0(%a: f32):
    %c = math.exp %a : f32
    graph.yield %c : f32
  }
  return %2 : tensor<100x100xf32>
}

// CHECK-LABEL: @iota
func.func @iota() -> (tensor<3xi64>, tensor<3xi64>) {
  // CHECK: graph.iota
  %0 = graph.iota <[3]> along 0 {elementType = i64} : tensor<3xi64>
  // CHECK: graph.constant dense<[2, 1, 0]>
  %1 = graph.slice %0 <[2]> <[3]> [-1] : (tensor<3xi64>) -> tensor<3xi64>
  return %0, %1 : tensor<3xi64>, tensor<3xi64>
}

// Sizes without symbols are known.
// CHECK-LABEL: @dims
func.func @dims() -> tensor<1xi64> {
  // CHECK-NEXT: graph.constant dense<2>
  %0 = graph.dims <[1, 2]> : tensor<2xi64>
  %1 = graph.slice %0 <[1]> <[1]> [1] : (tensor<2xi64>) -> tensor<1xi64>
  return %1 : tensor<1xi64>
}

// An offset with a symbol is not known, though the shape is.
// CHECK-LABEL: @symbol
func.func @symbol() -> tensor<1xi64> {
  %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
  // CHECK: graph.slice
  %1 = graph.slice %0 <["min(n, 1)"]> <[1]> [1] : (tensor<2xi64>) -> tensor<1xi64>
  return %1 : tensor<1xi64>
}

// What cannot be evaluated is left to fail when the model runs.
// CHECK-LABEL: @failing
func.func @failing() -> (tensor<f32>, tensor<i32>) {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.constant dense<2> : tensor<i32>
  // CHECK: graph.gather
  %2 = graph.gather %0 at %1 along 0 : (tensor<2xf32>, tensor<i32>) -> tensor<f32>
  // CHECK: graph.map
  %3 = graph.map %1 : (tensor<i32>) -> tensor<i32> {
  ^bb0(%a: i32):
    %zero = arith.constant 0 : i32
    %c = arith.divsi %a, %zero : i32
    graph.yield %c : i32
  }
  return %2, %3 : tensor<f32>, tensor<i32>
}

// Chains fold in one run; no dead constant is left.
// CHECK-LABEL: @chain
func.func @chain(%x: tensor<1xf32>) -> (tensor<1xf32>, tensor<f32>) {
  // CHECK-NEXT: %[[C:.*]] = graph.constant dense<6.000000e+00> : tensor<f32>
  // CHECK-NEXT: return %{{.*}}, %[[C]]
  %0 = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = graph.reshape %0 to <[3, 1]> : (tensor<3xf32>) -> tensor<3x1xf32>
  %2 = graph.reduce %1 <sum> [0, 1] : (tensor<3x1xf32>) -> tensor<f32>
  return %x, %2 : tensor<1xf32>, tensor<f32>
}
