// Which of two zeros is the smaller depends on the order of elements, which the
// padding of inner dims would change.
// RUN: ambit-fuzz %s --padded --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  func.func @main(%arg0: tensor<?x8x?x?xf32, #sym.shape<[n, 8, n, n]>> {ambit.name = "x0"}) -> tensor<?x8xf64, #sym.shape<[n, 8]>> {
    %0 = graph.map %arg0 : (tensor<?x8x?x?xf32, #sym.shape<[n, 8, n, n]>>) -> tensor<?x8x?x?xf64, #sym.shape<[n, 8, n, n]>> {
    ^bb0(%arg1: f32):
      %cst = arith.constant 5.000000e-01 : f32
      %2 = arith.remf %arg1, %cst : f32
      %3 = arith.extf %2 : f32 to f64
      graph.yield %3 : f64
    }
    %1 = graph.reduce %0 <min> [2, 3] : (tensor<?x8x?x?xf64, #sym.shape<[n, 8, n, n]>>) -> tensor<?x8xf64, #sym.shape<[n, 8]>>
    return %1 : tensor<?x8xf64, #sym.shape<[n, 8]>>
  }
}