// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that make tensors out of attributes, shapes and indices.

#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

/// A rank-0 or rank-1 constant of numbers.
template <typename T>
static Value numbers(NodeContext &c, ArrayRef<T> values, bool isScalar) {
  Builder &b = c.graph.getBuilder();
  Type type =
      std::is_same_v<T, float> ? Type(b.getF32Type()) : Type(b.getI64Type());
  SmallVector<int64_t> shape;
  if (!isScalar)
    shape.push_back(values.size());
  return c.graph.constant(
      DenseElementsAttr::get(RankedTensorType::get(shape, type), values));
}

static void convertConstant(NodeContext &c) {
  if (const onnx::TensorProto *tensor = c.tensorAttr("value")) {
    FailureOr<ElementsAttr> elements =
        getElements(*tensor, c.model, c.graph.getLoc());
    c.setOutput(0, succeeded(elements) ? c.graph.constant(*elements) : Value());
  } else if (c.hasAttr("value_float")) {
    float value = c.floatAttr("value_float", 0);
    c.setOutput(0, numbers<float>(c, value, true));
  } else if (c.hasAttr("value_int")) {
    c.setOutput(0, numbers<int64_t>(c, c.intAttr("value_int", 0), true));
  } else if (c.hasAttr("value_ints")) {
    c.setOutput(0, numbers<int64_t>(c, c.intsAttr("value_ints"), false));
  } else if (c.hasAttr("value_floats")) {
    SmallVector<double> wide = c.floatsAttr("value_floats");
    SmallVector<float> values(wide.begin(), wide.end());
    c.setOutput(0, numbers<float>(c, values, false));
  } else if (!c.hasFailed()) {
    c.error() << "has no value of a supported kind (tensor, float, int, "
                 "floats, ints)";
  }
}

static void convertConstantOfShape(NodeContext &c) {
  std::optional<SmallVector<Expr>> shape = c.knownInput(0, "shape");
  if (!shape)
    return;
  Value fill;
  if (const onnx::TensorProto *tensor = c.tensorAttr("value")) {
    FailureOr<ElementsAttr> elements =
        getElements(*tensor, c.model, c.graph.getLoc());
    if (failed(elements)) {
      return;
    }
    if (elements->getNumElements() != 1) {
      c.error() << "attribute 'value' has " << elements->getNumElements()
                << " elements, expected 1";
      return;
    }
    fill = c.reshape(c.graph.constant(*elements), {});
  } else {
    fill = c.scalar(0, c.graph.getBuilder().getF32Type());
  }
  c.setOutput(0, c.broadcast(fill, *shape));
}

/// ceil((limit - start) / delta) of constant floats, or nothing.
static std::optional<int64_t> countFloats(NodeContext &c) {
  double numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    std::optional<SmallVector<double>> values = c.constantFloats(c.input(i));
    if (!values || values->size() != 1)
      return std::nullopt;
    numbers[i] = values->front();
  }
  double count = std::ceil((numbers[1] - numbers[0]) / numbers[2]);
  if (!(std::fabs(count) < 9.0e15))
    return std::nullopt;
  return std::max<int64_t>(0, int64_t(count));
}

static std::optional<Expr> rangeLength(NodeContext &c) {
  if (isa<FloatType>(elementTypeOf(c.input(0))))
    if (std::optional<int64_t> count = countFloats(c))
      return Expr(*count);
  Expr bounds[3];
  const char *const names[] = {"start", "limit", "delta"};
  for (size_t i = 0; i < 3; ++i) {
    std::optional<SmallVector<Expr>> values = c.knownInput(i, names[i]);
    if (!values)
      return std::nullopt;
    if (values->size() != 1) {
      c.error() << names[i] << " has " << values->size()
                << " elements, expected 1";
      return std::nullopt;
    }
    bounds[i] = values->front();
  }
  Expr distance = bounds[1] - bounds[0], delta = bounds[2];
  // ceildiv is for positive divisors only.
  switch (c.prover().prove(Relation{Relation::Kind::GE, delta, Expr(1)})) {
  case Truth::Yes:
    return c.simplify(Expr::max(0, Expr::ceilDiv(distance, delta)));
  case Truth::No:
  case Truth::Unknown:
    break;
  }
  if (!c.require(Relation{Relation::Kind::NE, delta, Expr(0)},
                 "delta must not be 0"))
    return std::nullopt;
  return c.simplify(Expr::max(0, -Expr::floorDiv(-distance, delta)));
}

static void convertRange(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  for (size_t i : {1, 2})
    if (elementTypeOf(c.input(i)) != type) {
      c.error() << "input " << i << " has element type "
                << elementTypeOf(c.input(i)) << ", expected " << type;
      return;
    }
  std::optional<Expr> length = rangeLength(c);
  if (!length)
    return;
  if (!length->isValid()) {
    c.error() << "number of elements " << length->problem();
    return;
  }
  // Half precision is computed in f32, unless `stash_type` says otherwise.
  Type wide = type;
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32 &&
      c.intAttr("stash_type", 1) == 1)
    wide = c.graph.getBuilder().getF32Type();
  Value start = c.reshape(c.cast(c.input(0), wide), {});
  Value delta = c.reshape(c.cast(c.input(2), wide), {});
  Value index = c.iota({*length}, 0, wide);
  Value numbers =
      c.map({index, start, delta}, [](ScalarBuilder &s, ValueRange v) {
        return s.add(v[1], s.mul(v[0], v[2]));
      });
  c.setOutput(0, c.cast(numbers, type));
}

/// Compares column with row + k over the last two dims.
static Value diagonal(NodeContext &c, ArrayRef<Expr> shape, Value k,
                      Relation::Kind kind) {
  Type index = c.graph.getBuilder().getI64Type();
  int64_t rank = shape.size();
  Value row = c.iota(shape, rank - 2, index);
  Value column = c.iota(shape, rank - 1, index);
  return c.map(
      {row, column, k},
      [&](ScalarBuilder &s, ValueRange v) {
        return s.compare(kind, v[1], s.add(v[0], v[2]));
      },
      c.graph.getBuilder().getI1Type());
}

static void convertEyeLike(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  if (c.hasAttr("dtype"))
    type = getElementType(c.intAttr("dtype", 0), c.graph.getLoc());
  if (!type)
    return;
  if (rankOf(c.input(0)) != 2) {
    c.error() << "input has rank " << rankOf(c.input(0)) << ", expected 2";
    return;
  }
  Value k =
      c.dims({c.intAttr("k", 0)}, c.graph.getBuilder().getI64Type(), true);
  Value isOn = diagonal(c, dimsOf(c.input(0)), k, Relation::Kind::EQ);
  c.setOutput(0, c.cast(isOn, type));
}

static void convertTrilu(NodeContext &c) {
  Value x = c.input(0);
  if (rankOf(x) < 2) {
    c.error() << "input has rank " << rankOf(x) << ", expected at least 2";
    return;
  }
  Type index = c.graph.getBuilder().getI64Type();
  Value k = c.input(1) ? c.cast(c.reshape(c.input(1), {}), index)
                       : c.scalar(0, index);
  bool isUpper = c.intAttr("upper", 1) != 0;
  Value keeps = diagonal(c, dimsOf(x), k,
                         isUpper ? Relation::Kind::GE : Relation::Kind::LE);
  Value zero = c.scalar(0, elementTypeOf(x));
  c.setOutput(0, c.map(
                     {keeps, x, zero},
                     [](ScalarBuilder &s, ValueRange v) {
                       return s.select(v[0], v[1], v[2]);
                     },
                     elementTypeOf(x)));
}

/// Inputs: indices, depth, [off, on]. Indices count from the end when negative;
/// one that is outside of the depth gives a row of `off`.
static void convertOneHot(NodeContext &c) {
  std::optional<SmallVector<Expr>> depth = c.knownInput(1, "depth");
  int64_t axis = c.intAttr("axis", -1);
  if (!depth || !c.normalizeAxis(axis, rankOf(c.input(0)) + 1))
    return;
  if (depth->size() != 1 || rankOf(c.input(2)) != 1) {
    c.error() << "expected a scalar depth and two values";
    return;
  }
  Type index = c.graph.getBuilder().getI64Type();
  Value indices = c.unsqueeze(c.cast(c.input(0), index), axis);
  if (!indices)
    return;
  SmallVector<Expr> shape = dimsOf(indices);
  shape[axis] = depth->front();
  Value position = c.iota(shape, axis, index);
  Value size = c.dims(*depth, index, /*isScalar=*/true);
  Value values = c.input(2);
  Value off = c.reshape(c.sliceDim(values, 0, 0, 1), {});
  Value on = c.reshape(c.sliceDim(values, 0, 1, 1), {});
  c.setOutput(
      0, c.map(
             {position, indices, size, off, on},
             [](ScalarBuilder &s, ValueRange v) {
               Value isNegative =
                   s.compare(Relation::Kind::LT, v[1], s.integer(0, v[1]));
               Value wrapped = s.select(isNegative, s.add(v[1], v[2]), v[1]);
               Value isHit = s.compare(Relation::Kind::EQ, v[0], wrapped);
               return s.select(isHit, v[4], v[3]);
             },
             elementTypeOf(values)));
}

void ambit::onnx_import::addConstants(ConverterTable &table) {
  table.add("Constant", convertConstant, 0);
  table.add("ConstantOfShape", convertConstantOfShape, 1).since(9).sizes({0});
  table.add("Range", convertRange, 3).since(11).sizes({0, 1, 2});
  table.add("EyeLike", convertEyeLike, 1).since(9);
  table.add("Trilu", convertTrilu, 1, 2).since(14);
  table.add("OneHot", convertOneHot, 3).since(9).sizes({1});
}
