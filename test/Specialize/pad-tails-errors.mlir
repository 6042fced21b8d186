// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padded variants that were planned by hand, and wrongly.
// RUN: ambit-opt %s --specialize --split-input-file --verify-diagnostics

sym.symbol "n" min 1 max 8
func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>> {
  return %x : tensor<?xf32, #sym.shape<[n]>>
}
dispatch.model "m" {
  // expected-error @+1 {{is padded, and does not say to what sizes}}
  dispatch.variant @few kind padded
}

// -----

sym.symbol "n" min 1 max 8
func.func @main(%x: tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>> {
  return %x : tensor<?xf32, #sym.shape<[n]>>
}
dispatch.model "m" {
  // expected-error @+1 {{pads 'n' to 7, expected its largest size or more: 8}}
  dispatch.variant @few kind padded tops {n = 7}
}
