// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access to a node's attributes and inputs, and building with null values as
// failures.

#include "NodeContext.h"
#include "ambit/Shape/FollowSizes.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;
using onnx::AttributeProto;

//===-- Attributes --------------------------------------------------------===//

const AttributeProto *
NodeContext::attribute(StringRef name, AttributeProto::AttributeType type) {
  auto it = node.attributes.find(name.str());
  if (it == node.attributes.end())
    return nullptr;
  if (it->second->type() == type)
    return it->second;
  error() << "attribute '" << name << "' has type "
          << AttributeProto::AttributeType_Name(it->second->type())
          << ", expected " << AttributeProto::AttributeType_Name(type);
  return nullptr;
}

int64_t NodeContext::intAttr(StringRef name, int64_t otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::INT);
  return found ? found->i() : otherwise;
}

double NodeContext::floatAttr(StringRef name, double otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::FLOAT);
  return found ? double(found->f()) : otherwise;
}

std::string NodeContext::stringAttr(StringRef name, StringRef otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::STRING);
  return found ? found->s() : otherwise.str();
}

SmallVector<int64_t> NodeContext::intsAttr(StringRef name,
                                           ArrayRef<int64_t> otherwise) {
  const AttributeProto *found = attribute(name, AttributeProto::INTS);
  if (!found)
    return SmallVector<int64_t>(otherwise);
  return SmallVector<int64_t>(found->ints().begin(), found->ints().end());
}

SmallVector<double> NodeContext::floatsAttr(StringRef name) {
  const AttributeProto *found = attribute(name, AttributeProto::FLOATS);
  if (!found)
    return {};
  return SmallVector<double>(found->floats().begin(), found->floats().end());
}

const onnx::TensorProto *NodeContext::tensorAttr(StringRef name) {
  const AttributeProto *found = attribute(name, AttributeProto::TENSOR);
  return found ? &found->t() : nullptr;
}

const OnnxSubgraph *NodeContext::graphAttr(StringRef name) {
  auto it = node.graphs.find(name.str());
  if (it != node.graphs.end())
    return it->second.get();
  if (!attribute(name, AttributeProto::GRAPH) && !failed)
    error() << "attribute '" << name << "' is missing";
  return nullptr;
}

//===-- Conditions --------------------------------------------------------===//

bool NodeContext::require(const Condition &condition, const Twine &what) {
  bool holds =
      succeeded(graph.getContext().require(graph.getLoc(), condition, what));
  failed |= !holds;
  return holds;
}

bool NodeContext::requireEqual(Expr lhs, Expr rhs, const Twine &what) {
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right && *left != *right) {
    error() << what << ": " << *left << " vs " << *right;
    return false;
  }
  return require(Condition::equal(lhs, rhs), what);
}

bool NodeContext::requireDivisible(Expr expr, Expr divisor, const Twine &what) {
  Condition condition = Condition::divisible(expr, divisor);
  if (expr.isValid() && divisor.isValid() &&
      prover().prove(condition) == Truth::No) {
    error() << what << ": '" << expr.str() << "' is never a multiple of '"
            << divisor.str() << "'";
    return false;
  }
  return require(condition, what);
}

bool NodeContext::normalizeAxis(int64_t &axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    error() << "axis " << axis << " is outside of rank " << rank;
    return false;
  }
  if (axis < 0)
    axis += rank;
  return true;
}

bool NodeContext::normalizeAxes(SmallVectorImpl<int64_t> &axes, int64_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int64_t &axis : axes) {
    if (!normalizeAxis(axis, rank))
      return false;
    if (seen[axis]) {
      error() << "axis " << axis << " is given twice";
      return false;
    }
    seen[axis] = true;
  }
  return true;
}

bool NodeContext::requireFloat(Value value, StringRef what) {
  if (isa<FloatType>(elementTypeOf(value)))
    return true;
  error() << what << " has element type " << elementTypeOf(value)
          << ", expected a float type";
  return false;
}

/// The name of a value as the beginning of a symbol's.
static std::string asSymbol(StringRef value) {
  std::string name;
  for (char c : value)
    name += llvm::isAlnum(c) || c == '_' || c == '.' ? c : '_';
  if (name.empty() || !llvm::isAlpha(name.front()))
    name = "_" + name;
  return name;
}

std::string NodeContext::newCount(Expr most, StringRef suffix) {
  if (!most.isValid()) {
    error() << "number of elements " << most.problem();
    return "";
  }
  auto output = llvm::find_if(node.outputs, [](ValueId id) { return id != 0; });
  unsigned id = output == node.outputs.end() ? 0 : *output;
  std::string name = asSymbol(valueNames[id]) + suffix.str();
  const Domain &domain = prover().domain();
  while (domain.ranges().count(name))
    name += "_";
  SymbolRange range;
  if (std::optional<int64_t> constant = most.constant())
    range.max = *constant;
  ShapeContext &context = graph.getContext();
  context.addUnbacked(name, range);
  if (!most.constant())
    context.assume(Relation{Relation::Kind::LE, Expr::symbol(name), most},
                   graph.getLoc());
  return name;
}

bool NodeContext::isKnownAtEntry(Expr expr) {
  return graph.getContext().isKnownAtEntry(expr);
}

Expr NodeContext::define(size_t output, size_t dim, Expr value) {
  if (value.constant() || value.isSymbol())
    return value;
  return graph.getContext().define(asSymbol(valueNames[node.outputs[output]]) +
                                       "_dim" + std::to_string(dim),
                                   value, graph.getLoc());
}

//===-- Known values ------------------------------------------------------===//

std::optional<SmallVector<Expr>> NodeContext::knownInput(size_t index,
                                                         StringRef what) {
  SizeObstacle obstacle;
  std::optional<SmallVector<Expr>> elements =
      followSizes(inputs[index], graph.getContext(), obstacle);
  if (elements)
    return elements;
  InFlightDiagnostic problem = error();
  problem << what << " (input " << index << ", '"
          << valueNames[node.inputs[index]] << "') ";
  if (obstacle.isData)
    problem << "depends on data; it must be known from the shapes of the "
               "model's inputs";
  else
    problem << "is computed from sizes in a way that is no expression of "
               "them; expected integer arithmetic, or floats that are exact";
  if (!obstacle.isData && obstacle.op)
    problem.attachNote(obstacle.op->getLoc()) << "cannot be followed here";
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> NodeContext::constantInput(size_t index,
                                                               StringRef what) {
  std::optional<SmallVector<Expr>> elements = knownInput(index, what);
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (Expr element : *elements) {
    std::optional<int64_t> value = element.constant();
    if (!value) {
      error() << what << " (input " << index << ") is '" << element.str()
              << "', expected a constant";
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

std::optional<SmallVector<double>> NodeContext::constantFloats(Value value) {
  SmallVector<double> values;
  auto constant = value.getDefiningOp<ConstantOp>();
  auto dense = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                        : DenseElementsAttr();
  if (dense && isa<FloatType>(dense.getElementType()) &&
      dense.getNumElements() <= kMaxFollowedElements) {
    for (APFloat number : dense.getValues<APFloat>()) {
      bool losesInfo = false;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &losesInfo);
      values.push_back(number.convertToDouble());
    }
    return values;
  }
  std::optional<SmallVector<Expr>> elements = getKnownElements(value);
  if (!elements)
    return std::nullopt;
  for (Expr element : *elements) {
    if (!element.constant())
      return std::nullopt;
    values.push_back(double(*element.constant()));
  }
  return values;
}

std::optional<SmallVector<int64_t>> NodeContext::axes(StringRef attribute,
                                                      size_t index) {
  if (hasAttr(attribute) || !input(index))
    return intsAttr(attribute);
  return constantInput(index, attribute);
}

//===-- Building ----------------------------------------------------------===//

static bool hasNull(ValueRange values) {
  return llvm::any_of(values, [](Value value) { return !value; });
}

Value NodeContext::map(ValueRange values, Body body, Type elementType) {
  if (hasNull(values))
    return fail();
  Type type = elementTypeOf(values.front());
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  return take(
      graph.broadcastMap(values, elementType ? elementType : type,
                         [&](OpBuilder &b, Location loc, ValueRange scalars) {
                           ScalarBuilder scalarBuilder(b, loc, isUnsigned);
                           return body(scalarBuilder, scalars);
                         }));
}

Value NodeContext::binary(Value x, Value y,
                          Value (ScalarBuilder::*fn)(Value, Value)) {
  if (!x || !y)
    return fail();
  if (elementTypeOf(x) != elementTypeOf(y)) {
    error() << "element types differ: " << elementTypeOf(x) << " vs "
            << elementTypeOf(y);
    return {};
  }
  return map({x, y}, [&](ScalarBuilder &s, ValueRange v) {
    return (s.*fn)(v[0], v[1]);
  });
}

Value NodeContext::cast(Value value, Type elementType) {
  return value ? take(graph.cast(value, elementType)) : fail();
}

FailureOr<SmallVector<Expr>>
NodeContext::broadcastShapes(ArrayRef<SmallVector<Expr>> shapes) {
  FailureOr<SmallVector<Expr>> shape = graph.broadcastShapes(shapes);
  failed |= mlir::failed(shape);
  return shape;
}

Value NodeContext::broadcast(Value value, ArrayRef<Expr> shape) {
  return value ? take(graph.broadcast(value, shape)) : fail();
}

Value NodeContext::reshape(Value value, ArrayRef<Expr> shape) {
  return value ? take(graph.reshape(value, shape)) : fail();
}

Value NodeContext::transpose(Value value, ArrayRef<int64_t> permutation) {
  return value ? take(graph.transpose(value, permutation)) : fail();
}

Value NodeContext::reduce(Value value, ArrayRef<int64_t> dims, ReduceKind kind,
                          bool keepDims) {
  return value ? take(graph.reduce(value, dims, kind, keepDims)) : fail();
}

Value NodeContext::mean(Value value, ArrayRef<int64_t> dims, bool keepDims) {
  if (!value)
    return fail();
  Expr count = 1;
  for (int64_t dim : dims)
    count = count * dimsOf(value)[dim];
  // The mean of integers fits their type; their sum need not.
  auto integer = dyn_cast<IntegerType>(elementTypeOf(value));
  if (integer)
    value = cast(value, IntegerType::get(integer.getContext(), 64,
                                         integer.getSignedness()));
  Value sum = reduce(value, dims, ReduceKind::Sum, keepDims);
  if (!sum)
    return {};
  Value mean =
      div(sum, this->dims({count}, elementTypeOf(sum), /*isScalar=*/true));
  return integer ? cast(mean, integer) : mean;
}

Value NodeContext::contract(Value lhs, Value rhs) {
  bool isWide = lhs && isNarrowFloat(elementTypeOf(lhs));
  return create<ContractOp>(lhs, rhs, isWide);
}

Value NodeContext::concat(ArrayRef<Value> values, int64_t dim) {
  if (hasNull(values))
    return fail();
  return take(graph.create<ConcatOp>(ValueRange(values), dim));
}

Value NodeContext::sliceDim(Value value, int64_t dim, Expr offset, Expr size) {
  if (!value)
    return fail();
  SmallVector<Expr> sizes = dimsOf(value), offsets(sizes.size(), Expr(0));
  offsets[dim] = offset;
  sizes[dim] = size;
  return create<SliceOp>(value, graph.shapeAttr(offsets),
                         graph.shapeAttr(sizes),
                         SmallVector<int64_t>(sizes.size(), 1));
}

Value NodeContext::pad(Value value, Value fill, ArrayRef<Expr> low,
                       ArrayRef<Expr> high, PadMode mode) {
  return create<PadOp>(value, fill, graph.shapeAttr(low), graph.shapeAttr(high),
                       mode);
}

Value NodeContext::iota(ArrayRef<Expr> shape, int64_t dim, Type elementType) {
  // The rule of iota names its element type itself.
  return take(graph.create<IotaOp>(graph.shapeAttr(shape), dim, elementType));
}

Value NodeContext::dims(ArrayRef<Expr> values, Type elementType,
                        bool isScalar) {
  return take(graph.dims(values, elementType, isScalar));
}

Value NodeContext::unsqueeze(Value value, ArrayRef<int64_t> positions) {
  if (!value)
    return fail();
  SmallVector<Expr> from = dimsOf(value), to;
  size_t next = 0;
  for (size_t i = 0, rank = from.size() + positions.size(); i < rank; ++i)
    to.push_back(llvm::is_contained(positions, int64_t(i)) ? Expr(1)
                                                           : from[next++]);
  return reshape(value, to);
}

Value NodeContext::alongDim(Value value, int64_t dim, int64_t rank) {
  if (!value)
    return fail();
  SmallVector<Expr> shape(rank, Expr(1));
  shape[dim] = sym::getNumElements(dimsOf(value));
  return reshape(value, shape);
}
