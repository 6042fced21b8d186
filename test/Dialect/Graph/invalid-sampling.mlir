// Every diagnostic of the shape rules of pad, gather and resize.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @padRank(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{needs low and high amounts for each of the 1 dims}}
  %0 = graph.pad %x with %v <[]> <[1]> : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @padValue(%x: tensor<2xf32>, %v: tensor<i32>) {
  // expected-error @+1 {{fill value is no scalar of the input's element type}}
  %0 = graph.pad %x with %v <[0]> <[1]> : (tensor<2xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @padNegative(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{pad amount is negative: '-1 >= 0' never holds}}
  %0 = graph.pad %x with %v <[0]> <[-1]> : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @padReflect(%x: tensor<2xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{pad amount exceeds the input: '2 <= 1 || 2 == 0' never holds}}
  %0 = graph.pad %x with %v <[2]> <[0]> {mode = #graph.pad_mode<reflect>} : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @padEdge(%x: tensor<0xf32>, %v: tensor<f32>) {
  // expected-error @+1 {{edge padding of an empty dim: '0 >= 1' never holds}}
  %0 = graph.pad %x with %v <[1]> <[0]> {mode = #graph.pad_mode<edge>} : (tensor<0xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @gatherAxis(%x: tensor<2xf32>, %i: tensor<1xi64>) {
  // expected-error @+1 {{dim 1 is outside of rank 1}}
  %0 = graph.gather %x at %i along 1 : (tensor<2xf32>, tensor<1xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @gatherType(%x: tensor<2xf32>, %i: tensor<1xf32>) {
  // expected-error @+1 {{indices are no integers}}
  %0 = graph.gather %x at %i along 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @gatherEmpty(%x: tensor<0xf32>, %i: tensor<1xi64>) {
  // expected-error @+1 {{gather from an empty dim: '0 >= 1 || 1 == 0' never holds}}
  %0 = graph.gather %x at %i along 0 : (tensor<0xf32>, tensor<1xi64>) -> tensor<1xf32>
  return
}

// -----

func.func @resizeRank(%x: tensor<2xf32>) {
  // expected-error @+1 {{needs a size and a scale for each of the 1 dims}}
  %0 = graph.resize %x to <[2]> {scales = array<f32: 1.0, 1.0>, coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<nearest>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @resizeEmpty(%x: tensor<0xf32>) {
  // expected-error @+1 {{resize of an empty dim: '0 >= 1 || 2 == 0' never holds}}
  %0 = graph.resize %x to <[2]> {coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<nearest>} : (tensor<0xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @resizeScale(%x: tensor<2xf32>) {
  // expected-error @+1 {{scale of dim 0 is 0.000000e+00, expected 2^-30 to 2^30}}
  %0 = graph.resize %x to <[2]> {scales = array<f32: 0.0>, coordinates = #graph.coordinates<asymmetric>, mode = #graph.resize_mode<nearest>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// 2^-20 * (1 + 2^-23): a product with its numerator, squared, leaves 64 bits.
func.func @resizeLong(%x: tensor<2000000xf32>) {
  // expected-error @+1 {{dim is too long for its scale: '2000000 <= 131072' never holds}}
  %0 = graph.resize %x to <[1]> {scales = array<f32: 0x35800001>, coordinates = #graph.coordinates<align_corners>, mode = #graph.resize_mode<nearest>} : (tensor<2000000xf32>) -> tensor<1xf32>
  return
}
