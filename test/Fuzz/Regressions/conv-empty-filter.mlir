// A filter without elements sums nothing, also over a last dim of one element.
// RUN: ambit-fuzz %s --shapes 40 --statics 4 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 1 declared
  func.func @main(%x: tensor<2x1x3x1xf32>, %w: tensor<4x1x1x?xf32, #sym.shape<[4, 1, 1, n]>>) -> tensor<2x4x3x1xf32> {
    %0 = graph.conv %x, %w {dilations = array<i64: 1, 1>, groups = 1 : i64, high = array<i64: 0, 0>, low = array<i64: 0, 0>, strides = array<i64: 1, 2>} : (tensor<2x1x3x1xf32>, tensor<4x1x1x?xf32, #sym.shape<[4, 1, 1, n]>>) -> tensor<2x4x3x1xf32>
    return %0 : tensor<2x4x3x1xf32>
  }
}
