// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dense tensor in host memory.

#ifndef AMBIT_REFERENCE_HOSTTENSOR_H
#define AMBIT_REFERENCE_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <memory>

namespace ambit::reference {

/// A row-major tensor. Elements are stored in their natural width; i1 is one
/// byte, 0 or 1. Copies share the data.
class HostTensor {
public:
  HostTensor() = default;
  /// Zero-filled. Dims are sizes, all at least 0.
  HostTensor(mlir::Type elementType, llvm::ArrayRef<int64_t> dims);
  static HostTensor fromAttr(mlir::ElementsAttr attr);
  /// Bytes of one element of this type in memory.
  static int64_t elementBytes(mlir::Type elementType);

  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getDims() const { return dims; }
  int64_t getNumElements() const;
  int64_t getRank() const { return dims.size(); }
  llvm::MutableArrayRef<char> getBytes();
  llvm::ArrayRef<char> getBytes() const;
  template <typename T> T *data() {
    return reinterpret_cast<T *>(getBytes().data());
  }
  template <typename T> const T *data() const {
    return reinterpret_cast<const T *>(getBytes().data());
  }

  /// Element access through a common wide type; floats convert by value,
  /// integers keep their sign or lack of it.
  double getFloat(int64_t index) const;
  void setFloat(int64_t index, double value);
  int64_t getInt(int64_t index) const;
  void setInt(int64_t index, int64_t value);

  /// A dense attribute; `dense_resource` above 64 elements.
  mlir::ElementsAttr toAttr(llvm::StringRef name = "folded") const;

private:
  mlir::Type elementType;
  llvm::SmallVector<int64_t> dims;
  std::shared_ptr<std::vector<char>> storage;
};

} // namespace ambit::reference

#endif // AMBIT_REFERENCE_HOSTTENSOR_H
