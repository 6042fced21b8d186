// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checksums find what differs.

#include "ambit/Files/Checksum.h"
#include <catch2/catch.hpp>

using namespace ambit;

TEST_CASE("a checksum is right for the bytes it was made of alone") {
  for (size_t size : {0, 1, 15, 16, 17, 1000, 100000}) {
    std::string bytes(size, 'x'), file = bytes + makeChecksum(bytes);
    CHECK(checkChecksum(bytes) == ChecksumState::None);
    CHECK(checkChecksum(file) == ChecksumState::Right);
    for (size_t at : {size_t(0), size / 2, file.size() - 1}) {
      std::string damaged = file;
      damaged[at] ^= 1;
      // Without the mark nothing can be said.
      CHECK(
          checkChecksum(damaged) ==
          (size == 0 && at == 0 ? ChecksumState::None : ChecksumState::Wrong));
    }
  }
}
