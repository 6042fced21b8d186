// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions that never hold, and modules that are no models.
// RUN: ambit-opt %s --infer-shapes --split-input-file --verify-diagnostics

module {
  sym.symbol "n" min 1 max 4
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<2xf32> {
    // expected-error @+1 {{never holds}}
    %0 = graph.slice %x <[7]> <[2]> [1] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// expected-error @+1 {{module has no function '@main' with a body}}
module {
}

// -----

module {
  // expected-error @+1 {{shape inference needs a body of one block}}
  func.func @main() {
    cf.br ^bb1
  ^bb1:
    return
  }
}
