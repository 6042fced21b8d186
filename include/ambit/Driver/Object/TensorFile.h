// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in files: NumPy's .npy and ONNX's TensorProto (.pb).

#ifndef AMBIT_DRIVER_OBJECT_TENSORFILE_H
#define AMBIT_DRIVER_OBJECT_TENSORFILE_H

#include "ambit/runtime.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace ambit {

/// A dense row-major tensor. `bytes` holds exactly the elements, packed two a
/// byte for the 4-bit types.
struct TensorData {
  /// As written in a .pb file; empty for .npy.
  std::string name;
  /// enum ambit_dtype.
  int32_t dtype = 0;
  std::vector<int64_t> dims;
  std::vector<char> bytes;
};

/// "f32", "i64", "bool", ...; "type 42" for what has no name.
std::string dtypeName(int32_t dtype);

/// Product of the dims; nothing if one is negative or it overflows.
std::optional<int64_t> elementCount(llvm::ArrayRef<int64_t> dims);

/// Bytes that such a tensor takes; nothing on overflow or for strings.
std::optional<int64_t> tensorBytes(int32_t dtype, llvm::ArrayRef<int64_t> dims);

/// Element `index` as a double, for every type but the 4-bit and 8-bit floats.
double elementAsDouble(const TensorData &tensor, int64_t index);

/// Reads a .npy or .pb file, by its extension. Errors name the path.
llvm::Expected<TensorData> readTensorFile(llvm::StringRef path);

/// Reads format 1, 2 or 3 in C or Fortran order of a vector; other Fortran
/// order, big-endian and structured arrays are refused.
llvm::Expected<TensorData> readNpy(llvm::StringRef path);
llvm::Expected<TensorData> readTensorProto(llvm::StringRef path);

/// Writes to a temporary file that then takes the place of `path`.
llvm::Error writeNpy(llvm::StringRef path, const TensorData &tensor);

} // namespace ambit

#endif // AMBIT_DRIVER_OBJECT_TENSORFILE_H
