// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules without a plan that fits.
// RUN: ambit-opt %s --specialize --split-input-file --verify-diagnostics

// expected-error @+1 {{module has no function '@main' with a body}}
module {
  dispatch.model "m" {
  }
}

// -----

// expected-error @+1 {{module has 0 dispatch.model ops, expected one}}
module {
  func.func @main() {
    return
  }
}

// -----

// expected-error @+1 {{symbol 'generic' is taken, a variant needs it}}
module {
  func.func private @generic()
  func.func @main() {
    return
  }
  dispatch.model "m" {
    dispatch.variant @generic kind generic
  }
}

// -----

// The plan was made by hand: no shape passes both the guard and the variant.
module {
  sym.symbol "n" min 0 max 64
  // expected-error @+1 {{variant 'few' cannot be made}}
  func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<1xf32> {
    // expected-error @+1 {{never holds}}
    %0 = graph.slice %x <[2]> <[1]> [1] : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
  dispatch.model "m" {
    dispatch.variant @few kind range where ["n <= 2"]
  }
}

// -----

sym.symbol "n" min 0 max 64
func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>> {
  return %x : tensor<?xf32, #sym.shape<[n]>>
}
dispatch.model "m" {
  dispatch.variant @a kind padded where ["n <= 8"] tops {n = 8} shares @padded
  // expected-error @+1 {{pads 'n' to 12, expected its largest size or more: 16}}
  dispatch.variant @b kind padded where ["n <= 16"] tops {n = 12} shares @padded
}
