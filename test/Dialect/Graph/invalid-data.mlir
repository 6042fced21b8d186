// Every diagnostic of the ops that look for something in the data.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @withoutName(%x: tensor<4xf32>) {
  // expected-error @+1 {{sets a symbol without a name}}
  %0 = graph.nonzero %x sets "" : (tensor<4xf32>) -> tensor<1x4xi64>
  return
}

// -----

func.func @elements(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{has elements of type 'complex<f32>', expected integers or floats}}
  %0 = graph.nonzero %x sets "k" : (tensor<4xcomplex<f32>>) -> tensor<1x?xi64, #sym.shape<[1, k]>>
  return
}

// -----

func.func @rank(%x: tensor<4xf32>) {
  // expected-error @+1 {{has '2' for dim 0 of the result, expected '1'}}
  %0 = graph.nonzero %x sets "k" : (tensor<4xf32>) -> tensor<2x?xi64, #sym.shape<[2, k]>>
  return
}
