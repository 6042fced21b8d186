// Every diagnostic about values that grow in loops.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @square(%x: tensor<0xf32>) {
  // expected-error @+1 {{carried value 0 has a dim 'i*i', which is not linear in the iteration}}
  %0 = graph.loop "i" below <[3]> carries(%x) : (tensor<0xf32>) -> tensor<9xf32> {
  ^bb0(%a: tensor<?xf32, #sym.shape<["i*i"]>>):
    graph.next carries(%a : tensor<?xf32, #sym.shape<["i*i"]>>)
  }
  return
}

// -----

func.func @shrinks(%x: tensor<4xf32>) {
  // expected-error @+1 {{carried value 0 must not shrink: '-1 >= 0' never holds}}
  %0 = graph.loop "i" below <[3]> carries(%x) : (tensor<4xf32>) -> tensor<1xf32> {
  ^bb0(%a: tensor<?xf32, #sym.shape<["4 - i"]>>):
    graph.next carries(%a : tensor<?xf32, #sym.shape<["4 - i"]>>)
  }
  return
}

// -----

func.func @early(%x: tensor<1xf32>, %go: tensor<i1>) {
  // expected-error @+1 {{carried value 0 grows in a loop that data may end}}
  %0 = graph.loop "i" below <[3]> carries(%x) if %go : (tensor<1xf32>, tensor<i1>) -> tensor<4xf32> {
  ^bb0(%a: tensor<?xf32, #sym.shape<["i + 1"]>>):
    %1 = graph.concat %a, %a along 0 : (tensor<?xf32, #sym.shape<["i + 1"]>>, tensor<?xf32, #sym.shape<["i + 1"]>>) -> tensor<?xf32, #sym.shape<["2*i + 2"]>>
    graph.next carries(%1 : tensor<?xf32, #sym.shape<["2*i + 2"]>>)
  }
  return
}

// -----

func.func @huge(%x: tensor<1xf32>) {
  // expected-error @+1 {{carried value 0 grows to a size that overflows 64 bits}}
  %0 = graph.loop "i" below <[9223372036854775807]> carries(%x) : (tensor<1xf32>) -> tensor<1xf32> {
  ^bb0(%a: tensor<?xf32, #sym.shape<["i + 1"]>>):
    graph.next carries(%a : tensor<?xf32, #sym.shape<["i + 1"]>>)
  }
  return
}
