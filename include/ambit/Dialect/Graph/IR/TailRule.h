// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an op behaves on padded sizes: what TailRuleOpInterface tells the pass
// that makes padded variants.
//
// A padded dim has two sizes: the true one, n, and a larger one, N, that is
// computed on. Its *tail* are the elements at positions n to N - 1 of that dim,
// at any position of the other dims. A rule is sound when for all tails that
// meet its needs, the elements at positions below the true sizes are the same
// bits that the op gives on the true sizes.

#ifndef AMBIT_DIALECT_GRAPH_IR_TAILRULE_H
#define AMBIT_DIALECT_GRAPH_IR_TAILRULE_H

#include "ambit/Symbolic/Prover.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"
#include <functional>
#include <map>
#include <string>

namespace ambit::graph {

/// What is known of the elements in one tail.
struct Tail {
  enum class Kind {
    /// Any bits: numbers, infinities, NaN.
    Anything,
    /// All are `value`.
    Constant,
    /// All are +0, except where the true elements beside them along this dim
    /// hold a NaN: there they may be NaN too. What a softmax leaves.
    Softmax,
  };
  Kind kind = Kind::Anything;
  /// A scalar of the tensor's element type.
  mlir::TypedAttr value = {};

  static Tail constant(mlir::TypedAttr value) {
    return Tail{Kind::Constant, value};
  }
  bool is(mlir::TypedAttr scalar) const {
    return kind == Kind::Constant && value == scalar;
  }
};

/// An operand's tail along `dim` must be this value.
struct TailNeed {
  unsigned operand, dim;
  mlir::TypedAttr value;
};

/// What a rule answers.
struct TailRule {
  /// Why the op must be computed on true sizes; empty when it can be padded.
  std::string obstacle;
  llvm::SmallVector<TailNeed> needs;
  /// For each dim of the result what its tail is once the needs are met.
  llvm::SmallVector<Tail> result;
  /// Attributes of the padded op that differ: shapes, not numbers that are read
  /// as data.
  llvm::SmallVector<mlir::NamedAttribute> attributes;

  static TailRule refuse(const llvm::Twine &why) {
    TailRule rule;
    rule.obstacle = why.str();
    return rule;
  }
  /// Needs nothing, and knows nothing of the tails of the op's one result.
  static TailRule harmless(mlir::Operation *op);
};

/// What a rule may ask about the op's operands and result. Their types say the
/// true sizes.
class TailContext {
public:
  using GetTail = std::function<Tail(mlir::Value, unsigned dim)>;

  /// `tops` are the sizes that symbols are rounded up to. The prover is over
  /// the true sizes.
  TailContext(Prover &prover, std::map<std::string, Expr> tops, GetTail getTail)
      : prover(prover), tops(std::move(tops)), getTail(std::move(getTail)) {}

  Prover &getProver() { return prover; }
  /// The size that is computed on in place of a true size.
  Expr atTop(Expr size);
  llvm::SmallVector<Expr> atTop(llvm::ArrayRef<Expr> sizes);
  bool isPadded(Expr size) { return atTop(size) != size; }
  bool isPadded(mlir::Value tensor, unsigned dim);
  bool isPadded(mlir::Value tensor);
  /// What is known of a tail of an operand.
  Tail tailOf(mlir::Value operand, unsigned dim) const {
    return getTail(operand, dim);
  }

private:
  Prover &prover;
  std::map<std::string, Expr> tops;
  std::map<Expr, Expr> known;
  GetTail getTail;
};

/// Whether a size is padded that may be 0: what has no elements checks none of
/// its indices, but padded to some it would.
bool mayCheckInVain(TailContext &context, Expr size);

/// Which dim of a reshape's input a padded dim of its result is, when the
/// elements within true sizes are the same on both sides; nothing otherwise.
std::optional<unsigned> getReshapedDim(mlir::Operation *reshape, unsigned dim,
                                       TailContext &context);

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_TAILRULE_H
