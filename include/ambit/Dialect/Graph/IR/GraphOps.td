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
    rule, a tail rule and a reference evaluation.
  }];
  let dependentDialects = ["::ambit::sym::SymDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<ShapeRuleOpInterface>,
        DeclareOpInterfaceMethods<TailRuleOpInterface>,
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
    Large data is a `dense_resource`, which refers to bytes outside of the IR.

    ```mlir
    %half = graph.constant dense<0.5> : tensor<f32>
    ```
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
    What `Shape` and arithmetic on its results become. The elements stand in
    row-major order; the result has a static shape and an integer or float element
    type.

    ```mlir
    %shape = graph.dims <[batch, "seq + 1"]> : tensor<2xi64>
    ```
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

    ```mlir
    %column = graph.iota <[n, 4]> along 1 {elementType = i32}
        : tensor<?x4xi32, #sym.shape<[n, 4]>>
    ```
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

    ```mlir
    %y = graph.map %x : (tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>> {
    ^bb0(%element: f32):
      %root = math.sqrt %element : f32
      graph.yield %root : f32
    }
    ```
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

include "ambit/Dialect/Graph/IR/GraphMovementOps.td"

//===-- Reductions ---------------------------------------------------------===//

def Graph_ReduceOp : Graph_Op<"reduce"> {
  let summary = "combines all elements along `dims`, which disappear";
  let description = [{
    Over no elements the result is the neutral element: 0, 1, -inf (or the
    lowest integer), +inf (or the highest). NaN wins in maxima and minima.

    ```mlir
    %sums = graph.reduce %x <sum> [1]
        : (tensor<?x64xf32, #sym.shape<[n, 64]>>) -> tensor<?xf32, #sym.shape<[n]>>
    ```
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

    ```mlir
    %best = graph.arg_reduce %x <max> 1 {select_last}
        : (tensor<?x64xf32, #sym.shape<[n, 64]>>) -> tensor<?xi64, #sym.shape<[n]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, I64Attr:$dim,
                       Graph_ReduceKindAttr:$kind, UnitAttr:$select_last);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input $kind $dim attr-dict `:` functional-type($input, $result)";
}

def Graph_SoftmaxOp : Graph_Op<"softmax"> {
  let summary = "exp(x - max) / sum(exp(x - max)) along `dim`, or its logarithm";
  let description = [{
    ```mlir
    %p = graph.softmax %x along 1 : (tensor<4x10xf32>) -> tensor<4x10xf32>
    ```
  }];
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

    ```mlir
    %y = graph.contract %x, %w
        : (tensor<?x64xf32, #sym.shape<[n, 64]>>, tensor<64x8xf32>)
        -> tensor<?x8xf32, #sym.shape<[n, 8]>>
    ```
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

    ```mlir
    %y = graph.conv %x, %w {strides = array<i64: 2>, dilations = array<i64: 1>,
        low = array<i64: 1>, high = array<i64: 1>, groups = 1 : i64}
        : (tensor<1x4x?xf32, #sym.shape<[1, 4, t]>>, tensor<8x4x3xf32>)
        -> tensor<1x8x?xf32, #sym.shape<[1, 8, "floordiv(t + 1, 2)"]>>
    ```
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

    ```mlir
    %y = graph.window %x <max> {window = array<i64: 2>, strides = array<i64: 2>,
        dilations = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, ceil}
        : (tensor<1x4x5xf32>) -> tensor<1x4x3xf32>
    ```
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

    ```mlir
    func.func private @kernel_map(%x: tensor<?xf32, #sym.shape<[m]>>)
        -> tensor<?xf32, #sym.shape<[m]>>
        attributes {ambit.kernel, ambit.sizes = #sym.shape<[m]>}
    func.func @main(%x: tensor<?xf32, #sym.shape<["2*n"]>>)
        -> tensor<?xf32, #sym.shape<["2*n"]>> {
      %y = graph.launch @kernel_map(%x) <["2*n"]>
          : (tensor<?xf32, #sym.shape<["2*n"]>>)
          -> tensor<?xf32, #sym.shape<["2*n"]>>
      return %y : tensor<?xf32, #sym.shape<["2*n"]>>
    }
    ```
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
