// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of GraphOps.td about ops that move elements and compute none.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHMOVEMENTOPS_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHMOVEMENTOPS_TD

def Graph_BroadcastOp : Graph_Op<"broadcast"> {
  let summary = "repeats a tensor along new dims and dims of size 1";
  let description = [{
    Dims align at the right. An input dim equals the result's, or is 1; which of
    the two may be known only at run time.

    ```mlir
    %y = graph.broadcast %x to <[n, 4]>
        : (tensor<4xf32>) -> tensor<?x4xf32, #sym.shape<[n, 4]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $shape attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_ReshapeOp : Graph_Op<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    ```mlir
    %rows = graph.reshape %x to <["b*s", 64]>
        : (tensor<?x?x64xf32, #sym.shape<[b, s, 64]>>)
        -> tensor<?x64xf32, #sym.shape<["b*s", 64]>>
    ```
  }];
  let arguments = (ins Graph_Tensor:$input, Sym_ShapeAttr:$shape);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$input `to` $shape attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_Op<"transpose"> {
  let summary = "permutes dims: result dim i is input dim permutation[i]";
  let description = [{
    ```mlir
    %y = graph.transpose %x [0, 2, 1] : (tensor<2x3x5xf32>) -> tensor<2x5x3xf32>
    ```
  }];
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

    ```mlir
    %backwards = graph.slice %x <["n - 1"]> <[n]> [-1]
        : (tensor<?xf32, #sym.shape<[n]>>) -> tensor<?xf32, #sym.shape<[n]>>
    ```
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
  let description = [{
    ```mlir
    %keys = graph.concat %past, %new along 0
        : (tensor<?x64xf32, #sym.shape<[past, 64]>>, tensor<1x64xf32>)
        -> tensor<?x64xf32, #sym.shape<["past + 1", 64]>>
    ```
  }];
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

    ```mlir
    %y = graph.pad %x with %value <[1]> <["n"]> {mode = #graph.pad_mode<constant>}
        : (tensor<?xf32, #sym.shape<[n]>>, tensor<f32>)
        -> tensor<?xf32, #sym.shape<["2*n + 1"]>>
    ```
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

    ```mlir
    %vectors = graph.gather %table at %ids along 0
        : (tensor<1000x64xf32>, tensor<?xi64, #sym.shape<[seq]>>)
        -> tensor<?x64xf32, #sym.shape<[seq, 64]>>
    ```
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

    ```mlir
    %y = graph.resize %x to <["2*h"]> {mode = #graph.resize_mode<linear>,
        coordinates = #graph.coordinates<half_pixel>}
        : (tensor<?xf32, #sym.shape<[h]>>) -> tensor<?xf32, #sym.shape<["2*h"]>>
    ```
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

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHMOVEMENTOPS_TD
