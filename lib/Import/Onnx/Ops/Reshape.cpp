// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshape. Its target may hold 0 ("as the input") and -1 ("what is left").
// Where only the call knows which, arithmetic chooses: for s >= -1,
//   max(0, -s)              is 1 exactly for s = -1,
//   1 - min(1, max(s, -s))  is 1 exactly for s = 0.

#include "../../ExactDivision.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// The dim that makes the shape hold as many elements as the input.
static std::optional<Expr> inferDim(NodeContext &c, ArrayRef<Expr> from,
                                    ArrayRef<Expr> others) {
  Quotient quotient = cancelFactors(from, others);
  if (!quotient.numerator.isValid() || !quotient.denominator.isValid()) {
    c.error() << "number of elements "
              << (quotient.numerator + quotient.denominator).problem();
    return std::nullopt;
  }
  if (quotient.denominator.isConstant(1))
    return quotient.numerator;
  if (!c.require(Relation{Relation::Kind::GE, quotient.denominator, Expr(1)},
                 "cannot infer dim -1 beside dims of size 0") ||
      !c.requireDivisible(quotient.numerator, quotient.denominator,
                          "dim -1 is no whole number"))
    return std::nullopt;
  return c.simplify(Expr::floorDiv(quotient.numerator, quotient.denominator));
}

namespace {
/// One dim of the target.
struct Target {
  /// Its size, or 0 where it is to be inferred.
  Expr known;
  /// 1 where it is to be inferred, else 0.
  Expr isInferred;
};
} // namespace

/// Lets a dim that may be 0 be the input's where it is 0.
static std::optional<Target> copyWhereZero(NodeContext &c, Target target,
                                           Expr dim, size_t index,
                                           ArrayRef<Expr> from) {
  Expr copied = from[index], total = sym::getNumElements(from);
  auto impliesZero = [&](Expr other) {
    Condition implied(Relation{Relation::Kind::NE, dim, Expr(0)});
    implied.anyOf.push_back(Relation{Relation::Kind::EQ, other, Expr(0)});
    return c.prover().prove(implied) == Truth::Yes;
  };
  if (dim == copied || divideExactly(copied, dim) || impliesZero(copied))
    return target;
  // The input is empty wherever the dim is 0 ([b * s, d] to [b, s, d]): as it
  // would be copied, the target asks for elements that are not there.
  if (target.isInferred.isConstant(0) &&
      (divideExactly(total, dim) || impliesZero(total))) {
    Condition agrees(Relation{Relation::Kind::NE, dim, Expr(0)});
    agrees.anyOf.push_back(Relation{Relation::Kind::EQ, copied, Expr(0)});
    if (!c.require(agrees, "shape has 0 for dim " + Twine(index) +
                               ", which stands for the input's"))
      return std::nullopt;
    return target;
  }
  Expr isZero = Expr(1) - Expr::min(1, Expr::max(dim, -dim));
  target.known = c.simplify(target.known + isZero * copied);
  return target;
}

/// Reads dim `index` of the target; nothing after an error.
static std::optional<Target> readTarget(NodeContext &c, Expr dim, size_t index,
                                        ArrayRef<Expr> from) {
  Prover &prover = c.prover();
  auto is = [&](Relation::Kind kind, int64_t value) {
    return prover.prove(Relation{kind, dim, Expr(value)});
  };
  if (dim.isConstant(-1))
    return Target{0, 1};
  if (dim.constant() && *dim.constant() < 0) {
    c.error() << "shape has " << *dim.constant() << " for dim " << index;
    return std::nullopt;
  }
  bool isLiteral = c.intAttr("allowzero", 0) != 0;
  if (!isLiteral && is(Relation::Kind::EQ, 0) == Truth::Yes) {
    if (index < from.size())
      return Target{from[index], 0};
    c.error() << "shape has 0 for dim " << index << ", which the input of rank "
              << from.size() << " does not have";
    return std::nullopt;
  }
  Target target{dim, 0};
  if (is(Relation::Kind::GE, 0) != Truth::Yes) {
    if (!c.require(Relation{Relation::Kind::GE, dim, Expr(-1)},
                   "shape has a negative dim " + Twine(index)))
      return std::nullopt;
    target = {Expr::max(0, dim), Expr::max(0, -dim)};
  }
  if (isLiteral ||
      c.prover().prove(Relation{Relation::Kind::EQ, dim, Expr(0)}) == Truth::No)
    return target;
  if (index < from.size())
    return copyWhereZero(c, target, dim, index, from);
  if (!c.require(Relation{Relation::Kind::NE, dim, Expr(0)},
                 "shape has 0 for dim " + Twine(index) +
                     ", which the input does not have"))
    return std::nullopt;
  return target;
}

/// The sizes where it depends on the call which dim is inferred, if any is.
/// They get names: as expressions, no guard about them could be read. A dim
/// that cannot be inferred comes out as -1, which is no size.
static std::optional<SmallVector<Expr>>
chooseInferred(NodeContext &c, ArrayRef<Expr> from, ArrayRef<Target> targets) {
  Expr others = 1, count = 0;
  for (auto [index, target] : llvm::enumerate(targets)) {
    if (!c.isKnownAtEntry(target.known)) {
      c.error() << "dim " << index << " of shape is known only while the model "
                << "runs, and some dim may be -1; shape must be known from the "
                   "model's inputs";
      return std::nullopt;
    }
    others = others * Expr::max(0, target.known + target.isInferred);
    count = count + target.isInferred;
  }
  if (!c.require(Relation{Relation::Kind::LE, count, Expr(1)},
                 "shape has two dims of -1"))
    return std::nullopt;
  Expr total = sym::getNumElements(from), least = Expr::min(1, others);
  Expr rest = Expr::floorDiv(total, Expr::max(1, others)) * least + least - 1;
  if (!rest.isValid()) {
    c.error() << "number of elements " << rest.problem();
    return std::nullopt;
  }
  SmallVector<Expr> shape;
  for (auto [index, target] : llvm::enumerate(targets))
    shape.push_back(c.define(index, target.known + target.isInferred * rest));
  return shape;
}

/// The sizes that a target asks for.
static std::optional<SmallVector<Expr>>
targetShape(NodeContext &c, ArrayRef<Expr> from, ArrayRef<Expr> wanted) {
  SmallVector<Target> targets;
  SmallVector<Expr> shape, others;
  std::optional<size_t> inferred;
  bool isFixed = true;
  for (auto [index, dim] : llvm::enumerate(wanted)) {
    std::optional<Target> target = readTarget(c, dim, index, from);
    if (!target)
      return std::nullopt;
    targets.push_back(*target);
    shape.push_back(target->known);
    isFixed &= target->isInferred.constant().has_value();
    if (!target->isInferred.isConstant(1)) {
      others.push_back(target->known);
      continue;
    }
    if (inferred) {
      c.error() << "shape has two dims of -1";
      return std::nullopt;
    }
    inferred = index;
  }
  if (!isFixed)
    return chooseInferred(c, from, targets);
  if (inferred) {
    std::optional<Expr> dim = inferDim(c, from, others);
    if (!dim)
      return std::nullopt;
    shape[*inferred] = *dim;
  }
  return shape;
}

static void convertReshape(NodeContext &c) {
  std::optional<SmallVector<Expr>> wanted = c.knownInput(1, "shape");
  if (!wanted)
    return;
  if (std::optional<SmallVector<Expr>> shape =
          targetShape(c, dimsOf(c.input(0)), *wanted))
    c.setOutput(0, c.reshape(c.input(0), *shape));
}

void ambit::onnx_import::addReshape(ConverterTable &table) {
  table.add("Reshape", convertReshape, 2).readSince(5).sizes({1}).moves({0});
}
