// The weights of a linear resize of f64 are as exact as their positions.
// RUN: ambit-fuzz %s --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 512 divisor 8 declared
  sym.symbol "m" min 2 max 64 declared
  sym.symbol "s" min 0 max 64 declared
  func.func @main(%arg0: tensor<?x2x3x?xf64, #sym.shape<[n, 2, 3, m]>> {ambit.name = "x0"}, %arg1: tensor<?x6x?xf32, #sym.shape<[s, 6, "n - 2"]>> {ambit.name = "x1"}, %arg2: tensor<?x36x4x?xf64, #sym.shape<[n, 36, 4, "floordiv(m + 1, 2)"]>> {ambit.name = "x2"}) -> (tensor<?x36x4x?xf64, #sym.shape<[n, 36, 4, "floordiv(m + 1, 2) + 2"]>>, tensor<?x3x1xf32, #sym.shape<[s, 3, 1]>>) {
    %0 = graph.slice %arg1 <[0, 3, s]> <[s, 3, 1]> [1, 1, 1] : (tensor<?x6x?xf32, #sym.shape<[s, 6, "n - 2"]>>) -> tensor<?x3x1xf32, #sym.shape<[s, 3, 1]>>
    %1 = graph.resize %arg2 to <[n, 36, 4, "floordiv(m + 1, 2) + 2"]> {coordinates = #graph.coordinates<align_corners>, mode = #graph.resize_mode<linear>, rounding = #graph.rounding<floor>} : (tensor<?x36x4x?xf64, #sym.shape<[n, 36, 4, "floordiv(m + 1, 2)"]>>) -> tensor<?x36x4x?xf64, #sym.shape<[n, 36, 4, "floordiv(m + 1, 2) + 2"]>>
    return %1, %0 : tensor<?x36x4x?xf64, #sym.shape<[n, 36, 4, "floordiv(m + 1, 2) + 2"]>>, tensor<?x3x1xf32, #sym.shape<[s, 3, 1]>>
  }
}
