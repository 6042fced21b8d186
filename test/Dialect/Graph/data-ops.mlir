// Ops whose result has a size that only the data tells survive a round trip,
// and nothing removes or merges them: their symbols may be used without them.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s
// RUN: ambit-opt %s --canonicalize --cse --graph-fold-constants | FileCheck %s

sym.symbol "n" min 0 max 64
// CHECK: sym.symbol "a" min 0 max 64 unbacked
sym.symbol "a" min 0 max 64 unbacked
sym.symbol "b" min 0 max 64 unbacked
sym.symbol "u" min 0 max 64 unbacked
sym.symbol "s" min 0 max 64 unbacked

// CHECK-LABEL: @nonzero
func.func @nonzero(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2xi64> {
  // CHECK: graph.nonzero %arg0 sets "a" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, a]>>
  %0 = graph.nonzero %x sets "a" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, a]>>
  // CHECK: graph.nonzero %arg0 sets "b"
  %1 = graph.nonzero %x sets "b" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, b]>>
  %2 = graph.dims <[a, b]> : tensor<2xi64>
  return %2 : tensor<2xi64>
}

// CHECK-LABEL: @unique
func.func @unique(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> (tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[u]>>) {
  // CHECK: graph.unique %arg0 sorted sets "u" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[u]>>
  %0 = graph.unique %x sorted sets "u" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[u]>>
  // CHECK: graph.unique_inverse %arg0 sorted : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[n]>>
  %1 = graph.unique_inverse %x sorted : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?xi64, #sym.shape<[n]>>
  // CHECK: graph.histogram %{{.*}} to <[u]> : (tensor<?xi64, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[u]>>
  %2 = graph.histogram %1 to <[u]> : (tensor<?xi64, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[u]>>
  return %0, %2 : tensor<?xi64, #sym.shape<[u]>>, tensor<?xi64, #sym.shape<[u]>>
}

// CHECK-LABEL: @topk
func.func @topk(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x3xi64, #sym.shape<[n, 3]>> {
  // CHECK: graph.topk %arg0 <[3]> along 1 smallest : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x3xi64, #sym.shape<[n, 3]>>
  %0 = graph.topk %x <[3]> along 1 smallest : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<?x3xi64, #sym.shape<[n, 3]>>
  return %0 : tensor<?x3xi64, #sym.shape<[n, 3]>>
}

// CHECK-LABEL: @nms
func.func @nms(%b: tensor<1x?x4xf32, #sym.shape<[1, n, 4]>>, %s: tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>, %m: tensor<i64>, %t: tensor<f32>) -> tensor<?x3xi64, #sym.shape<[s, 3]>> {
  // CHECK: graph.nms %arg0, %arg1, %arg2, %arg3, %arg3 center sets "s"
  %0 = graph.nms %b, %s, %m, %t, %t center sets "s" : (tensor<1x?x4xf32, #sym.shape<[1, n, 4]>>, tensor<1x2x?xf32, #sym.shape<[1, 2, n]>>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[s, 3]>>
  return %0 : tensor<?x3xi64, #sym.shape<[s, 3]>>
}

// CHECK-LABEL: @scatter
func.func @scatter(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) -> tensor<?x4xf32, #sym.shape<[n, 4]>> {
  // CHECK: graph.scatter %arg2 into %arg0 at %arg1 <max> : (tensor<3x4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<3x1xi64>) -> tensor<?x4xf32, #sym.shape<[n, 4]>>
  %0 = graph.scatter %u into %x at %i <max> : (tensor<3x4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>, tensor<3x1xi64>) -> tensor<?x4xf32, #sym.shape<[n, 4]>>
  return %0 : tensor<?x4xf32, #sym.shape<[n, 4]>>
}

// A packed tensor is never copied as if its elements were bytes.
// CHECK-LABEL: @packed
func.func @packed(%x: tensor<3x5xi4>) -> (tensor<3x5xi4>, tensor<3x5xi4>, tensor<2xui2>) {
  // CHECK: %[[Y:.*]] = graph.unpack %arg0 : (tensor<3x5xi4>) -> tensor<3x5xi4>
  %0 = graph.unpack %x : (tensor<3x5xi4>) -> tensor<3x5xi4>
  // CHECK: graph.pack %[[Y]] : (tensor<3x5xi4>) -> tensor<3x5xi4>
  // CHECK: graph.pack %[[Y]]
  %1 = graph.pack %0 : (tensor<3x5xi4>) -> tensor<3x5xi4>
  %2 = graph.pack %0 : (tensor<3x5xi4>) -> tensor<3x5xi4>
  // CHECK: graph.pack %{{.*}} : (tensor<2xui2>) -> tensor<2xui2>
  %3 = graph.constant dense<[1, 3]> : tensor<2xui2>
  %4 = graph.pack %3 : (tensor<2xui2>) -> tensor<2xui2>
  return %1, %2, %4 : tensor<3x5xi4>, tensor<3x5xi4>, tensor<2xui2>
}
