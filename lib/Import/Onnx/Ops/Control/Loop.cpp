// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop: a number of trips, a condition, carried values and scan outputs.

#include "LoopBody.h"
#include "Sequences.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

/// What stands for "no limit" where the number of trips is not given.
static constexpr int64_t kNoLimit = INT64_MAX;

/// A body of what grows is converted twice, and so are those inside of it.
static constexpr unsigned kMaxGrowingLoops = 4;

/// The loops around the place where code is built.
static unsigned countLoopsAround(NodeContext &c) {
  unsigned count = 0;
  for (Operation *op = c.graph.getBuilder().getBlock()->getParentOp(); op;
       op = op->getParentOp())
    count += isa<LoopOp>(op);
  return count;
}

/// The rank that a graph declares for an input.
static int64_t declaredRank(const OnnxSubgraph &graph, unsigned index) {
  const onnx::TypeProto &type = graph.proto->input(index).type();
  if (!type.has_tensor_type() || !type.tensor_type().has_shape())
    return 0;
  return type.tensor_type().shape().dim_size();
}

namespace {
/// One Loop node on its way to a `graph.loop`.
class LoopConversion {
public:
  explicit LoopConversion(NodeContext &c, const OnnxSubgraph &body)
      : c(c), body(body) {}
  void run();

private:
  bool checkCounts();
  bool readLimit();
  bool readEntry();
  bool countOnData();
  bool convertBody();
  void createLoop(LoopBody &loop);
  bool fillBody(LoopBody &loop);
  Value bodyInput(LoopBody &loop, unsigned index);
  bool readCondition(LoopBody &loop, Value condition);
  bool findGrowth(ArrayRef<Value> outputs);
  bool mayEqual(Expr lhs, Expr rhs);
  bool checkShape(LoopBody &loop, unsigned number, Value next);
  bool endBody(LoopBody &loop, ArrayRef<Value> outputs);
  void setOutputsWithoutTrips();
  Value oneBool(Value value, StringRef what);
  Expr countTrips(LoopOp loop);
  void setOutputs(LoopOp loop);

  bool stacks(unsigned output) { return c.wantsOutput(output); }
  /// Whether data may end the loop before its number of trips.
  bool isConditional() const { return entry || condition; }
  Type boolType() { return c.graph.getBuilder().getI1Type(); }

  NodeContext &c;
  const OnnxSubgraph &body;
  unsigned carried = 0;
  Expr trips = kNoLimit;
  /// The number of trips when it depends on data, as rank 0 of i64.
  Value count;
  /// Conditions on data: before the first trip, and in the body.
  Value entry, condition;
  /// Numbers of the values that are really carried.
  SmallVector<unsigned> changing;
  /// By how much their dims grow in a trip; empty until a trip has shown it.
  SmallVector<SmallVector<Expr>> growths;
  /// Whether they may also be such that all shapes stay: a last resort.
  bool mayStay = true;
};
} // namespace

bool LoopConversion::checkCounts() {
  carried = c.numInputs() < 2 ? 0 : c.numInputs() - 2;
  if (body.inputs.size() != carried + 2) {
    c.error() << "body has " << body.inputs.size() << " inputs, expected "
              << carried + 2 << ": the iteration, the condition, and "
              << carried << " carried values";
    return false;
  }
  if (body.outputs.size() < carried + 1 ||
      c.node.outputs.size() > body.outputs.size() - 1) {
    c.error() << "body has " << body.outputs.size()
              << " outputs, expected the condition and one for each of "
              << std::max<size_t>(carried, c.node.outputs.size())
              << " carried values and scan outputs";
    return false;
  }
  for (unsigned i = 0; i < carried; ++i) {
    if (!c.input(i + 2)) {
      c.error() << "input " << i + 2 << " is missing";
      return false;
    }
    if (!isInvariant(body, i))
      changing.push_back(i);
  }
  return true;
}

bool LoopConversion::readLimit() {
  if (!c.input(0))
    return true;
  std::optional<SmallVector<Expr>> limit = getKnownElements(c.input(0));
  if (!limit)
    return countOnData();
  if (limit->size() != 1) {
    c.error() << "the number of trips (input 0, '" << c.inputName(0)
              << "') has " << limit->size() << " elements, expected 1";
    return false;
  }
  trips = c.simplify(Expr::max(limit->front(), 0));
  return true;
}

/// A number of trips that only data tells: compared before every trip.
bool LoopConversion::countOnData() {
  Type type = c.graph.getBuilder().getI64Type();
  count = c.cast(c.input(0), type);
  if (!count ||
      !c.requireEqual(sym::getNumElements(dimsOf(count)), Expr(1),
                      "the number of trips (input 0) is not one element"))
    return false;
  if (rankOf(count) != 0)
    count = c.reshape(count, {});
  return true;
}

/// Whether `trip` is below the number of trips, when data tells it; else null.
static Value isBelow(NodeContext &c, Expr trip, Value count) {
  if (!count)
    return {};
  Value number = c.dims({trip}, elementTypeOf(count), /*isScalar=*/true);
  return c.map(
      {number, count},
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Relation::Kind::LT, v[0], v[1]);
      },
      c.graph.getBuilder().getI1Type());
}

/// Both conditions, where null means that there is none.
static Value both(NodeContext &c, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return c.map({lhs, rhs}, [](ScalarBuilder &s, ValueRange v) {
    return s.make<arith::AndIOp>(v[0], v[1]);
  });
}

/// A bool of one element as rank 0; null after an error.
Value LoopConversion::oneBool(Value value, StringRef what) {
  if (!elementTypeOf(value).isInteger(1)) {
    c.error() << what << " has element type " << elementTypeOf(value)
              << ", expected bool";
    return {};
  }
  if (!c.requireEqual(sym::getNumElements(dimsOf(value)), Expr(1),
                      what + " is not one element"))
    return {};
  return rankOf(value) == 0 ? value : c.reshape(value, {});
}

bool LoopConversion::readEntry() {
  entry = isBelow(c, 0, count);
  if (!c.input(1))
    return true;
  Value first = oneBool(c.input(1), "the condition (input 1)");
  if (!first)
    return false;
  std::optional<SmallVector<Expr>> known = getKnownElements(first);
  if (!known)
    entry = both(c, entry, first);
  else if (known->front().isConstant(0))
    trips = 0;
  else if (!known->front().constant())
    trips = c.simplify(trips * known->front());
  return true;
}

void LoopConversion::createLoop(LoopBody &loop) {
  for (auto [number, i] : llvm::enumerate(changing))
    loop.carry(c.input(i + 2),
               growths.empty() ? ArrayRef<Expr>() : growths[number]);
  if (count)
    loop.capture(count);
  for (unsigned i = 0; i < carried; ++i)
    if (isInvariant(body, i))
      loop.capture(c.input(i + 2));
  loop.create(entry);
}

Value LoopConversion::bodyInput(LoopBody &loop, unsigned index) {
  if (index == 0) {
    Type type = c.graph.getBuilder().getI64Type();
    return c.dims({loop.trip()}, type,
                  /*isScalar=*/declaredRank(body, 0) == 0);
  }
  if (index == 1) { // A trip runs only while the condition holds.
    Value isTrue = c.scalar(1, boolType());
    return declaredRank(body, 1) == 0 ? isTrue : c.reshape(isTrue, {Expr(1)});
  }
  auto it = llvm::find(changing, index - 2);
  if (it != changing.end())
    return loop.carried(it - changing.begin());
  return loop.inside(c.input(index));
}

/// Reads the condition for another trip.
bool LoopConversion::readCondition(LoopBody &loop, Value value) {
  Value next = oneBool(value, "the condition of the body");
  if (!next)
    return false;
  std::optional<SmallVector<Expr>> known = getKnownElements(next);
  std::optional<int64_t> constant =
      known ? known->front().constant() : std::nullopt;
  if (!constant)
    condition = next;
  else if (*constant == 0)
    loop.trips = c.simplify(Expr::min(trips, 1));
  if (count) {
    Value more = isBelow(c, loop.trip() + 1, loop.inside(count));
    condition = both(c, condition, more);
  }
  return !c.hasFailed();
}

/// Reads from a trip that starts with the first shapes by how much they grow;
/// whether any does. A dim that does not grow for sure must keep its size.
bool LoopConversion::findGrowth(ArrayRef<Value> outputs) {
  bool grows = false;
  for (unsigned i : changing) {
    Value first = c.input(i + 2), next = outputs[i + 1];
    SmallVector<Expr> &growth = growths.emplace_back();
    growth.assign(rankOf(first), Expr(0));
    mayStay &= mayAgree(c, first, next);
    if (rankOf(first) != rankOf(next))
      continue;
    for (auto [step, before, after] :
         llvm::zip_equal(growth, dimsOf(first), dimsOf(next))) {
      Expr difference = c.simplify(after - before);
      if (difference.isValid() && !difference.isConstant(0) &&
          c.prover().isAtLeast(difference, 0) &&
          !c.graph.getContext().dependsOnTrip(difference))
        step = difference;
      grows |= !step.isConstant(0);
    }
  }
  return grows;
}

/// Whether the sizes may be equal, as a guard can say.
bool LoopConversion::mayEqual(Expr lhs, Expr rhs) {
  ShapeContext &context = c.graph.getContext();
  return c.prover().isEqual(lhs, rhs) ||
         (!context.dependsOnTrip(lhs) && !context.dependsOnTrip(rhs) &&
          c.prover().prove(Relation{Relation::Kind::EQ, lhs, rhs}) !=
              Truth::No);
}

/// Carried values live in one buffer for all trips, as large as the last needs.
bool LoopConversion::checkShape(LoopBody &loop, unsigned number, Value next) {
  Value before = loop.carried(number);
  SmallVector<Expr> expected = dimsOf(before), found = dimsOf(next);
  for (auto [dim, step] : llvm::zip(expected, growths[number]))
    dim = dim + step;
  bool agrees = expected.size() == found.size() &&
                llvm::all_of(llvm::zip(expected, found), [&](auto sizes) {
                  return std::apply(
                      [&](Expr l, Expr r) { return mayEqual(l, r); }, sizes);
                });
  bool isKnown = !isConditional() || expected == dimsOf(before);
  if (agrees && isKnown)
    return true;
  if (mayStay) {
    mayStay = false;
    for (SmallVector<Expr> &growth : growths)
      growth.assign(growth.size(), Expr(0));
    loop.giveUp();
    return false;
  }
  StringRef name = c.inputName(changing[number] + 2);
  if (!agrees)
    c.error() << "a carried shape must stay or grow by the same size on every "
                 "trip: '"
              << name << "' is " << shapeText(before) << " and becomes "
              << shapeText(next);
  else
    c.error() << "data may end the loop, so the last shape of '" << name
              << "', which is " << shapeText(before) << " and becomes "
              << shapeText(next)
              << ", is not known from the shapes of the model's inputs";
  return false;
}

bool LoopConversion::endBody(LoopBody &loop, ArrayRef<Value> outputs) {
  SmallVector<Value> next, stacked;
  if (growths.empty() && findGrowth(outputs)) {
    if (countLoopsAround(c) <= kMaxGrowingLoops)
      loop.giveUp();
    else
      c.error() << "a carried shape grows in more than " << kMaxGrowingLoops
                << " loops inside of each other";
    return false;
  }
  for (auto [number, i] : llvm::enumerate(changing)) {
    if (!checkShape(loop, number, outputs[i + 1]))
      return false;
    next.push_back(outputs[i + 1]);
  }
  for (unsigned i = carried; i < c.node.outputs.size(); ++i)
    if (stacks(i))
      stacked.push_back(outputs[i + 1]);
  if (loop.trips == Expr(kNoLimit) && !isConditional()) {
    c.error() << "neither a number of trips nor a condition ends the loop";
    return false;
  }
  if (!stacked.empty() && isConditional()) {
    if (loop.trips == Expr(kNoLimit)) {
      InFlightDiagnostic problem = c.error();
      problem << "scan outputs have as many elements as trips run, which "
                 "depends on data; expected an upper bound in input 0 that is "
                 "known from the shapes of the model's inputs";
      if (c.input(0))
        NodeContext::suggestValues(problem, c.input(0));
      return false;
    }
    // Which trips have run: all before the first 0.
    stacked.push_back(c.scalar(1, boolType()));
  }
  loop.next(next, stacked, condition);
  return true;
}

bool LoopConversion::fillBody(LoopBody &loop) {
  return loop.fill([&] {
    SmallVector<Value> inputs, outputs;
    for (unsigned i = 0; i < body.inputs.size(); ++i)
      inputs.push_back(bodyInput(loop, i));
    return loop.convert(inputs, outputs) &&
           readCondition(loop, outputs.front()) && endBody(loop, outputs);
  });
}

/// The number of trips that have run, as a symbol; invalid after an error.
Expr LoopConversion::countTrips(LoopOp loop) {
  std::string name = c.newCount(loop.getTripCount());
  if (name.empty() || !c.create<NonZeroOp>(loop->getResults().back(), name))
    return Expr::invalid();
  return Expr::symbol(name);
}

void LoopConversion::setOutputs(LoopOp loop) {
  bool isCounted = isConditional() && !loop.getStackedResults().empty();
  Expr ran = isCounted ? countTrips(loop) : loop.getTripCount();
  if (!ran.isValid())
    return;
  for (auto [number, index] : llvm::enumerate(changing))
    c.setOutput(index, loop.getResult(number));
  unsigned number = changing.size();
  for (unsigned i = 0; i < c.node.outputs.size(); ++i) {
    if (i < carried && isInvariant(body, i))
      c.setOutput(i, c.input(i + 2));
    if (i >= carried && stacks(i)) {
      Value stacked = loop.getResult(number++);
      c.setOutput(i, isCounted ? c.sliceDim(stacked, 0, 0, ran) : stacked);
    }
  }
}

void LoopConversion::setOutputsWithoutTrips() {
  for (unsigned i = 0; i < c.node.outputs.size(); ++i)
    if (i < carried)
      c.setOutput(i, c.input(i + 2));
    else if (stacks(i))
      c.setOutput(i, emptyStack(c, body, i + 1));
}

void LoopConversion::run() {
  if (!checkCounts() || !readLimit() || !readEntry())
    return;
  if (trips.isConstant(0))
    return setOutputsWithoutTrips();
  if (llvm::any_of(c.allInputs(),
                   [](Value input) { return input && !isTensor(input); }))
    return unrollLoop(c, body, trips, isConditional());
  // Again with what the first try has shown to grow; and again where that is
  // not so on every trip, and all may stay as it is.
  while (!convertBody() && !c.hasFailed())
    ;
}

bool LoopConversion::convertBody() {
  condition = {};
  LoopBody loop(c, body, trips);
  createLoop(loop);
  if (fillBody(loop) && loop.finish()) {
    setOutputs(loop.loop);
    return true;
  }
  return !loop.wasGivenUp();
}

static void convertLoop(NodeContext &c) {
  if (const OnnxSubgraph *body = c.graphAttr("body"))
    LoopConversion(c, *body).run();
}

void ambit::onnx_import::addLoop(ConverterTable &table) {
  table.add("Loop", convertLoop, 0, kAnyNumber)
      .sizes({0, 1})
      .storedTypes()
      .carriesSequences();
}
