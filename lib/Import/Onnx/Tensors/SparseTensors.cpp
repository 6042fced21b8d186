// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spreads the values of sparse tensors over dense ones. The indices are one
// number per value, its place in row-major order, or one row per value.

#include "SparseTensors.h"
#include "../OnnxModel.h"
#include "../TensorData.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SwapByteOrder.h"
#include <cstring>

using namespace mlir;
using namespace ambit::onnx_import;
using onnx::TensorProto;

/// Of all dense tensors of a model, as of the message they become part of.
constexpr int64_t kMaxDenseBytes = INT32_MAX;

namespace {
class Densifier {
public:
  explicit Densifier(const OnnxModel &model) : model(model) {}
  LogicalResult visit(onnx::GraphProto &graph);
  LogicalResult visit(onnx::NodeProto &node);

private:
  FailureOr<TensorProto> makeDense(const onnx::SparseTensorProto &sparse,
                                   Location loc);
  FailureOr<SmallVector<int64_t>>
  readPositions(const onnx::SparseTensorProto &sparse, int64_t count,
                int64_t dense, Location loc);

  const OnnxModel &model;
  int64_t denseBytes = 0;
};
} // namespace

/// Bytes of an element where raw_data holds it; 0 for strings and the like.
static int64_t elementBytes(int32_t dataType) {
  switch (dataType) {
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::UINT8:
    return 1;
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
  case TensorProto::INT16:
  case TensorProto::UINT16:
    return 2;
  case TensorProto::FLOAT:
  case TensorProto::INT32:
  case TensorProto::UINT32:
    return 4;
  case TensorProto::DOUBLE:
  case TensorProto::INT64:
  case TensorProto::UINT64:
    return 8;
  default:
    return 0;
  }
}

template <typename Stored, typename Field>
static std::string packField(const Field &field) {
  std::string bytes;
  for (auto value : field) {
    auto stored = static_cast<Stored>(value);
    bytes.append(reinterpret_cast<const char *>(&stored), sizeof stored);
  }
  return bytes;
}

/// The elements as raw_data would hold them.
static std::string packElements(const TensorProto &tensor) {
  if (tensor.has_raw_data())
    return tensor.raw_data();
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return packField<float>(tensor.float_data());
  case TensorProto::DOUBLE:
    return packField<double>(tensor.double_data());
  case TensorProto::INT64:
    return packField<int64_t>(tensor.int64_data());
  case TensorProto::UINT64:
    return packField<uint64_t>(tensor.uint64_data());
  case TensorProto::UINT32:
    return packField<uint32_t>(tensor.uint64_data());
  case TensorProto::INT32:
    return packField<int32_t>(tensor.int32_data());
  default:
    return elementBytes(tensor.data_type()) == 2
               ? packField<uint16_t>(tensor.int32_data())
               : packField<uint8_t>(tensor.int32_data());
  }
}

/// Where each value stands in the dense tensor, in row-major order.
FailureOr<SmallVector<int64_t>>
Densifier::readPositions(const onnx::SparseTensorProto &sparse, int64_t count,
                         int64_t dense, Location loc) {
  const TensorProto &indices = sparse.indices();
  std::string bytes = packElements(indices);
  int64_t width = indices.dims_size() == 2 ? sparse.dims_size() : 1;
  int64_t expected = count * width;
  if (indices.data_type() != TensorProto::INT64 ||
      indices.data_location() == TensorProto::EXTERNAL ||
      int64_t(bytes.size()) != expected * 8)
    return emitError(loc) << "sparse tensor has " << bytes.size() / 8
                          << " indices of type "
                          << dataTypeName(indices.data_type()) << ", expected "
                          << expected << " of type INT64";
  SmallVector<int64_t> positions;
  const char *at = bytes.data();
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = 0;
    for (int64_t d = 0; d < width; ++d, at += 8) {
      int64_t index, size = width == 1 && indices.dims_size() != 2
                                ? dense
                                : sparse.dims(int(d));
      std::memcpy(&index, at, 8);
      if (index < 0 || index >= size)
        return emitError(loc) << "index " << d << " of value " << i
                              << " of a sparse tensor is " << index
                              << ", expected 0.." << size - 1;
      position = position * size + index;
    }
    if (!positions.empty() && position <= positions.back())
      return emitError(loc) << "indices of a sparse tensor do not ascend at "
                            << "value " << i;
    positions.push_back(position);
  }
  return positions;
}

FailureOr<TensorProto>
Densifier::makeDense(const onnx::SparseTensorProto &sparse, Location loc) {
  const TensorProto &values = sparse.values();
  int64_t width = elementBytes(values.data_type()), dense = 1;
  if (width == 0)
    return emitError(loc) << "sparse tensors of "
                          << dataTypeName(values.data_type())
                          << " are not supported";
  if (values.data_location() == TensorProto::EXTERNAL)
    return emitError(loc)
           << "values of a sparse tensor are external data, which is not "
              "supported";
  bool fits = true;
  for (int64_t dim : sparse.dims())
    fits &= dim >= 0 && !llvm::MulOverflow(dense, dim, dense);
  if (!fits || dense > (kMaxDenseBytes - denseBytes) / width)
    return emitError(loc) << "sparse tensors of the model have more than "
                          << kMaxDenseBytes << " bytes when they are dense";
  denseBytes += dense * width;
  std::string elements = packElements(values);
  int64_t count = int64_t(elements.size()) / width;
  if (values.dims_size() != 1 || values.dims(0) != count ||
      int64_t(elements.size()) % width != 0)
    return emitError(loc) << "values of a sparse tensor are " << count
                          << ", expected "
                          << (values.dims_size() ? values.dims(0) : 0)
                          << " in one dim";
  FailureOr<SmallVector<int64_t>> positions =
      readPositions(sparse, count, dense, loc);
  if (failed(positions))
    return failure();
  TensorProto result;
  result.set_name(values.name());
  result.set_data_type(values.data_type());
  *result.mutable_dims() = sparse.dims();
  std::string &raw = *result.mutable_raw_data();
  raw.resize(dense * width);
  for (auto [index, position] : llvm::enumerate(*positions))
    std::memcpy(raw.data() + position * width, elements.data() + index * width,
                width);
  return result;
}

LogicalResult Densifier::visit(onnx::NodeProto &node) {
  for (onnx::AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_g() && failed(visit(*attribute.mutable_g())))
      return failure();
    if (!attribute.has_sparse_tensor() || node.op_type() != "Constant")
      continue;
    FailureOr<TensorProto> dense = makeDense(
        attribute.sparse_tensor(),
        model.locOf(node.name().empty() ? node.op_type() : node.name()));
    if (failed(dense))
      return failure();
    attribute.clear_sparse_tensor();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    *attribute.mutable_t() = std::move(*dense);
  }
  return success();
}

LogicalResult Densifier::visit(onnx::GraphProto &graph) {
  for (const onnx::SparseTensorProto &sparse : graph.sparse_initializer()) {
    FailureOr<TensorProto> dense =
        makeDense(sparse, model.locOf("initializer", sparse.values().name()));
    if (failed(dense))
      return failure();
    *graph.add_initializer() = std::move(*dense);
  }
  graph.clear_sparse_initializer();
  for (onnx::NodeProto &node : *graph.mutable_node())
    if (failed(visit(node)))
      return failure();
  return success();
}

LogicalResult ambit::onnx_import::densify(onnx::ModelProto &proto,
                                          const OnnxModel &model) {
  Densifier densifier(model);
  for (onnx::FunctionProto &function : *proto.mutable_functions())
    for (onnx::NodeProto &node : *function.mutable_node())
      if (failed(densifier.visit(node)))
        return failure();
  return densifier.visit(*proto.mutable_graph());
}
