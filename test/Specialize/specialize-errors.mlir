// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pass refuses; the errors of plans are tested in Unit/Specialize.
// RUN: ambit-opt %s --specialize=bucket=n:16:x --split-input-file --verify-diagnostics

// expected-error @+1 {{'x' in 'n:16:x', expected an integer}}
module {
  sym.symbol "n" min 1 max 64
}
