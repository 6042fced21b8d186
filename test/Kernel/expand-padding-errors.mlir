// RUN: ambit-opt %s --graph-expand-padding -verify-diagnostics

func.func @ceil(%x: tensor<1x4x?xf32, #sym.shape<[1, 4, n]>>)
    -> tensor<1x4x?xf32, #sym.shape<[1, 4, "9*k"]>> {
  // expected-error@+1 {{size of the padded input exceeds 64 bits}}
  %0 = graph.window %x <max> {window = array<i64: 2>, low = array<i64: 5>,
      high = array<i64: 5>, strides = array<i64: 4611686018427387904>,
      dilations = array<i64: 1>, ceil}
      : (tensor<1x4x?xf32, #sym.shape<[1, 4, n]>>)
      -> tensor<1x4x?xf32, #sym.shape<[1, 4, "9*k"]>>
  return %0 : tensor<1x4x?xf32, #sym.shape<[1, 4, "9*k"]>>
}

func.func @complex(%x: tensor<1x2x4xcomplex<f32>>, %w: tensor<3x2x3xcomplex<f32>>)
    -> tensor<1x3x4xcomplex<f32>> {
  // expected-error@+1 {{elements of type 'complex<f32>' cannot be padded, expected integers or floats}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, low = array<i64: 1>,
      high = array<i64: 1>, dilations = array<i64: 1>, groups = 1 : i64}
      : (tensor<1x2x4xcomplex<f32>>, tensor<3x2x3xcomplex<f32>>)
      -> tensor<1x3x4xcomplex<f32>>
  return %0 : tensor<1x3x4xcomplex<f32>>
}
