// What takes more work or memory than a value is worth is compiled instead.
// RUN: ambit-opt %s -graph-fold-constants | FileCheck %s
// RUN: ambit-opt %s -graph-fold-constants="max-work=1000 total-work=10000000" | FileCheck %s --check-prefix=WORK
// RUN: ambit-opt %s -graph-fold-constants="total-work=1000" | FileCheck %s --check-prefix=WORK
// RUN: ambit-opt %s -graph-fold-constants="total-bytes=0" | FileCheck %s --check-prefix=BYTES

// 64 * 64 * 64 multiplications, and what iota and map take.
// CHECK-LABEL: @product
// CHECK-NEXT: %[[C:.*]] = graph.constant
// CHECK-NEXT: return %[[C]]
// WORK-LABEL: @product
// WORK: graph.contract
func.func @product() -> tensor<64x64xf32> {
  %0 = graph.iota <[64, 64]> along 0 {elementType = f32} : tensor<64x64xf32>
  %1 = graph.contract %0, %0 : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}

// 512 * 512 * 512 are too many.
// CHECK-LABEL: @largeProduct
// CHECK: graph.contract
func.func @largeProduct() -> tensor<f32> {
  %0 = graph.iota <[512, 512]> along 0 {elementType = f32} : tensor<512x512xf32>
  %1 = graph.contract %0, %0 : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %2 = graph.reduce %1 <sum> [0, 1] : (tensor<512x512xf32>) -> tensor<f32>
  return %2 : tensor<f32>
}

// A value that grows is computed once for all that small values need of it; its
// users stay when that is too much.
// CHECK-LABEL: @shared
// CHECK-NEXT: graph.constant dense<6.400000e+01>
// CHECK-NEXT: graph.constant dense<1.000000e+00>
// CHECK-NEXT: return
func.func @shared() -> (tensor<f32>, tensor<f32>) {
  %0 = graph.constant dense<1.0> : tensor<f32>
  %1 = graph.broadcast %0 to <[64, 100, 100]> : (tensor<f32>) -> tensor<64x100x100xf32>
  %2 = graph.slice %1 <[0, 0, 0]> <[64, 1, 1]> [1, 1, 1] : (tensor<64x100x100xf32>) -> tensor<64x1x1xf32>
  %3 = graph.reduce %2 <sum> [0, 1, 2] : (tensor<64x1x1xf32>) -> tensor<f32>
  %4 = graph.reduce %1 <max> [0, 1, 2] : (tensor<64x100x100xf32>) -> tensor<f32>
  return %3, %4 : tensor<f32>, tensor<f32>
}

// The trips of nested loops multiply.
// CHECK-LABEL: @nested
// CHECK: graph.loop "i" below <[65536]>
// CHECK: graph.loop "j" below <[65536]>
func.func @nested() -> tensor<i64> {
  %0 = graph.constant dense<1> : tensor<i64>
  %1 = graph.loop "i" below <[65536]> carries(%0) : (tensor<i64>) -> tensor<i64> {
  ^bb0(%a: tensor<i64>):
    %2 = graph.loop "j" below <[65536]> carries(%a) : (tensor<i64>) -> tensor<i64> {
    ^bb0(%b: tensor<i64>):
      %3 = graph.map %b : (tensor<i64>) -> tensor<i64> {
      ^bb0(%p: i64):
        %s = arith.addi %p, %p : i64
        graph.yield %s : i64
      }
      graph.next carries(%3 : tensor<i64>)
    }
    graph.next carries(%2 : tensor<i64>)
  }
  return %1 : tensor<i64>
}

// All values together take no more than 4 times what the constants of the module
// do, besides what the option grants: here 112 bytes.
// BYTES-LABEL: @doubled
// BYTES: graph.constant dense<{{.*}}tensor<8xf32>
// BYTES: %[[C:.*]] = graph.constant dense<{{.*}}tensor<16xf32>
// BYTES: graph.concat %[[C]], %[[C]] along 0
func.func @doubled() -> (tensor<8xf32>, tensor<16xf32>, tensor<32xf32>) {
  %0 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %1 = graph.concat %0, %0 along 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %2 = graph.concat %1, %1 along 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  %3 = graph.concat %2, %2 along 0 : (tensor<16xf32>, tensor<16xf32>) -> tensor<32xf32>
  return %1, %2, %3 : tensor<8xf32>, tensor<16xf32>, tensor<32xf32>
}
