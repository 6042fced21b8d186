// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the dispatch lowering share: the model as plain data in the
// order of the runtime's tables, and the emitters of its parts.

#ifndef AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_INTERNALS_H
#define AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_INTERNALS_H

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "ambit/Dialect/Dispatch/Transforms/SelectTable.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <vector>

namespace ambit::dispatch::lowering {

/// The rows of the object's tables (lib/Runtime/descriptor.h says what each
/// field means).
struct ModelTables {
  struct Dim {
    Expr expr;
    int64_t symbol = -1;
    /// Of an output: what `expr` is at most, as known at entry.
    Expr bound = 0;
  };
  struct Tensor {
    std::string name;
    int32_t dataType;
    std::vector<Dim> dims;
  };
  struct Symbol {
    std::string name;
    SymbolRange range;
    int32_t input = -1, dim = -1;
    /// That dim is scale*symbol + offset.
    int64_t scale = 1, offset = 0;
    /// The element of the input that it is instead, or -1.
    int64_t element = -1;
    bool saturates = false;
    /// What it is a name for instead.
    std::optional<Expr> definition = std::nullopt;
  };
  struct Variant {
    std::string name;
    VariantKind kind;
    llvm::SmallVector<Condition> conditions;
    Expr workspace;
    std::vector<std::string> checks = {};
  };

  std::string name, cpu;
  std::vector<std::string> isa;
  std::vector<Tensor> inputs, outputs;
  std::vector<Symbol> symbols;
  std::vector<Guard> guards;
  std::vector<Variant> variants;
  /// Whether some output dim is known only after a run.
  bool dependsOnData = false;

  Domain domain() const;
};

/// Collects the tables from `dispatch.model` and the module's `sym` ops.
mlir::FailureOr<ModelTables> readModel(mlir::ModuleOp module, ModelOp model);

/// The manifest as JSON text; depends on the tables only.
std::string makeManifest(const ModelTables &tables);

/// Names of the emitted functions; per variant, in order.
struct FunctionNames {
  std::string guardsFailed, select, inputDims, outputDims, guardHolds;
  /// Empty when no size depends on data.
  std::string outputBounds;
  /// Empty when no symbol is defined by others.
  std::string defineSymbols;
  std::vector<std::string> workspace, admits;
  /// The functions themselves, and those that they call.
  llvm::SmallVector<mlir::Operation *> all;
};

/// Emits the model's functions at the builder's insertion point. They hold ops
/// of `arith` beside those of `llvm` until `lowerArithmetic`.
FunctionNames emitFunctions(mlir::OpBuilder &builder, mlir::Location loc,
                            const ModelTables &tables, size_t maxCells);
mlir::LogicalResult lowerArithmetic(mlir::ModuleOp module,
                                    const FunctionNames &names);

/// Emits the constant tables and `ambit_descriptor_instance`.
void emitTables(mlir::OpBuilder &builder, mlir::Location loc,
                const ModelTables &tables, const FunctionNames &names);

} // namespace ambit::dispatch::lowering

#endif // AMBIT_LIB_DIALECT_DISPATCH_TRANSFORMS_INTERNALS_H
