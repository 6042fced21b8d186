// Every diagnostic of the shape rules of sliding windows.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @reach(%x: tensor<1x1x4xf32>, %w: tensor<1x1x5xf32>) {
  // expected-error @+1 {{window exceeds the padded input in spatial dim 0: '5 <= 4' never holds}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x5xf32>) -> tensor<1x1x0xf32>
  return
}

// -----

func.func @convOverflow(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) {
  // expected-error @+1 {{window exceeds the padded input in spatial dim 0: a size overflows 64 bits}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 9223372036854775807>, low = array<i64: 0>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x0xf32>
  return
}

// -----

func.func @windowOverflow(%x: tensor<1x1x4xf32>) {
  // expected-error @+1 {{window exceeds the padded input in spatial dim 0: a size overflows 64 bits}}
  %0 = graph.window %x <max> {window = array<i64: 1>, strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 9223372036854775807>, high = array<i64: 0>} : (tensor<1x1x4xf32>) -> tensor<1x1x0xf32>
  return
}

// -----

func.func @rank(%x: tensor<1x1xf32>) {
  // expected-error @+1 {{input has rank 2, expected at least 3}}
  %0 = graph.window %x <max> {window = array<i64>, strides = array<i64>, dilations = array<i64>, low = array<i64>, high = array<i64>} : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @kind(%x: tensor<1x1x4xf32>) {
  // expected-error @+1 {{kind is neither sum nor max}}
  %0 = graph.window %x <min> {window = array<i64: 1>, strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @empty(%x: tensor<1x1x4xf32>) {
  // expected-error @+1 {{window of spatial dim 0 is 0}}
  %0 = graph.window %x <max> {window = array<i64: 0>, strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>} : (tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  return
}

// -----

func.func @countOverflow(%x: tensor<1x1x?xf32, #sym.shape<[1, 1, n]>>, %w: tensor<1x1x0xf32>) {
  // expected-error @+1 {{size of result dim 2 overflows 64 bits}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, dilations = array<i64: 1>, low = array<i64: 9223372036854775807>, high = array<i64: 0>, groups = 1 : i64} : (tensor<1x1x?xf32, #sym.shape<[1, 1, n]>>, tensor<1x1x0xf32>) -> tensor<1x1x?xf32, #sym.shape<[1, 1, n]>>
  return
}
