// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building `graph` ops with null values as failures.

#include "ValueBuilder.h"
#include "EightBitFloat.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

std::string SymbolNames::take(StringRef stem, const Domain &domain) {
  std::string name = stem.str();
  for (unsigned number = 2;
       domain.ranges().count(name) != 0 || taken.contains(name); ++number)
    name = stem.str() + std::to_string(number);
  taken.insert(name);
  return name;
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

ValueBuilder::ValueBuilder(GraphBuilder &graph, SymbolNames &symbols,
                           StringRef name)
    : graph(graph), symbols(symbols), name(asSymbol(name)) {}

//===-- Conditions --------------------------------------------------------===//

bool ValueBuilder::require(const Condition &condition, const Twine &what) {
  bool holds =
      succeeded(graph.getContext().require(graph.getLoc(), condition, what));
  failed |= !holds;
  return holds;
}

bool ValueBuilder::requireEqual(Expr lhs, Expr rhs, const Twine &what) {
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right && *left != *right) {
    error() << what << ": " << *left << " vs " << *right;
    return false;
  }
  return require(Condition::equal(lhs, rhs), what);
}

bool ValueBuilder::requireDivisible(Expr expr, Expr divisor,
                                    const Twine &what) {
  Condition condition = Condition::divisible(expr, divisor);
  if (expr.isValid() && divisor.isValid() &&
      prover().prove(condition) == Truth::No) {
    error() << what << ": '" << expr.str() << "' is never a multiple of '"
            << divisor.str() << "'";
    return false;
  }
  return require(condition, what);
}

bool ValueBuilder::normalizeAxis(int64_t &axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    error() << "axis " << axis << " is outside of rank " << rank;
    return false;
  }
  if (axis < 0)
    axis += rank;
  return true;
}

bool ValueBuilder::normalizeAxes(SmallVectorImpl<int64_t> &axes, int64_t rank) {
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

bool ValueBuilder::requireFloat(Value value, StringRef what) {
  if (isa<FloatType>(elementTypeOf(value)))
    return true;
  error() << what << " has element type " << elementTypeOf(value)
          << ", expected a float type";
  return false;
}

//===-- Sizes -------------------------------------------------------------===//

std::string ValueBuilder::newCount(Expr most, StringRef suffix) {
  if (!most.isValid()) {
    error() << "number of elements " << most.problem();
    return "";
  }
  std::string count = name + suffix.str();
  const Domain &domain = prover().domain();
  while (domain.ranges().count(count))
    count += "_";
  SymbolRange range;
  if (std::optional<int64_t> constant = most.constant())
    range.max = *constant;
  ShapeContext &context = graph.getContext();
  context.addUnbacked(count, range);
  if (!most.constant())
    context.assume(Relation{Relation::Kind::LE, Expr::symbol(count), most},
                   graph.getLoc());
  return count;
}

bool ValueBuilder::isKnownAtEntry(Expr expr) {
  return graph.getContext().isKnownAtEntry(expr);
}

Expr ValueBuilder::define(size_t dim, Expr value) {
  if (value.constant() || value.isSymbol())
    return value;
  return graph.getContext().define(name + "_dim" + std::to_string(dim), value,
                                   graph.getLoc());
}

std::optional<SmallVector<double>> ValueBuilder::constantFloats(Value value) {
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

//===-- Building ----------------------------------------------------------===//

static bool hasNull(ValueRange values) {
  return llvm::any_of(values, [](Value value) { return !value; });
}

Value ValueBuilder::map(ValueRange values, Body body, Type elementType) {
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

Value ValueBuilder::binary(Value x, Value y,
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

Value ValueBuilder::cast(Value value, Type elementType) {
  if (!value)
    return fail();
  Type from = elementTypeOf(value);
  Builder &types = graph.getBuilder();
  bool isDecoded = isEightBitFloat(from),
       isEncoded = isEightBitFloat(elementType);
  if (from != elementType && isDecoded)
    return cast(decodeEightBits(*this, value), elementType);
  if (from != elementType && isEncoded) {
    // Rounding to f32 first must not decide a tie.
    if (from.isF64() || (isa<IntegerType>(from) && !isStorageType(from) &&
                         from.getIntOrFloatBitWidth() > 16)) {
      error() << "conversions from " << from << " to " << elementType
              << " are not supported, expected f32 or less";
      return {};
    }
    return encodeEightBits(*this, cast(value, types.getF32Type()), elementType,
                           /*saturates=*/true);
  }
  if (isa<FloatType>(from) && isStorageType(elementType))
    return cast(cast(value, types.getI32Type()), elementType);
  return take(graph.cast(value, elementType));
}

FailureOr<SmallVector<Expr>>
ValueBuilder::broadcastShapes(ArrayRef<SmallVector<Expr>> shapes) {
  FailureOr<SmallVector<Expr>> shape = graph.broadcastShapes(shapes);
  failed |= mlir::failed(shape);
  return shape;
}

Value ValueBuilder::broadcast(Value value, ArrayRef<Expr> shape) {
  return value ? take(graph.broadcast(value, shape)) : fail();
}

Value ValueBuilder::reshape(Value value, ArrayRef<Expr> shape) {
  return value ? take(graph.reshape(value, shape)) : fail();
}

Value ValueBuilder::transpose(Value value, ArrayRef<int64_t> permutation) {
  return value ? take(graph.transpose(value, permutation)) : fail();
}

Value ValueBuilder::reduce(Value value, ArrayRef<int64_t> dims, ReduceKind kind,
                           bool keepDims) {
  return value ? take(graph.reduce(value, dims, kind, keepDims)) : fail();
}

Value ValueBuilder::mean(Value value, ArrayRef<int64_t> dims, bool keepDims) {
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

Value ValueBuilder::contract(Value lhs, Value rhs) {
  bool isWide = lhs && isNarrowFloat(elementTypeOf(lhs));
  return create<ContractOp>(lhs, rhs, isWide);
}

Value ValueBuilder::concat(ArrayRef<Value> values, int64_t dim) {
  if (hasNull(values))
    return fail();
  return take(graph.create<ConcatOp>(ValueRange(values), dim));
}

Value ValueBuilder::sliceDim(Value value, int64_t dim, Expr offset, Expr size) {
  if (!value)
    return fail();
  SmallVector<Expr> sizes = dimsOf(value), offsets(sizes.size(), Expr(0));
  offsets[dim] = offset;
  sizes[dim] = size;
  return create<SliceOp>(value, graph.shapeAttr(offsets),
                         graph.shapeAttr(sizes),
                         SmallVector<int64_t>(sizes.size(), 1));
}

Value ValueBuilder::reverse(Value value, int64_t dim) {
  if (!value)
    return fail();
  SmallVector<Expr> sizes = dimsOf(value), offsets(sizes.size(), Expr(0));
  SmallVector<int64_t> strides(sizes.size(), 1);
  offsets[dim] = sizes[dim] - 1;
  strides[dim] = -1;
  return create<SliceOp>(value, graph.shapeAttr(offsets),
                         graph.shapeAttr(sizes), strides);
}

Value ValueBuilder::pad(Value value, Value fill, ArrayRef<Expr> low,
                        ArrayRef<Expr> high, PadMode mode) {
  return create<PadOp>(value, fill, graph.shapeAttr(low), graph.shapeAttr(high),
                       mode);
}

Value ValueBuilder::iota(ArrayRef<Expr> shape, int64_t dim, Type elementType) {
  // The rule of iota names its element type itself.
  return take(graph.create<IotaOp>(graph.shapeAttr(shape), dim, elementType));
}

Value ValueBuilder::dims(ArrayRef<Expr> values, Type elementType,
                         bool isScalar) {
  return take(graph.dims(values, elementType, isScalar));
}

Value ValueBuilder::unsqueeze(Value value, ArrayRef<int64_t> positions) {
  if (!value)
    return fail();
  SmallVector<Expr> from = dimsOf(value), to;
  size_t next = 0;
  for (size_t i = 0, rank = from.size() + positions.size(); i < rank; ++i)
    to.push_back(llvm::is_contained(positions, int64_t(i)) ? Expr(1)
                                                           : from[next++]);
  return reshape(value, to);
}

Value ValueBuilder::alongDim(Value value, int64_t dim, int64_t rank) {
  if (!value)
    return fail();
  SmallVector<Expr> shape(rank, Expr(1));
  shape[dim] = sym::getNumElements(dimsOf(value));
  return reshape(value, shape);
}

Type compose::computeType(Type type) {
  return type.getIntOrFloatBitWidth() < 32
             ? Type(Float32Type::get(type.getContext()))
             : type;
}

SmallVector<int64_t> compose::dimsFrom(int64_t first, int64_t rank) {
  SmallVector<int64_t> dims;
  for (int64_t dim = first; dim < rank; ++dim)
    dims.push_back(dim);
  return dims;
}
