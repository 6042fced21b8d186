// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random trees, domains and relations for the property tests.

#include "RandomTree.h"

namespace ambit::test {

const char *const kSymbols[3] = {"a", "b", "c"};

static std::optional<int64_t> floorDivide(int64_t lhs, int64_t rhs) {
  if (rhs == 0)
    return std::nullopt;
  int64_t quotient = lhs / rhs;
  return quotient - (lhs % rhs != 0 && (lhs < 0) != (rhs < 0) ? 1 : 0);
}

std::optional<int64_t> Tree::evaluate(const Point &point) const {
  if (kind == Kind::Constant)
    return value;
  if (kind == Kind::Symbol)
    return point.at(name);
  std::optional<int64_t> left = lhs->evaluate(point);
  std::optional<int64_t> right = rhs->evaluate(point);
  if (!left || !right)
    return std::nullopt;
  switch (kind) {
  case Kind::Add:
    return *left + *right;
  case Kind::Sub:
    return *left - *right;
  case Kind::Mul:
    return *left * *right;
  case Kind::Div:
    return floorDivide(*left, *right);
  case Kind::CeilDiv: {
    std::optional<int64_t> quotient = floorDivide(-*left, *right);
    return quotient ? std::optional<int64_t>(-*quotient) : std::nullopt;
  }
  case Kind::Mod: {
    std::optional<int64_t> quotient = floorDivide(*left, *right);
    return quotient ? std::optional<int64_t>(*left - *quotient * *right)
                    : std::nullopt;
  }
  case Kind::Min:
    return std::min(*left, *right);
  case Kind::Max:
    return std::max(*left, *right);
  case Kind::Constant:
  case Kind::Symbol:
    break;
  }
  return std::nullopt;
}

Expr Tree::build() const {
  switch (kind) {
  case Kind::Constant:
    return Expr(value);
  case Kind::Symbol:
    return Expr::symbol(name);
  case Kind::Add:
    return lhs->build() + rhs->build();
  case Kind::Sub:
    return lhs->build() - rhs->build();
  case Kind::Mul:
    return lhs->build() * rhs->build();
  case Kind::Div:
    return Expr::floorDiv(lhs->build(), rhs->build());
  case Kind::CeilDiv:
    return Expr::ceilDiv(lhs->build(), rhs->build());
  case Kind::Mod:
    return Expr::mod(lhs->build(), rhs->build());
  case Kind::Min:
    return Expr::min(lhs->build(), rhs->build());
  case Kind::Max:
    break;
  }
  return Expr::max(lhs->build(), rhs->build());
}

std::unique_ptr<Tree> randomTree(Random &random, unsigned depth) {
  auto tree = std::make_unique<Tree>();
  if (depth == 0 || random.chance(15)) {
    if (random.chance(35)) {
      tree->kind = Tree::Kind::Constant;
      tree->value = random.range(-4, 9);
    } else {
      tree->kind = Tree::Kind::Symbol;
      tree->name = kSymbols[random.range(0, 2)];
    }
    return tree;
  }
  using Kind = Tree::Kind;
  static const Kind kinds[] = {Kind::Add, Kind::Add, Kind::Sub, Kind::Mul,
                               Kind::Mul, Kind::Div, Kind::Div, Kind::CeilDiv,
                               Kind::Mod, Kind::Min, Kind::Max};
  tree->kind = kinds[random.range(0, 10)];
  tree->lhs = randomTree(random, depth - 1);
  bool divides = tree->kind == Kind::Div || tree->kind == Kind::CeilDiv ||
                 tree->kind == Kind::Mod;
  if (divides && random.chance(70)) {
    // Mostly the divisors that models have.
    tree->rhs = std::make_unique<Tree>();
    tree->rhs->kind = Kind::Constant;
    tree->rhs->value =
        random.chance(90) ? random.range(1, 6) : random.range(-5, 0);
  } else {
    tree->rhs = randomTree(random, depth - 1);
  }
  return tree;
}

Domain randomDomain(Random &random, bool isOpen) {
  Domain domain;
  for (const char *symbol : kSymbols) {
    SymbolRange range;
    range.min = random.chance(15) ? random.range(-3, 0) : random.range(0, 2);
    range.max = range.min + random.range(0, 4);
    if (random.chance(20)) {
      range.divisor = random.range(2, 4);
      range.min *= range.divisor;
      range.max *= range.divisor;
    }
    if (isOpen)
      range.max = Interval::kMax;
    domain.setRange(symbol, range);
  }
  return domain;
}

Relation randomRelation(Random &random, Expr lhs, Expr rhs) {
  static const Relation::Kind kinds[] = {
      Relation::Kind::EQ, Relation::Kind::NE, Relation::Kind::LE,
      Relation::Kind::LT, Relation::Kind::GE, Relation::Kind::GT};
  return {kinds[random.range(0, 5)], lhs, rhs};
}

std::vector<Point> pointsOf(const Domain &domain) {
  std::vector<Point> points{{}};
  for (const auto &[symbol, range] : domain.ranges()) {
    std::vector<Point> next;
    int64_t last = std::min(range.max, range.min + 3 * range.divisor);
    for (const Point &point : points)
      for (int64_t value = range.min; value <= last; ++value)
        if (value % range.divisor == 0) {
          next.push_back(point);
          next.back()[symbol] = value;
        }
    points = std::move(next);
  }
  std::vector<Point> inside;
  for (Point &point : points)
    if (domain.contains(point))
      inside.push_back(std::move(point));
  return inside;
}

} // namespace ambit::test
