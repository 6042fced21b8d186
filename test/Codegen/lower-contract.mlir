// Register tiles of matrix products: 6 rows of 2 vectors with 16 registers, 12
// with 32; each element has one accumulator over all of k.
// RUN: ambit-opt %s --lower-kernels --canonicalize --cse | FileCheck %s
// RUN: ambit-opt %s --lower-kernels="vector-bytes=64 registers=32" \
// RUN:   --canonicalize --cse | FileCheck %s --check-prefix=WIDE

// Rows are symbolic: blocks of 16 tiles, then 4, 2 and 1 rows.
// CHECK-LABEL: func.func private @rows(
// CHECK: scf.for %[[UNIT:.*]] =
// CHECK: %[[LOW:.*]] = arith.muli %[[UNIT]], %c96
// CHECK: scf.for %[[ROW:.*]] = %[[LOW]] to %{{.*}} step %c6
// CHECK: scf.for %[[K:.*]] = %c0 to %c33 step %c1 iter_args
// CHECK-COUNT-2: vector.load %arg1
// CHECK-NOT: vector.load %arg1
// CHECK-COUNT-12: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-12: vector.store %{{.*}}, %arg2
// CHECK-COUNT-3: scf.if
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func private @rows_units(
// CHECK: arith.divui %{{.*}}, %c96

// WIDE-LABEL: func.func private @rows(
// WIDE: step %c12
// WIDE-COUNT-2: vector.load %arg1{{.*}} vector<16xf32>
// WIDE-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// WIDE: scf.yield
func.func private @rows(%x: tensor<?x33xf32, #sym.shape<[m, 33]>>,
                        %w: tensor<33x32xf32>)
    -> tensor<?x32xf32, #sym.shape<[m, 32]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[m]>} {
  %0 = graph.contract %x, %w
      : (tensor<?x33xf32, #sym.shape<[m, 33]>>, tensor<33x32xf32>)
      -> tensor<?x32xf32, #sym.shape<[m, 32]>>
  return %0 : tensor<?x32xf32, #sym.shape<[m, 32]>>
}

// Everything is constant: one tile of 2 rows and 3 vectors, the last masked.
// CHECK-LABEL: func.func private @small(
// CHECK-NOT: scf.if
// CHECK: vector.constant_mask [4]
// CHECK: scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args
// CHECK-COUNT-2: vector.load %arg1
// CHECK: vector.maskedload
// CHECK-COUNT-6: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-2: vector.maskedstore
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func private @small_units(
// CHECK: return %c1,
func.func private @small(%x: tensor<2x7xf32>, %w: tensor<7x20xf32>)
    -> tensor<2x20xf32> attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.contract %x, %w : (tensor<2x7xf32>, tensor<7x20xf32>)
      -> tensor<2x20xf32>
  return %0 : tensor<2x20xf32>
}

// A rhs without batch dims: all rows of all batches are one product.
// CHECK-LABEL: func.func private @flat_units(
// CHECK: arith.muli %arg0, %c4
func.func private @flat(%x: tensor<?x4x8xf32, #sym.shape<[b, 4, 8]>>,
                        %w: tensor<8x8xf32>)
    -> tensor<?x4x8xf32, #sym.shape<[b, 4, 8]>>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[b]>} {
  %0 = graph.contract %x, %w
      : (tensor<?x4x8xf32, #sym.shape<[b, 4, 8]>>, tensor<8x8xf32>)
      -> tensor<?x4x8xf32, #sym.shape<[b, 4, 8]>>
  return %0 : tensor<?x4x8xf32, #sym.shape<[b, 4, 8]>>
}

// Half precision is summed in f32 and rounded once; integers wrap.
// CHECK-LABEL: func.func private @half(
// CHECK: arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK: vector.fma {{.*}} : vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK-NEXT: vector.store
func.func private @half(%x: tensor<1x8xf16>, %w: tensor<8x8xf16>)
    -> tensor<1x8xf16> attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.contract %x, %w : (tensor<1x8xf16>, tensor<8x8xf16>)
      -> tensor<1x8xf16>
  return %0 : tensor<1x8xf16>
}

// Rows of the rhs that share places in a cache are copied first, 256 at a time.
// Sums of 48 rows by 16 columns wait on the stack between the steps.
// CHECK-LABEL: func.func private @packed(
// CHECK-DAG: %[[PANEL:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4096xf32>
// CHECK-DAG: %[[SUMS:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1536xf32>
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c1024 step %c256
// CHECK: vector.load %arg1
// CHECK: vector.store %{{.*}}, %[[PANEL]]
// CHECK: scf.for %{{.*}} = %c0 to %c48 step %c6
// CHECK: vector.load %[[SUMS]]
// CHECK: vector.load %[[PANEL]]
// CHECK-COUNT-12: vector.fma
// CHECK: vector.store %{{.*}}, %[[SUMS]]
// CHECK: vector.load %[[SUMS]]
// CHECK: vector.store %{{.*}}, %arg2
func.func private @packed(%x: tensor<48x1024xf32>, %w: tensor<1024x1024xf32>)
    -> tensor<48x1024xf32>
    attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.contract %x, %w : (tensor<48x1024xf32>, tensor<1024x1024xf32>)
      -> tensor<48x1024xf32>
  return %0 : tensor<48x1024xf32>
}

// CHECK-LABEL: func.func private @integers(
// CHECK: arith.muli %{{.*}} : vector<4xi64>
// CHECK: arith.addi %{{.*}} : vector<4xi64>
func.func private @integers(%x: tensor<1x8xi64>, %w: tensor<8x4xi64>)
    -> tensor<1x4xi64> attributes {ambit.kernel, ambit.sizes = #sym.shape<[]>} {
  %0 = graph.contract %x, %w : (tensor<1x8xi64>, tensor<8x4xi64>)
      -> tensor<1x4xi64>
  return %0 : tensor<1x4xi64>
}
