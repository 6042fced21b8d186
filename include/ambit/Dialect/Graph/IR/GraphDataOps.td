// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of GraphOps.td about ops that look for something in the data. They
// stay out of kernels: a function of the runtime's library does their work.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD

/// Ops whose result has a size that only the data tells. That size is an
/// unbacked symbol, which the op sets.
class Graph_SizeSourceOp<string mnemonic, int dim>
    : Op<Graph_Dialect, mnemonic, [
        DeclareOpInterfaceMethods<ShapeRuleOpInterface>, SizeSourceOpInterface]> {
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
  }];
  let arguments = (ins Graph_Tensor:$input, StrAttr:$symbol);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $input `sets` $symbol attr-dict `:` functional-type($input, $result)
  }];
}

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHDATAOPS_TD
