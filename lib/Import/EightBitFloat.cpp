// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts between f32 and floats of 8 bits by integer arithmetic on their
// bits, so that no target needs to know these types.

#include "EightBitFloat.h"
#include "ValueBuilder.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

namespace {
/// Codes without their sign, 0 to 127, grow with the number.
struct Format {
  int mantissaBits, bias;
  /// The codes of the largest number and of NaN; of infinity or -1.
  int largest, nan, infinity;
  /// The code of -0 is the NaN.
  bool hasOneZero;
};

/// Scalar code on i32 and f32.
class Coder {
public:
  Coder(ScalarBuilder &s, MLIRContext *context, const Format &format)
      : s(s), i32(IntegerType::get(context, 32)),
        f32(Float32Type::get(context)), i8(IntegerType::get(context, 8)),
        format(format) {}
  Value decode(Value stored);
  Value encode(Value number, Type type, bool saturates);

private:
  Value integer(int64_t x) {
    return s.make<arith::ConstantOp>(IntegerAttr::get(i32, x));
  }
  Value real(double x) {
    return s.make<arith::ConstantOp>(FloatAttr::get(f32, x));
  }
  Value is(arith::CmpIPredicate predicate, Value x, int64_t y) {
    return s.make<arith::CmpIOp>(predicate, x, integer(y));
  }
  Value bitAnd(Value x, int64_t mask) {
    return s.make<arith::AndIOp>(x, integer(mask));
  }
  Value bitsOf(Value x) { return s.make<arith::BitcastOp>(i32, x); }
  Value floatOf(Value x) { return s.make<arith::BitcastOp>(f32, x); }
  /// Bits of a mantissa of f32 that this format does not have.
  int dropped() const { return 23 - format.mantissaBits; }
  Value encodeMagnitude(Value bits);

  ScalarBuilder &s;
  Type i32, f32, i8;
  const Format &format;
};
} // namespace

static Format formatOf(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return {3, 7, 0x7E, 0x7F, -1, false};
  if (isa<Float8E5M2Type>(type))
    return {2, 15, 0x7B, 0x7E, 0x7C, false};
  if (isa<Float8E4M3FNUZType>(type))
    return {3, 8, 0x7F, 0x80, -1, true};
  return {2, 16, 0x7F, 0x80, -1, true};
}

Value Coder::decode(Value stored) {
  using Predicate = arith::CmpIPredicate;
  Value code =
      s.make<arith::ExtUIOp>(i32, s.make<arith::BitcastOp>(i8, stored));
  Value magnitude = bitAnd(code, 0x7F);
  Value shifted = s.make<arith::ShLIOp>(magnitude, integer(dropped()));
  Value normal =
      s.make<arith::AddIOp>(shifted, integer(int64_t(127 - format.bias) << 23));
  double least = std::ldexp(1.0, 1 - format.bias - format.mantissaBits);
  Value small = s.make<arith::MulFOp>(s.make<arith::SIToFPOp>(f32, magnitude),
                                      real(least));
  Value isSmall = is(Predicate::ult, magnitude, 1 << format.mantissaBits);
  Value bits = s.select(isSmall, bitsOf(small), normal);
  if (format.infinity >= 0)
    bits = s.select(is(Predicate::eq, magnitude, format.infinity),
                    integer(0x7F800000), bits);
  Value isNan = format.hasOneZero
                    ? is(Predicate::eq, code, format.nan)
                    : is(Predicate::ugt, magnitude,
                         std::max(format.largest, format.infinity));
  bits = s.select(isNan, integer(0x7FC00000), bits);
  Value sign = s.make<arith::ShLIOp>(bitAnd(code, 0x80), integer(24));
  return floatOf(s.make<arith::OrIOp>(bits, sign));
}

/// The code of a number of this sign bit 0, as if exponents had no end.
Value Coder::encodeMagnitude(Value bits) {
  // Adding half of the last place, less one for an even code, rounds.
  Value last = bitAnd(s.make<arith::ShRUIOp>(bits, integer(dropped())), 1);
  Value half = integer((int64_t(1) << (dropped() - 1)) - 1);
  Value rounded = s.make<arith::ShRUIOp>(
      s.make<arith::AddIOp>(bits, s.make<arith::AddIOp>(half, last)),
      integer(dropped()));
  Value normal = s.make<arith::SubIOp>(
      rounded, integer(int64_t(127 - format.bias) << format.mantissaBits));
  // Small numbers are multiples of the least one: adding 2^23 rounds these.
  double scale = std::ldexp(1.0, format.bias - 1 + format.mantissaBits);
  Value steps = s.make<arith::AddFOp>(
      s.make<arith::MulFOp>(floatOf(bits), real(scale)), real(0x1p23));
  Value small = s.make<arith::SubIOp>(bitsOf(steps), integer(0x4B000000));
  Value isSmall =
      is(arith::CmpIPredicate::ult, bits, int64_t(128 - format.bias) << 23);
  return s.select(isSmall, small, normal);
}

Value Coder::encode(Value number, Type type, bool saturates) {
  using Predicate = arith::CmpIPredicate;
  Value all = bitsOf(number), bits = bitAnd(all, 0x7FFFFFFF);
  Value code = encodeMagnitude(bits);
  int beyond = saturates              ? format.largest
               : format.infinity >= 0 ? format.infinity
                                      : format.nan;
  Value isBeyond =
      s.make<arith::OrIOp>(is(Predicate::sgt, code, format.largest),
                           is(Predicate::uge, bits, 0x7F800000));
  code = s.select(isBeyond, integer(beyond), code);
  Value isNan = is(Predicate::ugt, bits, 0x7F800000);
  code = s.select(isNan, integer(format.nan), code);
  Value sign = bitAnd(s.make<arith::ShRUIOp>(all, integer(24)), 0x80);
  if (format.hasOneZero)
    sign = s.select(is(Predicate::eq, code, 0), integer(0), sign);
  code = s.make<arith::OrIOp>(code, sign);
  return s.make<arith::BitcastOp>(type, s.make<arith::TruncIOp>(i8, code));
}

Value compose::decodeEightBits(ValueBuilder &b, Value value) {
  if (!value)
    return b.fail();
  Format format = formatOf(elementTypeOf(value));
  MLIRContext *context = value.getContext();
  return b.map(
      value,
      [&](ScalarBuilder &s, ValueRange v) {
        return Coder(s, context, format).decode(v[0]);
      },
      Float32Type::get(context));
}

Value compose::encodeEightBits(ValueBuilder &b, Value value, Type elementType,
                               bool saturates) {
  if (!value)
    return b.fail();
  Format format = formatOf(elementType);
  return b.map(
      value,
      [&](ScalarBuilder &s, ValueRange v) {
        return Coder(s, elementType.getContext(), format)
            .encode(v[0], elementType, saturates);
      },
      elementType);
}
