// Beyond the border only the border's element counts, so an infinite one stays
// infinite and a neighbour of weight 0 makes NaN in the same places everywhere.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 1 max 64 declared
  sym.symbol "m" min 1 max 64 declared
  func.func @main(%x: tensor<?x?xf32, #sym.shape<[n, m]>>) -> tensor<?x?xf32, #sym.shape<[n, "2*m"]>> {
    %0 = graph.resize %x to <[n, "2*m"]> {coordinates = #graph.coordinates<half_pixel>, mode = #graph.resize_mode<linear>} : (tensor<?x?xf32, #sym.shape<[n, m]>>) -> tensor<?x?xf32, #sym.shape<[n, "2*m"]>>
    return %0 : tensor<?x?xf32, #sym.shape<[n, "2*m"]>>
  }
}
