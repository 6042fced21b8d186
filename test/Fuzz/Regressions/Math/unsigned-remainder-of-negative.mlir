// Known numbers follow the scalar op: a negative one is large to remui and ult,
// and i8 wraps around.
// RUN: ambit-fuzz %s --shapes 40 --statics 4 --no-shrink --keep %t
module {
  sym.symbol "n" min 1 max 64 declared
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi1>, tensor<2xi8>) {
    %0 = graph.constant dense<[-2, -1, 5]> : tensor<3xi32>
    %1 = graph.dims <[n, n, n]> : tensor<3xi32>
    %2 = graph.map %0, %1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> {
    ^bb0(%a: i32, %b: i32):
      %7 = arith.remui %a, %b : i32
      graph.yield %7 : i32
    }
    %3 = graph.map %0, %1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32> {
    ^bb0(%a: i32, %b: i32):
      %7 = arith.divui %a, %b : i32
      graph.yield %7 : i32
    }
    %4 = graph.map %0, %1 : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1> {
    ^bb0(%a: i32, %b: i32):
      %7 = arith.cmpi ult, %a, %b : i32
      graph.yield %7 : i1
    }
    %5 = graph.constant dense<[100, -100]> : tensor<2xi8>
    %6 = graph.map %5 : (tensor<2xi8>) -> tensor<2xi8> {
    ^bb0(%a: i8):
      %c3 = arith.constant 3 : i8
      %7 = arith.addi %a, %a : i8
      %8 = arith.divsi %7, %c3 : i8
      graph.yield %8 : i8
    }
    return %2, %3, %4, %6 : tensor<3xi32>, tensor<3xi32>, tensor<3xi1>, tensor<2xi8>
  }
}
