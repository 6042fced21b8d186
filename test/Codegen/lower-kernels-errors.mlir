// RUN: ambit-opt %s --lower-kernels --verify-diagnostics

// expected-error @+1 {{kernel without 'ambit.sizes' or with other than one result}}
func.func private @k(%x: tensor<4xf32>) -> tensor<4xf32> attributes {ambit.kernel} {
  return %x : tensor<4xf32>
}
