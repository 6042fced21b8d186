// Every diagnostic of the sym dialect.
// RUN: ambit-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{dim expression '2*': }}
func.func private @syntax(tensor<?xf32, #sym.shape<["2*"]>>)

// -----

// expected-error @+1 {{shape encoding has 1 dims, expected 2}}
func.func private @rank(tensor<?x?xf32, #sym.shape<[a]>>)

// -----

// expected-error @+1 {{shape encoding has 'a' for dim 0, which the type does not show}}
func.func private @static(tensor<4xf32, #sym.shape<[a]>>)

// -----

// expected-error @+1 {{shape encoding has '5' for dim 1, which the type does not show}}
func.func private @extent(tensor<?x4xf32, #sym.shape<[a, 5]>>)

// -----

// expected-error @+1 {{has an empty name}}
sym.symbol "" min 0 max 1

// -----

// expected-error @+1 {{'n' has minimum -1, expected at least 0}}
sym.symbol "n" min -1 max 1

// -----

// expected-error @+1 {{'n' saturates, which only elements of inputs do}}
sym.symbol "n" min 0 max 1 saturates

// -----

// expected-error @+1 {{'n' is '2*': expected an operand, found the end}}
sym.symbol "n" min 0 max 1 is "2*"

// -----

// expected-error @+1 {{'n' has the empty range 2..1}}
sym.symbol "n" min 2 max 1

// -----

// expected-error @+1 {{'n' has divisor 0, expected at least 1}}
sym.symbol "n" min 0 max 8 divisor 0

// -----

// expected-error @+1 {{condition 'n <': }}
sym.guard "n <"
