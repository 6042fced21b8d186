// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of GraphOps.td about ops that look for something in the data. They
// stay out of kernels: a function of the runtime's library does their work.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD

/// Ops whose result has a size that only the data tells. That size is an
/// unbacked symbol, which the op sets.
class Graph_SizeSourceOp<string mnemonic, int dim>
    : Op<Graph_Dialect, mnemonic, [
        DeclareOpInterfaceMethods<ShapeRuleOpInterface>,
        DeclareOpInterfaceMethods<TailRuleOpInterface>,
        DeclareOpInterfaceMethods<KernelOpInterface>, SizeSourceOpInterface]> {
  let extraClassDeclaration = [{
    int64_t getSymbolDim() { return }] # dim # [{; }
  }];
}

def Graph_NonZeroOp : Graph_SizeSourceOp<"nonzero", 1> {
  let summary = "the indices of the elements that are not 0";
  let description = [{
    `graph.nonzero %x sets "count"`: the result is [rank, count], one column for
    each such element in row-major order. NaN is not 0, -0.0 is. A tensor of rank
    0 gives [0, count].

    ```mlir
    %at = graph.nonzero %x sets "count"
        : (tensor<4x?xf32, #sym.shape<[4, n]>>)
        -> tensor<2x?xi64, #sym.shape<[2, count]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, StrAttr:$symbol);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `sets` $symbol attr-dict `:` functional-type($input, $result)
  }];
}

def Graph_UniqueOp : Graph_SizeSourceOp<"unique", 0> {
  let summary = "the rows of a matrix that differ";
  let description = [{
    `graph.unique %x sets "count"`: [n, width] gives [count], for each of the rows
    that differ the position of the first that is equal to it. In the order of
    these positions or, with `sorted`, of the rows' values, compared from their
    first element on. -0.0 equals 0.0; NaN equals NaN and comes last.

    ```mlir
    %first = graph.unique %x sorted sets "count"
        : (tensor<8x2xf32>) -> tensor<?xi64, #sym.shape<[count]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, UnitAttr:$sorted, StrAttr:$symbol);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input (`sorted` $sorted^)? `sets` $symbol attr-dict `:`
    functional-type($input, $result)
  }];
}

def Graph_UniqueInverseOp : Graph_Op<"unique_inverse"> {
  let summary = "for each row of a matrix its number among those that differ";
  let description = [{
    [n, width] gives [n]: row i equals row number unique[result[i]], for the
    result of `graph.unique` with the same input and order.

    ```mlir
    %number = graph.unique_inverse %x sorted : (tensor<8x2xf32>) -> tensor<8xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, UnitAttr:$sorted);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input (`sorted` $sorted^)? attr-dict `:` functional-type($input, $result)
  }];
}

def Graph_HistogramOp : Graph_Op<"histogram"> {
  let summary = "how often each of the numbers 0 to bins - 1 occurs";
  let description = [{
    [n] of i64 gives [bins]; numbers outside are not counted.

    ```mlir
    %counts = graph.histogram %numbers to <[n]>
        : (tensor<8xi64>) -> tensor<?xi64, #sym.shape<[n]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$bins);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $bins attr-dict `:` functional-type($input, $result)";
}

def Graph_TopKOp : Graph_Op<"topk"> {
  let summary = "positions of the k largest or smallest elements along a dim";
  let description = [{
    The best one comes first; of equal ones that with the lower position. NaN is
    more than every other number, and -0.0 equals 0.0. `k`, one expression, is at
    most the size of the dim.

    ```mlir
    %best = graph.topk %x <[5]> along 1
        : (tensor<4x100xf32>) -> tensor<4x5xi64>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$k, I64Attr:$dim,
                       UnitAttr:$smallest);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input $k `along` $dim (`smallest` $smallest^)? attr-dict `:`
    functional-type($input, $result)
  }];
}

def Graph_NmsOp : Graph_SizeSourceOp<"nms", 0> {
  let summary = "non-maximum suppression";
  let description = [{
    Of boxes [batch, box, 4] with scores [batch, class, box], keeps those with a
    score above `scoreThreshold`, by falling score, of equal ones that with the
    lower position, unless intersection over union with one that was kept before
    in its batch and class is above `iouThreshold`; at most `most` of each class.
    A box is two corners (y, x, y, x), or with `center` (x, y, width, height). The
    result is [count, 3]: batch, class, box.

    ```mlir
    %kept = graph.nms %boxes, %scores, %most, %overlap, %least sets "count"
        : (tensor<1x100x4xf32>, tensor<1x3x100xf32>, tensor<i64>, tensor<f32>,
           tensor<f32>) -> tensor<?x3xi64, #sym.shape<[count, 3]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$boxes, Graph_Tensor:$scores,
                       Graph_Tensor:$most, Graph_Tensor:$iouThreshold,
                       Graph_Tensor:$scoreThreshold, UnitAttr:$center,
                       StrAttr:$symbol);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $boxes `,` $scores `,` $most `,` $iouThreshold `,` $scoreThreshold
    (`center` $center^)? `sets` $symbol attr-dict `:`
    functional-type(operands, $result)
  }];
}

def Graph_ScatterKind : Graph_Enum<"ScatterKind", [
  I32EnumAttrCase<"Replace", 0, "replace">, I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Multiply", 2, "multiply">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">]>;
def Graph_ScatterKindAttr : Graph_EnumAttr<Graph_ScatterKind, "scatter_kind">;

def Graph_ScatterOp : Graph_Op<"scatter"> {
  let summary = "a tensor with some of its rows replaced or combined";
  let description = [{
    Data [d0, ..., dk-1, width], indices [m, k] and updates [m, width] give a
    tensor like the data. Row i of the updates goes to the row of the data that
    row i of the indices names; with a kind other than `replace` it is combined
    with what is there, element by element. Rows go one after the other, so that
    of equal indices the last one stays and sums have one order. Index c lies in
    -dc..dc-1, negative ones count from the end; an index outside is an error at
    run time, and nothing outside is written.

    ```mlir
    %cache = graph.scatter %new into %past at %rows <replace>
        : (tensor<2x64xf32>, tensor<?x64xf32, #sym.shape<[n, 64]>>,
           tensor<2x1xi64>) -> tensor<?x64xf32, #sym.shape<[n, 64]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$updates, Graph_Tensor:$data,
                       Graph_Tensor:$indices, Graph_ScatterKindAttr:$kind);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $updates `into` $data `at` $indices $kind attr-dict `:`
    functional-type(operands, $result)
  }];
}

def Graph_UnpackOp : Graph_Op<"unpack"> {
  let summary = "an input of the model whose elements share bytes";
  let description = [{
    Elements of 2 or 4 bits take a byte each inside of the model; an input holds
    several in a byte, the first one in the lowest bits. The operand is an
    argument of `@main`.

    ```mlir
    %y = graph.unpack %x : (tensor<3x5xi4>) -> tensor<3x5xi4>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

/// Not pure: a copy of a packed tensor would be one of its elements.
def Graph_PackOp : Op<Graph_Dialect, "pack", [
    DeclareOpInterfaceMethods<ShapeRuleOpInterface>,
    DeclareOpInterfaceMethods<TailRuleOpInterface>,
    DeclareOpInterfaceMethods<KernelOpInterface>]> {
  let summary = "an output of the model whose elements share bytes";
  let description = [{
    The inverse of `graph.unpack`: the result is returned by `@main`, and used for
    nothing else.

    ```mlir
    %z = graph.pack %y : (tensor<3x5xi4>) -> tensor<3x5xi4>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD
