// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar ops from integers to integers. Results wrap around to their width.

#include "Scalar.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace ambit::reference;

using MaybeBits = std::optional<uint64_t>;

namespace {
/// The two operands of a step, read in both ways.
struct Pair {
  uint64_t a, b;
  unsigned width;
  int64_t signedA() const { return signedValue(a, width); }
  int64_t signedB() const { return signedValue(b, width); }
  /// The quotient, truncated. The one that is out of range wraps around: the
  /// least number by -1 is itself.
  int64_t quotient() const {
    return signedB() == -1 ? int64_t(-a) : signedA() / signedB();
  }
  int64_t remainder() const {
    return signedB() == -1 ? 0 : signedA() % signedB();
  }
  bool isNegative() const { return (signedA() < 0) != (signedB() < 0); }
};
} // namespace

using Binary = MaybeBits (*)(Pair);

// Division by 0 is undefined.
static MaybeBits divide(Pair p) {
  return p.b == 0 ? MaybeBits() : p.quotient();
}
static MaybeBits remainder(Pair p) {
  return p.b == 0 ? MaybeBits() : p.remainder();
}
static MaybeBits floorDivide(Pair p) {
  if (p.b == 0)
    return {};
  return p.quotient() - (p.remainder() != 0 && p.isNegative());
}
static MaybeBits ceilDivide(Pair p) {
  if (p.b == 0)
    return {};
  return p.quotient() + (p.remainder() != 0 && !p.isNegative());
}
static MaybeBits power(Pair p) {
  int64_t exponent = p.signedB();
  if (exponent < 0) {
    // 1 / a^n truncated, as the op defines it.
    if (p.a == 0)
      return {};
    if (p.a == 1)
      return 1;
    return p.signedA() == -1 ? (exponent % 2 ? -1 : 1) : 0;
  }
  uint64_t result = 1, base = p.a;
  for (; exponent != 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

static Binary getBinary(StringRef name) {
  // Shifts by the width or more give what a long shift converges to.
  static const llvm::StringMap<Binary> table = {
      {"arith.addi", [](Pair p) -> MaybeBits { return p.a + p.b; }},
      {"arith.subi", [](Pair p) -> MaybeBits { return p.a - p.b; }},
      {"arith.muli", [](Pair p) -> MaybeBits { return p.a * p.b; }},
      {"arith.divsi", divide},
      {"arith.remsi", remainder},
      {"arith.floordivsi", floorDivide},
      {"arith.ceildivsi", ceilDivide},
      {"arith.divui",
       [](Pair p) { return p.b ? MaybeBits(p.a / p.b) : MaybeBits(); }},
      {"arith.remui",
       [](Pair p) { return p.b ? MaybeBits(p.a % p.b) : MaybeBits(); }},
      {"arith.ceildivui",
       [](Pair p) {
         return p.b ? MaybeBits(p.a / p.b + (p.a % p.b != 0)) : MaybeBits();
       }},
      {"arith.andi", [](Pair p) -> MaybeBits { return p.a & p.b; }},
      {"arith.ori", [](Pair p) -> MaybeBits { return p.a | p.b; }},
      {"arith.xori", [](Pair p) -> MaybeBits { return p.a ^ p.b; }},
      {"arith.shli",
       [](Pair p) -> MaybeBits { return p.b < p.width ? p.a << p.b : 0; }},
      {"arith.shrui",
       [](Pair p) -> MaybeBits { return p.b < p.width ? p.a >> p.b : 0; }},
      {"arith.shrsi",
       [](Pair p) -> MaybeBits {
         return p.signedA() >> std::min<uint64_t>(p.b, 63);
       }},
      {"arith.maxsi",
       [](Pair p) -> MaybeBits { return std::max(p.signedA(), p.signedB()); }},
      {"arith.minsi",
       [](Pair p) -> MaybeBits { return std::min(p.signedA(), p.signedB()); }},
      {"arith.maxui", [](Pair p) -> MaybeBits { return std::max(p.a, p.b); }},
      {"arith.minui", [](Pair p) -> MaybeBits { return std::min(p.a, p.b); }},
      {"math.ipowi", power}};
  return table.lookup(name);
}

using Unary = uint64_t (*)(uint64_t, unsigned);

static Unary getUnary(StringRef name) {
  static const llvm::StringMap<Unary> table = {
      {"math.absi",
       [](uint64_t a, unsigned width) -> uint64_t {
         return signedValue(a, width) < 0 ? -a : a;
       }},
      {"math.ctlz",
       [](uint64_t a, unsigned width) -> uint64_t {
         return llvm::countl_zero(a) - (64 - width);
       }},
      {"math.cttz",
       [](uint64_t a, unsigned width) -> uint64_t {
         return a == 0 ? width : llvm::countr_zero(a);
       }},
      {"math.ctpop",
       [](uint64_t a, unsigned) -> uint64_t { return llvm::popcount(a); }}};
  return table.lookup(name);
}

unsigned ambit::reference::widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

ScalarFn ambit::reference::getIntegerFn(Operation *op) {
  Type type = op->getResult(0).getType();
  if (!type.isIntOrIndex())
    return {};
  unsigned width = widthOf(type);
  StringRef name = op->getName().getStringRef();
  if (Unary unary = getUnary(name))
    return [=](ArrayRef<Cell> in) {
      return Cell{0, truncate(unary(in[0].bits, width), width)};
    };
  if (Binary binary = getBinary(name))
    return [=](ArrayRef<Cell> in) -> std::optional<Cell> {
      MaybeBits bits = binary({in[0].bits, in[1].bits, width});
      if (!bits)
        return {};
      return Cell{0, truncate(*bits, width)};
    };
  return {};
}
