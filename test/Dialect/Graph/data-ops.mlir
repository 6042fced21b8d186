// Ops whose result has a size that only the data tells survive a round trip,
// and nothing removes or merges them: their symbols may be used without them.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s
// RUN: ambit-opt %s --canonicalize --cse --graph-fold-constants | FileCheck %s

sym.symbol "n" min 0 max 64
// CHECK: sym.symbol "a" min 0 max 64 unbacked
sym.symbol "a" min 0 max 64 unbacked
sym.symbol "b" min 0 max 64 unbacked

// CHECK-LABEL: @nonzero
func.func @nonzero(%x: tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2xi64> {
  // CHECK: graph.nonzero %arg0 sets "a" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, a]>>
  %0 = graph.nonzero %x sets "a" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, a]>>
  // CHECK: graph.nonzero %arg0 sets "b"
  %1 = graph.nonzero %x sets "b" : (tensor<?x4xf32, #sym.shape<[n, 4]>>) -> tensor<2x?xi64, #sym.shape<[2, b]>>
  %2 = graph.dims <[a, b]> : tensor<2xi64>
  return %2 : tensor<2xi64>
}
