// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in .npy files: what is written is read back, what is bad is refused.

#include "ambit/Driver/Object/TensorFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace ambit;

namespace {
/// A path that is removed at the end.
struct TemporaryFile {
  llvm::SmallString<128> path;
  TemporaryFile() {
    REQUIRE_FALSE(llvm::sys::fs::createTemporaryFile("ambit", "npy", path));
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }
  void write(llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
  }
  std::string error() {
    llvm::Expected<TensorData> tensor = readTensorFile(path);
    REQUIRE_FALSE(bool(tensor));
    std::string text = llvm::toString(tensor.takeError());
    return text.substr(path.size() + 2);
  }
};
} // namespace

/// A version 1 file with this header and these bytes of data.
static std::string npy(llvm::StringRef header, size_t dataBytes) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size());
  text += '\0';
  return text + header.str() + std::string(dataBytes, '\0');
}

TEST_CASE("npy: every element type and rank survives a round trip") {
  for (int32_t dtype : {AMBIT_FLOAT32, AMBIT_UINT8, AMBIT_INT8, AMBIT_INT32,
                        AMBIT_INT64, AMBIT_BOOL, AMBIT_FLOAT16, AMBIT_FLOAT64,
                        AMBIT_BFLOAT16, AMBIT_UINT64, AMBIT_COMPLEX64}) {
    for (std::vector<int64_t> dims :
         {std::vector<int64_t>{}, {3}, {2, 3}, {2, 0, 5}}) {
      TemporaryFile file;
      TensorData tensor;
      tensor.dtype = dtype;
      tensor.dims = dims;
      tensor.bytes.resize(*tensorBytes(dtype, dims));
      for (size_t i = 0; i < tensor.bytes.size(); ++i)
        tensor.bytes[i] = static_cast<char>(i + 1);
      REQUIRE_FALSE(bool(writeNpy(file.path, tensor)));
      uint64_t size = 0;
      REQUIRE_FALSE(llvm::sys::fs::file_size(file.path, size));
      CHECK((size - tensor.bytes.size()) % 64 == 0);
      llvm::Expected<TensorData> read = readTensorFile(file.path);
      REQUIRE(bool(read));
      CHECK(read->dtype == dtype);
      CHECK(read->dims == dims);
      CHECK(read->bytes == tensor.bytes);
    }
  }
}

TEST_CASE("npy: bad files") {
  TemporaryFile file;
  file.write("PK\x03\x04 zip");
  CHECK(file.error() == "not a .npy file");
  file.write(llvm::StringRef("\x93NUMPY\x07\x00\x00\x00\x00\x00", 12));
  CHECK(file.error() == "unknown .npy version 7");
  file.write(npy("{'descr': '<f4'}", 0).substr(0, 20));
  CHECK(file.error() == "is cut off inside its header");
  file.write(
      npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8));
  CHECK(file.error() == "element type '>f4' is not supported");
  file.write(npy("{'descr': [('a', '<f4')], 'shape': (2,), }", 8));
  CHECK(file.error() ==
        "has no plain element type (structured arrays are not supported)");
  file.write(
      npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", 24));
  CHECK(file.error() ==
        "is in Fortran order; save numpy.ascontiguousarray(x) instead");
  file.write(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 4));
  CHECK(file.error() == "holds 4 bytes of data, expected 8 for its shape");
  file.write(npy("{'descr': '<f4', 'shape': (-2,)}", 4));
  CHECK(file.error() == "bad dim '-2' in its header");
  file.write(npy("{'descr': '<f4', 'shape': (4611686018427387904, 4)}", 4));
  CHECK(file.error() == "its shape overflows");
}

TEST_CASE("sizes are checked") {
  CHECK(elementCount({}) == 1);
  CHECK(elementCount({INT64_MAX, 0, INT64_MAX}) == 0);
  CHECK_FALSE(elementCount({INT64_MAX, 2}));
  CHECK_FALSE(elementCount({2, -1}));
  CHECK(tensorBytes(AMBIT_INT4, {3}) == 2);
  CHECK_FALSE(tensorBytes(AMBIT_STRING, {3}));
  CHECK_FALSE(tensorBytes(AMBIT_FLOAT64, {int64_t(1) << 61}));
}

TEST_CASE("files of other kinds are refused by name") {
  llvm::Expected<TensorData> tensor = readTensorFile("x.bin");
  REQUIRE_FALSE(bool(tensor));
  CHECK(llvm::toString(tensor.takeError()) ==
        "x.bin: expected a file that ends in .npy or .pb");
}
