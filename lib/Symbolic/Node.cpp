// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process-wide interner and the structural order of expressions. Nodes are
// never freed: expressions are small and few, and pointers stay valid for good.

#include "Node.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include <algorithm>
#include <mutex>
#include <numeric>

using namespace ambit;
using namespace ambit::detail;

namespace {

struct AtomKey {
  Atom::Kind kind;
  llvm::StringRef name;
  Expr lhs, rhs;
};

struct AtomInfo {
  static Atom *getEmptyKey() {
    return llvm::DenseMapInfo<Atom *>::getEmptyKey();
  }
  static Atom *getTombstoneKey() {
    return llvm::DenseMapInfo<Atom *>::getTombstoneKey();
  }
  static unsigned getHashValue(const AtomKey &key) {
    return llvm::hash_combine(int(key.kind), key.name,
                              key.lhs.getAsOpaquePointer(),
                              key.rhs.getAsOpaquePointer());
  }
  static unsigned getHashValue(const Atom *atom) {
    return getHashValue(AtomKey{atom->kind, atom->name, atom->lhs, atom->rhs});
  }
  static bool isEqual(const AtomKey &key, const Atom *atom) {
    if (atom == getEmptyKey() || atom == getTombstoneKey())
      return false;
    return key.kind == atom->kind && key.lhs == atom->lhs &&
           key.rhs == atom->rhs && key.name == atom->name;
  }
  static bool isEqual(const Atom *lhs, const Atom *rhs) { return lhs == rhs; }
};

struct NodeInfo {
  using Key = llvm::ArrayRef<RawTerm>;
  static ExprNode *getEmptyKey() {
    return llvm::DenseMapInfo<ExprNode *>::getEmptyKey();
  }
  static ExprNode *getTombstoneKey() {
    return llvm::DenseMapInfo<ExprNode *>::getTombstoneKey();
  }
  template <typename T> static unsigned hashTerms(llvm::ArrayRef<T> terms) {
    llvm::hash_code hash(terms.size());
    for (const T &term : terms)
      hash = llvm::hash_combine(
          hash, term.coefficient,
          llvm::hash_combine_range(term.factors.begin(), term.factors.end()));
    return hash;
  }
  static unsigned getHashValue(const Key &key) { return hashTerms(key); }
  static unsigned getHashValue(const ExprNode *node) {
    return hashTerms(node->terms);
  }
  static bool isEqual(const Key &key, const ExprNode *node) {
    if (node == getEmptyKey() || node == getTombstoneKey() ||
        key.size() != node->terms.size())
      return false;
    for (auto [raw, term] : llvm::zip(key, node->terms))
      if (raw.coefficient != term.coefficient ||
          llvm::ArrayRef<const Atom *>(raw.factors) != term.factors)
        return false;
    return true;
  }
  static bool isEqual(const ExprNode *lhs, const ExprNode *rhs) {
    return lhs == rhs;
  }
};

class Interner {
public:
  static Interner &get() {
    static Interner *interner = new Interner;
    return *interner;
  }

  const Atom *atom(const AtomKey &key) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = atoms.find_as(key);
    if (found != atoms.end())
      return *found;
    Atom *atom = new Atom{key.kind, key.name.str(), key.lhs, key.rhs};
    atoms.insert(atom);
    return atom;
  }

  /// `terms` is sorted and merged.
  const ExprNode *node(llvm::ArrayRef<RawTerm> terms) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = nodes.find_as(terms);
    if (found != nodes.end())
      return *found;
    uint64_t size = 1;
    uint32_t depth = 0;
    for (const RawTerm &term : terms) {
      ++size;
      for (const Atom *factor : term.factors) {
        const ExprNode *lhs = ExprNode::of(factor->lhs);
        const ExprNode *rhs = ExprNode::of(factor->rhs);
        bool leaf = factor->kind == Atom::Kind::Symbol;
        size += leaf ? 1 : 1 + uint64_t(lhs->size) + rhs->size;
        depth =
            std::max(depth, leaf ? 1 : 1 + std::max(lhs->depth, rhs->depth));
      }
    }
    if (size > kMaxTreeSize || depth > kMaxDepth)
      return &oversize;
    ExprNode *node = new (storage.Allocate<ExprNode>()) ExprNode;
    node->terms = copy(terms);
    node->size = size;
    node->depth = depth;
    nodes.insert(node);
    return node;
  }

  ExprNode invalid, oversize;

private:
  Interner() { invalid.valid = oversize.valid = false; }

  llvm::ArrayRef<Term> copy(llvm::ArrayRef<RawTerm> terms) {
    Term *result = storage.Allocate<Term>(terms.size());
    for (auto [index, term] : llvm::enumerate(terms)) {
      auto **factors = storage.Allocate<const Atom *>(term.factors.size());
      llvm::copy(term.factors, factors);
      new (&result[index])
          Term{term.coefficient, {factors, term.factors.size()}};
    }
    return {result, terms.size()};
  }

  std::mutex mutex;
  llvm::BumpPtrAllocator storage;
  llvm::DenseSet<Atom *, AtomInfo> atoms;
  llvm::DenseSet<ExprNode *, NodeInfo> nodes;
};

} // namespace

const ExprNode *detail::invalidNode() { return &Interner::get().invalid; }
const ExprNode *detail::oversizeNode() { return &Interner::get().oversize; }

const ExprNode *detail::constantNode(int64_t value) {
  if (value == 0) {
    static const ExprNode *zero = Interner::get().node({});
    return zero;
  }
  return Interner::get().node({RawTerm{value, {}}});
}

Expr detail::makeAtom(Atom::Kind kind, llvm::StringRef name, Expr lhs,
                      Expr rhs) {
  const Atom *atom = Interner::get().atom({kind, name, lhs, rhs});
  return ExprNode::wrap(Interner::get().node({RawTerm{1, {atom}}}));
}

Expr detail::makeTerm(int64_t coefficient,
                      llvm::ArrayRef<const Atom *> factors) {
  return makePolynomial(
      {RawTerm{coefficient, Factors(factors.begin(), factors.end())}});
}

static thread_local uint64_t termCount = 0;

uint64_t detail::termsBuilt() { return termCount; }

void detail::countTerms(uint64_t terms) { termCount += terms; }

Expr detail::makePolynomial(std::vector<RawTerm> terms) {
  termCount += terms.size() + 1;
  for (RawTerm &term : terms) {
    if (term.factors.size() > kMaxDegree)
      return oversize();
    llvm::sort(term.factors, [](const Atom *lhs, const Atom *rhs) {
      return compare(lhs, rhs) < 0;
    });
  }
  llvm::stable_sort(terms, [](const RawTerm &lhs, const RawTerm &rhs) {
    return compare(llvm::ArrayRef(lhs.factors), llvm::ArrayRef(rhs.factors)) <
           0;
  });
  size_t kept = 0;
  for (size_t i = 0, e = terms.size(); i != e;) {
    // A wide sum, so that only the result has to fit and not the order of
    // the summands decides.
    __int128 sum = 0;
    size_t first = i;
    for (; i != e && terms[i].factors == terms[first].factors; ++i)
      sum += terms[i].coefficient;
    if (sum == 0)
      continue;
    if (sum != int64_t(sum))
      return Expr::invalid();
    if (kept != first)
      terms[kept].factors = std::move(terms[first].factors);
    terms[kept++].coefficient = int64_t(sum);
  }
  terms.resize(kept);
  if (kept > kMaxTerms)
    return oversize();
  return ExprNode::wrap(Interner::get().node(terms));
}

int detail::compare(const Atom *lhs, const Atom *rhs) {
  if (lhs == rhs)
    return 0;
  if (lhs->kind != rhs->kind)
    return lhs->kind < rhs->kind ? -1 : 1;
  if (int order = lhs->name.compare(rhs->name))
    return order;
  if (int order = compare(lhs->lhs, rhs->lhs))
    return order;
  return compare(lhs->rhs, rhs->rhs);
}

int detail::compare(llvm::ArrayRef<const Atom *> lhs,
                    llvm::ArrayRef<const Atom *> rhs) {
  if (lhs.size() != rhs.size())
    return lhs.size() > rhs.size() ? -1 : 1;
  for (auto [left, right] : llvm::zip(lhs, rhs))
    if (int order = compare(left, right))
      return order;
  return 0;
}

int detail::compare(Expr lhs, Expr rhs) {
  if (lhs == rhs)
    return 0;
  if (lhs.isValid() != rhs.isValid())
    return lhs.isValid() ? 1 : -1;
  llvm::ArrayRef<Term> left = lhs.terms(), right = rhs.terms();
  for (size_t i = 0, e = std::min(left.size(), right.size()); i != e; ++i) {
    if (int order = compare(left[i].factors, right[i].factors))
      return order;
    if (left[i].coefficient != right[i].coefficient)
      return left[i].coefficient < right[i].coefficient ? -1 : 1;
  }
  return left.size() < right.size() ? -1 : 1;
}

const Atom *detail::asAtom(Expr expr) {
  llvm::ArrayRef<Term> terms = expr.terms();
  if (terms.size() != 1 || terms[0].coefficient != 1 ||
      terms[0].factors.size() != 1)
    return nullptr;
  return terms[0].factors[0];
}

int64_t detail::constantTerm(Expr expr) {
  llvm::ArrayRef<Term> terms = expr.terms();
  if (terms.empty() || !terms.back().factors.empty())
    return 0;
  return terms.back().coefficient;
}

std::optional<int64_t> detail::checkedAdd(int64_t lhs, int64_t rhs) {
  int64_t result;
  if (__builtin_add_overflow(lhs, rhs, &result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> detail::checkedMul(int64_t lhs, int64_t rhs) {
  int64_t result;
  if (__builtin_mul_overflow(lhs, rhs, &result))
    return std::nullopt;
  return result;
}

std::optional<int64_t> detail::checkedFloorDiv(int64_t lhs, int64_t rhs) {
  if (rhs == 0 || (lhs == INT64_MIN && rhs == -1))
    return std::nullopt;
  int64_t quotient = lhs / rhs;
  if (lhs % rhs != 0 && (lhs < 0) != (rhs < 0))
    --quotient;
  return quotient;
}

std::optional<int64_t> detail::checkedMod(int64_t lhs, int64_t rhs) {
  if (rhs == 0)
    return std::nullopt;
  if (rhs == -1)
    return 0;
  int64_t remainder = lhs % rhs;
  if (remainder != 0 && (remainder < 0) != (rhs < 0))
    remainder += rhs;
  return remainder;
}

int64_t detail::gcd(int64_t lhs, int64_t rhs) {
  auto magnitude = [](int64_t v) { return v < 0 ? -uint64_t(v) : uint64_t(v); };
  uint64_t result = std::gcd(magnitude(lhs), magnitude(rhs));
  return result > uint64_t(INT64_MAX) ? 1 : int64_t(result);
}
