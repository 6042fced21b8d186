// A value that a kernel would compute at too many indices is stored: here every
// level doubles what the last one needs, up to 32 times. Elementwise paths share
// one index, however many there are.
// RUN: ambit-opt %s --graph-form-kernels | FileCheck %s

// CHECK-LABEL: func.func @windows
// CHECK-NEXT: %[[LOW:.*]] = graph.launch @{{kernel_map_.*}}(%arg0) <[]> : (tensor<16xf32>) -> tensor<14xf32>
// CHECK-NEXT: %[[HIGH:.*]] = graph.launch @{{kernel_map_.*}}(%[[LOW]]) <[]> : (tensor<14xf32>) -> tensor<8xf32>
// CHECK-NEXT: return %[[HIGH]]
func.func @windows(%x: tensor<16xf32>) -> tensor<8xf32> {
  %a0 = graph.slice %x <[0]> <[15]> [1] : (tensor<16xf32>) -> tensor<15xf32>
  %b0 = graph.slice %x <[1]> <[15]> [1] : (tensor<16xf32>) -> tensor<15xf32>
  %t0 = graph.map %a0, %b0 : (tensor<15xf32>, tensor<15xf32>) -> tensor<15xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a1 = graph.slice %t0 <[0]> <[14]> [1] : (tensor<15xf32>) -> tensor<14xf32>
  %b1 = graph.slice %t0 <[1]> <[14]> [1] : (tensor<15xf32>) -> tensor<14xf32>
  %t1 = graph.map %a1, %b1 : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a2 = graph.slice %t1 <[0]> <[13]> [1] : (tensor<14xf32>) -> tensor<13xf32>
  %b2 = graph.slice %t1 <[1]> <[13]> [1] : (tensor<14xf32>) -> tensor<13xf32>
  %t2 = graph.map %a2, %b2 : (tensor<13xf32>, tensor<13xf32>) -> tensor<13xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a3 = graph.slice %t2 <[0]> <[12]> [1] : (tensor<13xf32>) -> tensor<12xf32>
  %b3 = graph.slice %t2 <[1]> <[12]> [1] : (tensor<13xf32>) -> tensor<12xf32>
  %t3 = graph.map %a3, %b3 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a4 = graph.slice %t3 <[0]> <[11]> [1] : (tensor<12xf32>) -> tensor<11xf32>
  %b4 = graph.slice %t3 <[1]> <[11]> [1] : (tensor<12xf32>) -> tensor<11xf32>
  %t4 = graph.map %a4, %b4 : (tensor<11xf32>, tensor<11xf32>) -> tensor<11xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a5 = graph.slice %t4 <[0]> <[10]> [1] : (tensor<11xf32>) -> tensor<10xf32>
  %b5 = graph.slice %t4 <[1]> <[10]> [1] : (tensor<11xf32>) -> tensor<10xf32>
  %t5 = graph.map %a5, %b5 : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a6 = graph.slice %t5 <[0]> <[9]> [1] : (tensor<10xf32>) -> tensor<9xf32>
  %b6 = graph.slice %t5 <[1]> <[9]> [1] : (tensor<10xf32>) -> tensor<9xf32>
  %t6 = graph.map %a6, %b6 : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  %a7 = graph.slice %t6 <[0]> <[8]> [1] : (tensor<9xf32>) -> tensor<8xf32>
  %b7 = graph.slice %t6 <[1]> <[8]> [1] : (tensor<9xf32>) -> tensor<8xf32>
  %t7 = graph.map %a7, %b7 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    graph.yield %s : f32
  }
  return %t7 : tensor<8xf32>
}
