// Every diagnostic of scatter, pack and unpack.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @dataRank(%x: tensor<4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{has data of rank 1, expected at least 2}}
  %0 = graph.scatter %u into %x at %i <replace> : (tensor<2x4xf32>, tensor<4xf32>, tensor<2x1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @indexRank(%x: tensor<3x4xf32>, %i: tensor<2xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{has indices of rank 1, expected 2}}
  %0 = graph.scatter %u into %x at %i <replace> : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @updateRank(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<8xf32>) {
  // expected-error @+1 {{has updates of rank 1, expected 2}}
  %0 = graph.scatter %u into %x at %i <replace> : (tensor<8xf32>, tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @indexType(%x: tensor<3x4xf32>, %i: tensor<2x1xi32>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{has indices of type 'i32', expected i64}}
  %0 = graph.scatter %u into %x at %i <replace> : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @updateType(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x4xi32>) {
  // expected-error @+1 {{has updates of type 'i32' for data of type 'f32'}}
  %0 = graph.scatter %u into %x at %i <replace> : (tensor<2x4xi32>, tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @combined(%x: tensor<3x4xf16>, %i: tensor<2x1xi64>, %u: tensor<2x4xf16>) {
  // expected-error @+1 {{combines elements of type 'f16', expected integers of 8 bits or more, f32 or f64}}
  %0 = graph.scatter %u into %x at %i <add> : (tensor<2x4xf16>, tensor<3x4xf16>, tensor<2x1xi64>) -> tensor<3x4xf16>
  return
}

// -----

func.func @indexSize(%x: tensor<3x4xf32>, %i: tensor<2x2xi64>, %u: tensor<2x4xf32>) {
  // expected-error @+1 {{numbers of an index: 2 vs 1}}
  %0 = graph.scatter %u into %x at %i <add> : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @rows(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<1x4xf32>) {
  // expected-error @+1 {{numbers of rows differ: 1 vs 2}}
  %0 = graph.scatter %u into %x at %i <add> : (tensor<1x4xf32>, tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @width(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x5xf32>) {
  // expected-error @+1 {{lengths of rows differ: 5 vs 4}}
  %0 = graph.scatter %u into %x at %i <add> : (tensor<2x5xf32>, tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @unpackType(%x: tensor<3xi8>) {
  // expected-error @+1 {{has elements of type 'i8', expected 2 or 4 bits}}
  %0 = graph.unpack %x : (tensor<3xi8>) -> tensor<3xi8>
  return
}

// -----

func.func @packType(%x: tensor<3xf32>) {
  // expected-error @+1 {{has elements of type 'f32', expected 2 or 4 bits}}
  %0 = graph.pack %x : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @unpackInner(%x: tensor<3xi4>) {
  %0 = graph.unpack %x : (tensor<3xi4>) -> tensor<3xi4>
  // expected-error @+1 {{is for arguments of the function}}
  %1 = graph.unpack %0 : (tensor<3xi4>) -> tensor<3xi4>
  return
}
