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
    `sym.symbol "seq" min 1 max 512 divisor 8`. At module level, one op for each
    symbol; names are global to the module. Values below `min`, above `max`, or
    not a multiple of `divisor` are refused at entry.
  }];
  let arguments = (ins StrAttr:$name, I64Attr:$min, I64Attr:$max,
                       DefaultValuedAttr<I64Attr, "1">:$divisor,
                       UnitAttr:$declared);
  let assemblyFormat = [{
    $name `min` $min `max` $max (`divisor` $divisor^)? (`declared` $declared^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Sym_GuardOp : Sym_Op<"guard"> {
  let summary = "a condition over symbols that is checked at entry";
  let description = [{
    `sym.guard "seq <= 512"`. At module level; everything compiled may rely on
    it. The location names the node, input dim, or option that it came from.
  }];
  let arguments = (ins StrAttr:$condition);
  let assemblyFormat = "$condition attr-dict";
  let hasVerifier = 1;
}

#endif // AMBIT_DIALECT_SYM_IR_SYMOPS_TD
