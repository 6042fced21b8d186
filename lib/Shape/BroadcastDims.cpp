// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that agree up to ones broadcast to max(S) * min(1, S) for the set S of
// them: the one that is not 1, or 0 where one is 0. Broadcasting is associative
// and idempotent, so the sets of two results are joined instead of being
// nested; expressions do not grow when the same sizes meet again and again.
// Over more than two sizes the expression would be a burden to every proof that
// meets it: it becomes a symbol that is defined at entry.

#include "BroadcastDims.h"
#include <set>

using namespace mlir;
using namespace ambit;
using Sizes = std::set<Expr>;

/// Up to this many sizes are compared with each other.
static constexpr size_t kMaxCompared = 4;
/// A definition of more goes through names for parts of it.
static constexpr size_t kMaxDefined = 8;
/// A name for more is known by the names and sizes that it was made of.
static constexpr size_t kMaxRemembered = 128;

/// The sizes that matter, in order: without ones and repetitions.
static SmallVector<Expr> findDistinct(ArrayRef<Expr> sizes, Prover &prover) {
  SmallVector<Expr> distinct;
  Sizes seen;
  for (Expr size : sizes) {
    if (size.isConstant(1) || !seen.insert(size).second)
      continue;
    auto compared = MutableArrayRef(distinct).take_front(kMaxCompared);
    auto *equal = llvm::find_if(
        compared, [&](Expr other) { return prover.isEqual(other, size); });
    if (equal == compared.end())
      distinct.push_back(size);
    else if (size.constant())
      *equal = size;
  }
  return distinct;
}

/// One of the sizes that is what all of them broadcast to, whatever they are.
static std::optional<Expr> findResult(ArrayRef<Expr> sizes,
                                      graph::ShapeContext &context) {
  Prover &prover = context.getProver();
  // A dim that cannot be 1 is the result.
  for (Expr size : sizes)
    if (prover.prove(Relation{Relation::Kind::NE, size, Expr(1)}) == Truth::Yes)
      return size;
  // So is a dim that no other exceeds, unless 1 meets 0.
  auto isResult = [&](Expr large, Expr small) {
    Condition neverLoses;
    neverLoses.anyOf = {Relation{Relation::Kind::GE, small, Expr(1)},
                        Relation{Relation::Kind::NE, large, Expr(1)}};
    return large == small || (prover.isAtLeast(large, small) &&
                              prover.prove(neverLoses) == Truth::Yes);
  };
  if (sizes.size() <= kMaxCompared)
    for (Expr large : sizes)
      if (llvm::all_of(sizes,
                       [&](Expr small) { return isResult(large, small); }))
        return large;
  return std::nullopt;
}

/// The broadcast of two sizes, as an expression.
static Expr writeOut(const Sizes &sizes, graph::ShapeContext &context) {
  Expr most = *sizes.begin(), least = 1;
  for (Expr size : sizes) {
    most = Expr::max(most, size);
    least = Expr::min(least, size);
  }
  most = context.simplify(most);
  least = context.simplify(least);
  // A size times min(1, size) is the size.
  if (least == context.simplify(Expr::min(Expr(1), most)))
    return most;
  return context.simplify(most * least);
}

/// Requires that each of the sizes is 1 or the common one.
static LogicalResult requireMembers(ArrayRef<Expr> sizes, Expr common,
                                    Location loc, const Twine &what,
                                    graph::ShapeContext &context) {
  for (Expr size : sizes) {
    Condition isMember = Condition::equal(size, common);
    isMember.anyOf.push_back(Relation{Relation::Kind::EQ, size, Expr(1)});
    if (failed(context.require(loc, isMember, what)))
      return failure();
  }
  return success();
}

/// A name for what many sizes broadcast to. Nothing when they have no name at
/// entry.
static FailureOr<std::optional<Expr>>
nameCommon(const Sizes &all, SmallVector<Expr> parts, Location loc,
           const Twine &what, graph::ShapeContext &context) {
  auto define = [&](const Sizes &sizes,
                    ArrayRef<Expr> members) -> FailureOr<std::optional<Expr>> {
    std::optional<Expr> name = context.defineBroadcast(
        sizes, Sizes(members.begin(), members.end()), loc);
    if (name && failed(requireMembers(members, *name, loc, what, context)))
      return failure();
    return name;
  };
  while (parts.size() > kMaxDefined) {
    auto first = ArrayRef(parts).take_front(kMaxDefined);
    FailureOr<std::optional<Expr>> name =
        define(Sizes(first.begin(), first.end()), first);
    if (failed(name) || !*name)
      return name;
    SmallVector<Expr> rest{**name};
    rest.append(parts.begin() + kMaxDefined, parts.end());
    parts = std::move(rest);
  }
  return define(all, parts);
}

/// Requires of every two sizes that they agree. Guards about the sizes
/// themselves are easier to read than those about what they broadcast to.
static LogicalResult requirePairs(ArrayRef<Expr> sizes, Location loc,
                                  const Twine &what,
                                  graph::ShapeContext &context) {
  for (auto [index, lhs] : llvm::enumerate(sizes))
    for (Expr rhs : sizes.drop_front(index + 1))
      if (failed(context.require(loc, graph::getAgreement(lhs, rhs), what)))
        return failure();
  return success();
}

FailureOr<Expr> ambit::broadcastSizes(ArrayRef<Expr> sizes, Location loc,
                                      const Twine &what,
                                      graph::ShapeContext &context) {
  SmallVector<Expr> distinct = findDistinct(sizes, context.getProver());
  if (distinct.empty())
    return Expr(1);
  if (distinct.size() == 1)
    return distinct.front();
  if (std::optional<Expr> result = findResult(distinct, context)) {
    for (Expr size : distinct)
      if (size != *result &&
          failed(
              context.require(loc, graph::getAgreement(size, *result), what)))
        return failure();
    return *result;
  }
  Sizes all;
  SmallVector<Expr> parts;
  for (Expr size : distinct) {
    Sizes own = context.getBroadcastSizes(size);
    if (own.size() == 1 || size.isSymbol())
      parts.push_back(size);
    else
      parts.append(own.begin(), own.end());
    all.insert(own.begin(), own.end());
  }
  for (Expr size : distinct) {
    if (context.getBroadcastSizes(size) != all)
      continue;
    // A name is given only where it is required that its sizes agree.
    SmallVector<Expr> members(all.begin(), all.end());
    if (!size.isSymbol() && failed(requirePairs(members, loc, what, context)))
      return failure();
    return size;
  }
  if (all.size() > kMaxRemembered)
    all = Sizes(parts.begin(), parts.end());
  if (all.size() > 2) {
    FailureOr<std::optional<Expr>> name =
        nameCommon(all, parts, loc, what, context);
    if (failed(name))
      return failure();
    if (*name)
      return **name;
  }
  if (failed(requirePairs(distinct, loc, what, context)))
    return failure();
  return writeOut(all, context);
}
