// No m has m*m + 2*m == 9: the variant for n == 9 is left out.
// RUN: ambit-fuzz %s --seed 100240 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  sym.symbol "m" min 0 max 9223372036854775807 declared
  func.func @main(%arg0: tensor<?x17x?x?xi32, #sym.shape<[m, 17, "m + 2", m]>> {ambit.name = "x0"}, %arg1: tensor<?xi1, #sym.shape<[n]>> {ambit.name = "x1"}) -> (tensor<?x17x?xi1, #sym.shape<[m, 17, "m*m + 2*m"]>>, tensor<?x17x?xi32, #sym.shape<[m, 17, "m*m + 2*m"]>>) {
    %0 = graph.reshape %arg0 to <[m, 17, "m*m + 2*m"]> : (tensor<?x17x?x?xi32, #sym.shape<[m, 17, "m + 2", m]>>) -> tensor<?x17x?xi32, #sym.shape<[m, 17, "m*m + 2*m"]>>
    %1 = graph.broadcast %arg1 to <[m, 17, "m*m + 2*m"]> : (tensor<?xi1, #sym.shape<[n]>>) -> tensor<?x17x?xi1, #sym.shape<[m, 17, "m*m + 2*m"]>>
    return %1, %0 : tensor<?x17x?xi1, #sym.shape<[m, 17, "m*m + 2*m"]>>, tensor<?x17x?xi32, #sym.shape<[m, 17, "m*m + 2*m"]>>
  }
}
