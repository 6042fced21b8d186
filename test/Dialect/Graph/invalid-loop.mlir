// Every diagnostic about loops.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @trips(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 expressions for the number of trips, expected one}}
  %0 = graph.loop "i" below <[1, 2]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next carries(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{number of trips: '-1 >= 0' never holds}}
  %0 = graph.loop "i" below <[-1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next carries(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @end(%x: tensor<4xf32>) {
  // expected-error @+1 {{body ends without graph.next}}
  %0 = graph.loop "i" below <[1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @arguments(%x: tensor<4xf32>) {
  // expected-error @+1 {{body takes 1 values, expected 1 carried and 1 captured ones}}
  %0 = graph.loop "i" below <[1]> carries(%x) uses(%x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next carries(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @carried(%x: tensor<4xf32>) {
  // expected-error @+1 {{body ends with 0 carried values, expected 1}}
  %0 = graph.loop "i" below <[1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next stacks(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @results(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 1 results, expected 1 carried and 1 stacked ones}}
  %0 = graph.loop "i" below <[1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next carries(%a : tensor<4xf32>) stacks(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @entry(%x: tensor<4xf32>) {
  // expected-error @+1 {{condition at entry has type 'tensor<4xf32>', expected tensor<i1>}}
  %0 = graph.loop "i" below <[1]> carries(%x) if %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    graph.next carries(%a : tensor<4xf32>)
  }
  return
}

// -----

func.func @argument(%x: tensor<4xf32>) {
  // expected-error @+1 {{body argument 0 has rank 1 and element type 'f64', expected 1 and 'f32'}}
  %0 = graph.loop "i" below <[1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf64> {
  ^bb0(%a: tensor<4xf64>):
    graph.next carries(%a : tensor<4xf64>)
  }
  return
}

// -----

func.func @shape(%x: tensor<4xf32>) {
  // expected-error @+1 {{what a loop or branch carries must keep its shape or grow by the same size on every trip: dim 0 of carried value 0, expected and found: 4 vs 8}}
  %0 = graph.loop "i" below <[1]> carries(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.concat %a, %a along 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    graph.next carries(%1 : tensor<8xf32>)
  }
  return
}

// -----

func.func @iteration(%x: tensor<4xf32>) {
  // expected-error @+1 {{size 'i' of stacked element 0 depends on the iteration 'i'}}
  %0 = graph.loop "i" below <[1]> uses(%x) : (tensor<4xf32>) -> (tensor<1x?xf32, #sym.shape<[1, i]>>) {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.slice %a <[0]> <[i]> [1] : (tensor<4xf32>) -> tensor<?xf32, #sym.shape<[i]>>
    graph.next stacks(%1 : tensor<?xf32, #sym.shape<[i]>>)
  }
  return
}

// -----

sym.symbol "k" min 0 max 4 unbacked
func.func @data(%x: tensor<4xf32>) {
  graph.loop "i" below <[1]> uses(%x) : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{size of the result depends on data, which is not supported inside of a loop}}
    %1 = graph.nonzero %a sets "k" : (tensor<4xf32>) -> tensor<1x?xi64, #sym.shape<[1, k]>>
    graph.next
  }
  return
}
