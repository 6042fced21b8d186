// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interned representation behind Expr: nodes, atoms, their order, and the
// one place where a list of raw terms becomes a canonical polynomial.

#ifndef AMBIT_LIB_SYMBOLIC_NODE_H
#define AMBIT_LIB_SYMBOLIC_NODE_H

#include "ambit/Symbolic/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace ambit::detail {

/// Expressions past these limits become invalid. They bound the cost and the
/// recursion depth of everything that walks an expression.
constexpr uint32_t kMaxTreeSize = 20000;
constexpr uint32_t kMaxDepth = 1000;
/// Terms of a sum, and of a product of sums, which grows much faster.
constexpr size_t kMaxTerms = 1024;
constexpr size_t kMaxProductTerms = 256;
/// Factors of a term, and operands of one min or max.
constexpr size_t kMaxDegree = 256;
constexpr size_t kMaxExtremumOperands = 64;

struct ExprNode {
  llvm::ArrayRef<Term> terms;
  bool valid = true;
  /// Number of nodes when written out as a tree, and its height.
  uint32_t size = 0, depth = 0;

  static Expr wrap(const ExprNode *node) { return Expr(node); }
  static const ExprNode *of(Expr expr) { return expr.node; }
};

using Factors = llvm::SmallVector<const Atom *, 4>;

/// A term that owns its factors, in any order.
struct RawTerm {
  int64_t coefficient;
  Factors factors;
};

/// How many terms this thread has built, which is a measure of work that does
/// not depend on the machine.
uint64_t termsBuilt();
/// Counts terms that were looked at instead of built.
void countTerms(uint64_t terms);

/// Sorts, merges and interns. Overflow while merging gives invalid.
Expr makePolynomial(std::vector<RawTerm> terms);
Expr makeTerm(int64_t coefficient, llvm::ArrayRef<const Atom *> factors);

/// The polynomial 1 * atom for the interned atom of this structure, as it is:
/// the caller has canonicalised the operands.
Expr makeAtom(Atom::Kind kind, llvm::StringRef name, Expr lhs, Expr rhs);
/// Builds floordiv, mod, min or max through the canonicalising builders.
Expr rebuildAtom(Atom::Kind kind, Expr lhs, Expr rhs);
/// The same polynomial over rewritten atoms; an atom for which nothing comes
/// back stays.
using AtomRewrite = llvm::function_ref<std::optional<Expr>(const Atom &)>;
Expr rewriteAtoms(Expr expr, AtomRewrite rewrite);
/// Min or max of a list: flattened, sorted, without dominated operands.
Expr makeExtremum(Atom::Kind kind, llvm::ArrayRef<Expr> operands);
/// Appends the operands of nested min (or max) atoms, or the expression itself.
void flatten(Atom::Kind kind, Expr expr, llvm::SmallVectorImpl<Expr> &operands);
/// The invalid expressions: what overflows 64 bits, what passes a limit.
const ExprNode *invalidNode();
const ExprNode *oversizeNode();
inline Expr oversize() { return ExprNode::wrap(oversizeNode()); }
const ExprNode *constantNode(int64_t value);

/// Structural three-way orders. In a factor list, the higher degree comes
/// first: the order is a graded monomial order, and the constant comes last.
int compare(const Atom *lhs, const Atom *rhs);
int compare(llvm::ArrayRef<const Atom *> lhs, llvm::ArrayRef<const Atom *> rhs);
int compare(Expr lhs, Expr rhs);

/// The atom of an expression that is exactly 1 * atom, or null.
const Atom *asAtom(Expr expr);
/// The constant term of a valid polynomial.
int64_t constantTerm(Expr expr);

std::optional<int64_t> checkedAdd(int64_t lhs, int64_t rhs);
std::optional<int64_t> checkedMul(int64_t lhs, int64_t rhs);
/// Rounds to minus infinity; nothing for a zero divisor or overflow.
std::optional<int64_t> checkedFloorDiv(int64_t lhs, int64_t rhs);
std::optional<int64_t> checkedMod(int64_t lhs, int64_t rhs);
/// The greatest common divisor; 1 in the one case where it is 2^63.
int64_t gcd(int64_t lhs, int64_t rhs);

} // namespace ambit::detail

#endif // AMBIT_LIB_SYMBOLIC_NODE_H
