// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The formulas: operators that combine many elements, and chains of nodes as
// exporters write them. Sizes and numbers are such that sums, squares and
// counts often exceed f16 (65,504) while results do not.

#include "Composite.h"

using namespace ambit;
using namespace ambit::halves;

static double randomScale(Composite &c) {
  return c.choose({0.01, 1.0, 3.0, 30.0, 300.0, 3000.0});
}

/// An image, sometimes of more elements than f16 can count.
static Dims randomImage(Composite &c) {
  if (c.below(12) == 0)
    return {1, 1, 257, 256};
  return {c.between(1, 2), c.choose<int64_t>({1, 2, 4}), c.between(1, 20),
          c.between(1, 20)};
}

static Dims randomRows(Composite &c) {
  return {c.between(1, 3),
          c.choose<int64_t>({1, 3, 8, 17, 64, 500, 4096, 66000})};
}

static std::string addPool(Composite &c) {
  Dims image = randomImage(c);
  int64_t kind = c.below(5);
  std::string x = c.addInput(image, randomScale(c), c.choose({0.0, 2.0, 40.0}));
  if (kind == 0)
    return c.add("GlobalAveragePool", {x});
  if (kind == 1)
    return c.add("GlobalLpPool", {x}).set("p", c.between(1, 3));
  int64_t height = c.between(1, image[2]), width = c.between(1, image[3]);
  if (height * width > 5000)
    width = 64, height = 64;
  Dims window = {height, width};
  Dims strides = {c.between(1, 3), c.between(1, 3)};
  Dims pads = {c.below(height), c.below(width), c.below(height),
               c.below(width)};
  if (kind == 2)
    return c.add("LpPool", {x})
        .setInts("kernel_shape", window)
        .setInts("strides", strides)
        .setInts("pads", pads)
        .set("p", c.between(1, 2));
  return c.add("AveragePool", {x})
      .setInts("kernel_shape", window)
      .setInts("strides", strides)
      .setInts("pads", pads)
      .set("ceil_mode", c.below(2))
      .set("count_include_pad", c.below(2));
}

static std::string addReduction(Composite &c) {
  auto *op = c.choose({"ReduceMean", "ReduceL1", "ReduceL2", "ReduceLogSum",
                       "ReduceLogSumExp", "ReduceSumSquare", "ReduceMean"});
  Dims rows = randomRows(c);
  std::string x = c.addInput(rows, randomScale(c), c.choose({0.0, 1.0, 300.0}));
  if (std::string(op) == "ReduceLogSum")
    x = c.add("Abs", {x});
  return c.add(op, {x})
      .setInts("axes", {c.below(2)})
      .set("keepdims", c.below(2));
}

static std::string addNormalization(Composite &c) {
  Dims image = randomImage(c);
  double scale = randomScale(c), offset = c.choose({0.0, 1.0, 100.0});
  std::string x = c.addInput(image, scale, offset, /*isStatic=*/true);
  Dims channels = {image[1]};
  auto perChannel = [&](double around) {
    return c.addConstant(channels, 0.5, around);
  };
  switch (c.below(6)) {
  case 0:
    return c.add("InstanceNormalization", {x, perChannel(1), perChannel(0)});
  case 1: {
    Dims last = {image[3]};
    return c.add("LayerNormalization",
                 {x, c.addConstant(last, 0.5, 1), c.addConstant(last, 0.5)});
  }
  case 2:
    return c.add("LRN", {x}).set("size", c.between(1, 5));
  case 3:
    return c.add("MeanVarianceNormalization", {x})
        .setInts("axes", c.below(2) ? Dims{0, 2, 3} : Dims{2, 3});
  case 4:
    return c.add("LpNormalization", {x})
        .set("axis", c.below(4))
        .set("p", c.between(1, 2));
  default:
    return c.add("BatchNormalization",
                 {x, perChannel(1), perChannel(0),
                  c.addConstant(channels, scale, offset),
                  c.addConstant(channels, scale / 2, scale)});
  }
}

static std::string addSoftmax(Composite &c) {
  Dims rows = randomRows(c);
  std::string x = c.addInput(rows, c.choose({1.0, 10.0, 100.0}));
  if (c.below(2))
    x = c.add("Mul", {x, c.addConstant({}, 0.1, 0.3)});
  if (c.below(2))
    x = c.add("Add", {x, c.addInput({rows[1]}, 20, -20, true)});
  return c.add(c.choose({"Softmax", "LogSoftmax"}), {x})
      .set("axis", c.below(2));
}

static std::string addMean(Composite &c) {
  Dims rows = {c.between(1, 3), c.between(1, 40)};
  std::vector<std::string> values;
  for (int64_t i = c.between(1, 5); i > 0; --i)
    values.push_back(c.addInput(rows, 20000, c.choose({-20000.0, 30000.0}),
                                /*isStatic=*/true));
  return c.add("Mean", values);
}

/// (x - mean) / sqrt(variance + epsilon), node by node.
static std::string addByHand(Composite &c) {
  Dims rows = randomRows(c);
  std::string x =
      c.addInput(rows, randomScale(c), c.choose({0.0, 1.0, 1000.0}));
  auto mean = [&](std::string of) -> std::string {
    return c.add("ReduceMean", {of}).setInts("axes", {-1});
  };
  std::string centered = c.add("Sub", {x, mean(x)});
  std::string square;
  if (c.below(2))
    square = c.add("Mul", {centered, centered});
  else
    square = c.add("Pow", {centered, c.addConstant({}, 0, 2)});
  std::string variance = mean(square);
  if (c.below(3) == 0) // a round trip through another shape
    variance =
        c.add("Unsqueeze", {c.add("Squeeze", {variance, c.addIntegers({-1})}),
                            c.addIntegers({-1})});
  std::string padded =
      c.add("Add", {variance, c.addConstant({}, 0, c.choose({1e-5, 1e-3}))});
  std::string root = c.add("Sqrt", {padded});
  std::string result;
  if (c.below(2))
    result = c.add("Div", {centered, root});
  else
    result = c.add("Mul", {centered, c.add("Reciprocal", {root})});
  if (c.below(2))
    result = c.add("Add", {c.add("Mul", {result, c.addConstant({}, 0.5, 1)}),
                           c.addConstant({}, 0.5)});
  return result;
}

static std::string addFunction(Composite &c, std::string x) {
  return c.add(
      c.choose({"Sigmoid", "Tanh", "Relu", "LeakyRelu", "Elu", "Selu", "Celu",
                "HardSigmoid", "HardSwish", "Softplus", "Softsign", "Shrink",
                "ThresholdedRelu", "Neg", "Abs", "Erf", "Exp"}),
      {x});
}

/// Functions of elements and arithmetic between them.
static std::string addElementwise(Composite &c) {
  Dims dims = {c.between(1, 4), c.between(1, 40)};
  std::string first = c.addInput(dims, c.choose({1.0, 4.0, 300.0}));
  std::string x = first;
  for (int64_t i = c.between(2, 6); i > 0; --i) {
    switch (c.below(4)) {
    case 0:
      x = c.add(c.choose({"Add", "Sub", "Mul"}), {x, first});
      break;
    case 1:
      x = c.add(c.choose({"Add", "Mul", "Div"}), {x, c.addConstant({}, 1, 3)});
      break;
    default:
      x = addFunction(c, x);
    }
  }
  return x;
}

/// A bias by an operand of the product or by a node of its own, or none.
static std::string addBiased(Composite &c, const char *op,
                             std::vector<std::string> factors, Dims shape,
                             double scale) {
  bool isOperand = op != std::string("MatMul") && c.below(2);
  if (isOperand && op == std::string("Gemm"))
    shape = c.choose<Dims>({shape, {1}, {}});
  else if (isOperand)
    shape = {shape[0]};
  if (isOperand)
    factors.push_back(c.addConstant(shape, 40 * scale, 3));
  Composite::Node product = c.add(op, factors);
  if (op == std::string("Gemm"))
    product.setFloat("alpha", c.choose({1.0f, 0.5f}))
        .setFloat("beta", c.choose({1.0f, 3.0f}));
  if (isOperand || c.below(4) == 0)
    return product;
  return c.add("Add", {product, c.addConstant(shape, 40 * scale, 3)});
}

/// A product or convolution, its bias, and what often follows. Factors up to
/// 300 make products that f16 cannot hold.
static std::string addProduct(Composite &c) {
  double scale = c.choose({0.1, 1.0, 20.0, 300.0});
  std::string result;
  if (c.below(2)) {
    int64_t inner = c.between(1, 300), columns = c.between(1, 20);
    std::string x = c.addInput({c.between(1, 20), inner}, scale, 0, true);
    std::string w = c.addConstant({inner, columns}, scale);
    result = addBiased(c, c.below(2) ? "MatMul" : "Gemm", {x, w}, {columns},
                       scale * scale);
  } else {
    int64_t in = c.between(1, 8), out = c.between(1, 5);
    int64_t window = c.between(1, 3);
    std::string x =
        c.addInput({1, in, c.between(3, 9), c.between(3, 9)}, scale, 0, true);
    bool isDirect = c.below(3);
    Dims filter = {isDirect ? out : in, isDirect ? in : out, window, window};
    result = addBiased(c, isDirect ? "Conv" : "ConvTranspose",
                       {x, c.addConstant(filter, scale)}, {out, 1, 1},
                       scale * scale);
  }
  switch (c.below(4)) {
  case 0:
    return c.add("Mul", {c.add("Sigmoid", {result}),
                         c.add("Mul", {result, c.addConstant({}, 0, 0.001)})});
  case 1:
    return c.add("Mul", {c.add("Relu", {result}), c.addConstant({}, 0, 0.01)});
  default:
    return result;
  }
}

std::string ambit::halves::addFormula(Composite &c) {
  switch (c.below(9)) {
  case 0:
    return addPool(c);
  case 1:
    return addReduction(c);
  case 2:
    return addNormalization(c);
  case 3:
    return addSoftmax(c);
  case 4:
    return addMean(c);
  case 5:
    return addByHand(c);
  case 6:
    return addElementwise(c);
  case 7:
    return addProduct(c);
  default:
    return addByHand(c);
  }
}
