// Kernels as loops: whole vectors, then one masked vector for the rest.
// RUN: ambit-opt %s --lower-kernels --canonicalize --split-input-file | FileCheck %s

// Dims that every op walks alike are one loop. A unit is a chunk of it.
// CHECK-LABEL: func.func private @negate(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[OUT:.*]]: memref<?xf32>, %{{[^:]*}}: index, %[[LOW:[^:]*]]: index, %[[HIGH:[^:]*]]: index
// CHECK: scf.for %{{.*}} = %[[LOW]] to %[[HIGH]]
// CHECK: scf.for
// CHECK: vector.load %[[X]]{{.*}} : memref<?xf32>, vector<8xf32>
// CHECK: arith.negf %{{.*}} : vector<8xf32>
// CHECK: vector.store %{{.*}}, %[[OUT]]
// CHECK: scf.if
// CHECK: %[[MASK:.*]] = vector.create_mask
// CHECK: vector.maskedload %[[X]]{{.*}}, %[[MASK]]
// CHECK: vector.maskedstore %[[OUT]]{{.*}}, %[[MASK]]
// CHECK: func.func private @negate_units(%{{.*}}: index) -> (index, index)
func.func private @negate(%x: tensor<?x3xf32, #sym.shape<[n, 3]>>)
    -> tensor<?x3xf32, #sym.shape<[n, 3]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
  %0 = graph.map %x : (tensor<?x3xf32, #sym.shape<[n, 3]>>)
      -> tensor<?x3xf32, #sym.shape<[n, 3]>> {
  ^bb0(%p: f32):
    %s = arith.negf %p : f32
    graph.yield %s : f32
  }
  return %0 : tensor<?x3xf32, #sym.shape<[n, 3]>>
}

// -----

// A dim that may be 1 only at run time: its index is 0 then.
// CHECK-LABEL: func.func private @honest_broadcast(
// CHECK: arith.cmpi eq, %{{.*}}, %c1
// CHECK: arith.select %{{.*}} : vector<8xindex>
// CHECK: vector.gather
func.func private @honest_broadcast(%x: tensor<?xf32, #sym.shape<[a]>>)
    -> tensor<?xf32, #sym.shape<[b]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[a, b]>} {
  %0 = graph.broadcast %x to <[b]> : (tensor<?xf32, #sym.shape<[a]>>)
      -> tensor<?xf32, #sym.shape<[b]>>
  return %0 : tensor<?xf32, #sym.shape<[b]>>
}

// -----

// A leading 1 must not drag the repeated dim before it into the row.
// CHECK-LABEL: func.func private @repeat_rows(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>
// CHECK: %[[C:.*]] = arith.constant 4 : index
// CHECK-NOT: arith.muli
// CHECK: scf.for
func.func private @repeat_rows(%x: tensor<4xf32>)
    -> tensor<?x1x4xf32, #sym.shape<[n, 1, 4]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
  %0 = graph.broadcast %x to <[n, 1, 4]> : (tensor<4xf32>)
      -> tensor<?x1x4xf32, #sym.shape<[n, 1, 4]>>
  return %0 : tensor<?x1x4xf32, #sym.shape<[n, 1, 4]>>
}

// -----

// Lanes are combined in a tree, so the order does not depend on the extent.
// CHECK-LABEL: func.func private @sum(
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<8xf32>)
// CHECK: arith.addf %[[ACC]]
// CHECK: arith.select %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3]
// CHECK: vector.shuffle {{.*}} [4, 5, 6, 7]
// CHECK-NOT: vector.reduction
func.func private @sum(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<f32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
  %0 = graph.reduce %x <sum> [0] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// An index is checked, and replaced before anything is read.
// CHECK-LABEL: func.func private @look_up(
// CHECK-SAME: %[[FAILURES:[^:]*]]: memref<?xi64>, %{{[^:]*}}: index) attributes {ambit.check = "index is out of range"
// CHECK: %[[BAD:.*]] = arith.cmpi uge
// CHECK: scf.if %[[BAD]]
// CHECK: memref.store %{{.*}}, %[[FAILURES]]
// CHECK: arith.select %[[BAD]]
func.func private @look_up(%x: tensor<5x3xf32>, %i: tensor<?xi64, #sym.shape<[n]>>)
    -> tensor<?x3xf32, #sym.shape<[n, 3]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
  %0 = graph.gather %x at %i along 0
      : (tensor<5x3xf32>, tensor<?xi64, #sym.shape<[n]>>) -> tensor<?x3xf32, #sym.shape<[n, 3]>>
  return %0 : tensor<?x3xf32, #sym.shape<[n, 3]>>
}

// -----

// Lanes beyond the end hold 0; dividing by them must not trap.
// CHECK-LABEL: func.func private @divide(
// CHECK-SAME: ambit.check = "integer division by zero"
// CHECK: scf.if
// CHECK: %[[SAFE:.*]] = arith.select
// CHECK-NEXT: arith.divsi %{{.*}}, %[[SAFE]]
func.func private @divide(%x: tensor<?xi32, #sym.shape<[n]>>, %y: tensor<?xi32, #sym.shape<[n]>>)
    -> tensor<?xi32, #sym.shape<[n]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
  %0 = graph.map %x, %y : (tensor<?xi32, #sym.shape<[n]>>, tensor<?xi32, #sym.shape<[n]>>)
      -> tensor<?xi32, #sym.shape<[n]>> {
  ^bb0(%p: i32, %q: i32):
    %s = arith.divsi %p, %q : i32
    graph.yield %s : i32
  }
  return %0 : tensor<?xi32, #sym.shape<[n]>>
}

// -----

// A kept dim of size 1 before a repeated one: the row index belongs to the dim
// before both.
// CHECK-LABEL: func.func private @per_channel(
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf32>, %{{[^:]*}}: memref<?xf32>, %[[LOW:[^:]*]]: index, %[[HIGH:[^:]*]]: index
// CHECK: scf.for %[[UNIT:.*]] = %[[LOW]] to %[[HIGH]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to
// CHECK: memref.load %[[X]][%[[ROW]]]
func.func private @per_channel(%x: tensor<1x2x1x1xf32>) -> tensor<1x2x1x3xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.broadcast %x to <[1, 2, 1, 3]> : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x3xf32>
  return %0 : tensor<1x2x1x3xf32>
}
