// A bool as an index is 0 or 1, not -1.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  sym.symbol "m" min 0 max 64 declared
  func.func @main(%x: tensor<5x?xi64, #sym.shape<[5, m]>>, %at: tensor<?xi1, #sym.shape<[n]>>) -> tensor<5x?xi64, #sym.shape<[5, n]>> {
    %0 = graph.gather %x at %at along 1 : (tensor<5x?xi64, #sym.shape<[5, m]>>, tensor<?xi1, #sym.shape<[n]>>) -> tensor<5x?xi64, #sym.shape<[5, n]>>
    return %0 : tensor<5x?xi64, #sym.shape<[5, n]>>
  }
}
