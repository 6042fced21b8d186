// Where m is 0 no index is checked, so a gather is not padded along m.
// RUN: ambit-fuzz %s --padded --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  sym.symbol "m" min 0 max 64 declared
  func.func @main(%x: tensor<2x?xi64, #sym.shape<[2, m]>>, %at: tensor<?xi64, #sym.shape<[n]>>) -> tensor<?x?xi64, #sym.shape<[n, m]>> {
    %0 = graph.gather %x at %at along 0 : (tensor<2x?xi64, #sym.shape<[2, m]>>, tensor<?xi64, #sym.shape<[n]>>) -> tensor<?x?xi64, #sym.shape<[n, m]>>
    return %0 : tensor<?x?xi64, #sym.shape<[n, m]>>
  }
}
