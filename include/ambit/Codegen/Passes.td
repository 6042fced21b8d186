// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that turn kernels and variants into loops and calls.

#ifndef AMBIT_CODEGEN_PASSES_TD
#define AMBIT_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerKernelsPass : Pass<"lower-kernels", "::mlir::ModuleOp"> {
  let summary = "turn kernels into vector loops over flat buffers";
  let description = [{
    In: private functions with `ambit.kernel` and `ambit.sizes`. Out: for each a
    function of the same name that takes the inputs' and the result's buffers,
    the sizes, a range of work units, and where to report failed checks; and a
    function NAME_units that computes the number of units, and an estimate of all
    work, from the sizes. Main loops work on whole vectors, remainders on one
    masked vector. An op without a lowering is an error.

    ```mlir
    func.func private @double(%x: tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>>
        attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
      %0 = graph.map %x : (tensor<?xf32, #sym.shape<[n]>>)
          -> tensor<?xf32, #sym.shape<[n]>> {
      ^bb0(%a: f32):
        %b = arith.addf %a, %a : f32
        graph.yield %b : f32
      }
      return %0 : tensor<?xf32, #sym.shape<[n]>>
    }
    ```
    ==>
    ```mlir
    func.func private @double(%x: memref<?xf32>, %out: memref<?xf32>, %n: index,
                              %low: index, %high: index, %failures: memref<?xi64>,
                              %check: index)
        attributes {ambit.lowered_sizes = 1 : i64} {
    ...
    scf.for %unit = %low to %high
    ...
    vector.store
    ...
    vector.maskedstore
    ...
    func.func private @double_units(%n: index) -> (index, index)
    ```
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "32",
           "bytes in a vector register">,
    Option<"registers", "registers", "int64_t", "16",
           "number of vector registers">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::func::FuncDialect"];
}

def LowerVariantsPass : Pass<"lower-variants", "::mlir::ModuleOp"> {
  let summary = "turn variants into calls over one planned arena";
  let description = [{
    In: variant functions of `graph.launch`, `graph.loop`, `graph.reshape` and
    `graph.constant`, and lowered kernels. Out: bodies with the C signature of
    the runtime's descriptor. Intermediate values share slots of an arena by
    liveness; slot sizes are expressions, and a slot is reused only for a value
    that is proven to fit. Each body carries `ambit.workspace`, the arena's size
    in bytes; the module carries `ambit.weights` with `ambit.weight_offsets`, the
    constants behind the symbol `ambit_weights`; the `dispatch.model` gets the
    workspaces and the texts of checks on data. A launch of a kernel NAME becomes
    a call of NAME_launch, which asks the run's threads for help when there are
    any and the estimated work is worth it; what they run is NAME_task, on ranges
    of units.

    The function of variants that share one takes their tops as further arguments
    of type i64; each of the variants becomes a function that calls it.

    Ops like graph.nonzero become calls of the runtime's library. Their count is
    stored among the symbols, and the guards that mention it are checked: when
    one fails, the body records that and returns. Refused are values without an
    upper bound of their size that is known at entry, and symbols that are not
    set once each in the order of the sym.symbol ops, before they are used.

    ```mlir
    // ambit-opt --lower-kernels --lower-variants
    sym.symbol "n" min 1 max 64
    func.func @generic(%x: tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>> attributes {ambit.variant} {
      %y = graph.launch @double(%x) <[n]> : (tensor<?xf32, #sym.shape<[n]>>)
          -> tensor<?xf32, #sym.shape<[n]>>
      return %y : tensor<?xf32, #sym.shape<[n]>>
    }
    func.func private @double(%x: tensor<?xf32, #sym.shape<[n]>>)
        -> tensor<?xf32, #sym.shape<[n]>>
        attributes {ambit.kernel, ambit.sizes = #sym.shape<[n]>} {
      %0 = graph.map %x : (tensor<?xf32, #sym.shape<[n]>>)
          -> tensor<?xf32, #sym.shape<[n]>> {
      ^bb0(%a: f32):
        %b = arith.addf %a, %a : f32
        graph.yield %b : f32
      }
      return %0 : tensor<?xf32, #sym.shape<[n]>>
    }
    dispatch.model "m" {
      dispatch.input "x" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.output "y" : tensor<?xf32, #sym.shape<[n]>>
      dispatch.variant @generic kind generic
    }
    ```
    ==>
    ```mlir
    func.func @generic(%inputs: !llvm.ptr, %outputs: !llvm.ptr, %arena: !llvm.ptr,
                       %symbols: !llvm.ptr, %exec: !llvm.ptr) -> i32
    ...
    ambit.workspace = #sym.shape<[0]>
    ...
    call @double_
    ...
    dispatch.variant @generic kind generic workspace <[0]>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::func::FuncDialect",
    "::mlir::cf::ControlFlowDialect"];
}

#endif // AMBIT_CODEGEN_PASSES_TD
