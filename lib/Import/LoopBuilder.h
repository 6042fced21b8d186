// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a `graph.loop` around what one trip does.

#ifndef AMBIT_LIB_IMPORT_LOOPBUILDER_H
#define AMBIT_LIB_IMPORT_LOOPBUILDER_H

#include "ValueBuilder.h"

namespace ambit::compose {

/// Builds one loop: the caller says what it carries and captures, creates it,
/// fills its body and finishes it.
class LoopBuilder {
public:
  /// `trips` is how often the body runs, or an upper bound.
  LoopBuilder(ValueBuilder &b, Expr trips)
      : trips(trips), b(b), iteration(b.newSymbol("iteration")) {}

  /// Adds values, before the loop is created. What is carried keeps its shape,
  /// or each of its dims grows by so much in a trip. What costs nothing to be
  /// made again inside is not captured.
  void carry(Value init, ArrayRef<Expr> growth = {}) {
    inits.push_back(init);
    growths.emplace_back(growth);
  }
  void capture(Value value);
  /// Creates the loop with an empty body and without results. It runs no trip
  /// when `entry`, a bool or null, is false.
  void create(Value entry = {});
  /// Runs `build` at the end of the body. It ends with `next`; false after an
  /// error, or when the loop was given up.
  bool fill(llvm::function_ref<bool()> build);
  /// In the body: the loop is not the right one. All ops and facts that
  /// building it has left behind are taken back.
  void giveUp() { isGivenUp = true; }
  bool wasGivenUp() const { return isGivenUp; }
  void next(ValueRange carried, ValueRange stacked, Value condition = {});
  /// Gives the loop its results; false after an error.
  bool finish();

  // In the body:
  /// What a captured value from outside is called inside.
  Value inside(Value value);
  Value carried(unsigned number) { return loop.getCarriedArguments()[number]; }
  /// The number of the trip, from 0 on.
  Expr trip() const { return Expr::symbol(iteration); }

  ambit::graph::LoopOp loop;
  /// The number of trips or an upper bound; may become smaller in the body.
  Expr trips;

private:
  ValueBuilder &b;
  std::string iteration;
  SmallVector<Value> inits, captures;
  SmallVector<SmallVector<Expr>> growths;
  bool isGivenUp = false;
};

/// What one trip of a loop leaves: the carried values of the next, and a row
/// for each stacked result.
struct TripResults {
  SmallVector<Value> carried, stacked;
};

/// A loop of `trips` trips. `trip` builds the body from the builder, whose
/// `carried`, `inside` and `trip` say what it works with; null values in its
/// results are errors that were emitted. The results are the last carried
/// values, then the stacked rows under a new first dim; none after an error.
SmallVector<Value>
buildLoop(ValueBuilder &b, Expr trips, ArrayRef<Value> inits,
          ArrayRef<Value> captures,
          llvm::function_ref<TripResults(LoopBuilder &)> trip);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_LOOPBUILDER_H
