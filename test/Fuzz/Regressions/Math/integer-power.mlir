// Integer powers wrap around; to a negative power, 1 and -1 stay odd or even,
// other numbers give 0, and 0 is refused like a division by zero.
// RUN: ambit-fuzz %s --shapes 40 --statics 4 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  func.func @main(%x: tensor<?xi64, #sym.shape<[n]>>, %y: tensor<?xi64, #sym.shape<[n]>>, %a: tensor<?x3xi8, #sym.shape<[n, 3]>>, %z: tensor<i32>) -> (tensor<?xi64, #sym.shape<[n]>>, tensor<?x3xi8, #sym.shape<[n, 3]>>, tensor<i32>, tensor<5xi32>) {
    %0 = graph.map %x, %y : (tensor<?xi64, #sym.shape<[n]>>, tensor<?xi64, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[n]>> {
    ^bb0(%p: i64, %q: i64):
      %c1 = arith.constant 1 : i64
      %5 = arith.ori %p, %c1 : i64
      %6 = math.ipowi %5, %q : i64
      graph.yield %6 : i64
    }
    %1 = graph.map %a : (tensor<?x3xi8, #sym.shape<[n, 3]>>) -> tensor<?x3xi8, #sym.shape<[n, 3]>> {
    ^bb0(%p: i8):
      %c7 = arith.constant 7 : i8
      %c-3 = arith.constant -3 : i8
      %5 = math.ipowi %p, %c7 : i8
      %6 = math.ipowi %c-3, %p : i8
      %7 = arith.xori %5, %6 : i8
      graph.yield %7 : i8
    }
    %2 = graph.map %z : (tensor<i32>) -> tensor<i32> {
    ^bb0(%p: i32):
      %c-1 = arith.constant -1 : i32
      %5 = math.ipowi %p, %c-1 : i32
      graph.yield %5 : i32
    }
    %3 = graph.constant dense<[-2147483648, -2, -1, 3, 0]> : tensor<5xi32>
    %4 = graph.map %3 : (tensor<5xi32>) -> tensor<5xi32> {
    ^bb0(%p: i32):
      %c-1 = arith.constant -1 : i32
      %5 = math.ipowi %c-1, %p : i32
      graph.yield %5 : i32
    }
    return %0, %1, %2, %4 : tensor<?xi64, #sym.shape<[n]>>, tensor<?x3xi8, #sym.shape<[n, 3]>>, tensor<i32>, tensor<5xi32>
  }
}
