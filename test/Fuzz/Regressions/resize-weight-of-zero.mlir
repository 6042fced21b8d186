// An element of weight 0 does not count, even if it is infinite; with n = 7 a dim
// keeps its size.
// RUN: ambit-fuzz %s --seed 600249 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 9223372036854775807 declared
  sym.symbol "m" min 8 max 512 divisor 8 declared
  func.func @main(%arg0: tensor<?x?x?x?xi1, #sym.shape<["2*n", "m + 1", m, m]>> {ambit.name = "x0"}, %arg1: tensor<?x?xf32, #sym.shape<[n, n]>> {ambit.name = "x1"}, %arg2: tensor<8x8x?x3xf32, #sym.shape<[8, 8, "n + 3", 3]>> {ambit.name = "x2"}) -> tensor<8x8x4x5xf32> {
    %0 = graph.window %arg2 <sum> {ceil, dilations = array<i64: 1, 1>, high = array<i64: 1, 0>, low = array<i64: 2, 0>, strides = array<i64: 3, 1>, window = array<i64: 5, 2>} : (tensor<8x8x?x3xf32, #sym.shape<[8, 8, "n + 3", 3]>>) -> tensor<8x8x?x2xf32, #sym.shape<[8, 8, "floordiv(n, 3) + 2", 2]>>
    %1 = graph.resize %0 to <[8, 8, 4, 5]> {coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<linear>} : (tensor<8x8x?x2xf32, #sym.shape<[8, 8, "floordiv(n, 3) + 2", 2]>>) -> tensor<8x8x4x5xf32>
    return %1 : tensor<8x8x4x5xf32>
  }
}
