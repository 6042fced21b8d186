// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `graph` dialect: a small set of tensor ops with value semantics.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHOPS_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHOPS_TD

include "ambit/Dialect/Graph/IR/GraphInterfaces.td"
include "ambit/Dialect/Sym/IR/SymDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::ambit::graph";
  let summary = "tensor operations with value semantics and symbolic shapes";
  let description = [{
    Orthogonal tensor ops into which importers decompose models. Implicit
    broadcasting does not exist: `graph.broadcast` says it. Every op has a shape
    rule and a reference evaluation.
  }];
  let dependentDialects = ["::ambit::sym::SymDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<ShapeRuleOpInterface>,
        DeclareOpInterfaceMethods<KernelOpInterface>], traits)>;

def Graph_Tensor : Type<CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">,
                        "ranked tensor", "::mlir::RankedTensorType">;

class Graph_Enum<string name, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::ambit::graph";
  let genSpecializedAttr = 0;
}
class Graph_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Graph_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def Graph_ReduceKind : Graph_Enum<"ReduceKind", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Product", 1, "product">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"Min", 3, "min">]>;
def Graph_ReduceKindAttr : Graph_EnumAttr<Graph_ReduceKind, "reduce_kind">;

def Graph_PadMode : Graph_Enum<"PadMode", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Edge", 1, "edge">,
  I32EnumAttrCase<"Reflect", 2, "reflect">, I32EnumAttrCase<"Wrap", 3, "wrap">]>;
def Graph_PadModeAttr : Graph_EnumAttr<Graph_PadMode, "pad_mode">;

def Graph_ResizeMode : Graph_Enum<"ResizeMode", [
  I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Linear", 1, "linear">]>;
def Graph_ResizeModeAttr : Graph_EnumAttr<Graph_ResizeMode, "resize_mode">;

def Graph_Coordinates : Graph_Enum<"Coordinates", [
  I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
  I32EnumAttrCase<"PytorchHalfPixel", 1, "pytorch_half_pixel">,
  I32EnumAttrCase<"AlignCorners", 2, "align_corners">,
  I32EnumAttrCase<"Asymmetric", 3, "asymmetric">]>;
def Graph_CoordinatesAttr : Graph_EnumAttr<Graph_Coordinates, "coordinates">;

def Graph_Rounding : Graph_Enum<"Rounding", [
  I32EnumAttrCase<"RoundPreferFloor", 0, "round_prefer_floor">,
  I32EnumAttrCase<"RoundPreferCeil", 1, "round_prefer_ceil">,
  I32EnumAttrCase<"Floor", 2, "floor">, I32EnumAttrCase<"Ceil", 3, "ceil">]>;
def Graph_RoundingAttr : Graph_EnumAttr<Graph_Rounding, "rounding">;

//===-- Sources ------------------------------------------------------------===//

def Graph_ConstantOp : Graph_Op<"constant", [ConstantLike,
    AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor known at compile time";
  let description = [{
    `graph.constant dense<1.0> : tensor<f32>`. Large data is a
    `dense_resource`, which refers to bytes outside of the IR.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value)>];
  let hasFolder = 1;
}

def Graph_DimsOp : Graph_Op<"dims"> {
  let summary = "sizes as data: a small tensor of dim expressions";
  let description = [{
    `graph.dims [batch, "seq + 1"] : tensor<2xi64>`. What `Shape` and arithmetic
    on its results become. The elements stand in row-major order; the result has
    a static shape and an integer or float element type.
  }];
  let arguments = (ins Sym_ShapeAttr:$values);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$values attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Graph_IotaOp : Graph_Op<"iota"> {
  let summary = "the index along one dim";
  let description = [{
    Element [i0, ..., in] of the result is i_`dim` converted to the element
    type.
  }];
  let arguments = (ins Sym_ShapeAttr:$shape, I64Attr:$dim, TypeAttr:$elementType);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$shape `along` $dim attr-dict `:` type($result)";
}

//===-- Elementwise --------------------------------------------------------===//

def Graph_MapOp : Graph_Op<"map", [
    IsolatedFromAbove, SingleBlock]> {
  let summary = "applies a scalar function to every element";
  let description = [{
    All inputs and the result have one shape. The body takes one scalar of each
    input and yields one scalar, by `arith` and `math` ops. Unsigned element
    types enter the body signless.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs);
  let results = (outs Graph_Tensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type($inputs, $result) $body
  }];
  let hasRegionVerifier = 1;
}

def Graph_YieldOp : Op<Graph_Dialect, "yield", [Pure, Terminator,
                                                HasParent<"MapOp">]> {
  let summary = "the value of a map's body";
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===-- Shape and data movement --------------------------------------------===//

def Graph_BroadcastOp : Graph_Op<"broadcast"> {
  let summary = "repeats a tensor along new dims and dims of size 1";
  let description = [{
    Dims align at the right. An input dim equals the result's, or is 1; which of
    the two may be known only at run time.
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $shape attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_ReshapeOp : Graph_Op<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $shape attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_Op<"transpose"> {
  let summary = "permutes dims: result dim i is input dim permutation[i]";
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $permutation attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_SliceOp : Graph_Op<"slice"> {
  let summary = "every strides[d]-th element from offsets[d], sizes[d] of them";
  let description = [{
    Offsets and sizes are expressions; strides are constants, not 0, and may be
    negative. Every element that is read lies inside of the input.
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$offsets,
                       Sym_ShapeAttr:$sizes, DenseI64ArrayAttr:$strides);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input $offsets $sizes $strides attr-dict `:` functional-type($input, $result)
  }];
  let hasFolder = 1;
}

def Graph_ConcatOp : Graph_Op<"concat"> {
  let summary = "joins tensors along one dim";
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$inputs `along` $dim attr-dict `:` functional-type($inputs, $result)";
  let hasFolder = 1;
}

def Graph_PadOp : Graph_Op<"pad"> {
  let summary = "adds low[d] elements before and high[d] after every dim";
  let description = [{
    `value`, a rank-0 tensor, fills in constant mode; edge repeats the border,
    reflect mirrors without the border, wrap continues from the other end.
    Amounts are never negative.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$value,
                       Sym_ShapeAttr:$low, Sym_ShapeAttr:$high,
                       DefaultValuedAttr<Graph_PadModeAttr, "PadMode::Constant">:$mode);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `with` $value $low $high attr-dict `:` functional-type(operands, $result)
  }];
}

def Graph_GatherOp : Graph_Op<"gather"> {
  let summary = "takes slices of `data` along `axis` at `indices`";
  let description = [{
    The result's dims are data[:axis] ++ indices ++ data[axis+1:]. Indices lie
    in -n..n-1 for n = data dim `axis`; negative ones count from the end. An
    index outside is an error at run time, and nothing outside is read.
  }];
  let arguments = (ins Graph_Tensor:$data, Graph_Tensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $data `at` $indices `along` $axis attr-dict `:` functional-type(operands, $result)
  }];
}

def Graph_ResizeOp : Graph_Op<"resize"> {
  let summary = "resamples a tensor to another size, dim by dim";
  let description = [{
    `scales[d]` is output/input size as the coordinates see it; when absent it
    is result dim / input dim. With scales, the resized length of
    `align_corners` is the input dim * scale, no matter how the result dim was
    rounded. Source positions are exact (`ResizePosition.h`), so that ties
    between elements are ties, and clamp to the input.
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$shape,
                       OptionalAttr<DenseF32ArrayAttr>:$scales,
                       Graph_ResizeModeAttr:$mode,
                       Graph_CoordinatesAttr:$coordinates,
                       DefaultValuedAttr<Graph_RoundingAttr,
                         "Rounding::RoundPreferFloor">:$rounding);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $shape attr-dict `:` functional-type($input, $result)";
}

//===-- Reductions ---------------------------------------------------------===//

def Graph_ReduceOp : Graph_Op<"reduce"> {
  let summary = "combines all elements along `dims`, which disappear";
  let description = [{
    Over no elements the result is the neutral element: 0, 1, -inf (or the
    lowest integer), +inf (or the highest). NaN wins in maxima and minima.
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$dims,
                       Graph_ReduceKindAttr:$kind);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $kind $dims attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_ArgReduceOp : Graph_Op<"arg_reduce"> {
  let summary = "the index of the largest or smallest element along `dim`";
  let description = [{
    `kind` is max or min; of equal elements the first wins, or the last with
    `select_last`. The dim disappears; the result is i64.
  }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$dim,
                       Graph_ReduceKindAttr:$kind, UnitAttr:$select_last);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $kind $dim attr-dict `:` functional-type($input, $result)";
}

def Graph_SoftmaxOp : Graph_Op<"softmax"> {
  let summary = "exp(x - max) / sum(exp(x - max)) along `dim`, or its logarithm";
  let arguments = (ins Graph_Tensor:$input, I64Attr:$dim, UnitAttr:$log);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `along` $dim attr-dict `:` functional-type($input, $result)";
}

//===-- Contractions and windows -------------------------------------------===//

def Graph_ContractOp : Graph_Op<"contract"> {
  let summary = "batched matrix product";
  let description = [{
    lhs [B..., M, K] times rhs [B..., K, N] gives [B..., M, N]; the batch dims
    are equal. A rhs of rank 2 serves every batch. Each element is summed over k
    in ascending order by fused multiply-adds, starting from 0. The sums of f16
    and bf16 are f32; with `wide` they are the result, else it is rounded.
  }];
  let arguments = (ins Graph_Tensor:$lhs, Graph_Tensor:$rhs, UnitAttr:$wide);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

def Graph_ConvOp : Graph_Op<"conv"> {
  let summary = "convolution of [N, C, spatial...] by [O, C/groups, window...]";
  let description = [{
    Cross-correlation with zero padding, as in ONNX Conv. Each element is summed
    over channels, then window positions, in ascending order. `wide` is as in
    `graph.contract`.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_Tensor:$filter,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       I64Attr:$groups, UnitAttr:$wide);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `,` $filter attr-dict `:` functional-type(operands, $result)";
}

def Graph_WindowOp : Graph_Op<"window"> {
  let summary = "sum or maximum over a sliding window of [N, C, spatial...]";
  let description = [{
    Padding adds the neutral element. With `ceil` the last window may start
    inside of the input or the low padding and reach beyond the high padding.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_ReduceKindAttr:$kind,
                       DenseI64ArrayAttr:$window,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                       UnitAttr:$ceil);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $kind attr-dict `:` functional-type($input, $result)";
}

//===-- Kernels ------------------------------------------------------------===//

def Graph_LaunchOp : Op<Graph_Dialect, "launch", [Pure,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs an outlined kernel";
  let description = [{
    `dims` are the values of the kernel's size parameters, in its order. The
    kernel is a private function with the `ambit.kernel` attribute; it launches
    nothing itself.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Graph_Tensor>:$inputs,
                       Sym_ShapeAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $kernel `(` $inputs `)` $dims attr-dict `:` functional-type($inputs, $result)
  }];
}

include "ambit/Dialect/Graph/IR/GraphControlOps.td"
include "ambit/Dialect/Graph/IR/GraphDataOps.td"

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHOPS_TD
