// With ceil, a last window that starts in the high padding does not exist, even
// when it fits exactly.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 1 max 64 declared
  func.func @main(%x: tensor<1x1x?xf32, #sym.shape<[1, 1, n]>>) -> tensor<1x1x?xf32, #sym.shape<[1, 1, "floordiv(n + 1, 2)"]>> {
    %0 = graph.window %x <max> {ceil, dilations = array<i64: 1>, high = array<i64: 2>, low = array<i64: 0>, strides = array<i64: 2>, window = array<i64: 2>} : (tensor<1x1x?xf32, #sym.shape<[1, 1, n]>>) -> tensor<1x1x?xf32, #sym.shape<[1, 1, "floordiv(n + 1, 2)"]>>
    return %0 : tensor<1x1x?xf32, #sym.shape<[1, 1, "floordiv(n + 1, 2)"]>>
  }
}
