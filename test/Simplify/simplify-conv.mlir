// graph-simplify moves scales and shifts of channels into convolutions.
// RUN: ambit-opt %s -graph-simplify | FileCheck %s

!x = tensor<?x1x?xf32, #sym.shape<[n, 1, t]>>
!y = tensor<?x2x?xf32, #sym.shape<[n, 2, t]>>

// CHECK-LABEL: @scaleAndShift
func.func @scaleAndShift(%x: !x) -> !y {
  %w = graph.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %scale = graph.constant dense<[[[10.0], [100.0]]]> : tensor<1x2x1xf32>
  %shift = graph.constant dense<[[4.0], [5.0]]> : tensor<2x1xf32>
  %s = graph.broadcast %scale to <[n, 2, t]> : (tensor<1x2x1xf32>) -> !y
  %b = graph.broadcast %shift to <[n, 2, t]> : (tensor<2x1xf32>) -> !y
  // CHECK-DAG: %[[W:.*]] = graph.constant dense<{{.*}}2.000000e+01{{.*}}3.000000e+02{{.*}}> : tensor<2x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = graph.constant dense<{{.*}}4.000000e+00{{.*}}5.000000e+00{{.*}}> : tensor<1x2x1xf32>
  // CHECK: %[[Y:.*]] = graph.conv %{{.*}}, %[[W]]
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK: %[[S:.*]] = graph.broadcast %[[B]] to <[n, 2, t]>
  // CHECK: graph.map %[[Y]], %[[S]]
  // CHECK: arith.addf
  // CHECK-NOT: arith.mulf
  %1 = graph.map %0, %s, %b : (!y, !y, !y) -> !y {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %e = arith.mulf %a, %c : f32
    %f = arith.addf %e, %d : f32
    graph.yield %f : f32
  }
  return %1 : !y
}

// A bias, then (x - mean) / sqrt(variance + epsilon): maps compose.
// CHECK-LABEL: @chain
func.func @chain(%x: !x) -> !y {
  %w = graph.constant dense<1.0> : tensor<2x1x1xf32>
  %bias = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %mean = graph.constant dense<[[3.0], [4.0]]> : tensor<2x1xf32>
  %variance = graph.constant dense<[[3.0], [15.0]]> : tensor<2x1xf32>
  %b = graph.broadcast %bias to <[n, 2, t]> : (tensor<2x1xf32>) -> !y
  %m = graph.broadcast %mean to <[n, 2, t]> : (tensor<2x1xf32>) -> !y
  %v = graph.broadcast %variance to <[n, 2, t]> : (tensor<2x1xf32>) -> !y
  // CHECK-DAG: graph.constant dense<{{.*}}5.000000e-01{{.*}}2.500000e-01{{.*}}> : tensor<2x1x1xf32>
  // CHECK-DAG: graph.constant dense<{{.*}}-1.000000e+00{{.*}}-5.000000e-01{{.*}}> : tensor<1x2x1xf32>
  // CHECK-COUNT-1: graph.map
  // CHECK-NOT: graph.map
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  %1 = graph.map %0, %b : (!y, !y) -> !y {
  ^bb0(%a: f32, %c: f32):
    %d = arith.addf %a, %c : f32
    graph.yield %d : f32
  }
  %2 = graph.map %1, %m, %v : (!y, !y, !y) -> !y {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %epsilon = arith.constant 1.0 : f32
    %e = arith.subf %a, %c : f32
    %f = arith.addf %d, %epsilon : f32
    %g = math.sqrt %f : f32
    %h = arith.divf %e, %g : f32
    graph.yield %h : f32
  }
  return %2 : !y
}

// A scale alone leaves no map; a shift alone stays as it is.
// CHECK-LABEL: @one
func.func @one(%x: !x) -> (!y, !y) {
  %w = graph.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  // CHECK-DAG: graph.constant dense<{{.*}}-2.000000e+00{{.*}}-3.000000e+00{{.*}}> : tensor<2x1x1xf32>
  // CHECK-DAG: graph.constant dense<{{.*}}2.000000e+00{{.*}}3.000000e+00{{.*}}> : tensor<2x1x1xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  // CHECK-COUNT-1: graph.map
  // CHECK-NOT: graph.map
  %1 = graph.map %0 : (!y) -> !y {
  ^bb0(%a: f32):
    %c = arith.negf %a : f32
    graph.yield %c : f32
  }
  %2 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 2>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (!x, tensor<2x1x1xf32>) -> !y
  %3 = graph.map %2 : (!y) -> !y {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    %c = arith.addf %a, %one : f32
    graph.yield %c : f32
  }
  return %1, %3 : !y, !y
}
