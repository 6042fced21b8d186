// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage of host tensors, and conversion from and to attributes.

#include "ambit/Reference/HostTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace ambit::reference;

/// Constants up to this many elements are readable in printed IR.
static constexpr int64_t kMaxInlineElements = 64;

/// Elements of fewer bits than a byte are in its lowest ones.
static bool isBelowByte(Type type) {
  return type.isInteger() && type.getIntOrFloatBitWidth() < 8;
}

int64_t HostTensor::elementBytes(Type elementType) {
  if (elementType.isIndex())
    return 8;
  return (elementType.getIntOrFloatBitWidth() + 7) / 8;
}

HostTensor::HostTensor(Type elementType, ArrayRef<int64_t> dims)
    : elementType(elementType), dims(dims) {
  storage = std::make_shared<std::vector<char>>(getNumElements() *
                                                elementBytes(elementType));
}

int64_t HostTensor::getNumElements() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  return count;
}

MutableArrayRef<char> HostTensor::getBytes() {
  return storage ? MutableArrayRef<char>(*storage) : MutableArrayRef<char>();
}

ArrayRef<char> HostTensor::getBytes() const {
  return storage ? ArrayRef<char>(*storage) : ArrayRef<char>();
}

/// Copies `bytes`, which hold all elements or, repeated, one.
static bool fill(HostTensor &tensor, ArrayRef<char> bytes) {
  MutableArrayRef<char> to = tensor.getBytes();
  if (bytes.size() == to.size()) {
    llvm::copy(bytes, to.begin());
    return true;
  }
  if (int64_t(bytes.size()) !=
      HostTensor::elementBytes(tensor.getElementType()))
    return false;
  for (size_t offset = 0; offset < to.size(); offset += bytes.size())
    std::memcpy(to.data() + offset, bytes.data(), bytes.size());
  return true;
}

HostTensor HostTensor::fromAttr(ElementsAttr attr) {
  Type elementType = attr.getElementType();
  if (!elementType.isIntOrIndexOrFloat())
    return {};
  HostTensor tensor(elementType, attr.getShapedType().getShape());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || blob->getData().size() != tensor.getBytes().size())
      return {};
    fill(tensor, blob->getData());
    return tensor;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return {};
  if (elementType.isInteger(1)) {
    // The attribute packs bits.
    for (auto [index, value] : llvm::enumerate(dense.getValues<bool>()))
      tensor.getBytes()[index] = value;
    return tensor;
  }
  return fill(tensor, dense.getRawData()) ? tensor : HostTensor();
}

/// Whether all elements have the same bytes.
static bool isSplat(const HostTensor &tensor) {
  ArrayRef<char> bytes = tensor.getBytes();
  size_t size = HostTensor::elementBytes(tensor.getElementType());
  return bytes.size() > size && std::memcmp(bytes.data(), bytes.data() + size,
                                            bytes.size() - size) == 0;
}

ElementsAttr HostTensor::toAttr(StringRef name) const {
  auto type = RankedTensorType::get(dims, elementType);
  ArrayRef<char> bytes = getBytes();
  if (isSplat(*this))
    bytes = bytes.take_front(elementBytes(elementType));
  else if (getNumElements() > kMaxInlineElements)
    return DenseResourceElementsAttr::get(
        type, name, HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64));
  if (elementType.isInteger(1)) {
    SmallVector<bool> values(bytes.begin(), bytes.end());
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

double HostTensor::getFloat(int64_t index) const {
  if (elementType.isF32())
    return data<float>()[index];
  if (elementType.isF64())
    return data<double>()[index];
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType) {
    int64_t value = getInt(index);
    return elementType.isUnsignedInteger(64) ? double(uint64_t(value))
                                             : double(value);
  }
  unsigned width = floatType.getWidth();
  uint64_t bits = 0;
  std::memcpy(&bits, getBytes().data() + index * elementBytes(elementType),
              elementBytes(elementType));
  APFloat value(floatType.getFloatSemantics(), APInt(width, bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

void HostTensor::setFloat(int64_t index, double value) {
  if (elementType.isF32()) {
    data<float>()[index] = float(value);
    return;
  }
  if (elementType.isF64()) {
    data<double>()[index] = value;
    return;
  }
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType) {
    setInt(index, int64_t(value));
    return;
  }
  APFloat number(value);
  bool losesInfo;
  number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  uint64_t bits = number.bitcastToAPInt().getZExtValue();
  std::memcpy(getBytes().data() + index * elementBytes(elementType), &bits,
              elementBytes(elementType));
}

int64_t HostTensor::getInt(int64_t index) const {
  if (isa<FloatType>(elementType))
    return int64_t(getFloat(index));
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  if (isBelowByte(elementType)) {
    APInt value(elementType.getIntOrFloatBitWidth(),
                uint8_t(getBytes()[index]));
    return isUnsigned ? int64_t(value.getZExtValue()) : value.getSExtValue();
  }
  switch (elementBytes(elementType)) {
  case 1:
    return isUnsigned ? int64_t(data<uint8_t>()[index]) : data<int8_t>()[index];
  case 2:
    return isUnsigned ? int64_t(data<uint16_t>()[index])
                      : data<int16_t>()[index];
  case 4:
    return isUnsigned ? int64_t(data<uint32_t>()[index])
                      : data<int32_t>()[index];
  default:
    return data<int64_t>()[index];
  }
}

void HostTensor::setInt(int64_t index, int64_t value) {
  if (isa<FloatType>(elementType)) {
    setFloat(index, double(value));
    return;
  }
  if (isBelowByte(elementType))
    value &= (1 << elementType.getIntOrFloatBitWidth()) - 1;
  switch (elementBytes(elementType)) {
  case 1:
    data<int8_t>()[index] = int8_t(value);
    return;
  case 2:
    data<int16_t>()[index] = int16_t(value);
    return;
  case 4:
    data<int32_t>()[index] = int32_t(value);
    return;
  default:
    data<int64_t>()[index] = value;
  }
}
