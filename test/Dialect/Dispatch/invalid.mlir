// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the verifiers of the dispatch dialect refuse.
// RUN: ambit-opt %s --split-input-file --verify-diagnostics

dispatch.model "m" {
  // expected-note @+1 {{the first is here}}
  dispatch.input "x" : tensor<2xf32>
  // expected-error @+1 {{there are two inputs 'x'}}
  dispatch.input "x" : tensor<3xf32>
}

// -----

dispatch.model "m" {
  // expected-note @+1 {{the first is here}}
  dispatch.output "y" : tensor<2xf32>
  // expected-error @+1 {{there are two outputs 'y'}}
  dispatch.output "y" : tensor<3xf32>
}

// -----

dispatch.model "m" {
  // expected-note @+1 {{the first is here}}
  dispatch.variant @a kind exact
  // expected-error @+1 {{there are two variants 'a'}}
  dispatch.variant @a kind generic
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{stands in a dispatch.model, expected ops of dispatch only}}
  sym.symbol "n" min 0 max 1
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{has element type 'index', which no input or output may have}}
  dispatch.input "x" : tensor<2xindex>
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{has no expression for dim 1, expected a #sym.shape encoding}}
  dispatch.output "y" : tensor<2x?xf32>
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{condition "seq <": expected an operand, found the end}}
  dispatch.variant @a kind exact where ["seq <"]
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{workspace has 2 expressions, expected one}}
  dispatch.variant @a kind exact workspace <[1, 2]>
}

// -----

// expected-error @+1 {{expects parent op 'dispatch.model'}}
dispatch.omitted "seq_1" because "text"

// -----

dispatch.model "m" {
  // expected-error @+1 {{has elements of type 'tensor<2xf16>', expected integers of whole bytes, bools, f32 or f64 in a static shape}}
  dispatch.input "x" : tensor<2xf16> elements <["x[0]", "x[1]"]>
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{expected integers of whole bytes, bools, f32 or f64 in a static shape}}
  dispatch.input "x" : tensor<?xi64, #sym.shape<[n]>> elements <["x[0]"]>
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{lists 1 elements, expected 2}}
  dispatch.input "x" : tensor<2xi64> elements <["x[0]"]>
}

// -----

dispatch.model "m" {
  // expected-error @+1 {{shares a function, and has no tops to call it with}}
  dispatch.variant @a kind padded shares @padded
}

// -----

dispatch.model "m" {
  // expected-note @+1 {{the first is here}}
  dispatch.variant @a kind padded tops {n = 4} shares @padded
  // expected-error @+1 {{shares 'padded' with one that pads other symbols}}
  dispatch.variant @b kind padded tops {m = 4, n = 8} shares @padded
}

// -----

dispatch.model "m" {
  dispatch.variant @a kind padded tops {n = 4} shares @b
  // expected-error @+1 {{'b' has the name of a shared function}}
  dispatch.variant @b kind padded tops {n = 8}
}
