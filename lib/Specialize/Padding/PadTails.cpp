// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding of a variant's body, op by op.
//
// Each op is asked for its tail rule. If it has one for its dims, a copy of it
// on padded tensors takes its place, after the tails that it needs were set; if
// not, it stays, and reads true tensors that are cut out of padded ones. So a
// body is always right, and an op without a rule costs two copies. That the
// copy's shape follows is proven, never assumed: an op whose conditions stay
// open on padded sizes keeps true ones.

#include "PadTails.h"
#include "PaddedTensors.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

namespace {

class TailPadder {
public:
  TailPadder(func::FuncOp function, const Domain &domain,
             const std::map<std::string, Expr> &tops, FreePadding freePadding,
             PaddingReport &report)
      : function(function), domain(domain), shapes(domain),
        tensors(shapes, tops, freePadding), report(report) {}

  LogicalResult run();

private:
  LogicalResult pad(Operation *op);
  LogicalResult keep(Operation *op, StringRef why);
  FailureOr<Operation *> tryPad(Operation *op, TailRule &rule);
  LogicalResult meetNeeds(Operation *op, Operation *copy, const TailRule &rule);
  bool follows(Operation *copy, ArrayRef<Expr> sizes);
  bool touchesPadding(Operation *op);
  void note(Operation *op, const Twine &text);

  func::FuncOp function;
  const Domain &domain;
  ShapeContext shapes;
  PaddedTensors tensors;
  PaddingReport &report;
};

} // namespace

void TailPadder::note(Operation *op, const Twine &text) {
  report.lines.push_back(dispatch::describeOrigin(op->getLoc()) + ": " +
                         text.str());
}

bool TailPadder::touchesPadding(Operation *op) {
  auto isPadded = [&](Value tensor) {
    return tensors.getContext().isPadded(tensor);
  };
  return llvm::any_of(op->getOperands(), isPadded) ||
         llvm::any_of(op->getResults(), isPadded);
}

/// Whether the shape rule gives these sizes and leaves nothing open. A context
/// of its own: what it would take for granted is not.
bool TailPadder::follows(Operation *copy, ArrayRef<Expr> sizes) {
  bool isOpen = false;
  ShapeContext trial(domain,
                     [&](const Condition &, Location) { isOpen = true; });
  ScopedDiagnosticHandler quiet(copy->getContext(),
                                [](Diagnostic &) { return success(); });
  SmallVector<RankedTensorType> types;
  return succeeded(inferTypes(copy, trial, types)) && !isOpen &&
         types.size() == 1 && llvm::equal(sym::getDims(types.front()), sizes);
}

/// A copy of the op on padded tensors, its needs not yet met; null with a
/// reason in the rule where there is none.
FailureOr<Operation *> TailPadder::tryPad(Operation *op, TailRule &rule) {
  auto ruled = dyn_cast<TailRuleOpInterface>(op);
  SmallVector<Value> all(op->getOperands());
  llvm::append_range(all, op->getResults());
  if (!ruled || op->getNumResults() != 1)
    rule = TailRule::refuse("it has no rule for padding");
  else if (!llvm::all_of(all, [&](Value v) { return tensors.canPad(v); }))
    rule = TailRule::refuse(
        "a size does not grow with what it is computed from, or is too large");
  if (!rule.obstacle.empty())
    return nullptr;
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    FailureOr<Value> padded = tensors.getPadded(operand);
    if (failed(padded))
      return failure();
    mapping.map(operand, *padded);
  }
  rule = ruled.getTailRule(tensors.getContext());
  if (!rule.obstacle.empty())
    return nullptr;
  OpBuilder builder(op);
  Operation *copy = builder.clone(*op, mapping);
  for (NamedAttribute attribute : rule.attributes)
    copy->setAttr(attribute.getName(), attribute.getValue());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Expr> sizes = tensors.getContext().atTop(sym::getDims(type));
  copy->getResult(0).setType(sym::getTensorType(sizes, type.getElementType()));
  if (follows(copy, sizes))
    return copy;
  copy->erase();
  rule = TailRule::refuse("its shape on padded sizes could not be proven");
  return nullptr;
}

static std::string textOf(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    SmallString<16> text;
    number.getValue().toString(text);
    return text.str().str();
  }
  SmallString<16> text;
  cast<IntegerAttr>(value).getValue().toStringSigned(text);
  return text.str().str();
}

LogicalResult TailPadder::meetNeeds(Operation *op, Operation *copy,
                                    const TailRule &rule) {
  for (const TailNeed &need : rule.needs) {
    Value operand = op->getOperand(need.operand);
    if (!tensors.getContext().isPadded(operand, need.dim))
      continue;
    Value given = copy->getOperand(need.operand);
    FailureOr<Value> set = tensors.setTail(given, need.dim, need.value);
    if (failed(set))
      return failure();
    if (*set != given)
      copy->setOperand(need.operand, *set);
    note(op, "padding of operand " + Twine(need.operand) + " beyond '" +
                 sym::getDims(operand.getType())[need.dim].str() + "' is " +
                 textOf(need.value));
  }
  return success();
}

LogicalResult TailPadder::keep(Operation *op, StringRef why) {
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Value> exact = tensors.getExact(operand.get());
    if (failed(exact))
      return failure();
    operand.set(*exact);
  }
  if (why.empty())
    return success();
  ++report.kept;
  note(op, "computed on true sizes: " + why);
  return success();
}

LogicalResult TailPadder::pad(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || !touchesPadding(op))
    return keep(op, "");
  TailRule rule;
  FailureOr<Operation *> copy = tryPad(op, rule);
  if (failed(copy))
    return failure();
  if (!*copy)
    return keep(op, rule.obstacle);
  ++report.padded;
  tensors.setPadded(op->getResult(0), (*copy)->getResult(0), rule.result);
  return meetNeeds(op, *copy, rule);
}

LogicalResult TailPadder::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : function.front())
    ops.push_back(&op);
  for (Operation *op : ops)
    if (failed(pad(op)))
      return failure();
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
  return success();
}

LogicalResult ambit::padTails(func::FuncOp function, const Domain &domain,
                              const std::map<std::string, Expr> &tops,
                              FreePadding freePadding, PaddingReport &report) {
  return TailPadder(function, domain, tops, freePadding, report).run();
}
