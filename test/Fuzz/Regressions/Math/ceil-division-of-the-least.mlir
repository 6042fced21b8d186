// -128 / 64 is -2, though -128 has no negative.
// RUN: ambit-fuzz %s --shapes 40 --statics 2 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  func.func @main(%x: tensor<?xi8, #sym.shape<[n]>>, %y: tensor<?xi64, #sym.shape<[n]>>) -> (tensor<?xi8, #sym.shape<[n]>>, tensor<?xi64, #sym.shape<[n]>>) {
    %0 = graph.map %x : (tensor<?xi8, #sym.shape<[n]>>) -> tensor<?xi8, #sym.shape<[n]>> {
    ^bb0(%a: i8):
      %c-128 = arith.constant -128 : i8
      %c127 = arith.constant 127 : i8
      %c64 = arith.constant 64 : i8
      %c-3 = arith.constant -3 : i8
      %c0 = arith.constant 0 : i8
      %3 = arith.cmpi sgt, %a, %c0 : i8
      %4 = arith.select %3, %c127, %c-128 : i8
      %5 = arith.ceildivsi %4, %c64 : i8
      %6 = arith.ceildivsi %4, %c-3 : i8
      %7 = arith.floordivsi %4, %c-3 : i8
      %8 = arith.addi %5, %6 : i8
      %9 = arith.xori %8, %7 : i8
      graph.yield %9 : i8
    }
    %1 = graph.map %y : (tensor<?xi64, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[n]>> {
    ^bb0(%a: i64):
      %c7 = arith.constant 7 : i64
      %c-2 = arith.constant -2 : i64
      %2 = arith.ceildivsi %a, %c7 : i64
      %3 = arith.ceildivsi %a, %c-2 : i64
      %4 = arith.subi %2, %3 : i64
      graph.yield %4 : i64
    }
    return %0, %1 : tensor<?xi8, #sym.shape<[n]>>, tensor<?xi64, #sym.shape<[n]>>
  }
}
