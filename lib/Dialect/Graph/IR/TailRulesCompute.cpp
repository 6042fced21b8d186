// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tail rules of ops that compute, and of those that search in data.
//
// What is added to a sum must not change its bits. A sum that starts at +0 is
// never -0, so that a zero of either sign leaves it as it is. A chain of fused
// multiply-adds may round to -0, which only -0 leaves as it is: the products of
// a contraction's tail are +0 * -0.

#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/ImageDims.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

static SmallVector<Expr> dimsOf(Value tensor) {
  return sym::getDims(tensor.getType());
}
static Type elementTypeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

//===-- Elementwise -------------------------------------------------------===//

/// Scalars of a map's body have no sign.
static Attribute toBody(TypedAttr scalar) {
  auto integer = dyn_cast<IntegerAttr>(scalar);
  return integer ? IntegerAttr::get(getBodyType(integer.getType()),
                                    integer.getValue())
                 : Attribute(scalar);
}

static TypedAttr fromBody(Attribute scalar, Type elementType) {
  auto integer = dyn_cast_or_null<IntegerAttr>(scalar);
  if (integer)
    return IntegerAttr::get(elementType, integer.getValue());
  return dyn_cast_or_null<FloatAttr>(scalar);
}

/// Whether folding gives the bits that the compiled op gives: arithmetic does,
/// functions that are approximated need not.
static bool isExact(Operation &op) {
  return isa<arith::ArithDialect>(op.getDialect()) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundEvenOp, math::SqrtOp>(op);
}

/// What an op of a body gives for operands of which some are known.
static Attribute foldScalar(Operation &op, ArrayRef<Attribute> operands,
                            const llvm::DenseMap<Value, Attribute> &known) {
  SmallVector<OpFoldResult> results;
  // Folding may also rewrite the op in place: only results count.
  if (!isExact(op) || failed(op.fold(operands, results)) || results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    return attribute;
  return known.lookup(cast<Value>(results.front()));
}

/// The value of a map's result where its inputs have these values (null where
/// nothing is known), and what each value of its body is.
static TypedAttr evaluate(MapOp map, ArrayRef<TypedAttr> inputs) {
  OwningOpRef<Operation *> copy(map->clone());
  Block &body = cast<MapOp>(*copy).getBody().front();
  llvm::DenseMap<Value, Attribute> known;
  for (auto [argument, input] : llvm::zip_equal(body.getArguments(), inputs))
    if (input)
      known[argument] = toBody(input);
  for (Operation &op : body.without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    if (op.getNumResults() == 1)
      if (Attribute value = foldScalar(op, operands, known))
        known[op.getResult(0)] = value;
  }
  return fromBody(known.lookup(body.getTerminator()->getOperand(0)),
                  elementTypeOf(map.getResult()));
}

/// The input whose elements an integer is divided by; nothing if it is
/// computed.
static std::optional<unsigned> getDivisorInput(Operation &op) {
  auto argument = dyn_cast<BlockArgument>(op.getOperand(1));
  if (!argument || isa<math::IPowIOp>(op))
    return std::nullopt;
  return argument.getArgNumber();
}

TailRule MapOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  SmallVector<SmallVector<TypedAttr>> inputs;
  for (Value input : getInputs()) {
    SmallVector<TypedAttr> &tails = inputs.emplace_back();
    for (unsigned dim = 0; dim < rule.result.size(); ++dim) {
      Tail tail = context.tailOf(input, dim);
      tails.push_back(tail.kind == Tail::Kind::Constant ? tail.value
                                                        : TypedAttr());
    }
  }
  for (Operation &op : getBody().front()) {
    if (!mayDivideByZero(op))
      continue;
    std::optional<unsigned> input = getDivisorInput(op);
    if (!input)
      return TailRule::refuse("it divides integers by what it computes");
    TypedAttr one = getScalar(elementTypeOf(getInputs()[*input]), 1);
    for (unsigned dim = 0; dim < rule.result.size(); ++dim)
      if (context.isPadded(getResult(), dim)) {
        rule.needs.push_back({*input, dim, one});
        inputs[*input][dim] = one;
      }
  }
  for (unsigned dim = 0; dim < rule.result.size(); ++dim) {
    if (!context.isPadded(getResult(), dim))
      continue;
    SmallVector<TypedAttr> values;
    for (const SmallVector<TypedAttr> &tails : inputs)
      values.push_back(tails[dim]);
    if (TypedAttr value = evaluate(*this, values))
      rule.result[dim] = Tail::constant(value);
  }
  return rule;
}

//===-- Reductions --------------------------------------------------------===//

TailRule ReduceOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  Type elementType = elementTypeOf(getInput());
  // Sums are rounded; which of two zeros is the larger depends on their order.
  bool hasOrder = isa<FloatType>(elementType);
  SmallVector<int64_t> reduced(getDims());
  llvm::sort(reduced);
  SmallVector<Expr> sizes = dimsOf(getInput());
  // Over no element the result is the neutral one, in the tail as well.
  bool picksOne =
      (getKind() == ReduceKind::Max || getKind() == ReduceKind::Min) &&
      llvm::all_of(reduced, [&](int64_t dim) {
        return context.getProver().isAtLeast(sizes[dim], 1);
      });
  unsigned next = 0;
  for (unsigned dim = 0; dim < sizes.size(); ++dim) {
    bool isReduced = llvm::is_contained(reduced, int64_t(dim));
    Tail tail = context.tailOf(getInput(), dim);
    bool isSame = picksOne && tail.kind == Tail::Kind::Constant;
    if (!isReduced)
      rule.result[next++] = isSame ? tail : Tail();
    if (!isReduced || !context.isPadded(getInput(), dim))
      continue;
    // Reduced dims may be walked as one row, whose lanes a padded inner dim
    // would move.
    if (hasOrder && int64_t(dim) != reduced.front())
      return TailRule::refuse("the order of its elements depends on dim " +
                              Twine(dim));
    rule.needs.push_back({0, dim, getNeutral(getKind(), elementType)});
  }
  return rule;
}

TailRule ArgReduceOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  if (!context.isPadded(getInput(), getDim()))
    return rule;
  // No number is better than NaN; of equal integers the first wins.
  Type elementType = elementTypeOf(getInput());
  TypedAttr worst = getExtreme(elementType, getKind() == ReduceKind::Max);
  if (auto type = dyn_cast<FloatType>(elementType))
    worst = FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics()));
  else if (getSelectLast())
    return TailRule::refuse("the last of equal elements might be padding");
  rule.needs.push_back({0, unsigned(getDim()), worst});
  return rule;
}

TailRule SoftmaxOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  unsigned dim = getDim();
  if (!context.isPadded(getInput(), dim))
    return rule;
  rule.needs.push_back(
      {0, dim, getExtreme(elementTypeOf(getInput()), /*isLowest=*/true)});
  // Over no true element the sum is that of padding alone.
  if (!getLog() && context.getProver().isAtLeast(dimsOf(getInput())[dim], 1))
    rule.result[dim].kind = Tail::Kind::Softmax;
  return rule;
}

//===-- Contractions and windows ------------------------------------------===//

TailRule ContractOp::getTailRule(TailContext &context) {
  TailRule rule = TailRule::harmless(*this);
  unsigned lhs = dimsOf(getLhs()).size() - 1, rhs = dimsOf(getRhs()).size() - 2;
  if (!context.isPadded(getLhs(), lhs))
    return rule;
  Type elementType = elementTypeOf(getLhs());
  TypedAttr zero = getScalar(elementType, 0);
  TypedAttr negative = getScalar(elementType, -0.0);
  Tail left = context.tailOf(getLhs(), lhs);
  if (left.is(negative) && negative != zero)
    std::swap(zero, negative);
  if (left.kind != Tail::Kind::Softmax)
    rule.needs.push_back({0, lhs, zero});
  if (isa<FloatType>(elementType))
    rule.needs.push_back({1, rhs, negative});
  return rule;
}

/// Windows that reach beyond the end of a padded dim must find the same there
/// as beyond the true end.
static TailRule getSlidingRule(Operation *op, TailContext &context,
                               ArrayRef<int64_t> high, bool isCeil,
                               TypedAttr beyond) {
  TailRule rule = TailRule::harmless(op);
  Value input = op->getOperand(0);
  for (auto [i, amount] : llvm::enumerate(high)) {
    unsigned dim = i + kFirstSpatialDim;
    if (context.isPadded(input, dim) && (amount > 0 || isCeil))
      rule.needs.push_back({0, dim, beyond});
  }
  return rule;
}

TailRule ConvOp::getTailRule(TailContext &context) {
  if (context.isPadded(getInput(), kChannelDim) ||
      context.isPadded(getFilter()))
    return TailRule::refuse("its filter would be padded");
  return getSlidingRule(*this, context, getHigh(), /*isCeil=*/false,
                        getScalar(elementTypeOf(getInput()), 0));
}

TailRule WindowOp::getTailRule(TailContext &context) {
  return getSlidingRule(*this, context, getHigh(), getCeil(),
                        getNeutral(getKind(), elementTypeOf(getInput())));
}

//===-- Computed on true sizes --------------------------------------------===//

static TailRule searches() {
  return TailRule::refuse("it searches in its data");
}

TailRule NonZeroOp::getTailRule(TailContext &) { return searches(); }
TailRule UniqueOp::getTailRule(TailContext &) { return searches(); }
TailRule UniqueInverseOp::getTailRule(TailContext &) { return searches(); }
TailRule HistogramOp::getTailRule(TailContext &) { return searches(); }
TailRule TopKOp::getTailRule(TailContext &) { return searches(); }
TailRule NmsOp::getTailRule(TailContext &) { return searches(); }

// Indices count rows within true sizes.
TailRule ScatterOp::getTailRule(TailContext &context) {
  unsigned width = dimsOf(getData()).size() - 1;
  for (unsigned dim = 0; dim < width; ++dim)
    if (context.isPadded(getData(), dim))
      return TailRule::refuse("indices refer to the true size of dim " +
                              Twine(dim));
  if (context.isPadded(getIndices()) || context.isPadded(getUpdates(), 0))
    return TailRule::refuse("padding would be written");
  if (mayCheckInVain(context, dimsOf(getData()).back()))
    return TailRule::refuse("its indices are checked unless a row is empty");
  return TailRule::harmless(*this);
}

static TailRule sharesBytes() {
  return TailRule::refuse("its elements share bytes");
}

TailRule UnpackOp::getTailRule(TailContext &) { return sharesBytes(); }
TailRule PackOp::getTailRule(TailContext &) { return sharesBytes(); }

TailRule LoopOp::getTailRule(TailContext &) {
  return TailRule::refuse("its trips and what it carries have true sizes");
}
