// Every op of the graph dialect survives a round trip.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s

!x = tensor<?x?xf32, #sym.shape<[n, m]>>

// CHECK-LABEL: @sources
func.func @sources() {
  // CHECK: graph.constant dense<1.000000e+00> : tensor<2xf32>
  %0 = graph.constant dense<1.0> : tensor<2xf32>
  // CHECK: graph.dims <[n, "m + 1"]> : tensor<2xi64>
  %1 = graph.dims <[n, "1 + m"]> : tensor<2xi64>
  // CHECK: graph.dims <[n]> : tensor<f32>
  %2 = graph.dims <[n]> : tensor<f32>
  // CHECK: graph.iota <[n, 4]> along 0 {elementType = i32}
  %3 = graph.iota <[n, 4]> along 0 {elementType = i32} : tensor<?x4xi32, #sym.shape<[n, 4]>>
  return
}

// CHECK-LABEL: @map
func.func @map(%x: !x, %u: tensor<?x?xui8, #sym.shape<[n, m]>>) -> !x {
  // CHECK: graph.map %{{.*}}, %{{.*}} : (
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i8):
  // CHECK: graph.yield %{{.*}} : f32
  %0 = graph.map %x, %u : (!x, tensor<?x?xui8, #sym.shape<[n, m]>>) -> !x {
  ^bb0(%a: f32, %b: i8):
    %c = arith.uitofp %b : i8 to f32
    %d = math.powf %a, %c : f32
    graph.yield %d : f32
  }
  return %0 : !x
}

// CHECK-LABEL: @movement
func.func @movement(%x: !x, %fill: tensor<f32>, %at: tensor<2xi64>) {
  // CHECK: graph.broadcast %{{.*}} to <[2, n, m]>
  %0 = graph.broadcast %x to <[2, n, m]> : (!x) -> tensor<2x?x?xf32, #sym.shape<[2, n, m]>>
  // CHECK: graph.reshape %{{.*}} to <["m*n"]>
  %1 = graph.reshape %x to <["n*m"]> : (!x) -> tensor<?xf32, #sym.shape<["n*m"]>>
  // CHECK: graph.transpose %{{.*}} [1, 0]
  %2 = graph.transpose %x [1, 0] : (!x) -> tensor<?x?xf32, #sym.shape<[m, n]>>
  // CHECK: graph.slice %{{.*}} <["n - 1", 0]> <[n, m]> [-1, 1]
  %3 = graph.slice %x <["n - 1", 0]> <[n, m]> [-1, 1] : (!x) -> !x
  // CHECK: graph.concat %{{.*}}, %{{.*}} along 0
  %4 = graph.concat %x, %x along 0 : (!x, !x) -> tensor<?x?xf32, #sym.shape<["2*n", m]>>
  // CHECK: graph.pad %{{.*}} with %{{.*}} <[1, 0]> <[0, m]> :
  %5 = graph.pad %x with %fill <[1, 0]> <[0, m]> : (!x, tensor<f32>) -> tensor<?x?xf32, #sym.shape<["n + 1", "2*m"]>>
  // CHECK: graph.pad {{.*}} {mode = #graph.pad_mode<edge>}
  %6 = graph.pad %x with %fill <[1, 0]> <[0, 0]> {mode = #graph.pad_mode<edge>} : (!x, tensor<f32>) -> tensor<?x?xf32, #sym.shape<["n + 1", m]>>
  // CHECK: graph.gather %{{.*}} at %{{.*}} along 1
  %7 = graph.gather %x at %at along 1 : (!x, tensor<2xi64>) -> tensor<?x2xf32, #sym.shape<[n, 2]>>
  // CHECK: graph.resize %{{.*}} to <[n, "2*m"]> {coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<nearest>, rounding = #graph.rounding<floor>, scales = array<f32: 1.000000e+00, 2.000000e+00>}
  %8 = graph.resize %x to <[n, "2*m"]> {coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<nearest>, rounding = #graph.rounding<floor>, scales = array<f32: 1.0, 2.0>} : (!x) -> tensor<?x?xf32, #sym.shape<[n, "2*m"]>>
  return
}

// CHECK-LABEL: @reductions
func.func @reductions(%x: !x) {
  // CHECK: graph.reduce %{{.*}} <max> [0, 1] : (
  %0 = graph.reduce %x <max> [0, 1] : (!x) -> tensor<f32>
  // CHECK: graph.arg_reduce %{{.*}} <min> 1 {select_last}
  %1 = graph.arg_reduce %x <min> 1 {select_last} : (!x) -> tensor<?xi64, #sym.shape<[n]>>
  // CHECK: graph.softmax %{{.*}} along 1 {log}
  %2 = graph.softmax %x along 1 {log} : (!x) -> !x
  return
}

// CHECK-LABEL: @contractions
func.func @contractions(%x: !x, %w: tensor<?x3xf32, #sym.shape<[m, 3]>>,
                        %image: tensor<?x4x?x?xf32, #sym.shape<[n, 4, h, w]>>,
                        %filter: tensor<6x2x3x3xf32>,
                        %half: tensor<2x3xf16>, %weights: tensor<3x4xf16>) {
  // CHECK: graph.contract %{{.*}}, %{{.*}} : (
  %0 = graph.contract %x, %w : (!x, tensor<?x3xf32, #sym.shape<[m, 3]>>) -> tensor<?x3xf32, #sym.shape<[n, 3]>>
  // CHECK: graph.contract %{{.*}}, %{{.*}} {wide} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf32>
  %h = graph.contract %half, %weights {wide} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf32>
  // CHECK: graph.conv %{{.*}}, %{{.*}} {dilations = array<i64: 1, 1>, groups = 2 : i64,
  %1 = graph.conv %image, %filter {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, low = array<i64: 1, 1>, high = array<i64: 1, 1>, groups = 2 : i64} : (tensor<?x4x?x?xf32, #sym.shape<[n, 4, h, w]>>, tensor<6x2x3x3xf32>) -> tensor<?x6x?x?xf32, #sym.shape<[n, 6, "floordiv(h - 1, 2) + 1", "floordiv(w - 1, 2) + 1"]>>
  // CHECK: graph.window %{{.*}} <max> {ceil, dilations
  %2 = graph.window %image <max> {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 0, 0>, high = array<i64: 0, 0>, ceil} : (tensor<?x4x?x?xf32, #sym.shape<[n, 4, h, w]>>) -> tensor<?x4x?x?xf32, #sym.shape<[n, 4, "h - 1", "w - 1"]>>
  return
}

func.func private @kernel(!x) -> !x attributes {ambit.kernel, ambit.sizes = #sym.shape<[n, m]>}

// CHECK-LABEL: @launch
func.func @launch(%x: !x) -> !x {
  // CHECK: graph.launch @kernel(%{{.*}}) <[n, m]>
  %0 = graph.launch @kernel(%x) <[n, m]> : (!x) -> !x
  return %0 : !x
}
