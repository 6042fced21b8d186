// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of tensors fit 63 bits: checked where types come into being.

#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// No coefficient of the dim is larger, nor is their sum. Sizes of 0 count
/// as 1.
static uint64_t weightOf(Expr dim) {
  uint64_t weight = 0;
  for (const Term &term : dim.terms())
    weight = llvm::SaturatingAdd(weight, term.coefficient < 0
                                             ? -uint64_t(term.coefficient)
                                             : uint64_t(term.coefficient));
  return std::max<uint64_t>(weight, 1);
}

/// Whether the product of the dims and `bytes` is an expression of 63 bits.
static bool fits(ArrayRef<Expr> dims, int64_t bytes) {
  // No coefficient of a product exceeds the product of the weights, so the
  // product itself, which may have many terms, is formed for huge sizes only.
  uint64_t weight = bytes;
  for (Expr dim : dims)
    weight = llvm::SaturatingMultiply(weight, weightOf(dim));
  if (weight <= uint64_t(INT64_MAX))
    return true;
  Expr product = bytes;
  for (Expr dim : dims)
    if (!dim.isConstant(0))
      product = product * dim;
  return product.isValid();
}

LogicalResult
graph::checkTensorSize(function_ref<InFlightDiagnostic()> emitError,
                       RankedTensorType type) {
  Type elementType = type.getElementType();
  int64_t bytes = elementType.isIntOrFloat()
                      ? llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8)
                      : 8;
  SmallVector<Expr> dims = sym::getDims(type);
  // IR written by hand may have dims without an expression, which other checks
  // refuse.
  if (!llvm::all_of(dims, [](Expr dim) { return dim.isValid(); }) ||
      fits(dims, bytes))
    return success();
  InFlightDiagnostic error = emitError();
  error << "a size does not fit: [";
  llvm::interleaveComma(dims, error, [&](Expr dim) { error << dim.str(); });
  return error << "] of " << elementType << " has more than " << INT64_MAX
               << " bytes";
}

LogicalResult graph::inferTypes(Operation *op, ShapeContext &context,
                                SmallVectorImpl<RankedTensorType> &types) {
  size_t first = types.size();
  if (failed(cast<ShapeRuleOpInterface>(op).inferTypes(context, types)))
    return failure();
  for (RankedTensorType type : ArrayRef(types).drop_front(first)) {
    if (!type)
      return op->emitError("a size does not fit: it overflows 64 bits");
    if (failed(checkTensorSize([&] { return op->emitError(); }, type)))
      return failure();
  }
  return success();
}
