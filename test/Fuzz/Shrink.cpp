// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy shrinking: one change at a time, kept when the module still fails.

#include "Shrink.h"
#include "Exactness.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace ambit;

namespace {
/// A change of the function; false when there is nothing to change.
using Change = bool (*)(func::FuncOp, unsigned number);
} // namespace

static bool keepOneOutput(func::FuncOp function, unsigned number) {
  Operation *end = function.front().getTerminator();
  if (end->getNumOperands() < 2 || number >= end->getNumOperands())
    return false;
  end->setOperands({end->getOperand(number)});
  return true;
}

static bool dropOutput(func::FuncOp function, unsigned number) {
  Operation *end = function.front().getTerminator();
  if (end->getNumOperands() < 2 || number >= end->getNumOperands())
    return false;
  end->eraseOperand(number);
  return true;
}

static Operation *opAt(func::FuncOp function, unsigned number) {
  auto ops = function.front().without_terminator();
  if (number >= unsigned(std::distance(ops.begin(), ops.end())))
    return nullptr;
  return &*std::next(ops.begin(), number);
}

/// An input in the place of an op's result.
static bool replaceByInput(func::FuncOp function, unsigned number) {
  Operation *op = opAt(function, number);
  if (!op)
    return false;
  Value input =
      function.front().addArgument(op->getResult(0).getType(), op->getLoc());
  op->getResult(0).replaceAllUsesWith(input);
  return true;
}

static bool replaceByOperand(func::FuncOp function, unsigned number) {
  Operation *op = opAt(function, number);
  if (!op)
    return false;
  for (Value operand : op->getOperands())
    if (operand.getType() == op->getResult(0).getType()) {
      op->getResult(0).replaceAllUsesWith(operand);
      return true;
    }
  // Nothing to change at this op, but maybe at the next.
  return true;
}

static bool returnOperands(func::FuncOp function, unsigned number) {
  Operation *end = function.front().getTerminator();
  if (number >= end->getNumOperands())
    return false;
  Operation *op = end->getOperand(number).getDefiningOp();
  if (!op)
    return true;
  SmallVector<Value> outputs(end->getOperands());
  outputs.erase(outputs.begin() + number);
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp())
      outputs.push_back(operand);
  if (!outputs.empty())
    end->setOperands(outputs);
  return true;
}

/// The value of one scalar in the place of a body's result.
static bool shortenBody(func::FuncOp function, unsigned number) {
  for (auto map : function.getOps<graph::MapOp>()) {
    Block &body = map.getBody().front();
    unsigned count = body.getOperations().size() - 1;
    if (number >= count) {
      number -= count;
      continue;
    }
    Operation *op = &*std::next(body.begin(), number);
    Type type = op->getResult(0).getType();
    for (Value operand : op->getOperands())
      if (operand.getType() == type) {
        op->getResult(0).replaceAllUsesWith(operand);
        return true;
      }
    return true;
  }
  return false;
}

static void removeDeadOps(func::FuncOp function) {
  Block &block = function.front();
  for (auto map : function.getOps<graph::MapOp>())
    for (Operation &op :
         llvm::make_early_inc_range(llvm::reverse(map.getBody().front())))
      if (op.use_empty() && !isa<graph::YieldOp>(op))
        op.erase();
  for (Operation &op : block)
    fuzz::dropUnusedInputs(&op);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && !isa<func::ReturnOp>(op))
      op.erase();
  // An input stays while it alone gives a symbol its value.
  for (unsigned i = block.getNumArguments(); i-- > 0;) {
    if (!block.getArgument(i).use_empty())
      continue;
    std::set<Expr> others;
    for (BlockArgument other : block.getArguments())
      if (other.getArgNumber() != i)
        for (Expr dim : sym::getDims(other.getType()))
          others.insert(dim);
    bool isNeeded = llvm::any_of(
        sym::getDims(block.getArgument(i).getType()),
        [&](Expr dim) { return dim.isSymbol() && !others.count(dim); });
    if (!isNeeded)
      block.eraseArgument(i);
  }
}

/// The text after one change; "" when there is no such change.
static std::string apply(const std::string &text, Change change,
                         unsigned number) {
  DialectRegistry registry;
  registerPipelineDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
  auto module = parseSourceString<ModuleOp>(text, &context);
  auto function =
      module ? module->lookupSymbol<func::FuncOp>("main") : func::FuncOp();
  if (!function || !change(function, number))
    return "";
  removeDeadOps(function);
  Block &block = function.front();
  function.removeArgAttrsAttr();
  function.setType(FunctionType::get(&context, block.getArgumentTypes(),
                                     block.getTerminator()->getOperandTypes()));
  OpBuilder b(&context);
  for (unsigned i = 0; i < block.getNumArguments(); ++i)
    function.setArgAttr(i, attributes::kName, b.getStringAttr("x" + Twine(i)));
  std::string result;
  llvm::raw_string_ostream(result) << *module;
  return result;
}

std::string ambit::fuzz::shrinkModule(
    std::string text, const std::function<bool(const std::string &)> &fails) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Change change : {keepOneOutput, dropOutput, replaceByInput,
                          replaceByOperand, returnOperands, shortenBody})
      for (unsigned number = 0;; ++number) {
        std::string smaller = apply(text, change, number);
        if (smaller.empty())
          break;
        if (smaller.size() >= text.size() || !fails(smaller))
          continue;
        text = std::move(smaller);
        changed = true;
        --number;
      }
  }
  return text;
}
