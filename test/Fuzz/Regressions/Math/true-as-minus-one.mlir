// True is minus one to what reads it as signed; a float that may be minus zero
// is no known integer.
// RUN: ambit-fuzz %s --shapes 40 --statics 4 --no-shrink --keep %t
module {
  sym.symbol "n" min 0 max 64 declared
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> (tensor<i64>, tensor<f32>, tensor<2xf32>, tensor<2xi8>) {
    %0 = graph.constant dense<-1.0> : tensor<f32>
    %1 = graph.map %0 : (tensor<f32>) -> tensor<i64> {
    ^bb0(%a: f32):
      %7 = arith.cmpf uge, %a, %a : f32
      %8 = arith.extsi %7 : i1 to i64
      graph.yield %8 : i64
    }
    %2 = graph.map %0 : (tensor<f32>) -> tensor<f32> {
    ^bb0(%a: f32):
      %7 = arith.cmpf ole, %a, %a : f32
      %8 = arith.sitofp %7 : i1 to f32
      graph.yield %8 : f32
    }
    %3 = graph.constant dense<[0.0, 5.0]> : tensor<2xf32>
    %6 = graph.constant dense<-1.0> : tensor<2xf32>
    %4 = graph.map %3, %6 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
    ^bb0(%a: f32, %b: f32):
      %c1 = arith.constant 1.0 : f32
      %7 = arith.mulf %a, %b : f32
      %8 = arith.negf %a : f32
      %9 = math.copysign %c1, %7 : f32
      %10 = math.copysign %c1, %8 : f32
      %11 = arith.addf %9, %10 : f32
      graph.yield %11 : f32
    }
    %5 = graph.map %3, %6 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi8> {
    ^bb0(%a: f32, %b: f32):
      %7 = arith.fptoui %b : f32 to i8
      %8 = arith.fptosi %a : f32 to i8
      %9 = arith.addi %7, %8 : i8
      graph.yield %9 : i8
    }
    return %1, %2, %4, %5 : tensor<i64>, tensor<f32>, tensor<2xf32>, tensor<2xi8>
  }
}
