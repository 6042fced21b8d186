// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops of the `sym` dialect.

#ifndef AMBIT_DIALECT_SYM_IR_SYMOPS_TD
#define AMBIT_DIALECT_SYM_IR_SYMOPS_TD

include "ambit/Dialect/Sym/IR/SymDialect.td"

class Sym_Op<string mnemonic, list<Trait> traits = []>
    : Op<Sym_Dialect, mnemonic, traits>;

def Sym_SymbolOp : Sym_Op<"symbol"> {
  let summary = "declares a symbol and the values it may take";
  let description = [{
    At module level, one op for each symbol; names are global to the module.
    Values below `min`, above `max`, or not a multiple of `divisor` are refused
    at entry.

    ```mlir
    sym.symbol "seq" min 1 max 512 divisor 8
    sym.symbol "count" min 0 max 64 unbacked
    sym.symbol "starts[0]" min -4 max 4 saturates
    sym.symbol "z_dim0" min 0 max 64 is "max(0, starts[0])"
    ```

    An `unbacked` symbol is set by a body while it runs, to what one of its ops
    finds in the data. Unbacked symbols are set in the order of their ops here.

    `starts[0]` is an element of an input, which the function's argument
    attribute `ambit.elements` lists; it alone may be negative. With `saturates`
    values outside of the range count as its nearest end, which is right for the
    bounds of slices.

    With `is`, a symbol is a name for an expression in symbols before it,
    computed at entry: proofs see the symbol with its range alone.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$min, I64Attr:$max,
                       DefaultValuedAttr<I64Attr, "1">:$divisor,
                       UnitAttr:$declared, UnitAttr:$unbacked,
                       UnitAttr:$saturates, OptionalAttr<StrAttr>:$definition);
  let assemblyFormat = [{
    $name `min` $min `max` $max (`divisor` $divisor^)? (`declared` $declared^)?
    (`unbacked` $unbacked^)? (`saturates` $saturates^)? (`is` $definition^)?
    attr-dict
  }];
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 "::ambit::SymbolRange":$range)>];
  let extraClassDeclaration = [{
    /// The expression that the symbol is a name for, if it is one.
    std::optional<Expr> getExpr();
  }];
  let hasVerifier = 1;
}

def Sym_GuardOp : Sym_Op<"guard"> {
  let summary = "a condition over symbols that every run is checked for";
  let description = [{
    At module level; everything compiled may rely on it. The location names the
    node, input dim, or option that it came from. It is checked at entry; when it
    mentions unbacked symbols, right after the last of them is set, and only what
    comes later may rely on it.

    ```mlir
    sym.symbol "seq" min 1 max 4096
    sym.guard "seq % 3 == 0 || seq <= 512"
    ```
  }];
  let arguments = (ins StrAttr:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}

#endif // AMBIT_DIALECT_SYM_IR_SYMOPS_TD
