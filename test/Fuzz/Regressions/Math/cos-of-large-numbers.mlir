// Cosines of numbers up to 30,000 are right.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  sym.symbol "m" min 0 max 64 declared
  func.func @main(%x: tensor<?x?xf32, #sym.shape<[n, m]>>, %y: tensor<?x?xf32, #sym.shape<[n, m]>>) -> tensor<?x?xf32, #sym.shape<[n, m]>> {
    %0 = graph.map %x, %y : (tensor<?x?xf32, #sym.shape<[n, m]>>, tensor<?x?xf32, #sym.shape<[n, m]>>) -> tensor<?x?xf32, #sym.shape<[n, m]>> {
    ^bb0(%a: f32, %b: f32):
      %1 = math.cos %a : f32
      graph.yield %1 : f32
    }
    return %0 : tensor<?x?xf32, #sym.shape<[n, m]>>
  }
}
