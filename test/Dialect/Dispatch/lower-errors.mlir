// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What dispatch-lower refuses.
// RUN: ambit-opt %s --dispatch-lower --split-input-file --verify-diagnostics

// expected-error @+1 {{module has 0 dispatch.model ops, expected one}}
module {
}

// -----

module {
  // expected-error @+1 {{symbol 'n' cannot be computed from the dims of the inputs, of which none is 'n' or a linear form of it like '2*n + 1'}}
  sym.symbol "n" min 0 max 64
  dispatch.model "m" {
    dispatch.input "a" : tensor<?xf32, #sym.shape<["n*n"]>>
    dispatch.variant @generic kind generic workspace <[0]>
  }
}

// -----

module {
  dispatch.model "m" {
    // expected-error @+1 {{variant 'generic' has no workspace size}}
    dispatch.variant @generic kind generic
  }
}

// -----

module {
  dispatch.model "m" {
    // expected-error @+1 {{'k' mentions 'k', which no sym.symbol declares}}
    dispatch.variant @generic kind generic where ["k <= 3"] workspace <[0]>
  }
}

// -----

module {
  llvm.func @generic()
  dispatch.model "m" {
    // expected-error @+1 {{body 'generic' is not an llvm.func of type}}
    dispatch.variant @generic kind generic workspace <[0]>
  }
}

// -----

module {
  // expected-error @+1 {{'d' is defined by 'n', expected symbols that stand before it and are known at entry}}
  sym.symbol "d" min 0 max 9 is "2*n"
  sym.symbol "n" min 0 max 9
  dispatch.model "m" {
    dispatch.variant @generic kind generic workspace <[0]>
  }
}

// -----

module {
  sym.symbol "k" min 0 max 9 unbacked
  // expected-error @+1 {{'d' is defined by 'k', expected symbols that stand before it and are known at entry}}
  sym.symbol "d" min 0 max 9 is "2*k"
  dispatch.model "m" {
    dispatch.variant @generic kind generic workspace <[0]>
  }
}

// -----

module {
  sym.symbol "k" min 0 max 9223372036854775807 unbacked
  dispatch.model "m" {
    // expected-error @+1 {{dim 0 ('k') of output 'y' has no upper bound that is known before the model runs}}
    dispatch.output "y" : tensor<?xf32, #sym.shape<[k]>>
    dispatch.variant @generic kind generic workspace <[0]>
  }
}
