// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that make tensors out of attributes, shapes and indices.

#include "../../Compose/Movement/Positions.h"
#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
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
  c.setOutput(0, range(c, c.input(0), c.input(2), *length, wide));
}

static void convertEyeLike(NodeContext &c) {
  Type type = elementTypeOf(c.input(0));
  if (c.hasAttr("dtype"))
    type = getElementType(c.intAttr("dtype", 0), c.graph.getLoc());
  if (type)
    c.setOutput(0, eye(c, dimsOf(c.input(0)), c.intAttr("k", 0), type));
}

static void convertTrilu(NodeContext &c) {
  bool isUpper = c.intAttr("upper", 1) != 0;
  c.setOutput(0, triangle(c, c.input(0), c.input(1), isUpper));
}

/// Inputs: indices, depth, [off, on].
static void convertOneHot(NodeContext &c) {
  std::optional<SmallVector<Expr>> depth = c.knownInput(1, "depth");
  if (!depth)
    return;
  Value values = c.input(2);
  if (depth->size() != 1 || rankOf(values) != 1) {
    c.error() << "expected a scalar depth and two values";
    return;
  }
  Value off = c.reshape(c.sliceDim(values, 0, 0, 1), {});
  Value on = c.reshape(c.sliceDim(values, 0, 1, 1), {});
  c.setOutput(
      0, oneHot(c, c.input(0), depth->front(), c.intAttr("axis", -1), off, on));
}

/// A symmetric window ends as it begins; a periodic one, the default, would so
/// at the place after its last.
static void setWindow(NodeContext &c, ArrayRef<double> coefficients) {
  std::optional<SmallVector<Expr>> size = c.knownInput(0, "size");
  Type type = getElementType(c.intAttr("output_datatype", 1), c.graph.getLoc());
  if (!size || !type)
    return;
  if (size->size() != 1) {
    c.error() << "size has " << size->size() << " elements, expected 1";
    return;
  }
  Expr length = size->front();
  if (!c.require(Relation{Relation::Kind::GE, length, Expr(0)},
                 "size is negative"))
    return;
  bool isPeriodic = c.intAttr("periodic", 1) != 0;
  c.setOutput(0, cosineWindow(c, length, isPeriodic ? length : length - 1,
                              coefficients, type));
}

static void convertHannWindow(NodeContext &c) { setWindow(c, {0.5, -0.5}); }

static void convertHammingWindow(NodeContext &c) {
  setWindow(c, {25.0 / 46, -21.0 / 46});
}

static void convertBlackmanWindow(NodeContext &c) {
  setWindow(c, {0.42, -0.5, 0.08});
}

void ambit::onnx_import::addConstants(ConverterTable &table) {
  table.add("Constant", convertConstant, 0);
  table.add("ConstantOfShape", convertConstantOfShape, 1).since(9).sizes({0});
  table.add("Range", convertRange, 3).since(11).sizes({0, 1, 2});
  table.add("HannWindow", convertHannWindow, 1).since(17).sizes({0});
  table.add("HammingWindow", convertHammingWindow, 1).since(17).sizes({0});
  table.add("BlackmanWindow", convertBlackmanWindow, 1).since(17).sizes({0});
  table.add("EyeLike", convertEyeLike, 1).since(9);
  table.add("Trilu", convertTrilu, 1, 2).since(14);
  table.add("OneHot", convertOneHot, 3).since(9).sizes({1});
}
