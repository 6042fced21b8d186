// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A layer, direction by direction. What does not depend on the state is
// computed for all steps at once, before the loop: one product x W with the
// biases. In the loop, a step is the product of the state and the arithmetic of
// its gates.

#include "Recurrent.h"
#include "../../LoopBuilder.h"
#include "Cell.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

namespace {
class Layer {
public:
  Layer(ValueBuilder &b, const RecurrentInputs &inputs,
        const RecurrentSpec &spec)
      : b(b), in(inputs), spec(spec), hidden(spec.hidden),
        gates(countGates(spec.kind)), directions(spec.isReversed.size()) {}
  bool checkInputs();
  RecurrentResults run();

private:
  bool checkShape(Value value, StringRef what, ArrayRef<Expr> shape);
  bool checkTypes();
  Value rows(Value value, int64_t direction, int64_t first, int64_t count);
  Value inputGates(int64_t direction);
  CellWeights layOut(int64_t direction);
  CellState initialState(int64_t direction);
  CellState hold(CellState before, CellState after, Value isRunning);
  Value isRunning(Value lengths, Expr step);
  /// What a step works with beside the weights.
  struct StepInputs {
    Value gates, lengths;
    CellState before;
    /// Its place in the sequence.
    Expr step;
  };
  TripResults runStep(int64_t direction, const CellWeights &weights,
                      StepInputs now);
  SmallVector<Value> runLoop(int64_t direction, StepInputs first);
  SmallVector<Value> runDirection(int64_t direction);
  Value join(ArrayRef<Value> parts, int64_t dim);

  bool isLstm() const { return spec.kind == CellKind::Lstm; }
  int64_t sequenceDim() const { return spec.isBatchFirst ? 1 : 0; }
  int64_t batchDim() const { return spec.isBatchFirst ? 0 : 1; }

  ValueBuilder &b;
  const RecurrentInputs &in;
  const RecurrentSpec &spec;
  int64_t hidden, gates, directions;
  Expr steps, batch, width;
};
} // namespace

//===-- Inputs ------------------------------------------------------------===//

bool Layer::checkShape(Value value, StringRef what, ArrayRef<Expr> shape) {
  if (!value)
    return true;
  SmallVector<Expr> dims = dimsOf(value);
  if (dims.size() != shape.size()) {
    b.error() << what << ": rank is " << dims.size() << ", expected "
              << shape.size();
    return false;
  }
  for (auto [index, dim, wanted] : llvm::enumerate(dims, shape))
    if (!b.requireEqual(dim, wanted,
                        "dim " + Twine(index) + " of " + what +
                            " does not fit the layer"))
      return false;
  return true;
}

bool Layer::checkTypes() {
  Type type = elementTypeOf(in.x);
  if (!b.requireFloat(in.x, "input"))
    return false;
  for (Value value :
       {in.weights, in.recurrent, in.bias, in.state, in.cell, in.peepholes})
    if (value && elementTypeOf(value) != type) {
      b.error() << "element types differ: " << elementTypeOf(value) << " vs "
                << type;
      return false;
    }
  if (in.lengths && !isa<IntegerType>(elementTypeOf(in.lengths))) {
    b.error() << "sequence lengths have element type "
              << elementTypeOf(in.lengths) << ", expected integers";
    return false;
  }
  return true;
}

bool Layer::checkInputs() {
  if (!checkTypes())
    return false;
  SmallVector<Expr> dims = dimsOf(in.x);
  if (dims.size() != 3) {
    b.error() << "input has rank " << dims.size() << ", expected 3";
    return false;
  }
  steps = dims[sequenceDim()];
  batch = dims[batchDim()];
  width = dims[2];
  Expr count = directions, size = hidden, all = gates * hidden;
  SmallVector<Expr> state = {count, batch, size};
  if (spec.isBatchFirst)
    std::swap(state[0], state[1]);
  return checkShape(in.weights, "the weights", {count, all, width}) &&
         checkShape(in.recurrent, "the recurrent weights",
                    {count, all, size}) &&
         checkShape(in.bias, "the bias", {count, all * Expr(2)}) &&
         checkShape(in.lengths, "the sequence lengths", batch) &&
         checkShape(in.state, "the initial state", state) &&
         checkShape(in.cell, "the initial cell state", state) &&
         checkShape(in.peepholes, "the peepholes", {count, size * Expr(3)});
}

//===-- One direction -----------------------------------------------------===//

/// Rows [first, first + count) of what one direction has of [D, rows, ...].
Value Layer::rows(Value value, int64_t direction, int64_t first,
                  int64_t count) {
  SmallVector<Expr> sizes = dimsOf(value);
  SmallVector<Expr> offsets(sizes.size(), Expr(0));
  offsets[0] = direction;
  offsets[1] = first;
  sizes[0] = 1;
  sizes[1] = count;
  Value part = b.create<SliceOp>(value, b.graph.shapeAttr(offsets),
                                 b.graph.shapeAttr(sizes),
                                 SmallVector<int64_t>(sizes.size(), 1));
  return b.reshape(part, ArrayRef(sizes).drop_front());
}

/// x W plus the biases, for all steps: [T, B, G * H] or [B, T, G * H].
Value Layer::inputGates(int64_t direction) {
  int64_t all = gates * hidden;
  SmallVector<Expr> shape = dimsOf(in.x);
  Value weights = b.transpose(rows(in.weights, direction, 0, all), {1, 0});
  Value product = b.contract(b.reshape(in.x, {steps * batch, width}), weights);
  if (in.bias) {
    Value bias = rows(in.bias, direction, 0, all);
    Value own = rows(in.bias, direction, all, all);
    // Where gate n is reset after its product, its bias is part of that.
    if (spec.kind == CellKind::Gru && spec.resetsAfter) {
      Value zero = b.broadcast(b.scalar(0, elementTypeOf(in.x)), {hidden});
      own = b.concat({b.sliceDim(own, 0, 0, 2 * hidden), zero}, 0);
    }
    product = b.add(product, b.add(bias, own));
  }
  shape[2] = all;
  return b.reshape(product, shape);
}

CellWeights Layer::layOut(int64_t direction) {
  CellWeights weights;
  auto columns = [&](int64_t first, int64_t count) {
    Value part = rows(in.recurrent, direction, first * hidden, count * hidden);
    return b.transpose(part, {1, 0});
  };
  bool isSplit = spec.kind == CellKind::Gru && !spec.resetsAfter;
  weights.recurrent = columns(0, isSplit ? 2 : gates);
  if (isSplit)
    weights.candidate = columns(2, 1);
  if (spec.kind == CellKind::Gru && spec.resetsAfter && in.bias)
    weights.candidateBias =
        rows(in.bias, direction, (gates + 2) * hidden, hidden);
  if (in.peepholes) {
    weights.inputPeephole = rows(in.peepholes, direction, 0, hidden);
    weights.outputPeephole = rows(in.peepholes, direction, hidden, hidden);
    weights.forgetPeephole = rows(in.peepholes, direction, 2 * hidden, hidden);
  }
  return weights;
}

CellState Layer::initialState(int64_t direction) {
  auto read = [&](Value given) -> Value {
    if (!given)
      return b.broadcast(b.scalar(0, elementTypeOf(in.x)), {batch, hidden});
    return b.reshape(b.sliceDim(given, batchDim() == 0 ? 1 : 0, direction, 1),
                     {batch, hidden});
  };
  return {read(in.state), isLstm() ? read(in.cell) : Value()};
}

/// For each sequence whether a step is one of its own: [B, 1].
Value Layer::isRunning(Value lengths, Expr step) {
  Value number = b.dims({step}, elementTypeOf(lengths), /*isScalar=*/true);
  Value isBelow = b.map(
      {number, lengths},
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Relation::Kind::LT, v[0], v[1]);
      },
      b.boolType());
  return b.unsqueeze(isBelow, 1);
}

/// Takes the state after a step only for the sequences that run.
CellState Layer::hold(CellState before, CellState after, Value isRunning) {
  auto choose = [&](Value kept, Value next) -> Value {
    if (!next)
      return {};
    return b.map(
        {isRunning, next, kept},
        [](ScalarBuilder &s, ValueRange v) {
          return s.select(v[0], v[1], v[2]);
        },
        elementTypeOf(next));
  };
  return {choose(before.hidden, after.hidden), choose(before.cell, after.cell)};
}

/// One step; `weights` and what `now` has are values of where it is built.
TripResults Layer::runStep(int64_t direction, const CellWeights &weights,
                           StepInputs now) {
  auto functions = ArrayRef(spec.activations)
                       .slice(direction * countActivations(spec.kind),
                              countActivations(spec.kind));
  Value own = b.reshape(b.sliceDim(now.gates, sequenceDim(), now.step, 1),
                        {batch, gates * hidden});
  CellState after = stepCell(b, spec, functions, weights, own, now.before);
  Value row = after.hidden;
  if (now.lengths) {
    Value runs = isRunning(now.lengths, now.step);
    Value zero = b.scalar(0, elementTypeOf(in.x));
    row = hold({zero, {}}, {after.hidden, {}}, runs).hidden;
    after = hold(now.before, after, runs);
  }
  TripResults results;
  results.carried = {after.hidden};
  if (isLstm())
    results.carried.push_back(after.cell);
  if (spec.wantsAll)
    results.stacked = {row};
  return results;
}

/// A loop over the steps of a direction; nothing after an error.
SmallVector<Value> Layer::runLoop(int64_t direction, StepInputs first) {
  CellWeights outer = layOut(direction);
  SmallVector<Value> inits = {first.before.hidden}, captures = {first.gates};
  if (isLstm())
    inits.push_back(first.before.cell);
  if (in.lengths)
    captures.push_back(in.lengths);
  outer.forEach([&](Value &value) { captures.push_back(value); });
  return buildLoop(b, steps, inits, captures, [&](LoopBuilder &loop) {
    CellWeights weights = outer;
    weights.forEach([&](Value &value) { value = loop.inside(value); });
    StepInputs now;
    now.step =
        spec.isReversed[direction] ? steps - 1 - loop.trip() : loop.trip();
    now.gates = loop.inside(first.gates);
    if (in.lengths)
      now.lengths = loop.inside(in.lengths);
    now.before = {loop.carried(0), isLstm() ? loop.carried(1) : Value()};
    return runStep(direction, weights, now);
  });
}

/// The last state, the last cell state if there is one, and the states of all
/// steps, [T, B, H], if they are asked for; nothing after an error.
SmallVector<Value> Layer::runDirection(int64_t direction) {
  StepInputs first;
  first.before = initialState(direction);
  SmallVector<Value> results;
  if (steps.isConstant(0)) {
    results = {first.before.hidden};
    if (isLstm())
      results.push_back(first.before.cell);
    Value zero = b.scalar(0, elementTypeOf(in.x));
    if (spec.wantsAll)
      results.push_back(b.broadcast(zero, {0, batch, hidden}));
    return results;
  }
  first.step = 0;
  first.gates = inputGates(direction);
  first.lengths = in.lengths;
  if (!steps.isConstant(1)) {
    results = runLoop(direction, first);
  } else { // One step needs no loop.
    TripResults only = runStep(direction, layOut(direction), first);
    results = only.carried;
    for (Value row : only.stacked)
      results.push_back(b.unsqueeze(row, 0));
  }
  if (b.hasFailed())
    return {};
  if (spec.wantsAll && spec.isReversed[direction] && !steps.isConstant(1))
    results.back() = b.reverse(results.back(), 0);
  return results;
}

//===-- The layer ---------------------------------------------------------===//

/// The parts of all directions along a new dim.
Value Layer::join(ArrayRef<Value> parts, int64_t dim) {
  SmallVector<Value> wide;
  for (Value part : parts)
    wide.push_back(b.unsqueeze(part, dim));
  return wide.size() == 1 ? wide.front() : b.concat(wide, dim);
}

RecurrentResults Layer::run() {
  SmallVector<Value> states, cells, all;
  for (int64_t direction = 0; direction < directions; ++direction) {
    SmallVector<Value> results = runDirection(direction);
    if (results.empty())
      return {};
    states.push_back(results[0]);
    if (isLstm())
      cells.push_back(results[1]);
    if (spec.wantsAll)
      all.push_back(results.back());
  }
  RecurrentResults results;
  int64_t dim = spec.isBatchFirst ? 1 : 0;
  results.state = join(states, dim);
  if (isLstm())
    results.cell = join(cells, dim);
  if (!spec.wantsAll)
    return results;
  results.all = join(all, 1);
  if (spec.isBatchFirst)
    results.all = b.transpose(results.all, {2, 0, 1, 3});
  return results;
}

RecurrentResults compose::recurrent(ValueBuilder &b, RecurrentInputs inputs,
                                    const RecurrentSpec &spec) {
  Type type = elementTypeOf(inputs.x);
  Layer layer(b, inputs, spec);
  if (!layer.checkInputs())
    return {};
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? Type(b.graph.getBuilder().getF32Type()) : type;
  for (Value *value :
       {&inputs.x, &inputs.weights, &inputs.recurrent, &inputs.bias,
        &inputs.state, &inputs.cell, &inputs.peepholes})
    if (*value)
      *value = b.cast(*value, wide);
  if (b.hasFailed())
    return {};
  RecurrentResults results = layer.run();
  for (Value *value : {&results.all, &results.state, &results.cell})
    if (*value)
      *value = b.cast(*value, type);
  return results;
}
