// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variants that share a function, and what the function may rely on: that its
// shapes lie in the box around those of all of them, and that each symbol which
// is padded is at most the parameter that stands for its top.

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;

/// The size that a member pads a symbol to.
static int64_t getTop(VariantOp member, StringRef symbol) {
  return cast<IntegerAttr>(member.getTops()->get(symbol)).getInt();
}

/// A range that holds two others.
static SymbolRange join(SymbolRange lhs, const SymbolRange &rhs) {
  return {std::min(lhs.min, rhs.min), std::max(lhs.max, rhs.max),
          std::gcd(lhs.divisor, rhs.divisor)};
}

/// A name for the top of a symbol that nothing in the domain has.
static std::string makeTopName(StringRef symbol, const Domain &domain) {
  std::string name = "top." + asNamePart(symbol);
  while (domain.ranges().count(name))
    name += '_';
  return name;
}

std::map<std::string, Expr> Family::getTops(VariantOp member) const {
  std::map<std::string, Expr> values;
  for (const auto &[symbol, top] : tops)
    values[top] = Expr(getTop(member, symbol));
  return values;
}

Domain Family::getDomain() const {
  Domain domain = shapes;
  for (const auto &[symbol, top] : tops) {
    auto pointAt = [&, &symbol = symbol](VariantOp member) {
      int64_t size = getTop(member, symbol);
      return SymbolRange{size, size, size};
    };
    SymbolRange range = pointAt(members.front());
    for (VariantOp member : ArrayRef(members).drop_front())
      range = join(range, pointAt(member));
    range.divisor = std::max<int64_t>(range.divisor, 1);
    domain.setRange(top, range);
    domain.assume(
        Relation{Relation::Kind::LE, Expr::symbol(symbol), Expr::symbol(top)});
  }
  return domain;
}

static Domain joinShapes(const Domain &whole, ArrayRef<VariantOp> members) {
  std::map<std::string, SymbolRange> ranges;
  for (VariantOp member : members) {
    Domain own = within(whole, getConditions(member));
    for (const auto &[symbol, range] : own.ranges()) {
      auto [known, isNew] = ranges.try_emplace(symbol, range);
      if (!isNew)
        known->second = join(known->second, range);
    }
  }
  Domain domain = whole;
  for (const auto &[symbol, range] : ranges)
    domain.setRange(symbol, range);
  return domain;
}

static Family makeFamily(const Domain &whole, StringRef name,
                         ArrayRef<VariantOp> members) {
  Family family;
  family.name = name.str();
  family.members.assign(members.begin(), members.end());
  family.shapes = joinShapes(whole, members);
  Domain known = whole;
  DictionaryAttr tops = *family.members.front().getTops();
  for (NamedAttribute top : tops) {
    std::string symbol = top.getName().str();
    family.tops.emplace_back(symbol, makeTopName(symbol, known));
    known.setRange(family.tops.back().second, SymbolRange());
  }
  return family;
}

std::vector<Family> dispatch::getFamilies(ModuleOp module) {
  llvm::MapVector<StringRef, SmallVector<VariantOp>> members;
  for (ModelOp model : module.getOps<ModelOp>())
    for (VariantOp variant : model.getAll<VariantOp>())
      if (std::optional<StringRef> name = variant.getShares())
        members[*name].push_back(variant);
  std::vector<Family> families;
  if (members.empty())
    return families;
  Domain whole = sym::getDomain(module);
  for (auto &[name, variants] : members)
    families.push_back(makeFamily(whole, name, variants));
  return families;
}

Domain dispatch::getBodyDomain(ModuleOp module, StringRef body) {
  for (ModelOp model : module.getOps<ModelOp>())
    for (VariantOp variant : model.getAll<VariantOp>())
      if (variant.getBody() == body)
        return within(sym::getDomain(module), getConditions(variant));
  for (const Family &family : getFamilies(module))
    if (family.name == body)
      return family.getDomain();
  return sym::getDomain(module);
}
