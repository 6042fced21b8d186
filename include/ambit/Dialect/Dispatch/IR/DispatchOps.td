// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `dispatch` dialect: what a model object says of itself, and which body runs
// for which shapes.

#ifndef AMBIT_DIALECT_DISPATCH_IR_DISPATCHOPS_TD
#define AMBIT_DIALECT_DISPATCH_IR_DISPATCHOPS_TD

include "ambit/Dialect/Sym/IR/SymDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

def Dispatch_Dialect : Dialect {
  let name = "dispatch";
  let cppNamespace = "::ambit::dispatch";
  let summary = "the signature, guards and variants of a model object";
  let description = [{
    One `dispatch.model` stands in the module beside the `sym.symbol` and
    `sym.guard` ops. Together they are everything the runtime needs to check
    shapes, to choose a body, and to explain its choice.
  }];
  let dependentDialects = ["::ambit::sym::SymDialect"];
  let useDefaultAttributePrinterParser = 1;
}

def Dispatch_VariantKind : I32EnumAttr<"VariantKind",
    "what the shapes of a variant have in common", [
  I32EnumAttrCase<"Exact", 0, "exact">, // every bounded symbol is one size
  I32EnumAttrCase<"Range", 1, "range">, // some is an interval
  I32EnumAttrCase<"Generic", 2, "generic">, // none is bounded
  // an interval of which each size is computed as its greatest
  I32EnumAttrCase<"Padded", 3, "padded">,
  // some is an interval of multiples
  I32EnumAttrCase<"Divisible", 4, "divisible">]> {
  let cppNamespace = "::ambit::dispatch";
  let genSpecializedAttr = 0;
}
def Dispatch_VariantKindAttr
    : EnumAttr<Dispatch_Dialect, Dispatch_VariantKind, "kind">;

class Dispatch_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dispatch_Dialect, mnemonic, traits>;

def Dispatch_ModelOp : Dispatch_Op<"model", [NoTerminator, SingleBlock,
                                             NoRegionArguments]> {
  let summary = "a model: inputs, outputs, variants, data checks";
  let description = [{
    `isa` names the CPU features that the code needs, by LLVM's names; `cpu` the
    processor it was compiled for. The ops of the body stand in the order of the
    object's tables: inputs and outputs in that of the signature, variants in
    that of priority.

    ```mlir
    dispatch.model "bert" cpu "x86-64-v3" isa ["avx2", "fma"] {
      dispatch.input "ids" : tensor<?x?xi64, #sym.shape<[batch, seq]>>
      dispatch.output "scores" : tensor<?x2xf32, #sym.shape<[batch, 2]>>
      dispatch.variant @generic kind generic workspace <["64*batch*seq"]>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$cpu,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$isa);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`cpu` $cpu^)? (`isa` $isa^)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    template <typename OpT> llvm::SmallVector<OpT> getAll() {
      auto ops = getBody().front().getOps<OpT>();
      return llvm::SmallVector<OpT>(ops.begin(), ops.end());
    }
  }];
}

class Dispatch_TensorOp<string mnemonic>
    : Dispatch_Op<mnemonic, [HasParent<"ModelOp">]> {
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type);
  let assemblyFormat = "$name `:` $type attr-dict";
  let hasVerifier = 1;
}

def Dispatch_InputOp : Dispatch_TensorOp<"input"> {
  let summary = "an input of the model";
  let description = [{
    A symbol takes its value from the first dim of an input that is this symbol
    alone, or else from the first that is a linear form of it like "2*seq + 1".
    With `elements` an input also gives its elements, in row-major order, as the
    values of symbols.

    ```mlir
    dispatch.input "ids" : tensor<?x?xi64, #sym.shape<[batch, seq]>>
    dispatch.input "shape" : tensor<2xi64> elements <["shape[0]", "shape[1]"]>
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type,
                       OptionalAttr<Sym_ShapeAttr>:$elements);
  let assemblyFormat = "$name `:` $type (`elements` $elements^)? attr-dict";
}

def Dispatch_OutputOp : Dispatch_TensorOp<"output"> {
  let summary = "an output of the model";
  let description = [{
    Its dims are computed from the symbols before anything runs.

    ```mlir
    dispatch.output "scores" : tensor<?xf32, #sym.shape<["2*seq + 1"]>>
    ```
  }];
}

def Dispatch_VariantOp : Dispatch_Op<"variant", [HasParent<"ModelOp">]> {
  let summary = "a body and the shapes that it runs for";
  let description = [{
    All conditions hold for the shapes that it takes; without any it takes every
    shape that passes the guards. The first variant that admits a shape runs. The
    planner writes these ops, `specialize` makes a function @main for each, and
    the lowering gives this the C signature `int32_t (inputs, outputs, arena,
    symbols, exec)` of the runtime's descriptor; `workspace` is the size of the
    arena in bytes.

    A padded variant has `tops`: the sizes that it computes on in place of
    symbols, each at least what `where` admits. `padding` says what that took.

    Padded variants that differ in their tops and the sizes that they admit may
    share the code of one function, in which the tops are symbols: `shares` is
    its name. Such a variant calls it with its own tops. The first of them has
    the `padding` of all.

    `checks` are the places in the graph that may reject data. The body reports a
    failed check by its position here, so that it does not depend on other
    variants.

    ```mlir
    dispatch.variant @seq_1_64 kind padded where ["seq <= 64"]
        tops {seq = 64} shares @padded_seq
    dispatch.variant @seq_128 kind exact where ["seq == 128"]
        workspace <["4096*batch"]> checks ["node 'Gather_3': index is out of range"]
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Dispatch_VariantKindAttr:$kind,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$where,
                       OptionalAttr<DictionaryAttr>:$tops,
                       OptionalAttr<FlatSymbolRefAttr>:$shares,
                       OptionalAttr<StrArrayAttr>:$padding,
                       OptionalAttr<Sym_ShapeAttr>:$workspace,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$checks);
  let assemblyFormat = [{
    $body `kind` `` $kind (`where` $where^)? (`tops` $tops^)?
    (`shares` $shares^)? (`padding` $padding^)? (`workspace` $workspace^)? (`checks` $checks^)?
    attr-dict
  }];
  let hasVerifier = 1;
}

def Dispatch_OmittedOp : Dispatch_Op<"omitted", [HasParent<"ModelOp">]> {
  let summary = "a variant that was asked for and is not there";
  let description = [{
    For people; its location is that of the rule or the option.

    ```mlir
    dispatch.omitted "seq_1" because "rule 'seq >= 2' admits none of its shapes"
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$reason);
  let assemblyFormat = "$name `because` $reason attr-dict";
}

#endif // AMBIT_DIALECT_DISPATCH_IR_DISPATCHOPS_TD
