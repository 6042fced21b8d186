// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library's pack and unpack: elements of fewer bits than a byte has, the
// first one in the lowest bits.

#include "library.h"

void ambit_pack_write(const void *block) {
  const struct ambit_packing_call *pack = block;
  unsigned char *result = (unsigned char *)pack->call.result;
  int64_t bits = pack->bits, each = 8 / bits;
  unsigned mask = (1u << bits) - 1;
  for (int64_t i = 0; i < pack->count; i += each) {
    unsigned byte = 0;
    for (int64_t j = 0; j < each && i + j < pack->count; ++j)
      byte |= (pack->data[i + j] & mask) << (j * bits);
    result[i / each] = (unsigned char)byte;
  }
}

void ambit_unpack_write(const void *block) {
  const struct ambit_packing_call *pack = block;
  unsigned char *result = (unsigned char *)pack->call.result;
  int64_t bits = pack->bits, each = 8 / bits;
  unsigned mask = (1u << bits) - 1;
  for (int64_t i = 0; i < pack->count; ++i)
    result[i] = pack->data[i / each] >> (i % each * bits) & mask;
}
