// Every diagnostic of the shape rules of broadcast, reshape, transpose, slice, concat.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @broadcastRank(%x: tensor<1x2xf32>) {
  // expected-error @+1 {{input of rank 2 cannot broadcast to rank 1}}
  %0 = graph.broadcast %x to <[2]> : (tensor<1x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @broadcastSize(%x: tensor<2xf32>) {
  // expected-error @+1 {{dim 0 does not broadcast: '2 == 3' never holds}}
  %0 = graph.broadcast %x to <[3]> : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @broadcastSymbol(%x: tensor<?xf32, #sym.shape<["n + 2"]>>) {
  // expected-error @+1 {{dim 0 does not broadcast: 'n + 2 == n || n + 2 == 1' never holds}}
  %0 = graph.broadcast %x to <[n]> : (tensor<?xf32, #sym.shape<["n + 2"]>>) -> tensor<?xf32, #sym.shape<[n]>>
  return
}

// -----

func.func @reshape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{number of elements changes: 6 vs 5}}
  %0 = graph.reshape %x to <[5]> : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @permutation(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{permutation is not one of 0..1}}
  %0 = graph.transpose %x [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @shortPermutation(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{permutation has 1 entries, expected 2}}
  %0 = graph.transpose %x [0] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @sliceRank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{needs one offset, size and stride for each of the 2 dims}}
  %0 = graph.slice %x <[0]> <[1, 1]> [1, 1] : (tensor<2x3xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @sliceStride(%x: tensor<2xf32>) {
  // expected-error @+1 {{stride of dim 0 is 0}}
  %0 = graph.slice %x <[0]> <[1]> [0] : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @sliceEnd(%x: tensor<2xf32>) {
  // expected-error @+1 {{slice leaves its input: '2 < 2 || 2 == 0' never holds}}
  %0 = graph.slice %x <[1]> <[2]> [1] : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @sliceStart(%x: tensor<2xf32>) {
  // expected-error @+1 {{slice leaves its input: '-1 >= 0 || 3 == 0' never holds}}
  %0 = graph.slice %x <[1]> <[3]> [-1] : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @concatInputs() {
  // expected-error @+1 {{needs at least one input}}
  %0 = graph.concat along 0 : () -> tensor<2xf32>
  return
}

// -----

func.func @concatType(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @+1 {{input 1 has type 'tensor<2xf64>', which does not go with 'tensor<2xf32>'}}
  %0 = graph.concat %x, %y along 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @concatSize(%x: tensor<2x2xf32>, %y: tensor<2x3xf32>) {
  // expected-error @+1 {{sizes of dim 1 of inputs 0 and 1 differ: 2 vs 3}}
  %0 = graph.concat %x, %y along 0 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  return
}
