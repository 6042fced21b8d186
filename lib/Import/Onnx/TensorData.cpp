// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turns TensorProto messages into attributes. ONNX stores elements as raw
// bytes, in typed fields, or in external files; every size is checked before
// use.

#include "TensorData.h"
#include "ambit/Shape/Rank.h"
#define AMBIT_NO_LOADER
#include "ambit/runtime.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;
using onnx::TensorProto;

/// Tensors of more elements become resources.
constexpr int64_t kMaxDenseElements = 16;

std::string ambit::onnx_import::dataTypeName(int32_t dataType) {
  // Types that are younger than the protobuf classes.
  static const char *const young[] = {
      "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "UINT4",
      "INT4",         "FLOAT4E2M1",     "FLOAT8E8M0", "UINT2",          "INT2"};
  if (onnx::TensorProto_DataType_IsValid(dataType))
    return onnx::TensorProto_DataType_Name(
        onnx::TensorProto_DataType(dataType));
  if (dataType >= 17 && dataType < 17 + int32_t(std::size(young)))
    return young[dataType - 17];
  return "type " + std::to_string(dataType);
}

Type ambit::onnx_import::getElementType(int32_t dataType, Location loc) {
  Builder b(loc.getContext());
  auto unsignedType = [&](unsigned width) {
    return b.getIntegerType(width, /*isSigned=*/false);
  };
  switch (dataType) {
  case TensorProto::FLOAT:
    return b.getF32Type();
  case TensorProto::DOUBLE:
    return b.getF64Type();
  case TensorProto::FLOAT16:
    return b.getF16Type();
  case TensorProto::BFLOAT16:
    return b.getBF16Type();
  case TensorProto::INT8:
    return b.getI8Type();
  case TensorProto::INT16:
    return b.getI16Type();
  case TensorProto::INT32:
    return b.getI32Type();
  case TensorProto::INT64:
    return b.getI64Type();
  case TensorProto::UINT8:
    return unsignedType(8);
  case TensorProto::UINT16:
    return unsignedType(16);
  case TensorProto::UINT32:
    return unsignedType(32);
  case TensorProto::UINT64:
    return unsignedType(64);
  case TensorProto::BOOL:
    return b.getI1Type();
  case AMBIT_FLOAT8E4M3FN:
    return b.getFloat8E4M3FNType();
  case AMBIT_FLOAT8E4M3FNUZ:
    return b.getFloat8E4M3FNUZType();
  case AMBIT_FLOAT8E5M2:
    return b.getFloat8E5M2Type();
  case AMBIT_FLOAT8E5M2FNUZ:
    return b.getFloat8E5M2FNUZType();
  case AMBIT_UINT4:
    return unsignedType(4);
  case AMBIT_INT4:
    return b.getIntegerType(4);
  case AMBIT_UINT2:
    return unsignedType(2);
  case AMBIT_INT2:
    return b.getIntegerType(2);
  default:
    emitError(loc) << "element type " << dataTypeName(dataType)
                   << " is not supported";
    return {};
  }
}

namespace {

/// Reads one tensor; its parts are checked in the order of use.
class TensorReader {
public:
  TensorReader(const TensorProto &tensor, OnnxModel &model, Location loc)
      : tensor(tensor), model(model), loc(loc) {}
  FailureOr<ElementsAttr> read();

private:
  LogicalResult readType();
  LogicalResult readBytes();
  LogicalResult readExternalBytes();
  template <typename Stored, typename Field>
  LogicalResult readField(const Field &field, const char *name);
  LogicalResult checkSize(int64_t found, int64_t expected, const char *what);
  void normalizeBools();
  void unpack();
  ElementsAttr makeDense(ArrayRef<char> bytes);
  ElementsAttr makeResource();
  InFlightDiagnostic error() { return emitError(loc); }

  const TensorProto &tensor;
  OnnxModel &model;
  Location loc;
  RankedTensorType type;
  /// In memory, and all of them in the file.
  int64_t elementBytes = 0, byteCount = 0;
  /// Several elements are in one byte of the file.
  bool isPacked = false;
  SharedBytes data;
};

} // namespace

LogicalResult TensorReader::readType() {
  Type elementType = getElementType(tensor.data_type(), loc);
  if (!elementType)
    return failure();
  if (tensor.has_segment())
    return error() << "tensors in segments are not supported";
  if (tensor.dims_size() > kMaxRank)
    return error() << "has rank " << tensor.dims_size() << ", expected at most "
                   << kMaxRank;
  elementBytes = llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  isPacked = isPackedType(elementType);
  byteCount = elementBytes;
  for (auto [index, dim] : llvm::enumerate(tensor.dims())) {
    if (dim < 0)
      return error() << "dim " << index << " is " << dim
                     << ", expected a size that is not negative";
    if (llvm::MulOverflow(byteCount, int64_t(dim), byteCount))
      return error() << "size overflows 64 bits";
  }
  SmallVector<int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  type = RankedTensorType::get(dims, elementType);
  if (isPacked)
    byteCount = llvm::divideCeil(
        byteCount, int64_t(8 / elementType.getIntOrFloatBitWidth()));
  return success();
}

LogicalResult TensorReader::checkSize(int64_t found, int64_t expected,
                                      const char *what) {
  if (found == expected)
    return success();
  return error() << "has " << found << " " << what << ", expected " << expected
                 << " for " << type;
}

LogicalResult TensorReader::readExternalBytes() {
  std::string location;
  int64_t offset = 0, length = -1;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    bool isBad = false;
    if (entry.key() == "location")
      location = entry.value();
    else if (entry.key() == "offset")
      isBad = StringRef(entry.value()).getAsInteger(10, offset);
    else if (entry.key() == "length")
      isBad = StringRef(entry.value()).getAsInteger(10, length);
    if (isBad)
      return error() << "external data has " << entry.key() << " '"
                     << entry.value() << "', expected an integer";
  }
  if (length != -1 && failed(checkSize(length, byteCount, "bytes")))
    return failure();
  FailureOr<SharedBytes> bytes =
      model.externalData().read(location, offset, byteCount, loc);
  if (failed(bytes))
    return failure();
  data = *bytes;
  return success();
}

template <typename Stored, typename Field>
LogicalResult TensorReader::readField(const Field &field, const char *name) {
  if (failed(checkSize(field.size(),
                       isPacked ? byteCount : type.getNumElements(), name)))
    return failure();
  if constexpr (std::is_same_v<Stored, typename Field::value_type>) {
    data = {{reinterpret_cast<const char *>(field.data()), size_t(byteCount)},
            model.shared_from_this()};
    return success();
  }
  auto copy = std::make_shared<std::vector<char>>(byteCount);
  auto *out = reinterpret_cast<Stored *>(copy->data());
  for (auto value : field)
    *out++ = Stored(value);
  data = {{copy->data(), copy->size()}, copy};
  return success();
}

LogicalResult TensorReader::readBytes() {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return readExternalBytes();
  if (tensor.has_raw_data()) {
    const std::string &raw = tensor.raw_data();
    data = {{raw.data(), raw.size()}, model.shared_from_this()};
    return checkSize(raw.size(), byteCount, "bytes");
  }
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return readField<float>(tensor.float_data(), "values");
  case TensorProto::DOUBLE:
    return readField<double>(tensor.double_data(), "values");
  case TensorProto::INT64:
    return readField<int64_t>(tensor.int64_data(), "values");
  case TensorProto::UINT64:
    return readField<uint64_t>(tensor.uint64_data(), "values");
  case TensorProto::UINT32:
    return readField<uint32_t>(tensor.uint64_data(), "values");
  case TensorProto::INT32:
    return readField<int32_t>(tensor.int32_data(), "values");
  case TensorProto::INT16:
  case TensorProto::UINT16:
  case TensorProto::FLOAT16:
  case TensorProto::BFLOAT16:
    return readField<uint16_t>(tensor.int32_data(), "values");
  default:
    return readField<uint8_t>(tensor.int32_data(), "values");
  }
}

/// Any byte but 0 is true in ONNX files; attributes know 0 and 1 only.
void TensorReader::normalizeBools() {
  auto copy =
      std::make_shared<std::vector<char>>(data.bytes.begin(), data.bytes.end());
  for (char &byte : *copy)
    byte = byte != 0;
  data = {{copy->data(), copy->size()}, copy};
}

/// In memory an element has a byte; the first is in the lowest bits.
void TensorReader::unpack() {
  unsigned width = type.getElementTypeBitWidth(), each = 8 / width;
  auto copy = std::make_shared<std::vector<char>>(type.getNumElements());
  for (auto [index, byte] : llvm::enumerate(*copy))
    byte = uint8_t(data.bytes[index / each]) >> (index % each * width) &
           ((1 << width) - 1);
  data = {{copy->data(), copy->size()}, copy};
}

ElementsAttr TensorReader::makeDense(ArrayRef<char> bytes) {
  if (!type.getElementType().isInteger(1))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> values(bytes.begin(), bytes.end());
  return DenseElementsAttr::get(type, values);
}

/// A name that the textual form of a resource can hold.
static std::string makeKeyword(StringRef name) {
  std::string keyword;
  for (char c : name)
    keyword += llvm::isAlnum(c) || c == '.' || c == '$' ? c : '_';
  if (keyword.empty() || !llvm::isAlpha(keyword.front()))
    keyword.insert(0, "tensor_");
  return keyword;
}

ElementsAttr TensorReader::makeResource() {
  AsmResourceBlob blob;
  size_t alignment = elementBytes;
  if (reinterpret_cast<uintptr_t>(data.bytes.data()) % alignment != 0)
    blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(data.bytes, alignment);
  else
    blob = AsmResourceBlob(
        data.bytes, alignment,
        [owner = data.owner](void *, size_t, size_t) mutable { owner.reset(); },
        /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, makeKeyword(tensor.name()),
                                        std::move(blob));
}

FailureOr<ElementsAttr> TensorReader::read() {
  if (failed(readType()) || failed(readBytes()))
    return failure();
  if (type.getElementType().isInteger(1))
    normalizeBools();
  if (isPacked)
    unpack();
  if (type.getNumElements() <= kMaxDenseElements)
    return makeDense(data.bytes);
  ArrayRef<char> first = data.bytes.take_front(elementBytes);
  bool isSplat =
      data.bytes.drop_back(elementBytes) == data.bytes.drop_front(elementBytes);
  return isSplat ? makeDense(first) : makeResource();
}

FailureOr<ElementsAttr>
ambit::onnx_import::getElements(const TensorProto &tensor, OnnxModel &model,
                                Location loc) {
  return TensorReader(tensor, model, loc).read();
}
