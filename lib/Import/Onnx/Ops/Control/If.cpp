// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If: the branch that is taken, when the condition is known; else two loops of
// at most one trip, whose results go through both.
//
// Which branch runs is a size: the trips of its loop, 0 or 1. So a guard that a
// branch needs is one about this size too ("n >= 9 || y_then <= 0"), and is
// checked by what checks all guards. Inside of a loop or branch no size is set;
// what a branch there needs is needed whichever of the two runs, unless the
// condition is known from sizes.
//
// A value has one rank. Where the branches give different ones and sizes tell
// which runs ("squeeze where the dim is 1"), then_branch is required to run.

#include "LoopBody.h"
#include "ambit/Shape/FollowSizes.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

namespace {
/// When a branch runs: `trips` times, which is 0 or 1, if `entry` holds or is
/// null.
struct Taken {
  StringRef branch;
  Expr trips;
  Value entry;
};
} // namespace

/// Requires that then_branch runs, where the inputs' shapes tell: the ranks of
/// the results differ, and what comes after is made for one of them. False if
/// data tells, be it a number in an input, or after an error.
static bool requireThen(NodeContext &c, size_t output) {
  ShapeContext &context = c.graph.getContext();
  // What then_branch needs may have made sure of it.
  std::optional<Expr> known = followCondition(c.input(0), context);
  if (known && known->isConstant(1))
    return true;
  std::optional<Relation> relation = followRelation(c.input(0), context);
  if (!relation || !c.isKnownAtEntry(relation->lhs - relation->rhs))
    return false;
  std::set<std::string> symbols;
  (relation->lhs - relation->rhs).collectSymbols(symbols);
  if (llvm::any_of(symbols, isElementName))
    return false;
  return c.require(*relation, "the rank of output " + Twine(output) +
                                  " is that of then_branch");
}

/// Makes one branch a loop that runs if it is taken and else hands on `before`,
/// or zeros where that is empty; nothing after an error.
static SmallVector<Value> convertBranch(NodeContext &c,
                                        const OnnxSubgraph &branch, Taken taken,
                                        ArrayRef<Value> before) {
  size_t count = c.node.outputs.size();
  LoopBody body(c, branch, taken.trips);
  body.create(taken.entry);
  LoopOp loop = body.loop;
  SmallVector<Value> outputs;
  bool isFilled = body.fill([&] {
    if (!body.convert({}, outputs))
      return false;
    body.next(ArrayRef(outputs).take_front(count), {}, Value());
    return true;
  });
  if (!isFilled) {
    c.error() << "data may choose either branch, so that both must be right "
                 "for the shapes of the model's inputs; "
              << taken.branch << " is not";
    return {};
  }
  for (auto [index, other, value] : llvm::enumerate(
           before, ArrayRef<Value>(outputs).take_front(before.size())))
    if (!mayAgree(c, other, value)) {
      if (rankOf(other) != rankOf(value) && requireThen(c, index)) {
        loop.erase();
        return SmallVector<Value>(before);
      }
      if (c.hasFailed())
        return {};
      InFlightDiagnostic problem = c.error();
      problem << "the branches must give one shape: output " << index << " is "
              << shapeText(other) << " in then_branch and " << shapeText(value)
              << " in else_branch";
      NodeContext::suggestValues(problem, c.input(0));
      return {};
    }
  // Now the shapes are known, and with them what is carried in.
  OpBuilder &builder = c.graph.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop);
  SmallVector<Value> inits(before);
  for (size_t i = before.size(); i < count; ++i) {
    for (Expr dim : dimsOf(outputs[i]))
      if (!c.require(Relation{Relation::Kind::GE, dim, Expr(0)},
                     "a size of output " + Twine(i) + " is negative"))
        return {};
    Value zero = c.scalar(0, elementTypeOf(outputs[i]));
    inits.push_back(c.broadcast(zero, dimsOf(outputs[i])));
    if (!inits.back())
      return {};
  }
  for (auto [index, init] : llvm::enumerate(inits))
    loop.getBody().insertArgument(index, init.getType(), init.getLoc());
  loop.getInitsMutable().assign(inits);
  if (!body.finish())
    return {};
  return SmallVector<Value>(body.loop.getResults());
}

/// The condition as a size where it is known as an expression.
static std::optional<Expr> knownSize(NodeContext &c, Value condition) {
  std::optional<Expr> known = followCondition(condition, c.graph.getContext());
  if (!known)
    return std::nullopt;
  Interval range = c.prover().bounds(*known);
  if (range.min < 0 || range.max > 1 ||
      c.graph.getContext().dependsOnTrip(*known))
    return std::nullopt;
  return known;
}

/// The condition as a size that the run sets; invalid after an error.
static Expr setSize(NodeContext &c, Value condition) {
  std::string name = c.newCount(1, "_then");
  Value one = c.reshape(condition, {Expr(1)});
  if (name.empty() || !one || !c.create<NonZeroOp>(one, name))
    return Expr::invalid();
  return Expr::symbol(name);
}

static void convertByData(NodeContext &c, const OnnxSubgraph &thenBranch,
                          const OnnxSubgraph &elseBranch) {
  Value condition = c.input(0);
  if (!elementTypeOf(condition).isInteger(1)) {
    c.error() << "the condition has element type " << elementTypeOf(condition)
              << ", expected bool";
    return;
  }
  if (!c.requireEqual(sym::getNumElements(dimsOf(condition)), Expr(1),
                      "the condition is not one element"))
    return;
  if (rankOf(condition) != 0)
    condition = c.reshape(condition, {});
  if (!condition)
    return;
  Value other = c.map({condition}, [](ScalarBuilder &s, ValueRange v) {
    return s.make<arith::XOrIOp>(v[0], s.integer(1, v[0]));
  });
  Taken thenTaken{"then_branch", 1, condition};
  Taken elseTaken{"else_branch", 1, other};
  // A condition on sizes stays beside the size that it is: what follows sizes
  // sees through it.
  std::optional<Expr> size = knownSize(c, condition);
  if (size) {
    thenTaken.trips = *size;
    elseTaken.trips = c.simplify(Expr(1) - *size);
  } else if (!isa<LoopOp>(c.graph.getBuilder().getBlock()->getParentOp())) {
    size = setSize(c, condition);
    thenTaken = {thenTaken.branch, *size, {}};
    elseTaken = {elseTaken.branch, Expr(1) - *size, {}};
  }
  if (c.hasFailed())
    return;
  SmallVector<Value> first = convertBranch(c, thenBranch, thenTaken, {});
  if (c.hasFailed())
    return;
  SmallVector<Value> last = convertBranch(c, elseBranch, elseTaken, first);
  for (auto [index, value] : llvm::enumerate(last))
    c.setOutput(index, value);
}

static void convertIf(NodeContext &c) {
  const OnnxSubgraph *branches[] = {c.graphAttr("else_branch"),
                                    c.graphAttr("then_branch")};
  if (!branches[0] || !branches[1])
    return;
  for (const OnnxSubgraph *branch : branches)
    if (!branch->inputs.empty() ||
        branch->outputs.size() < c.node.outputs.size()) {
      c.error() << "a branch has " << branch->inputs.size() << " inputs and "
                << branch->outputs.size() << " outputs, expected 0 and "
                << c.node.outputs.size();
      return;
    }
  std::optional<SmallVector<Expr>> known = getKnownElements(c.input(0));
  if (!known || known->size() != 1 || !known->front().constant())
    return convertByData(c, *branches[1], *branches[0]);
  SmallVector<Value> outputs;
  if (!c.graphs.convert(*branches[!known->front().isConstant(0)], {},
                        outputs)) {
    c.fail();
    return;
  }
  for (auto [index, value] : llvm::enumerate(outputs))
    c.setOutput(index, value);
}

void ambit::onnx_import::addIf(ConverterTable &table) {
  table.add("If", convertIf, 1).storedTypes();
}
