// Diagnostics about sources and about result types that break a shape rule.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @encoding(%x: tensor<?xf32>) {
  // expected-error @+1 {{has a dynamic dim without expression; expected a #sym.shape encoding}}
  %0 = graph.transpose %x [0] : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @elementType(%x: tensor<2xf32>) {
  // expected-error @+1 {{has result type 'tensor<2xf64>', expected 'tensor<2xf32>'}}
  %0 = graph.transpose %x [0] : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @rank(%x: tensor<2xf32>) {
  // expected-error @+1 {{has result type 'tensor<2x1xf32>', expected 'tensor<2xf32>'}}
  %0 = graph.transpose %x [0] : (tensor<2xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @size(%x: tensor<?xf32, #sym.shape<[n]>>) {
  // expected-error @+1 {{has 'n + 1' for dim 0 of the result, expected 'n'}}
  %0 = graph.transpose %x [0] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<["n + 1"]>>
  return
}

// -----

func.func @dynamicDims() {
  // expected-error @+1 {{needs a result of static shape}}
  %0 = graph.dims <[n]> : tensor<?xi64, #sym.shape<[n]>>
  return
}

// -----

func.func @dimsCount() {
  // expected-error @+1 {{has 2 values for 3 elements}}
  %0 = graph.dims <[n, 1]> : tensor<3xi64>
  return
}

// -----

func.func @dimsType() {
  // expected-error @+1 {{needs an integer or float element type}}
  %0 = graph.dims <[n]> : tensor<1xcomplex<f32>>
  return
}

// -----

func.func @iotaDim() {
  // expected-error @+1 {{dim 1 is outside of rank 1}}
  %0 = graph.iota <[4]> along 1 {elementType = i32} : tensor<4xi32>
  return
}

// -----

func.func @iotaType() {
  // expected-error @+1 {{needs an integer or float element type}}
  %0 = graph.iota <[4]> along 0 {elementType = complex<f32>} : tensor<4xcomplex<f32>>
  return
}

// -----

func.func @negative() {
  // expected-error @+1 {{result dim 0 is -1, expected a size that is not negative}}
  %0 = graph.iota <[-1]> along 0 {elementType = i32} : tensor<1xi32>
  return
}

// -----

func.func @alwaysNegative() {
  // expected-error @+1 {{size of result dim 0: '-n - 1 >= 0' never holds}}
  %0 = graph.iota <["-n - 1"]> along 0 {elementType = i32} : tensor<1xi32>
  return
}

// -----

func.func @overflow(%x: tensor<?xi8, #sym.shape<["9223372036854775807*n"]>>) {
  // expected-error @+1 {{size of result dim 0 overflows 64 bits}}
  %0 = graph.concat %x, %x along 0 : (tensor<?xi8, #sym.shape<["9223372036854775807*n"]>>, tensor<?xi8, #sym.shape<["9223372036854775807*n"]>>) -> tensor<?xi8, #sym.shape<[n]>>
  return
}

// -----

func.func @hugeOperand(%x: tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904xf32> {
  // expected-error @+1 {{a size does not fit: [4611686018427387904, 4] of 'f32' has more than 9223372036854775807 bytes}}
  %0 = graph.reduce %x <sum> [1] : (tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904xf32>
  return %0 : tensor<4611686018427387904xf32>
}

// -----

func.func @notRanked(%x: tensor<*xf32>) {
  // expected-error @+1 {{must be ranked tensor}}
  %0 = graph.transpose %x [] : (tensor<*xf32>) -> tensor<f32>
  return
}
