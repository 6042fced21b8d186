// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that are no models.
// RUN: ambit-opt %s --specialize --split-input-file --verify-diagnostics

// expected-error @+1 {{module has no function '@main' with a body}}
module {
}

// -----

module {
  func.func @main() {
    return
  }
  // expected-error @+1 {{module has a dispatch.model already}}
  dispatch.model "m" {
  }
}

// -----

// expected-error @+1 {{symbol 'generic' is taken, a variant needs it}}
module {
  func.func private @generic()
  func.func @main() {
    return
  }
}
