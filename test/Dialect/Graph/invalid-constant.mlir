// Every diagnostic about the data of constants.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

func.func @elementType() {
  // expected-error @+1 {{needs an integer or float element type}}
  %0 = graph.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}

// -----

func.func @sparse() {
  // expected-error @+1 {{needs dense or dense_resource data}}
  %0 = graph.constant sparse<[0], [1.0]> : tensor<2xf32>
  return
}

// -----

func.func @missing() {
  // expected-error @+1 {{has no data for the resource 'nowhere'}}
  %0 = graph.constant dense_resource<nowhere> : tensor<2xf32>
  return
}

// -----

func.func @short() {
  // expected-error @+1 {{has 4 bytes of data, expected 8}}
  %0 = graph.constant dense_resource<short> : tensor<2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      short: "0x040000000000803F"
    }
  }
#-}

// -----

func.func @huge() {
  // expected-error @+1 {{is larger than an address space}}
  %0 = graph.constant dense_resource<huge> : tensor<9223372036854775807x2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      huge: "0x040000000000803F"
    }
  }
#-}
