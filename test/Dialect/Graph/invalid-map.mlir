// Every diagnostic about maps, constants and results in general.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @inputs() {
  // expected-error @+1 {{needs at least one input}}
  %0 = graph.map : () -> tensor<2xf32> {
    %c = arith.constant 1.0 : f32
    graph.yield %c : f32
  }
  return
}

// -----

func.func @rank(%x: tensor<2xf32>, %y: tensor<2x1xf32>) {
  // expected-error @+1 {{input 1 has rank 2, expected 1}}
  %0 = graph.map %x, %y : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32, %b: f32):
    graph.yield %a : f32
  }
  return
}

// -----

func.func @sizes(%x: tensor<2xf32>, %y: tensor<3xf32>) {
  // expected-error @+1 {{sizes of dim 0 of inputs 0 and 1 differ: 2 vs 3}}
  %0 = graph.map %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32, %b: f32):
    graph.yield %a : f32
  }
  return
}

// -----

func.func @symbolicSizes(%x: tensor<?xf32, #sym.shape<[n]>>,
                         %y: tensor<?xf32, #sym.shape<["n + 1"]>>) {
  // expected-error @+1 {{sizes of dim 0 of inputs 0 and 1 differ: 'n' vs 'n + 1'}}
  %0 = graph.map %x, %y : (tensor<?xf32, #sym.shape<[n]>>, tensor<?xf32, #sym.shape<["n + 1"]>>) -> tensor<?xf32, #sym.shape<[n]>> {
  ^bb0(%a: f32, %b: f32):
    graph.yield %a : f32
  }
  return
}

// -----

func.func @arguments(%x: tensor<2xf32>) {
  // expected-error @+1 {{body takes 2 scalars, expected one for each of the 1 inputs}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32, %b: f32):
    graph.yield %a : f32
  }
  return
}

// -----

func.func @argumentType(%x: tensor<2xui8>) {
  // expected-error @+1 {{body argument 0 has type 'ui8', expected 'i8'}}
  %0 = graph.map %x : (tensor<2xui8>) -> tensor<2xui8> {
  ^bb0(%a: ui8):
    %c = arith.constant 0 : i8
    graph.yield %c : i8
  }
  return
}

// -----

func.func @foreign(%x: tensor<2xf32>) {
  // expected-error @+1 {{body holds 'graph.constant', expected ops of arith and math only}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    %c = graph.constant dense<1.0> : tensor<f32>
    graph.yield %a : f32
  }
  return
}

// -----

func.func @unregistered(%x: tensor<2xf32>) {
  // expected-error @+1 {{body holds 'other.op', expected ops of arith and math only}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    %c = "other.op"(%a) : (f32) -> f32
    graph.yield %c : f32
  }
  return
}

// -----

func.func @terminator(%x: tensor<2xf32>) {
  // expected-error @+1 {{body ends without graph.yield}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    "other.end"(%a) : (f32) -> ()
  }
  return
}

// -----

func.func @yieldType(%x: tensor<2xf32>) {
  // expected-error @+1 {{body yields 'f32', expected 'i32'}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xi32> {
  ^bb0(%a: f32):
    graph.yield %a : f32
  }
  return
}

// -----

func.func @captured(%x: tensor<2xf32>, %y: f32) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = graph.map %x : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: f32):
    // expected-error @+1 {{using value defined outside the region}}
    graph.yield %y : f32
  }
  return
}
