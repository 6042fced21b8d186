// The sym dialect's ops and attributes survive a round trip in canonical form.
// RUN: ambit-opt %s | ambit-opt | FileCheck %s

// CHECK: sym.symbol "batch" min 0 max 9223372036854775807
sym.symbol "batch" min 0 max 9223372036854775807
// CHECK: sym.symbol "seq" min 8 max 512 divisor 8 declared
sym.symbol "seq" min 8 max 512 divisor 8 declared
// CHECK: sym.symbol "count" min 0 max 64 unbacked
sym.symbol "count" min 0 max 64 unbacked
// CHECK: sym.symbol "starts[0]" min -4 max 4 saturates
sym.symbol "starts[0]" min -4 max 4 saturates
// CHECK: sym.symbol "dim0" min 0 max 4 is "max(0, starts[0])"
sym.symbol "dim0" min 0 max 4 is "max(0, starts[0])"
// CHECK: sym.guard "seq <= 512 || batch == 1"
sym.guard "seq <= 512 || batch == 1"

// A bare symbol and an integer stand without quotes, the rest is quoted.
// CHECK-LABEL: @encodings
// CHECK-SAME: tensor<?x?x64xf32, #sym.shape<[batch, "2*seq + 1", 64]>>
func.func private @encodings(
    tensor<?x?x64xf32, #sym.shape<[batch, "1 + seq*2", 64]>>)

// CHECK-LABEL: @names
// CHECK-SAME: #sym.shape<[_a.b, "x:y", "floordiv(seq, 2)"]>
func.func private @names(
    tensor<?x?x?xf32, #sym.shape<["_a.b", "x:y", "seq // 2"]>>)

// CHECK-LABEL: @scalar
// CHECK-SAME: #sym.shape<[]>
func.func private @scalar() attributes {shape = #sym.shape<[]>}
