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

// -----

func.func @uniqueRank(%x: tensor<4xf32>) {
  // expected-error @+1 {{has an input of rank 1, expected 2}}
  %0 = graph.unique %x sets "k" : (tensor<4xf32>) -> tensor<?xi64, #sym.shape<[k]>>
  return
}

// -----

func.func @inverseRank(%x: tensor<4xf32>) {
  // expected-error @+1 {{has an input of rank 1, expected 2}}
  %0 = graph.unique_inverse %x : (tensor<4xf32>) -> tensor<4xi64>
  return
}

// -----

func.func @histogramElements(%x: tensor<4xi32>) {
  // expected-error @+1 {{has elements of type 'i32', expected i64}}
  %0 = graph.histogram %x to <[2]> : (tensor<4xi32>) -> tensor<2xi64>
  return
}

// -----

func.func @histogramBins(%x: tensor<4xi64>) {
  // expected-error @+1 {{has 2 numbers of bins, expected one}}
  %0 = graph.histogram %x to <[2, 3]> : (tensor<4xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @histogramNegative(%x: tensor<4xi64>) {
  // expected-error @+1 {{number of bins: '-1 >= 0' never holds}}
  %0 = graph.histogram %x to <[-1]> : (tensor<4xi64>) -> tensor<2xi64>
  return
}

// -----

func.func @topkDim(%x: tensor<4xf32>) {
  // expected-error @+1 {{dim 1 is outside of rank 1}}
  %0 = graph.topk %x <[2]> along 1 : (tensor<4xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @topkValues(%x: tensor<4xf32>) {
  // expected-error @+1 {{has 2 values for k, expected one}}
  %0 = graph.topk %x <[2, 3]> along 0 : (tensor<4xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @topkMore(%x: tensor<4xf32>) {
  // expected-error @+1 {{k is more than there are elements: '5 <= 4' never holds}}
  %0 = graph.topk %x <[5]> along 0 : (tensor<4xf32>) -> tensor<5xi64>
  return
}

// -----

func.func @topkNegative(%x: tensor<4xf32>) {
  // expected-error @+1 {{k is negative: '-1 >= 0' never holds}}
  %0 = graph.topk %x <[-1]> along 0 : (tensor<4xf32>) -> tensor<1xi64>
  return
}

// -----

func.func @nmsRank(%b: tensor<3x4xf32>, %s: tensor<1x2x3xf32>, %m: tensor<i64>, %t: tensor<f32>) {
  // expected-error @+1 {{has boxes of rank 2, expected 3}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<3x4xf32>, tensor<1x2x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}

// -----

func.func @nmsElements(%b: tensor<1x3x4xf64>, %s: tensor<1x2x3xf32>, %m: tensor<i64>, %t: tensor<f32>) {
  // expected-error @+1 {{has elements of type 'f64', expected f32}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<1x3x4xf64>, tensor<1x2x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}

// -----

func.func @nmsMost(%b: tensor<1x3x4xf32>, %s: tensor<1x2x3xf32>, %m: tensor<i32>, %t: tensor<f32>) {
  // expected-error @+1 {{has a number of boxes of type 'i32', expected i64}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<1x3x4xf32>, tensor<1x2x3xf32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}

// -----

func.func @nmsBoxes(%b: tensor<1x3x4xf32>, %s: tensor<1x2x5xf32>, %m: tensor<i64>, %t: tensor<f32>) {
  // expected-error @+1 {{numbers of boxes differ: 3 vs 5}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<1x3x4xf32>, tensor<1x2x5xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}

// -----

func.func @nmsBatches(%b: tensor<2x3x4xf32>, %s: tensor<1x2x3xf32>, %m: tensor<i64>, %t: tensor<f32>) {
  // expected-error @+1 {{numbers of batches differ: 2 vs 1}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<2x3x4xf32>, tensor<1x2x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}

// -----

func.func @nmsNumbers(%b: tensor<1x3x5xf32>, %s: tensor<1x2x3xf32>, %m: tensor<i64>, %t: tensor<f32>) {
  // expected-error @+1 {{numbers of a box: 5 vs 4}}
  %0 = graph.nms %b, %s, %m, %t, %t sets "k" : (tensor<1x3x5xf32>, tensor<1x2x3xf32>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x3xi64, #sym.shape<[k, 3]>>
  return
}
