// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step is one product of the state, or two, and scalar arithmetic on its
// gates.

#include "Cell.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;

unsigned compose::countGates(CellKind kind) {
  return kind == CellKind::Lstm ? 4 : kind == CellKind::Gru ? 3 : 1;
}

unsigned compose::countActivations(CellKind kind) {
  return kind == CellKind::Lstm ? 3 : kind == CellKind::Gru ? 2 : 1;
}

namespace {
/// One step on its way.
struct Step {
  ValueBuilder &b;
  const RecurrentSpec &spec;
  ArrayRef<Activation> functions;
  const CellWeights &weights;
  Value input;
  CellState before;

  CellState simple();
  CellState gru();
  CellState lstm();

  /// Columns of `count` gates from number `first` on.
  Value gates(Value all, int64_t first, int64_t count = 1) {
    return b.sliceDim(all, 1, first * spec.hidden, count * spec.hidden);
  }
  /// Function `number` of what is clipped.
  Value apply(ScalarBuilder &s, unsigned number, Value x) {
    if (spec.clip) {
      x = s.max(x, s.constant(-*spec.clip, x));
      x = s.min(x, s.constant(*spec.clip, x));
    }
    return activate(s, x, functions[number]);
  }
};
} // namespace

CellState Step::simple() {
  Value product = b.contract(before.hidden, weights.recurrent);
  return {b.map({input, product},
                [&](ScalarBuilder &s, ValueRange v) {
                  return apply(s, 0, s.add(v[0], v[1]));
                }),
          {}};
}

CellState Step::gru() {
  Value product = b.contract(before.hidden, weights.recurrent);
  if (!product)
    return {};
  Value sums = b.add(gates(input, 0, 2), gates(product, 0, 2));
  Value candidate, reset = gates(sums, 1);
  if (spec.resetsAfter) {
    candidate = gates(product, 2);
    if (weights.candidateBias)
      candidate = b.add(candidate, weights.candidateBias);
    candidate = b.map({reset, candidate}, [&](ScalarBuilder &s, ValueRange v) {
      return s.mul(apply(s, 0, v[0]), v[1]);
    });
  } else {
    Value kept =
        b.map({reset, before.hidden}, [&](ScalarBuilder &s, ValueRange v) {
          return s.mul(apply(s, 0, v[0]), v[1]);
        });
    candidate = b.contract(kept, weights.candidate);
  }
  Value next =
      b.map({gates(sums, 0), gates(input, 2), candidate, before.hidden},
            [&](ScalarBuilder &s, ValueRange v) {
              Value update = apply(s, 0, v[0]);
              Value fresh = apply(s, 1, s.add(v[1], v[2]));
              Value rest = s.sub(s.constant(1, update), update);
              return s.add(s.mul(rest, fresh), s.mul(update, v[3]));
            });
  return {next, {}};
}

CellState Step::lstm() {
  Value product = b.contract(before.hidden, weights.recurrent);
  Value sums = b.add(input, product);
  if (!sums)
    return {};
  auto withPeephole = [&](Value gate, Value peephole, Value cell) {
    return peephole ? b.add(gate, b.mul(cell, peephole)) : gate;
  };
  Value i = withPeephole(gates(sums, 0), weights.inputPeephole, before.cell);
  Value f = withPeephole(gates(sums, 2), weights.forgetPeephole, before.cell);
  Value cell = b.map(
      {i, f, gates(sums, 3), before.cell}, [&](ScalarBuilder &s, ValueRange v) {
        Value enter = apply(s, 0, v[0]);
        Value keep = spec.couplesForget ? s.sub(s.constant(1, enter), enter)
                                        : apply(s, 0, v[1]);
        Value fresh = apply(s, 1, v[2]);
        return s.add(s.mul(keep, v[3]), s.mul(enter, fresh));
      });
  Value o = withPeephole(gates(sums, 1), weights.outputPeephole, cell);
  Value hidden = b.map({o, cell}, [&](ScalarBuilder &s, ValueRange v) {
    return s.mul(apply(s, 0, v[0]), apply(s, 2, v[1]));
  });
  return {hidden, cell};
}

CellState compose::stepCell(ValueBuilder &b, const RecurrentSpec &spec,
                            ArrayRef<Activation> functions,
                            const CellWeights &weights, Value input,
                            CellState before) {
  Step step{b, spec, functions, weights, input, before};
  switch (spec.kind) {
  case CellKind::Simple:
    return step.simple();
  case CellKind::Gru:
    return step.gru();
  case CellKind::Lstm:
    return step.lstm();
  }
  llvm_unreachable("all kinds are listed");
}
