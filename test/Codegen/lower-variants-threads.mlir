// Launches: on the run's threads when there are any and the work is worth it.
// RUN: ambit-opt %s --lower-kernels --lower-variants --canonicalize --cse \
// RUN:   | FileCheck %s

!x = tensor<?x?x8xf32, #sym.shape<[n, m, 8]>>
!i = tensor<?xi64, #sym.shape<[n]>>

// The operands go into a block of words; the last is the kernel's only size.
// CHECK-LABEL: func.func @generic(
// CHECK-SAME: %[[EXEC:[a-z0-9]*]]: !llvm.ptr) -> i32
// CHECK: %[[BLOCK:.*]] = llvm.alloca
// CHECK: llvm.store %[[EXEC]], %[[BLOCK]]
// CHECK: call @softmax_launch(%[[BLOCK]])
// CHECK: call @take_launch(%[[BLOCK]])
// CHECK: call @small_task(%[[BLOCK]], %c0_i64, %c1_i64)
// CHECK: call @large_launch(%[[BLOCK]])

// 30 us or more are cut into pieces of at least 8 us.
// CHECK-LABEL: func.func private @softmax_launch(
// CHECK-SAME: %[[BLOCK:.*]]: !llvm.ptr)
// CHECK-DAG: %[[EXEC:.*]] = llvm.load %[[BLOCK]] : !llvm.ptr -> !llvm.ptr
// CHECK-DAG: %[[COUNTS:.*]]:2 = call @softmax_units
// CHECK-DAG: %[[UNITS:.*]] = arith.index_cast %[[COUNTS]]#0
// CHECK-DAG: %[[WORK:.*]] = arith.index_cast %[[COUNTS]]#1
// CHECK-DAG: arith.cmpi sge, %[[WORK]], %c480000_i64
// CHECK-DAG: arith.cmpi sgt, %[[UNITS]], %c1_i64
// CHECK: scf.if
// CHECK: %[[PIECES:.*]] = arith.divui %[[WORK]], %c128000_i64
// CHECK: %[[SHARE:.*]] = arith.divui %[[UNITS]], %[[PIECES]]
// CHECK: %[[GRAIN:.*]] = arith.maxui %[[SHARE]], %c1_i64
// CHECK: llvm.call %{{.*}}(%[[EXEC]], %[[UNITS]], %[[GRAIN]], %{{.*}}, %[[BLOCK]])
// CHECK-NEXT: } else {
// CHECK-NEXT: func.call @softmax_task(%[[BLOCK]], %c0_i64, %[[UNITS]])

// CHECK-LABEL: func.func private @softmax_task(
// CHECK-SAME: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK-DAG: %[[LOW:.*]] = arith.index_cast %[[BEGIN]]
// CHECK-DAG: %[[HIGH:.*]] = arith.index_cast %[[END]]
// CHECK: call @softmax({{.*}} %[[LOW]], %[[HIGH]],

// A unit is some rows; work is counted in ticks: for an element of a softmax 40, a load 2, a store 2.
// CHECK-LABEL: func.func private @softmax_units(
// CHECK-SAME: %[[N:.*]]: index, %[[M:.*]]: index) -> (index, index)
// CHECK: %[[BLOCKS:.*]] = arith.divui %{{.*}}, %c64
// CHECK: %[[ROWS:.*]] = arith.muli %[[N]], %[[BLOCKS]]
// CHECK: %[[SOME:.*]] = arith.select %{{.*}}, %c0, %[[ROWS]]
// CHECK: %[[UNITS:.*]] = arith.select %{{.*}}, %c0, %[[SOME]]
// CHECK-DAG: %[[ONE:.*]] = arith.muli %[[N]], %c352
// CHECK: %[[ALL:.*]] = arith.muli %[[ONE]], %[[M]]
// CHECK: return %[[UNITS]], %[[ALL]]

// A report of wrong data that came from threads is made again in order.
// CHECK-LABEL: func.func private @take_launch(
// CHECK: llvm.call
// CHECK: scf.if
// CHECK: llvm.store %c-1_i64
// CHECK-NEXT: func.call @take_task(%{{.*}}, %c0_i64,
// CHECK: } else {

// Constant work is compared here and now: little work needs no choice.
// CHECK-NOT: @small_launch
// CHECK-LABEL: func.func private @large_launch(

module {
  sym.symbol "n" min 0 max 1000
  sym.symbol "m" min 0 max 1000
  func.func @generic(%x: !x, %i: !i, %s: tensor<8xf32>, %l: tensor<64x64x64xf32>)
      -> (!x, !x, tensor<8xf32>, tensor<64x64x64xf32>)
      attributes {ambit.variant} {
    %0 = graph.launch @softmax(%x) <[n, m]> : (!x) -> !x
    %1 = graph.launch @take(%x, %i) <[n, m]> : (!x, !i) -> !x
    %2 = graph.launch @small(%s) <[]> : (tensor<8xf32>) -> tensor<8xf32>
    %3 = graph.launch @large(%l) <[]> : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
    return %0, %1, %2, %3 : !x, !x, tensor<8xf32>, tensor<64x64x64xf32>
  }
  func.func private @softmax(%x: !x) -> !x
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[n, m]>} {
    %0 = graph.softmax %x along 2 : (!x) -> !x
    return %0 : !x
  }
  func.func private @take(%x: !x, %i: !i) -> !x
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[n, m]>} {
    %0 = graph.gather %x at %i along 0 : (!x, !i) -> !x
    return %0 : !x
  }
  func.func private @small(%x: tensor<8xf32>) -> tensor<8xf32>
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
    %0 = graph.softmax %x along 0 : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @large(%x: tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
      attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
    %0 = graph.softmax %x along 2 : (tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
    return %0 : tensor<64x64x64xf32>
  }
}
