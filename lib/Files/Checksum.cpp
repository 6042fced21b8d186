// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checksums by xxh3 (Collet), little-endian behind the mark.

#include "ambit/Files/Checksum.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace ambit;

static constexpr llvm::StringLiteral kMark = "ambitsum";

std::string ambit::makeChecksum(llvm::StringRef bytes) {
  uint64_t sum = llvm::xxh3_64bits(llvm::arrayRefFromStringRef(bytes));
  char text[sizeof sum];
  llvm::support::endian::write64le(text, sum);
  return kMark.str() + std::string(text, sizeof text);
}

ChecksumState ambit::checkChecksum(llvm::StringRef file) {
  size_t size = kMark.size() + sizeof(uint64_t);
  if (file.size() < size || !file.take_back(size).starts_with(kMark))
    return ChecksumState::None;
  return makeChecksum(file.drop_back(size)) == file.take_back(size)
             ? ChecksumState::Right
             : ChecksumState::Wrong;
}
