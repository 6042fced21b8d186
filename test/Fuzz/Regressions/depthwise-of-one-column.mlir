// A depthwise convolution keeps its padding, so its last dim of one column
// stays.
// RUN: ambit-fuzz %s --shapes 10 --no-shrink --keep %t
module {
  sym.symbol "n" min 1 max 64 declared
  func.func @main(%x: tensor<2x1x?x1xf32, #sym.shape<[2, 1, n, 1]>>, %w: tensor<1x1x3x1xf32>) -> tensor<2x1x?x1xf32, #sym.shape<[2, 1, n, 1]>> {
    %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, low = array<i64: 1, 0>, high = array<i64: 1, 0>, groups = 1 : i64} : (tensor<2x1x?x1xf32, #sym.shape<[2, 1, n, 1]>>, tensor<1x1x3x1xf32>) -> tensor<2x1x?x1xf32, #sym.shape<[2, 1, n, 1]>>
    return %0 : tensor<2x1x?x1xf32, #sym.shape<[2, 1, n, 1]>>
  }
}
