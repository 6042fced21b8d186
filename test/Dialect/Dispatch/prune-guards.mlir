// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards that ranges or other guards prove go away; the rest keep their order.
// RUN: ambit-opt %s --dispatch-prune-guards --split-input-file | FileCheck %s

// The example of the pass's description.
// CHECK: sym.symbol "seq"
// CHECK-NEXT: sym.guard "seq >= 2"
// CHECK-NEXT: }
sym.symbol "seq" min 1 max 512
sym.guard "seq >= 2"
sym.guard "seq >= 1"

// -----

// Of two guards that prove each other the earlier one stays.
// CHECK: sym.symbol "b"
// CHECK-NEXT: sym.guard "a == b"
// CHECK-NEXT: sym.guard "a <= 9"
// CHECK-NEXT: }
sym.symbol "a" min 0 max 64
sym.symbol "b" min 0 max 64
sym.guard "a == b"
sym.guard "a <= 9"
sym.guard "b == a"
sym.guard "b <= 10"

// -----

// Of several bounds the one stays that says most, though the rest together would
// imply it.
// CHECK: sym.symbol "h"
// CHECK-NEXT: sym.guard "h >= 15"
// CHECK-NEXT: sym.guard "h <= 16*floordiv(h + 1, 16) + 6"
// CHECK-NOT: sym.guard
sym.symbol "h" min 0 max 4096
sym.guard "h >= 7"
sym.guard "h >= 15"
sym.guard "h >= 3"
sym.guard "h <= 16*floordiv(h + 1, 16) + 6"
