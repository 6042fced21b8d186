// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `sym` dialect: symbols, what is known of them, and the shape encoding.

#ifndef AMBIT_DIALECT_SYM_IR_SYMDIALECT_TD
#define AMBIT_DIALECT_SYM_IR_SYMDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/OpBase.td"

def Sym_Dialect : Dialect {
  let name = "sym";
  let cppNamespace = "::ambit::sym";
  let summary = "symbolic sizes, guards, and shapes made of expressions";
  let description = [{
    A size that is known only at run time is a symbol. Shapes are lists of
    integer expressions over symbols and ride on tensor types as an encoding,
    so that two equal tensor types always mean two equal shapes.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Sym_ShapeAttr : AttrDef<Sym_Dialect, "Shape",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "shape";
  let summary = "a list of dim expressions";
  let description = [{
    `#sym.shape<[batch, "2*seq + 1", 64]>`: an integer, a bare symbol, or a
    quoted text in the constraint language for each entry. As the encoding of a
    ranked tensor type it gives every dim, static ones included.
  }];
  let parameters = (ins ArrayRefParameter<"::ambit::Expr">:$dims);
  let hasCustomAssemblyFormat = 1;
}

#endif // AMBIT_DIALECT_SYM_IR_SYMDIALECT_TD
