// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tensors in files have in common, and reading TensorProto.

#include "ambit/Driver/Object/TensorFile.h"
#include "ambit/Files/InputFile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <onnx/onnx_pb.h>

using namespace ambit;
using llvm::StringRef;

std::string ambit::dtypeName(int32_t dtype) {
  static const char *const names[] = {
      "?",          "f32",    "u8",         "i8",   "u16",  "i16",
      "i32",        "i64",    "string",     "bool", "f16",  "f64",
      "u32",        "u64",    "c64",        "c128", "bf16", "f8e4m3fn",
      "f8e4m3fnuz", "f8e5m2", "f8e5m2fnuz", "u4",   "i4",   "f4e2m1",
      "f8e8m0",     "u2",     "i2"};
  if (dtype <= 0 || dtype >= static_cast<int32_t>(std::size(names)))
    return "type " + std::to_string(dtype);
  return names[dtype];
}

std::optional<int64_t> ambit::elementCount(llvm::ArrayRef<int64_t> dims) {
  // A zero makes the product zero, whatever the others would overflow to.
  int64_t count = llvm::is_contained(dims, 0) ? 0 : 1;
  for (int64_t dim : dims)
    if (dim < 0 || llvm::MulOverflow(count, dim, count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> ambit::tensorBytes(int32_t dtype,
                                          llvm::ArrayRef<int64_t> dims) {
  std::optional<int64_t> count = elementCount(dims);
  int64_t bits = ambit_dtype_bits(dtype);
  if (!count || bits == 0 || llvm::MulOverflow(*count, bits, bits) ||
      llvm::AddOverflow(bits, int64_t(7), bits))
    return std::nullopt;
  return bits / 8;
}

template <typename T>
static double loadAs(const TensorData &tensor, int64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  return static_cast<double>(value);
}

template <typename T>
static double loadFloat(const TensorData &tensor, int64_t index,
                        const llvm::fltSemantics &semantics) {
  T bits;
  std::memcpy(&bits, tensor.bytes.data() + index * sizeof(T), sizeof(T));
  llvm::APFloat value(semantics, llvm::APInt(8 * sizeof(T), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// An integer of fewer bits than a byte has; the first one is in the lowest.
static double loadPacked(const TensorData &tensor, int64_t index,
                         bool isSigned) {
  unsigned width = ambit_dtype_bits(tensor.dtype), each = 8 / width;
  uint8_t byte = tensor.bytes[index / each];
  llvm::APInt value =
      llvm::APInt(8, byte >> (index % each * width)).trunc(width);
  return isSigned ? value.getSExtValue() : double(value.getZExtValue());
}

double ambit::elementAsDouble(const TensorData &tensor, int64_t index) {
  switch (tensor.dtype) {
  case AMBIT_FLOAT32:
    return loadAs<float>(tensor, index);
  case AMBIT_FLOAT64:
    return loadAs<double>(tensor, index);
  case AMBIT_FLOAT16:
    return loadFloat<uint16_t>(tensor, index, llvm::APFloat::IEEEhalf());
  case AMBIT_BFLOAT16:
    return loadFloat<uint16_t>(tensor, index, llvm::APFloat::BFloat());
  case AMBIT_FLOAT8E4M3FN:
    return loadFloat<uint8_t>(tensor, index, llvm::APFloat::Float8E4M3FN());
  case AMBIT_FLOAT8E4M3FNUZ:
    return loadFloat<uint8_t>(tensor, index, llvm::APFloat::Float8E4M3FNUZ());
  case AMBIT_FLOAT8E5M2:
    return loadFloat<uint8_t>(tensor, index, llvm::APFloat::Float8E5M2());
  case AMBIT_FLOAT8E5M2FNUZ:
    return loadFloat<uint8_t>(tensor, index, llvm::APFloat::Float8E5M2FNUZ());
  case AMBIT_UINT2:
  case AMBIT_UINT4:
    return loadPacked(tensor, index, /*isSigned=*/false);
  case AMBIT_INT2:
  case AMBIT_INT4:
    return loadPacked(tensor, index, /*isSigned=*/true);
  case AMBIT_UINT8:
  case AMBIT_BOOL:
    return loadAs<uint8_t>(tensor, index);
  case AMBIT_INT8:
    return loadAs<int8_t>(tensor, index);
  case AMBIT_UINT16:
    return loadAs<uint16_t>(tensor, index);
  case AMBIT_INT16:
    return loadAs<int16_t>(tensor, index);
  case AMBIT_UINT32:
    return loadAs<uint32_t>(tensor, index);
  case AMBIT_INT32:
    return loadAs<int32_t>(tensor, index);
  case AMBIT_UINT64:
    return loadAs<uint64_t>(tensor, index);
  case AMBIT_INT64:
    return loadAs<int64_t>(tensor, index);
  default:
    return 0;
  }
}

/// Appends each value of a typed field, narrowed to the element type.
template <typename T, typename Field>
static void append(const Field &field, std::vector<char> &bytes) {
  bytes.reserve(field.size() * sizeof(T));
  for (auto value : field) {
    T element = static_cast<T>(value);
    const char *data = reinterpret_cast<const char *>(&element);
    bytes.insert(bytes.end(), data, data + sizeof(T));
  }
}

/// Elements that are in the typed fields of the message; see the comments of
/// TensorProto in onnx.proto for which type is kept where.
static void appendTyped(const onnx::TensorProto &proto,
                        std::vector<char> &bytes) {
  switch (proto.data_type()) {
  case AMBIT_FLOAT32:
  case AMBIT_COMPLEX64:
    return append<float>(proto.float_data(), bytes);
  case AMBIT_FLOAT64:
  case AMBIT_COMPLEX128:
    return append<double>(proto.double_data(), bytes);
  case AMBIT_INT64:
    return append<int64_t>(proto.int64_data(), bytes);
  case AMBIT_UINT64:
    return append<uint64_t>(proto.uint64_data(), bytes);
  case AMBIT_UINT32:
    return append<uint32_t>(proto.uint64_data(), bytes);
  case AMBIT_INT32:
    return append<int32_t>(proto.int32_data(), bytes);
  case AMBIT_INT16:
  case AMBIT_UINT16:
  case AMBIT_FLOAT16:
  case AMBIT_BFLOAT16:
    return append<uint16_t>(proto.int32_data(), bytes);
  default:
    return append<uint8_t>(proto.int32_data(), bytes);
  }
}

static llvm::Error fileError(StringRef path, const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 path + ": " + message);
}

llvm::Expected<TensorData> ambit::readTensorProto(StringRef path) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInput(path, INT32_MAX);
  if (!buffer)
    return fileError(path, llvm::toString(buffer.takeError()));
  onnx::TensorProto proto;
  if (!proto.ParseFromArray((*buffer)->getBufferStart(),
                            static_cast<int>((*buffer)->getBufferSize())))
    return fileError(path, "not an ONNX TensorProto");
  TensorData tensor;
  tensor.name = proto.name();
  tensor.dtype = proto.data_type();
  tensor.dims.assign(proto.dims().begin(), proto.dims().end());
  if (proto.data_location() == onnx::TensorProto::EXTERNAL)
    return fileError(path, "keeps its data in another file, which is only "
                           "supported inside models");
  std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.dims);
  if (!bytes)
    return fileError(path, "tensors of " + dtypeName(tensor.dtype) +
                               " of this shape are not supported");
  if (proto.has_raw_data())
    tensor.bytes.assign(proto.raw_data().begin(), proto.raw_data().end());
  else
    appendTyped(proto, tensor.bytes);
  if (static_cast<int64_t>(tensor.bytes.size()) != *bytes)
    return fileError(path, "holds " + llvm::Twine(tensor.bytes.size()) +
                               " bytes of data, expected " +
                               llvm::Twine(*bytes) + " for its shape");
  return tensor;
}

llvm::Expected<TensorData> ambit::readTensorFile(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".npy")
    return readNpy(path);
  if (extension == ".pb")
    return readTensorProto(path);
  return fileError(path, "expected a file that ends in .npy or .pb");
}
