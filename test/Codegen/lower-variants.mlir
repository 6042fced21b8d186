// Variants as C functions: one arena, constants once for all variants.
// RUN: ambit-opt %s --graph-place-weights --lower-kernels --lower-variants | FileCheck %s

!x = tensor<?xf32, #sym.shape<[n]>>

// Of three intermediate values two are alive at a time: the third takes the
// first one's slot.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[SYMBOLS:.*]]: !llvm.ptr, %[[EXEC:.*]]: !llvm.ptr) -> i32
// CHECK-SAME: ambit.workspace = #sym.shape<["128*floordiv(n + 15, 16)"]>
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK-COUNT-4: call @chain_launch(
// CHECK: return %{{.*}} : i32

// CHECK-LABEL: func.func @n_16(
// CHECK-SAME: ambit.workspace = #sym.shape<[128]>
// CHECK-COUNT-3: call @fixed_task(

// CHECK: dispatch.variant @n_16 kind exact where ["n == 16"] workspace <[128]>
// CHECK: llvm.mlir.global external hidden constant @ambit_weights()

module {
  sym.symbol "n" min 0 max 1000
  func.func @generic(%x: !x) -> !x attributes {ambit.variant} {
    %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %0 = graph.launch @chain(%x, %w) <[n]> : (!x, tensor<3xf32>) -> !x
    %1 = graph.launch @chain(%0, %w) <[n]> : (!x, tensor<3xf32>) -> !x
    %2 = graph.launch @chain(%1, %w) <[n]> : (!x, tensor<3xf32>) -> !x
    %3 = graph.launch @chain(%2, %w) <[n]> : (!x, tensor<3xf32>) -> !x
    return %3 : !x
  }
  func.func @n_16(%x: tensor<16xf32>) -> tensor<16xf32> attributes {ambit.variant} {
    %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
    %0 = graph.launch @fixed(%x, %w) <[]> : (tensor<16xf32>, tensor<3xf32>) -> tensor<16xf32>
    %1 = graph.launch @fixed(%0, %w) <[]> : (tensor<16xf32>, tensor<3xf32>) -> tensor<16xf32>
    %2 = graph.launch @fixed(%1, %w) <[]> : (tensor<16xf32>, tensor<3xf32>) -> tensor<16xf32>
    return %2 : tensor<16xf32>
  }
  dispatch.model "m" {
    dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
    dispatch.variant @n_16 kind exact where ["n == 16"]
    dispatch.variant @generic kind generic
  }
  func.func private @chain(%x: !x, %w: tensor<3xf32>) -> !x
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
    %0 = graph.map %x : (!x) -> !x {
    ^bb0(%p: f32):
      graph.yield %p : f32
    }
    return %0 : !x
  }
  func.func private @fixed(%x: tensor<16xf32>, %w: tensor<3xf32>) -> tensor<16xf32>
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
    %0 = graph.map %x : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%p: f32):
      graph.yield %p : f32
    }
    return %0 : tensor<16xf32>
  }
}
