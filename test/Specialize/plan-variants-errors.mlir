// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that cannot be planned; the errors of options that are right as text
// are tested in Unit/Specialize.
// RUN: ambit-opt %s --plan-variants=bucket=n:16 --split-input-file --verify-diagnostics
// RUN: not ambit-opt %s --plan-variants=bucket=n:16:x 2>&1 | FileCheck %s
// CHECK: 'x' in 'n:16:x', expected an integer

module {
  sym.symbol "n" min 1 max 64
  func.func @main() {
    return
  }
  // expected-error @+1 {{module has a dispatch.model already}}
  dispatch.model "m" {
  }
}

// -----

// expected-error @+1 {{module has no function '@main' with a body}}
module {
  func.func private @main()
}
