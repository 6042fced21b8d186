// Nothing is padded where the dim is empty: low is n, as the dim itself.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 512 declared
  func.func @main(%arg0: tensor<1x?x?x8xui8, #sym.shape<[1, "2*n", n, 8]>> {ambit.name = "x0"}, %arg1: tensor<ui8> {ambit.name = "x1"}) -> tensor<2x?x?x8xui8, #sym.shape<[2, "2*n", "2*n", 8]>> {
    %0 = graph.pad %arg0 with %arg1 <[1, 0, n, 0]> <[0, 0, 0, 0]> {mode = #graph.pad_mode<edge>} : (tensor<1x?x?x8xui8, #sym.shape<[1, "2*n", n, 8]>>, tensor<ui8>) -> tensor<2x?x?x8xui8, #sym.shape<[2, "2*n", "2*n", 8]>>
    return %0 : tensor<2x?x?x8xui8, #sym.shape<[2, "2*n", "2*n", 8]>>
  }
}
