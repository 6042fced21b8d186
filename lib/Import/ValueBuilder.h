// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds `graph` ops for an importer, whatever it reads: methods pass failures
// on as null values, so that composites and converters read like formulas.

#ifndef AMBIT_LIB_IMPORT_VALUEBUILDER_H
#define AMBIT_LIB_IMPORT_VALUEBUILDER_H

#include "ScalarBuilder.h"
#include "ambit/Shape/FollowValues.h"
#include "ambit/Shape/GraphBuilder.h"
#include "llvm/ADT/StringSet.h"

namespace ambit::compose {

using mlir::ArrayRef;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::Value;
using mlir::ValueRange;

/// Whether it is f16 or bf16.
inline bool isNarrowFloat(mlir::Type type) {
  return mlir::isa<mlir::FloatType>(type) && type.getIntOrFloatBitWidth() == 16;
}

/// The names of the symbols that an import makes for itself.
class SymbolNames {
public:
  /// A name that neither the domain nor an earlier call has: `stem`, or with a
  /// number behind it.
  std::string take(StringRef stem, const Domain &domain);

private:
  llvm::StringSet<> taken;
};

/// Builds the ops that one node of a model stands for. A method that gets a
/// null value, or fails, returns null; the error has been emitted at the
/// builder's location by then.
class ValueBuilder {
public:
  /// `name` is what the model calls the value that is built; symbols for its
  /// sizes begin with it. The references must outlive the builder.
  ValueBuilder(GraphBuilder &graph, SymbolNames &symbols, StringRef name);

  GraphBuilder &graph;

  //===-- Errors and conditions -------------------------------------------===//

  /// Emits an error, and everything built has failed.
  mlir::InFlightDiagnostic error() {
    failed = true;
    return graph.emitError();
  }
  bool hasFailed() const { return failed; }
  /// Fails after an error that was emitted elsewhere; the result is null.
  Value fail() {
    failed = true;
    return {};
  }
  /// Requires a condition: proves it, makes it a guard, or fails with `what`.
  bool require(const Condition &condition, const llvm::Twine &what);
  bool requireEqual(Expr lhs, Expr rhs, const llvm::Twine &what);
  bool requireDivisible(Expr expr, Expr divisor, const llvm::Twine &what);
  /// Brings an axis from -rank..rank-1 to 0..rank-1.
  bool normalizeAxis(int64_t &axis, int64_t rank);
  bool normalizeAxes(SmallVectorImpl<int64_t> &axes, int64_t rank);
  bool requireFloat(Value value, StringRef what);

  //===-- Sizes -----------------------------------------------------------===//

  /// A symbol that the model does not have yet: `stem`, or with a number.
  std::string newSymbol(StringRef stem) {
    return symbols.take(stem, prover().domain());
  }
  /// A new size that only a run knows, named after the value that is built and
  /// ending in `suffix`, at most `most`; the op that sets it is built next.
  /// Null text on failure.
  std::string newCount(Expr most, StringRef suffix = "_count");
  /// Whether the inputs alone give the value: no data that is computed, and no
  /// number of a loop's trip.
  bool isKnownAtEntry(Expr expr);
  /// A name for dim `dim` of the value that is built, computed at entry from
  /// what is known there: see ShapeContext::define.
  Expr define(size_t dim, Expr value);
  Prover &prover() { return graph.getContext().getProver(); }
  Expr simplify(Expr expr) { return graph.getContext().simplify(expr); }

  /// The elements of a constant as doubles; nothing when it is none.
  std::optional<SmallVector<double>> constantFloats(Value value);

  //===-- Building --------------------------------------------------------===//

  using Body = llvm::function_ref<Value(ScalarBuilder &, ValueRange)>;
  /// Elementwise over the broadcast inputs; the result has the element type of
  /// the first input unless one is given.
  Value map(ValueRange values, Body body, mlir::Type elementType = {});
  /// Arithmetic of two tensors, whose element types must agree.
  Value add(Value x, Value y) { return binary(x, y, &ScalarBuilder::add); }
  Value sub(Value x, Value y) { return binary(x, y, &ScalarBuilder::sub); }
  Value mul(Value x, Value y) { return binary(x, y, &ScalarBuilder::mul); }
  Value div(Value x, Value y) { return binary(x, y, &ScalarBuilder::div); }

  /// Another element type; to integers of 2 and 4 bits numbers wrap around, to
  /// others and to floats of 8 bits they saturate.
  Value cast(Value value, mlir::Type elementType);
  mlir::FailureOr<SmallVector<Expr>>
  broadcastShapes(ArrayRef<SmallVector<Expr>> shapes);
  Value broadcast(Value value, ArrayRef<Expr> shape);
  Value reshape(Value value, ArrayRef<Expr> shape);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value reduce(Value value, ArrayRef<int64_t> dims,
               ambit::graph::ReduceKind kind, bool keepDims);
  /// Sum over `dims` divided by their number of elements.
  Value mean(Value value, ArrayRef<int64_t> dims, bool keepDims);
  /// Sums of narrow floats are f32.
  Value contract(Value lhs, Value rhs);
  Value concat(ArrayRef<Value> values, int64_t dim);
  /// All of the other dims, and [offset, offset + size) of one.
  Value sliceDim(Value value, int64_t dim, Expr offset, Expr size);
  /// A dim in the order from its last element to its first.
  Value reverse(Value value, int64_t dim);
  Value pad(Value value, Value fill, ArrayRef<Expr> low, ArrayRef<Expr> high,
            ambit::graph::PadMode mode = ambit::graph::PadMode::Constant);
  Value iota(ArrayRef<Expr> shape, int64_t dim, mlir::Type elementType);
  Value scalar(double value, mlir::Type elementType) {
    return graph.scalar(value, elementType);
  }
  Value dims(ArrayRef<Expr> values, mlir::Type elementType,
             bool isScalar = false);
  /// Inserts dims of size 1 at these positions of the result.
  Value unsqueeze(Value value, ArrayRef<int64_t> positions);
  /// A tensor of rank 1 along dim `dim` of `rank` dims: [C] to [1, C, 1, 1].
  Value alongDim(Value value, int64_t dim, int64_t rank);

  /// Any other op of the dialect with one result; arguments as in its builder.
  template <typename OpT, typename... Args> Value create(Args &&...args) {
    if ((isNull(args) || ...))
      return fail();
    return take(graph.create<OpT>(std::forward<Args>(args)...));
  }

  //===-- Types -----------------------------------------------------------===//

  mlir::Type boolType() { return graph.getBuilder().getI1Type(); }
  /// That of indices and sizes as data.
  mlir::Type indexType() { return graph.getBuilder().getI64Type(); }
  mlir::Type byteType() {
    return graph.getBuilder().getIntegerType(8, /*isSigned=*/false);
  }

private:
  Value binary(Value x, Value y, Value (ScalarBuilder::*fn)(Value, Value));
  template <typename T> static bool isNull(const T &arg) {
    if constexpr (std::is_same_v<T, Value>)
      return !arg;
    return false;
  }
  Value take(mlir::FailureOr<Value> value) {
    return mlir::succeeded(value) ? *value : fail();
  }

  SymbolNames &symbols;
  std::string name;
  bool failed = false;
};

/// The type that sums and functions of a float type are computed in: f32 for 16
/// bits, else the type itself.
mlir::Type computeType(mlir::Type type);

/// dims first, first + 1, ..., rank - 1.
SmallVector<int64_t> dimsFrom(int64_t first, int64_t rank);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_VALUEBUILDER_H
