// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random expressions, each as a plain tree that is evaluated naively and as the
// canonical expression it should agree with.

#ifndef AMBIT_TEST_UNIT_SYMBOLIC_RANDOMTREE_H
#define AMBIT_TEST_UNIT_SYMBOLIC_RANDOMTREE_H

#include "ambit/Symbolic/Domain.h"
#include <memory>
#include <random>

namespace ambit::test {

using Point = std::map<std::string, int64_t>;

/// A deterministic source: the standard distributions differ by platform.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t range(int64_t low, int64_t high) {
    return low + int64_t(engine() % uint64_t(high - low + 1));
  }
  bool chance(int percent) { return range(1, 100) <= percent; }

private:
  std::mt19937_64 engine;
};

struct Tree {
  enum class Kind {
    Constant,
    Symbol,
    Add,
    Sub,
    Mul,
    Div,
    CeilDiv,
    Mod,
    Min,
    Max
  };
  Kind kind;
  int64_t value = 0;
  std::string name;
  std::unique_ptr<Tree> lhs, rhs;

  std::optional<int64_t> evaluate(const Point &point) const;
  Expr build() const;
};

std::unique_ptr<Tree> randomTree(Random &random, unsigned depth);

/// The symbols that random trees use.
extern const char *const kSymbols[3];

/// A small box with an occasional divisor. An open one has no upper bounds, so
/// that nothing can be decided by trying all points.
Domain randomDomain(Random &random, bool isOpen = false);
Relation randomRelation(Random &random, Expr lhs, Expr rhs);
/// All points of the domain; of an open one, those near the lower corner.
std::vector<Point> pointsOf(const Domain &domain);

} // namespace ambit::test

#endif // AMBIT_TEST_UNIT_SYMBOLIC_RANDOMTREE_H
