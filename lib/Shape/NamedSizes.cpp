// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of sizes that are no expressions: square roots and powers of two.
// They are computed at entry, digit by digit; what each digit adds has a name,
// so that expressions stay small.
//
// The floor and the ceiling of the root that a machine computes in f32 are
// those of the exact root of an integer n < 2^24. Let k be the integer below or
// above that is nearest, k <= 4096. A root that is no integer is at least
// 1 / (2k) - 1 / (8k^3) away from k, which is more than half of the distance of
// two floats there, 2^-13 at most just below 4096; below 2^-13 every smaller k
// has a larger distance yet. So rounding never reaches k. In f64 there is more
// room.

#include "SizeScalar.h"
#include "ambit/Symbolic/Parser.h"

using namespace mlir;
using namespace ambit;

/// Squares are below 4 to the power of this.
static constexpr int kRootDigits = 12;
static constexpr int64_t kMaxSquare = (int64_t(1) << (2 * kRootDigits)) - 1;
/// The largest power of two that int64 holds.
static constexpr int64_t kMaxExponent = 62;

/// A name for a value that is computed from `of`, the same for the same value.
Expr SizeMath::name(const std::string &stem, Expr of, Expr value) {
  if (!value.isValid() || value.constant())
    return value;
  for (const graph::ShapeContext::Definition &known : context.getDefinitions())
    if (known.value == value)
      return Expr::symbol(known.name);
  std::set<std::string> symbols;
  of.collectSymbols(symbols);
  std::string text = stem;
  if (!symbols.empty())
    text += "_" + asNamePart(*symbols.begin());
  return context.define(text, value, op->getLoc());
}

MaybeScalar SizeMath::squareRoot(const SizeScalar &operand, Type type) {
  auto floatType = dyn_cast<FloatType>(type);
  if (mode != Following::Sizes || !floatType || floatType.getWidth() < 32 ||
      !operand.isInteger() || !fit(operand.numerator, 0, kMaxSquare))
    return std::nullopt;
  SizeScalar root(operand.numerator);
  root.digits = std::min(floatType.getFPMantissaWidth(), 53u);
  root.isRoot = true;
  return root;
}

std::optional<Expr> SizeMath::roundRoot(const SizeScalar &operand,
                                        Rounding rounding) {
  Expr square = operand.numerator;
  if (mode != Following::Sizes || rounding == Rounding::ToNearest ||
      !context.isKnownAtEntry(square))
    return std::nullopt;
  int64_t most = std::min(kMaxSquare, prover().bounds(square).max);
  Expr root = 0;
  for (int digit = kRootDigits; digit-- > 0;) {
    int64_t step = int64_t(1) << digit;
    if (step * step > most)
      continue;
    Expr next = root + Expr(step);
    Expr fits = Expr::min(1, Expr::floorDiv(square, next * next));
    std::string stem = digit ? "root" + std::to_string(step) : "root";
    root = name(stem, square, root + Expr(step) * fits);
    if (!root.isValid())
      return std::nullopt;
  }
  if (rounding == Rounding::Up)
    root = root + Expr::min(1, square - root * root);
  return root;
}

/// Beside a constant that lies outside of all roots.
MaybeScalar SizeMath::compareRoot(Relation::Kind kind, const SizeScalar &root,
                                  const SizeScalar &other) {
  using Kind = Relation::Kind;
  std::optional<int64_t> bound = other.constant();
  if (!root.isRoot || !bound || kind == Kind::EQ || kind == Kind::NE)
    return std::nullopt;
  bool wantsLess = kind == Kind::LT || kind == Kind::LE;
  if (*bound > int64_t(1) << kRootDigits)
    return SizeScalar(wantsLess ? 1 : 0);
  if (*bound < 0)
    return SizeScalar(wantsLess ? 0 : 1);
  return std::nullopt;
}

std::optional<Expr> SizeMath::powerOfTwo(Expr exponent) {
  if (mode != Following::Sizes || !context.isKnownAtEntry(exponent) ||
      !fit(exponent, 0, kMaxExponent))
    return std::nullopt;
  int64_t most = std::min(kMaxExponent, prover().bounds(exponent).max);
  Expr power = 1;
  for (int digit = 0; int64_t(1) << digit <= most; ++digit) {
    int64_t weight = int64_t(1) << digit;
    Expr isSet = Expr::mod(Expr::floorDiv(exponent, weight), 2);
    Expr factor = Expr(1) + Expr((int64_t(1) << weight) - 1) * isSet;
    bool isLast = 2 * weight > most;
    std::string stem = isLast ? "power" : "power" + std::to_string(weight);
    power = name(stem, exponent, power * factor);
    if (!power.isValid())
      return std::nullopt;
  }
  return power;
}
