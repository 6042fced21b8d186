// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attaches the evaluations to the ops as external models of the interface.

#include "Evaluate.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::reference;

namespace {
template <typename OpT>
struct ReferenceModel
    : graph::ReferenceOpInterface::ExternalModel<ReferenceModel<OpT>, OpT> {
  LogicalResult evaluate(Operation *op, Operands operands,
                         const Symbols &symbols, Results &results) const {
    return reference::evaluate(cast<OpT>(op), operands, symbols, results);
  }
};

template <typename... OpTs> void attach(MLIRContext &context) {
  (OpTs::template attachInterface<ReferenceModel<OpTs>>(context), ...);
}
} // namespace

void reference::registerReferenceModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, graph::GraphDialect *) {
    attach<graph::ConstantOp, graph::DimsOp, graph::IotaOp, graph::MapOp,
           graph::BroadcastOp, graph::ReshapeOp, graph::TransposeOp,
           graph::SliceOp, graph::ConcatOp, graph::PadOp, graph::GatherOp,
           graph::ResizeOp, graph::ReduceOp, graph::ArgReduceOp,
           graph::SoftmaxOp, graph::ContractOp, graph::ConvOp, graph::WindowOp,
           graph::LaunchOp, graph::LoopOp, graph::NonZeroOp, graph::UniqueOp,
           graph::UniqueInverseOp, graph::HistogramOp, graph::TopKOp,
           graph::NmsOp, graph::ScatterOp, graph::UnpackOp, graph::PackOp>(
        *context);
  });
}

std::optional<int64_t> reference::evaluateDim(Expr dim,
                                              const Symbols &symbols) {
  if (std::optional<int64_t> value = dim.constant())
    return value;
  auto found = symbols.find(dim.str());
  return found != symbols.end() ? found->second : dim.evaluate(symbols);
}

FailureOr<SmallVector<int64_t>>
reference::evaluateDims(Operation *op, ArrayRef<Expr> dims,
                        const Symbols &symbols) {
  SmallVector<int64_t> values;
  for (Expr dim : dims) {
    std::optional<int64_t> value = evaluateDim(dim, symbols);
    if (!value)
      return op->emitError() << "dim expression '" << dim.str()
                             << "' has no value for the given symbols";
    values.push_back(*value);
  }
  return values;
}

FailureOr<HostTensor *> reference::addResult(Operation *op, Type elementType,
                                             ArrayRef<int64_t> dims,
                                             Results &results) {
  if (!elementType.isIntOrIndexOrFloat() ||
      HostTensor::elementBytes(elementType) > 8)
    return op->emitError() << "elements of type " << elementType
                           << " cannot be evaluated";
  int64_t bytes = HostTensor::elementBytes(elementType);
  bool fits = true;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    if (dim < 0)
      return op->emitError() << "size of result dim " << index << " is " << dim
                             << ", expected at least 0";
    // A dim of size 0 must not hide an overflow of the others from strides.
    fits &= !llvm::MulOverflow(bytes, std::max<int64_t>(dim, 1), bytes);
  }
  if (!fits || bytes > kMaxTensorBytes)
    return op->emitError("result is too large to be evaluated");
  results.emplace_back(elementType, dims);
  return &results.back();
}
