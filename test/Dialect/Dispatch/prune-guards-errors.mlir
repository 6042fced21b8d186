// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guard that no shape passes.
// RUN: ambit-opt %s --dispatch-prune-guards --split-input-file --verify-diagnostics

sym.symbol "n" min 1 max 8
// expected-error @+1 {{rule 'n >= 9' fails for every shape in the declared ranges}}
sym.guard "n >= 9"
