// What lower-variants refuses.
// RUN: ambit-opt %s --lower-kernels --lower-variants --split-input-file --verify-diagnostics

sym.symbol "n" min 0 max 9
sym.symbol "k" min 0 max 9223372036854775807 unbacked
func.func @unbounded(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xi64, #sym.shape<[k]>> attributes {ambit.variant} {
  // expected-error @+1 {{needs memory for '8*k' bytes, of which no upper bound is known before the model runs}}
  %0 = graph.nonzero %x sets "k" : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<1x?xi64, #sym.shape<[1, k]>>
  %1 = graph.launch @copy(%0) <[k]> : (tensor<1x?xi64, #sym.shape<[1, k]>>) -> tensor<?xi64, #sym.shape<[k]>>
  return %1 : tensor<?xi64, #sym.shape<[k]>>
}
func.func private @copy(%x: tensor<1x?xi64, #sym.shape<[1, k]>>) -> tensor<?xi64, #sym.shape<[k]>> attributes {ambit.kernel, ambit.sizes = #sym.shape<[k]>} {
  %0 = graph.reduce %x <sum> [0] : (tensor<1x?xi64, #sym.shape<[1, k]>>) -> tensor<?xi64, #sym.shape<[k]>>
  return %0 : tensor<?xi64, #sym.shape<[k]>>
}

// -----

sym.symbol "a" min 0 max 9 unbacked
sym.symbol "b" min 0 max 9 unbacked
func.func @order(%x: tensor<9xf32>) -> tensor<1x?xi64, #sym.shape<[1, b]>> attributes {ambit.variant} {
  // expected-error @+1 {{sets 'b', expected 'a' in the order of the module's unbacked symbols}}
  %0 = graph.nonzero %x sets "b" : (tensor<9xf32>) -> tensor<1x?xi64, #sym.shape<[1, b]>>
  return %0 : tensor<1x?xi64, #sym.shape<[1, b]>>
}

// -----

sym.symbol "a" min 0 max 9 unbacked
func.func @twice(%x: tensor<9xf32>) -> tensor<1x?xi64, #sym.shape<[1, a]>> attributes {ambit.variant} {
  %0 = graph.nonzero %x sets "a" : (tensor<9xf32>) -> tensor<1x?xi64, #sym.shape<[1, a]>>
  // expected-error @+1 {{sets 'a', expected no more symbols in the order of the module's unbacked symbols}}
  %1 = graph.nonzero %x sets "a" : (tensor<9xf32>) -> tensor<1x?xi64, #sym.shape<[1, a]>>
  return %0 : tensor<1x?xi64, #sym.shape<[1, a]>>
}

// -----

sym.symbol "a" min 0 max 9 unbacked
// expected-error @+1 {{no op sets the symbol 'a'}}
func.func @never(%x: tensor<9xf32>) attributes {ambit.variant} {
  return
}

// -----

sym.symbol "a" min 0 max 9 unbacked
func.func @early(%x: tensor<9xf32>) -> tensor<?xf32, #sym.shape<[a]>> attributes {ambit.variant} {
  // expected-error @+1 {{size 'a' needs 'a', which no op has set before}}
  %0 = graph.launch @fill() <[a]> : () -> tensor<?xf32, #sym.shape<[a]>>
  return %0 : tensor<?xf32, #sym.shape<[a]>>
}
func.func private @fill() -> tensor<?xf32, #sym.shape<[a]>> attributes {ambit.kernel, ambit.sizes = #sym.shape<[a]>} {
  %0 = graph.iota <[a]> along 0 {elementType = f32} : tensor<?xf32, #sym.shape<[a]>>
  return %0 : tensor<?xf32, #sym.shape<[a]>>
}

// -----

func.func @declared(%x: tensor<9xf32>) -> tensor<9xf32> attributes {ambit.variant} {
  // expected-error @+1 {{kernel 'k' is not lowered, expected bodies of it and of its units, as lower-kernels makes them}}
  %0 = graph.launch @k(%x) <[]> : (tensor<9xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}
func.func private @k(memref<?xf32>, memref<?xf32>, index, index, memref<?xi64>, index) attributes {ambit.lowered_sizes = 0 : i64}

// -----

func.func @weights(%x: tensor<3xf32>) -> tensor<3xf32> attributes {ambit.variant} {
  // expected-error @+1 {{constant has no place, expected it among the module's 'ambit.weights'}}
  %w = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  return %w : tensor<3xf32>
}
