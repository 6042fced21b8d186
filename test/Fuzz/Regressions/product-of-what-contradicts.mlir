// With m = 2 the sizes agree where n is 0 or 2, and n >= 5: no shape is left.
// RUN: ambit-fuzz %s --shapes 20 --no-shrink --keep %t
// RUN: ambit compile %s -o %t.so --exact m=2
module {
  sym.symbol "n" min 5 max 64 declared
  sym.symbol "m" min 0 max 64 declared
  func.func @main(%x: tensor<?x?x?x?xf32, #sym.shape<[n, "2*m", m, m]>>) -> tensor<?x?x?x?x1xf32, #sym.shape<[n, "2*m", m, n, 1]>> {
    %0 = graph.reshape %x to <[n, "2*m", m, n, 1]> : (tensor<?x?x?x?xf32, #sym.shape<[n, "2*m", m, m]>>) -> tensor<?x?x?x?x1xf32, #sym.shape<[n, "2*m", m, n, 1]>>
    return %0 : tensor<?x?x?x?x1xf32, #sym.shape<[n, "2*m", m, n, 1]>>
  }
}
