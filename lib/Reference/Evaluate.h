// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluation of each op, and what the evaluations share: loops over index
// spaces, arithmetic types, checked allocation.

#ifndef AMBIT_LIB_REFERENCE_EVALUATE_H
#define AMBIT_LIB_REFERENCE_EVALUATE_H

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Reference/Reference.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>
#include <limits>

namespace ambit::reference {

using mlir::ArrayRef;
using mlir::FailureOr;
using mlir::LogicalResult;
using mlir::Operation;
using mlir::SmallVector;

using Operands = ArrayRef<const HostTensor *>;
using Symbols = std::map<std::string, int64_t>;
using Results = std::vector<HostTensor>;

// Sources, elementwise.
LogicalResult evaluate(graph::ConstantOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::DimsOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::IotaOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::MapOp, Operands, const Symbols &, Results &);
// Data movement.
LogicalResult evaluate(graph::BroadcastOp, Operands, const Symbols &,
                       Results &);
LogicalResult evaluate(graph::ReshapeOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::TransposeOp, Operands, const Symbols &,
                       Results &);
LogicalResult evaluate(graph::SliceOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::ConcatOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::PadOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::GatherOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::ResizeOp, Operands, const Symbols &, Results &);
// Reductions.
LogicalResult evaluate(graph::ReduceOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::ArgReduceOp, Operands, const Symbols &,
                       Results &);
LogicalResult evaluate(graph::SoftmaxOp, Operands, const Symbols &, Results &);
// Searches.
LogicalResult evaluate(graph::NonZeroOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::UniqueOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::UniqueInverseOp, Operands, const Symbols &,
                       Results &);
LogicalResult evaluate(graph::HistogramOp, Operands, const Symbols &,
                       Results &);
LogicalResult evaluate(graph::TopKOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::NmsOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::ScatterOp, Operands, const Symbols &, Results &);
// Host tensors hold an element a byte, as inner values do.
LogicalResult evaluate(graph::UnpackOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::PackOp, Operands, const Symbols &, Results &);
// Contractions and windows.
LogicalResult evaluate(graph::ContractOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::ConvOp, Operands, const Symbols &, Results &);
LogicalResult evaluate(graph::WindowOp, Operands, const Symbols &, Results &);
// Kernels.
LogicalResult evaluate(graph::LaunchOp, Operands, const Symbols &, Results &);
// Control flow.
LogicalResult evaluate(graph::LoopOp, Operands, const Symbols &, Results &);

/// Runs the ops of a block on values for its arguments; appends the operands of
/// its terminator.
LogicalResult evaluateBlock(mlir::Block &block, ArrayRef<HostTensor> inputs,
                            Symbols symbols, Results &outputs);

/// The value of a dim expression; nothing when a symbol has none. A kernel's
/// sizes are atoms, however they are written: they stand in `symbols` by their
/// text.
std::optional<int64_t> evaluateDim(Expr dim, const Symbols &symbols);

/// The values of dim expressions; an error at `op` when a symbol has no value.
FailureOr<SmallVector<int64_t>> evaluateDims(Operation *op, ArrayRef<Expr> dims,
                                             const Symbols &symbols);

/// Appends a zero-filled result; an error at `op` when a size is negative or
/// the tensor is too large. Nothing is appended on failure.
FailureOr<HostTensor *> addResult(Operation *op, mlir::Type elementType,
                                  ArrayRef<int64_t> dims, Results &results);

/// Calls `fn(index)` for every index below `dims` in row-major order.
template <typename Fn> void forEachIndex(ArrayRef<int64_t> dims, Fn fn) {
  if (llvm::is_contained(dims, 0))
    return;
  SmallVector<int64_t> index(dims.size(), 0);
  while (true) {
    fn(ArrayRef<int64_t>(index));
    int64_t dim = int64_t(dims.size()) - 1;
    for (; dim >= 0 && ++index[dim] == dims[dim]; --dim)
      index[dim] = 0;
    if (dim < 0)
      return;
  }
}

/// The position of an index in row-major order.
inline int64_t position(ArrayRef<int64_t> index, ArrayRef<int64_t> dims) {
  int64_t result = 0;
  for (auto [i, size] : llvm::zip_equal(index, dims))
    result = result * size + i;
  return result;
}

/// The number of elements of an index space.
inline int64_t countOf(ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

/// to[toIndex] = from[fromIndex], for tensors of one element type.
inline void copyElement(HostTensor &to, int64_t toIndex, const HostTensor &from,
                        int64_t fromIndex) {
  int64_t size = HostTensor::elementBytes(from.getElementType());
  std::memcpy(to.getBytes().data() + toIndex * size,
              from.getBytes().data() + fromIndex * size, size);
}

/// Calls `fn(T())` with the type in which elements of this type are summed:
/// double for f64, float for other floats, uint64_t for unsigned integers and
/// bool, int64_t for other integers.
template <typename Fn> auto withArithmeticType(mlir::Type type, Fn fn) {
  if (type.isF64())
    return fn(double());
  if (llvm::isa<mlir::FloatType>(type))
    return fn(float());
  if (type.isUnsignedInteger() || type.isInteger(1))
    return fn(uint64_t());
  return fn(int64_t());
}

/// All elements, converted to an arithmetic type.
template <typename T> std::vector<T> load(const HostTensor &tensor) {
  std::vector<T> values(tensor.getNumElements());
  for (int64_t i = 0, e = values.size(); i < e; ++i)
    if constexpr (std::is_floating_point_v<T>)
      values[i] = T(tensor.getFloat(i));
    else
      values[i] = T(tensor.getInt(i));
  return values;
}

/// Writes one element from its arithmetic type: floats round, integers wrap.
template <typename T> void store(HostTensor &tensor, int64_t index, T value) {
  if constexpr (std::is_floating_point_v<T>)
    tensor.setFloat(index, value);
  else
    tensor.setInt(index, int64_t(value));
}

/// acc + a * b, rounded once.
template <typename T> T multiplyAdd(T a, T b, T acc) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fma(a, b, acc);
  else
    // Unsigned arithmetic wraps around without undefined behaviour.
    return T(uint64_t(a) * uint64_t(b) + uint64_t(acc));
}

/// The neutral element of a reduction of elements of `type`, in T.
template <typename T>
T neutralElement(graph::ReduceKind kind, mlir::Type type) {
  if (kind == graph::ReduceKind::Sum)
    return T(0);
  if (kind == graph::ReduceKind::Product)
    return T(1);
  bool wantsLowest = kind == graph::ReduceKind::Max;
  if constexpr (std::is_floating_point_v<T>) {
    T infinity = std::numeric_limits<T>::infinity();
    return wantsLowest ? -infinity : infinity;
  } else {
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    if (std::is_unsigned_v<T>)
      return wantsLowest ? T(0) : T(~uint64_t(0) >> (64 - width));
    return wantsLowest ? T(llvm::minIntN(width)) : T(llvm::maxIntN(width));
  }
}

/// One step of a reduction.
template <typename T> T combine(graph::ReduceKind kind, T lhs, T rhs) {
  switch (kind) {
  case graph::ReduceKind::Sum:
    if constexpr (std::is_integral_v<T>)
      return T(uint64_t(lhs) + uint64_t(rhs));
    return lhs + rhs;
  case graph::ReduceKind::Product:
    if constexpr (std::is_integral_v<T>)
      return T(uint64_t(lhs) * uint64_t(rhs));
    return lhs * rhs;
  case graph::ReduceKind::Max:
    if (lhs != lhs || rhs != rhs) // NaN wins.
      return lhs + rhs;
    return rhs > lhs ? rhs : lhs;
  case graph::ReduceKind::Min:
    if (lhs != lhs || rhs != rhs)
      return lhs + rhs;
    return rhs < lhs ? rhs : lhs;
  }
  llvm_unreachable("all kinds are handled");
}

} // namespace ambit::reference

#endif // AMBIT_LIB_REFERENCE_EVALUATE_H
