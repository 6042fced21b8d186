// A function computed in f32 is no better than that after widening to f64.
// RUN: ambit-fuzz %s --no-shrink --keep %t
module {
  sym.symbol "n" min 2 max 9223372036854775807 declared
  sym.symbol "m" min 0 max 64 divisor 8 declared
  sym.symbol "s" min 0 max 64 declared
  func.func @main(%arg0: tensor<?x?x?x?xf32, #sym.shape<[m, m, s, n]>> {ambit.name = "x0"}) -> tensor<?x?xf64, #sym.shape<[m, m]>> {
    %0 = graph.map %arg0 : (tensor<?x?x?x?xf32, #sym.shape<[m, m, s, n]>>) -> tensor<?x?x?x?xf64, #sym.shape<[m, m, s, n]>> {
    ^bb0(%arg1: f32):
      %cst = arith.constant 1.500000e+00 : f32
      %2 = math.atan2 %arg1, %cst : f32
      %3 = arith.extf %2 : f32 to f64
      graph.yield %3 : f64
    }
    %1 = graph.reduce %0 <sum> [2, 3] : (tensor<?x?x?x?xf64, #sym.shape<[m, m, s, n]>>) -> tensor<?x?xf64, #sym.shape<[m, m]>>
    return %1 : tensor<?x?xf64, #sym.shape<[m, m]>>
  }
}
