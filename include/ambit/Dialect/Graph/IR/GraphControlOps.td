// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control flow of the `graph` dialect. Included at the end of GraphOps.td.

#ifndef AMBIT_DIALECT_GRAPH_IR_GRAPHCONTROLOPS_TD
#define AMBIT_DIALECT_GRAPH_IR_GRAPHCONTROLOPS_TD

def Graph_LoopOp : Graph_Op<"loop", [IsolatedFromAbove, SingleBlock,
                                     AttrSizedOperandSegments]> {
  let summary = "runs its body once for each number below `trips`";
  let description = [{
    The body takes the carried values and the captured ones, and ends in
    `graph.next`, which gives the carried values of the next trip and an element
    for each stacked result. Results are the last carried values, then the stacked
    elements under a new first dim.

    `iteration` names a symbol that is the number of the trip inside of the
    body, from 0 on; shapes in the body may depend on it, those of stacked
    elements may not. `trips` is one expression, at least 0. With `entry`, a bool,
    no trip runs when it is false; with a condition in `graph.next` none runs
    after the first one that makes it false. Rows that are stacked by no trip
    are 0.

    A carried value keeps its shape or grows by the same sizes on every trip: the
    type T(i) of its argument is linear in the iteration i, T(0) is that before
    the loop, T(i + 1) what `graph.next` gives, T(`trips`) that of the result.
    Only a loop that data does not end may carry what grows.

    ```mlir
    %sum, %sums = graph.loop "i" below <[n]> carries(%zero) uses(%x)
        : (tensor<4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>)
        -> (tensor<4xf32>, tensor<?x4xf32, #sym.shape<[n, 4]>>) {
    ^bb0(%acc: tensor<4xf32>, %rows: tensor<?x4xf32, #sym.shape<[n, 4]>>):
      %row = graph.slice %rows <[i, 0]> <[1, 4]> ...
      ...
      graph.next carries(%next : tensor<4xf32>) stacks(%next : tensor<4xf32>)
    }
    ```
  }];
  let arguments = (ins StrAttr:$iteration, Sym_ShapeAttr:$trips,
                       Variadic<Graph_Tensor>:$inits,
                       Variadic<Graph_Tensor>:$captures,
                       Optional<Graph_Tensor>:$entry);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $iteration `below` $trips (`carries` `(` $inits^ `)`)?
    (`uses` `(` $captures^ `)`)? (`if` $entry^)? attr-dict
    `:` functional-type(operands, results) $body
  }];
  let extraClassDeclaration = [{
    /// The number of trips, or an upper bound of it.
    ::ambit::Expr getTripCount() { return getTrips().getDims().front(); }
    NextOp getNext();
    /// By how much each dim of a carried value grows in a trip: 0 where it keeps
    /// its size. Read from the type of the value's argument.
    ::llvm::SmallVector<::ambit::Expr> getGrowth(unsigned carried);
    /// Whether data may end the loop before its number of trips.
    bool isConditional();
    ::mlir::Block::BlockArgListType getCarriedArguments();
    ::mlir::Block::BlockArgListType getCapturedArguments();
    ::mlir::ResultRange getCarriedResults();
    ::mlir::ResultRange getStackedResults();
  }];
}

def Graph_NextOp : Op<Graph_Dialect, "next", [Pure, Terminator,
    HasParent<"LoopOp">, AttrSizedOperandSegments]> {
  let summary = "ends one trip of a loop";
  let description = [{
    `condition`, a bool, says whether another trip may follow.
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$carried,
                       Variadic<Graph_Tensor>:$stacked,
                       Optional<Graph_Tensor>:$condition);
  let assemblyFormat = [{
    (`carries` `(` $carried^ `:` type($carried) `)`)?
    (`stacks` `(` $stacked^ `:` type($stacked) `)`)?
    (`while` $condition^ `:` type($condition))? attr-dict
  }];
}

#endif // AMBIT_DIALECT_GRAPH_IR_GRAPHCONTROLOPS_TD
