// Every diagnostic of the shape rules of reductions, contractions and windows.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @reduceDim(%x: tensor<2xf32>) {
  // expected-error @+1 {{dim -1 is outside of rank 1}}
  %0 = graph.reduce %x <sum> [-1] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @reduceTwice(%x: tensor<2xf32>) {
  // expected-error @+1 {{dim 0 is reduced twice}}
  %0 = graph.reduce %x <sum> [0, 0] : (tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @argKind(%x: tensor<2xf32>) {
  // expected-error @+1 {{kind is neither max nor min}}
  %0 = graph.arg_reduce %x <sum> 0 : (tensor<2xf32>) -> tensor<i64>
  return
}

// -----

func.func @argEmpty(%x: tensor<2x0xf32>) {
  // expected-error @+1 {{no element to choose from: '0 >= 1 || 2 == 0' never holds}}
  %0 = graph.arg_reduce %x <max> 1 : (tensor<2x0xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @softmaxType(%x: tensor<2xi32>) {
  // expected-error @+1 {{needs a float element type}}
  %0 = graph.softmax %x along 0 : (tensor<2xi32>) -> tensor<2xi32>
  return
}

// -----

func.func @contractTypes(%x: tensor<2x2xf32>, %y: tensor<2x2xf64>) {
  // expected-error @+1 {{element types differ: 'f32' vs 'f64'}}
  %0 = graph.contract %x, %y : (tensor<2x2xf32>, tensor<2x2xf64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @contractWide(%x: tensor<2x2xf32>) {
  // expected-error @+1 {{wide sums are those of f16 or bf16, found 'f32'}}
  %0 = graph.contract %x, %x {wide} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @contractRanks(%x: tensor<2x2xf32>, %y: tensor<1x2x2xf32>) {
  // expected-error @+1 {{ranks 2 and 3 do not contract}}
  %0 = graph.contract %x, %y : (tensor<2x2xf32>, tensor<1x2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @contractInner(%x: tensor<2x3xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{inner dimensions differ: 3 vs 4}}
  %0 = graph.contract %x, %y : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @contractBatch(%x: tensor<2x3x3xf32>, %y: tensor<1x3x2xf32>) {
  // expected-error @+1 {{batch dimensions differ: 2 vs 1}}
  %0 = graph.contract %x, %y : (tensor<2x3x3xf32>, tensor<1x3x2xf32>) -> tensor<2x3x2xf32>
  return
}

// -----

func.func @convTypes(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf16>) {
  // expected-error @+1 {{element types differ: 'f32' vs 'f16'}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf16>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @convRanks(%x: tensor<1x1xf32>, %w: tensor<1x1xf32>) {
  // expected-error @+1 {{ranks 2 and 2 do not convolve}}
  %0 = graph.conv %x, %w {strides = array<i64>, dilations = array<i64>, low = array<i64>, high = array<i64>, groups = 1 : i64} : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @convGroups(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>) {
  // expected-error @+1 {{number of groups is 0}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 0 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @convStrides(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>) {
  // expected-error @+1 {{needs window, strides, dilations and pads for 1 spatial dims}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @convStride(%x: tensor<1x1x4xf32>, %w: tensor<1x1x2xf32>) {
  // expected-error @+1 {{stride 0, dilation 1, pads 0 and 0 of spatial dim 0 are out of range}}
  %0 = graph.conv %x, %w {strides = array<i64: 0>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x2xf32>) -> tensor<1x1x3xf32>
  return
}

// -----

func.func @convChannels(%x: tensor<1x3x4xf32>, %w: tensor<2x1x2xf32>) {
  // expected-error @+1 {{channels of input and filter differ: 3 vs 2}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 2 : i64} : (tensor<1x3x4xf32>, tensor<2x1x2xf32>) -> tensor<1x2x3xf32>
  return
}

// -----

func.func @convFilters(%x: tensor<1x2x4xf32>, %w: tensor<3x1x2xf32>) {
  // expected-error @+1 {{filters do not divide into groups: 1 vs 0}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 2 : i64} : (tensor<1x2x4xf32>, tensor<3x1x2xf32>) -> tensor<1x3x3xf32>
  return
}
