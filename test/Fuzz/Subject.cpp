// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Evaluation of the module under test by the reference, without guards: what is
// refused is decided by the ops alone.

#include "Subject.h"
#include "Exactness.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Reference/Reference.h"
#include "ambit/Shape/InferShapes.h"
#include "ambit/Simplify/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;
using reference::HostTensor;

/// More elements in one value, or more multiplications in one op, are left out.
static constexpr int64_t kMostElements = 60000, kMostProducts = 8000000;

/// Types by the shape rules alone: a text may have types that only its guards
/// make right.
static LogicalResult retype(func::FuncOp function, const Domain &domain) {
  graph::ShapeContext context{domain};
  for (Operation &op : function.front().without_terminator()) {
    SmallVector<RankedTensorType> types;
    auto rule = dyn_cast<graph::ShapeRuleOpInterface>(op);
    if (!rule || failed(rule.inferTypes(context, types)))
      return failure();
    op.getResult(0).setType(types.front());
  }
  Operation *end = function.front().getTerminator();
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     end->getOperandTypes()));
  return success();
}

std::string Subject::read(const std::string &text, MLIRContext &context) {
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  DiagnosticPrinter printer(&context, stream);
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module || !main(*module))
    return "parse: " + errors;
  if (!infer().empty() ||
      failed(retype(main(*module), sym::getDomain(*module))))
    return "infer: " + errors;
  if (!simplify())
    return "simplify: " + errors;
  probe = module->clone();
  Operation *end = main(*probe).front().getTerminator();
  SmallVector<Value> all;
  for (Operation &op : main(*probe).front().without_terminator())
    all.push_back(op.getResult(0));
  all.append(end->operand_begin(), end->operand_end());
  end->setOperands(all);
  return "";
}

std::string Subject::infer() {
  OwningOpRef<ModuleOp> copy = module->clone();
  graph::ShapeContext context(sym::getDomain(*copy), makeGuardSink(*copy));
  if (failed(inferShapes(main(*copy), context)))
    return "failed";
  guarded = sym::getDomain(*copy);
  return "";
}

bool Subject::simplify() {
  simplified = module->clone();
  PassManager manager((*simplified)->getContext());
  manager.addPass(createFoldConstantsPass());
  manager.addPass(createSimplifyPass());
  manager.addPass(createCanonicalizerPass());
  return succeeded(manager.run(*simplified));
}

std::vector<std::string> Subject::symbols() const {
  std::vector<std::string> names;
  for (const auto &[name, range] : guarded.ranges())
    names.push_back(name);
  return names;
}

SmallVector<Type> Subject::resultElementTypes() const {
  SmallVector<Type> types;
  for (Type type : main(*module).getResultTypes())
    types.push_back(cast<RankedTensorType>(type).getElementType());
  return types;
}

/// The elements of a type at these sizes; -1 when they have no number.
static int64_t countElements(Type type, const Sizes &sizes) {
  int64_t count = 1;
  for (Expr dim : sym::getDims(type)) {
    std::optional<int64_t> size = dim.evaluate(sizes);
    if (!size || *size < 0 || *size > (1 << 20))
      return -1;
    count = std::min<int64_t>(count * *size, int64_t(1) << 40);
  }
  return count;
}

static bool isTooMuch(Operation *op, const Sizes &sizes) {
  int64_t result = countElements(op->getResult(0).getType(), sizes);
  if (result > kMostElements)
    return true;
  if (isa<graph::ContractOp, graph::ConvOp>(op)) {
    double lhs = countElements(op->getOperand(0).getType(), sizes);
    double rhs = countElements(op->getOperand(1).getType(), sizes);
    double products = std::sqrt(std::max(lhs * rhs * double(result), 0.0));
    if (isa<graph::ConvOp>(op))
      products = double(result) * std::max(rhs, 0.0);
    return products > kMostProducts;
  }
  return false;
}

std::optional<Shapes> Subject::inputShapes(const Sizes &sizes) const {
  Shapes shapes;
  for (Type type : main(*module).getArgumentTypes()) {
    int64_t count = countElements(type, sizes);
    if (count < 0 || count > kMostElements)
      return std::nullopt;
    shapes.emplace_back();
    for (Expr dim : sym::getDims(type))
      shapes.back().push_back(dim.evaluate(sizes).value_or(0));
  }
  for (Operation &op : main(*module).front().without_terminator())
    if (isTooMuch(&op, sizes))
      return std::nullopt;
  return shapes;
}

bool Subject::foldsMath() const {
  llvm::DenseSet<Value> known;
  for (Operation &op : main(*module).front().without_terminator())
    if (llvm::all_of(op.getOperands(),
                     [&](Value operand) { return known.contains(operand); })) {
      known.insert(op.getResult(0));
      if (!isExactOp(&op))
        return true;
    }
  return false;
}

static void fill(HostTensor &tensor, std::mt19937_64 &random,
                 bool hasSpecials) {
  Type type = tensor.getElementType();
  static const double specials[] = {NAN, INFINITY, -INFINITY, -0.0, 3e4};
  static const int64_t wide[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN,
                                 1000000007};
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    bool isSpecial = hasSpecials && random() % 24 == 0;
    if (isa<FloatType>(type))
      tensor.setFloat(i, isSpecial ? specials[random() % 5]
                                   : double(int64_t(random() % 33) - 16) / 4);
    else if (type.isInteger(1))
      tensor.setInt(i, random() & 1);
    else if (type.isUnsignedInteger())
      tensor.setInt(i, random() % (isSpecial ? 256 : 4));
    else
      tensor.setInt(i, isSpecial && type.isInteger(64)
                           ? wide[random() % 5]
                           : int64_t(random() % (isSpecial ? 251 : 7)) -
                                 (isSpecial ? 125 : 3));
  }
}

std::vector<HostTensor> Subject::makeInputs(const Shapes &shapes) const {
  uint64_t seed = 1;
  for (const std::vector<int64_t> &dims : shapes)
    for (int64_t dim : dims)
      seed = seed * 1000003 + uint64_t(dim) + 1;
  std::mt19937_64 random(seed);
  bool hasSpecials = random() % 8 == 0;
  std::vector<HostTensor> inputs;
  for (auto [type, dims] :
       llvm::zip_equal(main(*module).getArgumentTypes(), shapes)) {
    inputs.emplace_back(cast<RankedTensorType>(type).getElementType(), dims);
    fill(inputs.back(), random, hasSpecials);
  }
  return inputs;
}

namespace {
/// What a value's error may be compared with.
struct Scale {
  double largest = 0, relative = 0;
  bool mayBeZero = false, isFinite = true, isVague = false;
};
} // namespace

/// Whether a body's intermediate scalars may be larger than what it takes and
/// gives: exp(x) - 1.
static bool hidesNumbers(Operation *op) {
  auto map = dyn_cast<graph::MapOp>(op);
  return map && !isExactOp(op) &&
         llvm::count_if(map.getBody().front(), [](Operation &inner) {
           return inner.getNumOperands() > 0;
         }) > 2;
}

/// How far an inexact op may be off, relatively: an f32 function inside of a
/// map to f64 is no better than f32.
static double opTolerance(Operation *op) {
  double tolerance = toleranceOf(
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
  if (auto map = dyn_cast<graph::MapOp>(op))
    for (Operation &inner : map.getBody().front())
      if (!isExactScalarOp(&inner))
        tolerance =
            std::max(tolerance, toleranceOf(inner.getResult(0).getType()));
  return tolerance;
}

static double largestNumber(const HostTensor &tensor) {
  double largest = 0;
  if (isa<FloatType>(tensor.getElementType()))
    for (int64_t i = 0; i < tensor.getNumElements(); ++i)
      if (double number = std::fabs(tensor.getFloat(i)); std::isfinite(number))
        largest = std::max(largest, number);
  return largest;
}

static void classify(const HostTensor &tensor, Scale &scale) {
  if (!isa<FloatType>(tensor.getElementType()))
    return;
  double error = scale.relative * scale.largest;
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    double number = std::fabs(tensor.getFloat(i));
    scale.isFinite &= std::isfinite(number);
    scale.mayBeZero |= scale.relative > 0 && number <= error;
  }
}

/// Whether rounding decides if a factor is 0, and 0 times an infinite number is
/// none.
static bool isVagueProduct(ArrayRef<Scale> operands) {
  for (auto [i, zero] : llvm::enumerate(operands))
    for (auto [j, infinite] : llvm::enumerate(operands))
      if (i != j && zero.mayBeZero && !infinite.isFinite)
        return true;
  return false;
}

Expectation Subject::evaluate(const std::vector<HostTensor> &inputs) const {
  Expectation result;
  std::vector<HostTensor> all;
  {
    llvm::raw_string_ostream stream(result.refusal);
    DiagnosticPrinter printer((*module)->getContext(), stream);
    if (succeeded(reference::evaluateFunction(main(*probe), inputs, all)))
      result.refusal.clear();
    else if (result.refusal.empty())
      result.refusal = "failed without saying why";
    else
      result.isNeedless = succeeded(
          reference::evaluateFunction(main(*simplified), inputs, all));
  }
  if (!result.refusal.empty())
    return result;
  llvm::DenseMap<Value, Scale> scales;
  func::FuncOp function = main(*probe);
  for (auto [argument, input] :
       llvm::zip_equal(function.getArguments(), inputs))
    classify(input, scales[argument] = {largestNumber(input), 0});
  size_t next = 0;
  for (Operation &op : function.front().without_terminator()) {
    Scale scale{largestNumber(all[next]), 0};
    SmallVector<Scale> operands;
    for (Value operand : op.getOperands()) {
      operands.push_back(scales[operand]);
      scale.isVague |= scales[operand].isVague;
      scale.largest = std::max(scale.largest, scales[operand].largest);
      scale.relative = std::max(scale.relative, scales[operand].relative);
    }
    if (hidesNumbers(&op))
      scale.largest = std::max(scale.largest, 1.0);
    // An inexact value in a narrower type is rounded there, too.
    if (!isExactOp(&op) || scale.relative > 0)
      scale.relative = std::max(scale.relative, opTolerance(&op));
    if (isa<graph::ContractOp, graph::ConvOp, graph::MapOp>(op))
      scale.isVague |= isVagueProduct(operands);
    classify(all[next++], scale);
    scales[op.getResult(0)] = scale;
  }
  for (Value output :
       function.front().getTerminator()->getOperands().drop_front(next)) {
    Scale scale = scales[output];
    result.tolerance.push_back(scale.relative * std::max(scale.largest, 1e-3));
    result.isVague.push_back(scale.isVague);
  }
  result.outputs.assign(all.begin() + next, all.end());
  return result;
}

std::string Subject::staticText(const Sizes &sizes) const {
  std::map<std::string, Expr> values;
  for (const auto &[name, size] : sizes)
    values[name] = Expr(size);
  auto substitute = [&](ArrayRef<Expr> dims) {
    return llvm::map_to_vector(
        dims, [&](Expr dim) { return dim.substitute(values); });
  };
  OwningOpRef<ModuleOp> copy = (*module).clone();
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](sym::ShapeAttr shape) -> Attribute {
    return sym::ShapeAttr::get(shape.getContext(), substitute(shape.getDims()));
  });
  replacer.addReplacement(
      [&](RankedTensorType type) -> std::optional<std::pair<Type, WalkResult>> {
        Type result = sym::getTensorType(substitute(sym::getDims(type)),
                                         type.getElementType());
        return std::make_pair(result ? result : type, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(main(*copy), /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  for (sym::SymbolOp symbol :
       llvm::make_early_inc_range(copy->getOps<sym::SymbolOp>()))
    symbol.erase();
  std::string text;
  llvm::raw_string_ostream(text) << *copy;
  return text;
}
