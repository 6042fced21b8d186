// An index is out of range where n < 10, but both choices are the same: the
// gather is removed, and its check with it.
// RUN: ambit-fuzz %s --shapes 40 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  func.func @main(%x: tensor<?xi1, #sym.shape<[n]>>, %y: tensor<1xi64>) -> tensor<1xi64> {
    %0 = graph.constant dense<9> : tensor<1xi64>
    %1 = graph.gather %x at %0 along 0 : (tensor<?xi1, #sym.shape<[n]>>, tensor<1xi64>) -> tensor<1xi1>
    %2 = graph.map %1, %y : (tensor<1xi1>, tensor<1xi64>) -> tensor<1xi64> {
    ^bb0(%c: i1, %a: i64):
      %3 = arith.select %c, %a, %a : i64
      graph.yield %3 : i64
    }
    return %2 : tensor<1xi64>
  }
}
