// Every diagnostic about launches of kernels.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @missing(%x: tensor<2xf32>) {
  // expected-error @+1 {{kernel 'nowhere' does not exist}}
  %0 = graph.launch @nowhere(%x) <[]> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @plain(tensor<2xf32>) -> tensor<2xf32>

func.func @noKernel(%x: tensor<2xf32>) {
  // expected-error @+1 {{'plain' has no attribute ambit.kernel}}
  %0 = graph.launch @plain(%x) <[]> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @kernel(%x: tensor<2xf32>) -> tensor<2xf32> attributes {ambit.kernel} {
  // expected-error @+1 {{stands inside of a kernel}}
  %0 = graph.launch @kernel(%x) <[]> : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @kernel(tensor<2xf32>) -> tensor<2xf32> attributes {ambit.kernel}

func.func @types(%x: tensor<2xf32>) {
  // expected-error @+1 {{does not go with kernel 'kernel' of type}}
  %0 = graph.launch @kernel(%x) <[]> : (tensor<2xf32>) -> tensor<2xi32>
  return
}

// -----

func.func private @kernel(tensor<2xf32>) -> tensor<2xf32> attributes {ambit.kernel, ambit.sizes = #sym.shape<[n, m]>}

func.func @sizes(%x: tensor<2xf32>) {
  // expected-error @+1 {{gives 1 sizes, expected 2}}
  %0 = graph.launch @kernel(%x) <[4]> : (tensor<2xf32>) -> tensor<2xf32>
  return
}
