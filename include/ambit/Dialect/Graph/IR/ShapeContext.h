// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a shape rule reasons with: a prover, and a place for the conditions that
// it could not decide.

#ifndef AMBIT_DIALECT_GRAPH_IR_SHAPECONTEXT_H
#define AMBIT_DIALECT_GRAPH_IR_SHAPECONTEXT_H

#include "ambit/Symbolic/Prover.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ambit::graph {

/// Decides the conditions of shape rules over one domain. Undecided conditions
/// are made readable and handed to `addGuard`, with the place they came from;
/// afterwards they may be relied on.
class ShapeContext {
public:
  using GuardSink = std::function<void(const Condition &, mlir::Location)>;

  /// Without a sink undecided conditions are accepted silently, which is what a
  /// verifier wants: the guard stands elsewhere.
  explicit ShapeContext(Domain domain, GuardSink addGuard = {})
      : prover(std::move(domain)), addGuard(std::move(addGuard)) {}
  /// The same over a part of the domain of another prover, which must outlive
  /// this.
  ShapeContext(Prover &whole, Domain part) : prover(whole, std::move(part)) {}

  /// The prover over the domain, recorded guards included.
  Prover &getProver() { return prover; }

  /// Success when the condition holds on the whole domain or a guard was
  /// recorded; an error at `op` beginning with `what` when it never holds.
  llvm::LogicalResult require(mlir::Operation *op, const Condition &condition,
                              const llvm::Twine &what);
  /// The same for a condition that no op has, with its error at `loc`.
  llvm::LogicalResult require(mlir::Location loc, const Condition &condition,
                              const llvm::Twine &what);
  /// Requires lhs == rhs.
  llvm::LogicalResult requireEqual(mlir::Operation *op, Expr lhs, Expr rhs,
                                   const llvm::Twine &what);
  Expr simplify(Expr expr) { return prover.simplify(expr); }
  /// Adds an unbacked symbol for an op that is about to be built, and what is
  /// known of its value: the fact is recorded like a guard.
  void addUnbacked(llvm::StringRef symbol, SymbolRange range);
  void assume(const Condition &fact, mlir::Location loc);

  /// Between these two, shape rules may speak of the number of a loop's trip: a
  /// symbol from 0 on that stays below `trips`. A condition on it becomes a
  /// guard when it can be said for all trips at once, else an error.
  void enterLoop(llvm::StringRef iteration, Expr trips);
  void leaveLoop(llvm::StringRef iteration);
  /// Leaves the innermost loop as if it had not been entered: what was learned
  /// and named inside is forgotten. Guards that were recorded are the sink's.
  void forgetLoop();
  /// Whether an expression differs from trip to trip of a loop around.
  bool dependsOnTrip(Expr expr) const;
  /// Whether the inputs alone give the value: nothing that a run sets later,
  /// and no number of a loop's trip.
  bool isKnownAtEntry(Expr expr) const;

  /// A symbol that is a name for an expression.
  struct Definition {
    std::string name;
    SymbolRange range;
    Expr value;
    mlir::Location loc;
  };
  /// Gives an expression that proofs need not see through a name, under which
  /// it is a size. The name is made unlike those of other symbols.
  Expr define(std::string name, Expr value, mlir::Location loc);
  llvm::ArrayRef<Definition> getDefinitions() const { return definitions; }
  /// A name for what sizes broadcast to, the same for the same sizes, defined
  /// by parts that broadcast to the same; nothing when it cannot be computed at
  /// entry, or nobody asks for definitions.
  std::optional<Expr> defineBroadcast(const std::set<Expr> &sizes,
                                      const std::set<Expr> &parts,
                                      mlir::Location loc);
  /// The sizes that the expression is the broadcast of, named or written out;
  /// the expression alone if it is none.
  std::set<Expr> getBroadcastSizes(Expr expr) const;

private:
  using BroadcastSizes = std::map<Expr, std::set<Expr>>;
  using Broadcasts = std::map<std::set<Expr>, Expr>;
  struct Loop {
    std::string iteration;
    Expr trips;
    /// What is known outside of the loop, and was named before it.
    Prover outer;
    size_t definitions;
    BroadcastSizes broadcastSizes;
    Broadcasts broadcasts;
  };

  llvm::LogicalResult
  require(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
          mlir::Location loc, const Condition &condition,
          const llvm::Twine &what);
  std::optional<Condition> forAllTrips(const Condition &condition,
                                       const Loop &loop);

  Prover prover;
  GuardSink addGuard;
  /// The loops around, outermost first.
  llvm::SmallVector<Loop> loops;
  std::vector<Definition> definitions;
  /// By name, and by sizes.
  BroadcastSizes broadcastSizes;
  Broadcasts broadcasts;
};

/// The condition that two sizes broadcast: equal, or either is 1.
Condition getAgreement(Expr lhs, Expr rhs);
/// The set S of max(S) * min(1, S), which is what the sizes S broadcast to
/// where all of them agree; the expression alone if it has no such form.
std::set<Expr> getBroadcastSizes(Expr expr);
/// max(S) * min(1, S).
Expr getBroadcast(const std::set<Expr> &sizes);

namespace detail {
/// Checks an op's result types against its shape rule: element types and ranks
/// must agree, and no dim may be provably different.
llvm::LogicalResult verifyShapeRule(mlir::Operation *op);
} // namespace detail

} // namespace ambit::graph

#endif // AMBIT_DIALECT_GRAPH_IR_SHAPECONTEXT_H
