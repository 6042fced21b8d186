// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the polyhedron and asks MLIR's Presburger library about it.

#include "LinearSystem.h"
#include "mlir/Analysis/Presburger/IntegerRelation.h"
#include "mlir/Analysis/Presburger/Simplex.h"

using namespace ambit;
using namespace ambit::detail;
using mlir::presburger::IntegerPolyhedron;
using mlir::presburger::PresburgerSpace;
using mlir::presburger::Simplex;

/// Past this many columns, monomials get their interval only.
static constexpr size_t kMaxDefinedColumns = 32;
static constexpr size_t kMaxRows = 160;
/// Past this many, nothing is asked.
static constexpr size_t kMaxColumns = 80;
/// How often the definitions of monomials that definitions mention are added.
static constexpr unsigned kMaxGenerations = 3;
/// Integer (not only rational) emptiness is exponential in the columns.
static constexpr size_t kMaxIntegerColumns = 8;
/// A bound this far out proves nothing and makes the arithmetic slow.
static constexpr int64_t kMaxUsefulBound = int64_t(1) << 40;

unsigned LinearSystem::column(llvm::ArrayRef<const Atom *> factors) {
  Expr monomial = makeTerm(1, factors);
  auto [found, isNew] =
      columns.try_emplace(monomial.getAsOpaquePointer(), monomials.size());
  if (isNew)
    monomials.push_back(monomial);
  return found->second;
}

bool LinearSystem::hasColumns(Expr expr) const {
  return llvm::all_of(expr.terms(), [&](const Term &term) {
    return term.factors.empty() ||
           columns.count(makeTerm(1, term.factors).getAsOpaquePointer());
  });
}

std::optional<LinearRow> LinearSystem::makeRow(Expr expr, bool isEquality) {
  if (!expr.isValid())
    return std::nullopt;
  LinearRow row;
  row.isEquality = isEquality;
  for (const Term &term : expr.terms()) {
    if (std::abs(std::max(term.coefficient, -INT64_MAX)) > kMaxUsefulBound)
      return std::nullopt;
    if (term.factors.empty())
      row.constant = term.coefficient;
    else
      row.entries.push_back({column(term.factors), term.coefficient});
  }
  return row;
}

/// An integer sum of multiples of g that is at least -c is at least -c rounded
/// up to a multiple of g.
static void tighten(LinearRow &row) {
  int64_t content = 0;
  for (auto [index, coefficient] : row.entries)
    content = gcd(content, coefficient);
  if (content <= 1 || row.isEquality)
    return;
  for (auto &[index, coefficient] : row.entries)
    coefficient /= content;
  row.constant = *checkedFloorDiv(row.constant, content);
}

void LinearSystem::addRow(Expr expr, bool isEquality) {
  if (rows.size() >= kMaxRows || expr.constant() ||
      !seen.insert({expr.getAsOpaquePointer(), isEquality}).second)
    return;
  if (std::optional<LinearRow> row = makeRow(expr, isEquality)) {
    tighten(*row);
    rows.push_back(std::move(*row));
  }
}

void LinearSystem::add(const Constraint &constraint) {
  given.push_back(constraint);
  addRow(constraint.expr, constraint.isEquality);
}

void LinearSystem::defineInterval(Expr monomial) {
  Interval interval = bounder.bounds(monomial);
  if (interval.min != Interval::kMin)
    addRow(monomial - Expr(interval.min));
  if (interval.max != Interval::kMax)
    addRow(Expr(interval.max) - monomial);
}

/// Rows for one atom, each multiplied by `factor` >= 0.
void LinearSystem::defineAtom(const Atom &atom, Expr factor) {
  const Atom *pointer = &atom;
  Expr self = makeTerm(1, {pointer});
  switch (atom.kind) {
  case Atom::Kind::FloorDiv: {
    if (bounder.bounds(atom.rhs).min < 1)
      return;
    Expr remainder = atom.lhs - atom.rhs * self;
    addRow(remainder * factor);
    addRow((atom.rhs - Expr(1) - remainder) * factor);
    if (!atom.rhs.constant() && bounder.bounds(atom.lhs).min >= 0)
      addRow((atom.lhs - self) * factor);
    return;
  }
  case Atom::Kind::Mod: {
    if (bounder.bounds(atom.rhs).min < 1)
      return;
    Expr quotient = Expr::floorDiv(atom.lhs, atom.rhs);
    addRow((atom.lhs - atom.rhs * quotient - self) * factor, true);
    addRow(self * factor);
    addRow((atom.rhs - Expr(1) - self) * factor);
    return;
  }
  case Atom::Kind::Min:
    addRow((atom.lhs - self) * factor);
    addRow((atom.rhs - self) * factor);
    return;
  case Atom::Kind::Max:
    addRow((self - atom.lhs) * factor);
    addRow((self - atom.rhs) * factor);
    return;
  case Atom::Kind::Symbol:
    return;
  }
}

/// For each way to write the monomial as x * y: the products of the bounds of x
/// with the bounds of y (McCormick's inequalities), and the definition of x
/// times y.
void LinearSystem::defineProduct(llvm::ArrayRef<const Atom *> factors) {
  for (size_t i = 0; i < factors.size(); ++i) {
    if (i > 0 && factors[i] == factors[i - 1])
      continue;
    Factors others(factors.begin(), factors.end());
    others.erase(others.begin() + i);
    Expr x = makeTerm(1, {factors[i]}), y = makeTerm(1, others);
    Interval xs = bounder.bounds(x), ys = bounder.bounds(y);
    auto offsets = [](Expr expr, Interval interval) {
      llvm::SmallVector<Expr, 2> result;
      if (interval.min != Interval::kMin)
        result.push_back(expr - Expr(interval.min));
      if (interval.max != Interval::kMax)
        result.push_back(Expr(interval.max) - expr);
      return result;
    };
    for (Expr left : offsets(x, xs))
      for (Expr right : offsets(y, ys))
        addRow(left * right);
    if (ys.min >= 0)
      defineAtom(*factors[i], y);
  }
}

/// Given constraints times non-negative factors, where the products are already
/// columns: from a <= b follows a*c <= b*c.
void LinearSystem::multiplyConstraints() {
  llvm::SmallVector<Expr> factors;
  for (Expr monomial : monomials)
    for (const Atom *factor : monomial.terms()[0].factors) {
      Expr atom = makeTerm(1, {factor});
      if (!llvm::is_contained(factors, atom) && bounder.bounds(atom).min >= 0)
        factors.push_back(atom);
    }
  for (const Constraint &constraint : given)
    for (Expr factor : factors) {
      Expr product = constraint.expr * factor;
      if (product.isValid() && hasColumns(product))
        addRow(product, constraint.isEquality);
    }
}

void LinearSystem::defineMonomials() {
  if (monomials.size() > kMaxColumns)
    return;
  // The list grows while definitions mention new monomials, and theirs would
  // mention new ones of a higher degree, without end.
  size_t generationEnd = monomials.size();
  for (unsigned generation = 0; generation < kMaxGenerations; ++generation) {
    for (size_t i = 0; i < generationEnd; ++i) {
      llvm::ArrayRef<const Atom *> factors = monomials[i].terms()[0].factors;
      if (monomials.size() > kMaxDefinedColumns)
        break;
      if (factors.size() == 1)
        defineAtom(*factors[0], Expr(1));
      else if (generation == 0)
        defineProduct(factors);
    }
    generationEnd = monomials.size();
  }
  for (size_t i = 0; i < monomials.size(); ++i)
    defineInterval(monomials[i]);
  if (monomials.size() <= kMaxDefinedColumns)
    multiplyConstraints();
}

static std::vector<int64_t> dense(const LinearRow &row, size_t columns) {
  std::vector<int64_t> result(columns + 1);
  for (auto [index, coefficient] : row.entries)
    result[index] = coefficient;
  result.back() = row.constant;
  return result;
}

static IntegerPolyhedron polyhedron(llvm::ArrayRef<LinearRow> rows,
                                    size_t columns) {
  IntegerPolyhedron set(PresburgerSpace::getSetSpace(columns));
  for (const LinearRow &row : rows) {
    if (row.isEquality)
      set.addEquality(dense(row, columns));
    else
      set.addInequality(dense(row, columns));
  }
  return set;
}

bool LinearSystem::isEmpty() const {
  if (monomials.size() > kMaxColumns)
    return false;
  IntegerPolyhedron set = polyhedron(rows, monomials.size());
  if (set.isEmptyByGCDTest() || Simplex(set).isEmpty())
    return true;
  // Products and symbolic divisors are relaxations: their polyhedra are hardly
  // ever free of integer points.
  bool isExact = llvm::all_of(monomials, [](Expr monomial) {
    const Atom *atom = asAtom(monomial);
    return atom && (atom->kind == Atom::Kind::Symbol ||
                    atom->rhs.constant().has_value());
  });
  return isExact && monomials.size() <= kMaxIntegerColumns &&
         set.isIntegerEmpty();
}

static bool isUseful(const llvm::DynamicAPInt &value) {
  return value >= -kMaxUsefulBound && value <= kMaxUsefulBound;
}

std::optional<std::map<std::string, int64_t>> LinearSystem::sample() const {
  if (monomials.size() > kMaxIntegerColumns)
    return std::nullopt;
  auto point = polyhedron(rows, monomials.size()).findIntegerSample();
  if (!point)
    return std::nullopt;
  std::map<std::string, int64_t> values;
  for (auto [index, monomial] : llvm::enumerate(monomials)) {
    if (!monomial.isSymbol())
      continue;
    if (!isUseful((*point)[index]))
      return std::nullopt;
    values[monomial.symbolName().str()] = int64_t((*point)[index]);
  }
  return values;
}

Interval LinearSystem::optimize(Expr expr) {
  Interval interval = bounder.bounds(expr);
  std::optional<LinearRow> row = makeRow(expr, false);
  if (!row)
    return interval;
  defineMonomials();
  if (monomials.size() > kMaxColumns)
    return interval;
  Simplex simplex(polyhedron(rows, monomials.size()));
  if (simplex.isEmpty())
    return interval;
  llvm::SmallVector<llvm::DynamicAPInt> objective;
  for (int64_t coefficient : dense(*row, monomials.size()))
    objective.push_back(llvm::DynamicAPInt(coefficient));
  auto low = simplex.computeOptimum(Simplex::Direction::Down, objective);
  auto high = simplex.computeOptimum(Simplex::Direction::Up, objective);
  if (low.isBounded() && isUseful(ceil(*low)))
    interval.min = std::max(interval.min, int64_t(ceil(*low)));
  if (high.isBounded() && isUseful(floor(*high)))
    interval.max = std::min(interval.max, int64_t(floor(*high)));
  return interval;
}
