// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that LLVM's code generator may call by name and that usually come
// from a compiler's support library: conversions of half and bfloat16 on CPUs
// without the instruction, and integer powers. A model object links with libc
// and libm only, so it brings its own.
//
// Narrowing rounds to nearest, ties to even, straight from the source type.

#include <stdint.h>
#include <string.h>

#define AMBIT_BUILTIN __attribute__((used, visibility("hidden")))

static uint64_t double_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Drops the low `shift` bits of `value`, rounding to nearest even.
static uint64_t round_shift(uint64_t value, int shift) {
  if (shift >= 64)
    return 0;
  uint64_t half = (uint64_t)1 << (shift - 1);
  uint64_t odd = value >> shift & 1;
  return (value + half - 1 + odd) >> shift;
}

// Narrows to a format of `mantissa` stored bits below an exponent of `exponent`
// bits. A double holds every float exactly, so both widths go through here.
static uint16_t narrow(double value, int mantissa, int exponent) {
  uint64_t bits = double_bits(value);
  uint64_t sign = bits >> 63 << (mantissa + exponent);
  uint64_t fraction = bits & (((uint64_t)1 << 52) - 1);
  int raw = (int)(bits >> 52 & 0x7ff);
  uint64_t infinity = (((uint64_t)1 << exponent) - 1) << mantissa;
  if (raw == 0x7ff) {
    uint64_t quiet = (uint64_t)1 << (mantissa - 1);
    uint64_t payload = fraction ? quiet | fraction >> (52 - mantissa) : 0;
    return (uint16_t)(sign | infinity | payload);
  }
  int bias = (1 << (exponent - 1)) - 1;
  int scaled = raw - 1023 + bias;
  if (raw == 0 || scaled < -mantissa)
    return (uint16_t)sign;
  if (scaled >= (1 << exponent) - 1)
    return (uint16_t)(sign | infinity);
  uint64_t full = fraction | (uint64_t)1 << 52;
  // A carry out of the rounding moves into the exponent, up to infinity.
  if (scaled <= 0)
    return (uint16_t)(sign | round_shift(full, 52 - mantissa + 1 - scaled));
  uint64_t joined = ((uint64_t)scaled << 52) + fraction;
  return (uint16_t)(sign | round_shift(joined, 52 - mantissa));
}

static float widen_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16;
  uint32_t magnitude = half & 0x7fff, bits;
  float result;
  if (magnitude >= 0x7c00)
    bits = 0x7f800000 | (magnitude & 0x3ff) << 13 |
           (magnitude > 0x7c00 ? 0x400000 : 0);
  else if (magnitude >= 0x400)
    bits = (magnitude << 13) + ((127 - 15) << 23);
  else {
    result = (float)magnitude * 0x1p-24f;
    memcpy(&bits, &result, sizeof bits);
  }
  bits |= sign;
  memcpy(&result, &bits, sizeof result);
  return result;
}

AMBIT_BUILTIN float __extendhfsf2(_Float16 value) {
  uint16_t bits;
  memcpy(&bits, &value, sizeof bits);
  return widen_half(bits);
}

AMBIT_BUILTIN _Float16 __truncdfhf2(double value) {
  uint16_t bits = narrow(value, 10, 5);
  _Float16 result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

AMBIT_BUILTIN _Float16 __truncsfhf2(float value) { return __truncdfhf2(value); }

AMBIT_BUILTIN __bf16 __truncdfbf2(double value) {
  uint16_t bits = narrow(value, 7, 8);
  __bf16 result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

AMBIT_BUILTIN __bf16 __truncsfbf2(float value) { return __truncdfbf2(value); }

AMBIT_BUILTIN double __powidf2(double base, int exponent) {
  unsigned left = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
  double result = 1;
  for (; left; left >>= 1, base *= base)
    if (left & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}

AMBIT_BUILTIN float __powisf2(float base, int exponent) {
  unsigned left = exponent < 0 ? 0u - (unsigned)exponent : (unsigned)exponent;
  float result = 1;
  for (; left; left >>= 1, base *= base)
    if (left & 1)
      result *= base;
  return exponent < 0 ? 1 / result : result;
}
