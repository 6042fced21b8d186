// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers: the same at every run. A seed is taken by the bits of its
// float; without one it follows from the name of the result, so that the nodes
// of a model differ.

#include "../../Compose/Elements/Random.h"
#include "../../EightBitFloat.h"
#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// FNV-1a.
static uint64_t hashOf(StringRef text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

static uint64_t readSeed(NodeContext &c) {
  if (!c.hasAttr("seed"))
    return hashOf(c.outputName(0));
  // Seeds that follow one another must not share numbers.
  uint64_t bits = llvm::bit_cast<uint32_t>(float(c.floatAttr("seed", 0)));
  return bits << 32;
}

/// The type that attribute `dtype` names, or `otherwise`.
static Type readType(NodeContext &c, Type otherwise) {
  if (!c.hasAttr("dtype"))
    return otherwise;
  Type type = getElementType(c.intAttr("dtype", 1), c.graph.getLoc());
  if (!type)
    c.fail();
  return type;
}

static void setRandom(NodeContext &c, ArrayRef<Expr> shape, Type type,
                      bool isNormal) {
  if (!type)
    return;
  if (!isa<FloatType>(type) || isStorageType(type)) {
    c.error() << "the result has element type " << type
              << ", expected f16, bf16, f32 or f64";
    return;
  }
  double first = isNormal ? c.floatAttr("mean", 0) : c.floatAttr("low", 0);
  double scale =
      isNormal ? c.floatAttr("scale", 1) : c.floatAttr("high", 1) - first;
  uint64_t seed = readSeed(c);
  if (c.hasFailed())
    return;
  Value numbers = isNormal ? randomNormal(c, shape, seed, type)
                           : randomUniform(c, shape, seed, type);
  if (!numbers)
    return;
  Type computed = elementTypeOf(numbers);
  numbers = c.add(c.mul(numbers, c.scalar(scale, computed)),
                  c.scalar(first, computed));
  c.setOutput(0, c.cast(numbers, type));
}

template <bool isNormal> static void convertRandom(NodeContext &c) {
  SmallVector<Expr> shape;
  for (int64_t size : c.intsAttr("shape")) {
    if (size < 0) {
      c.error() << "attribute 'shape' has the size " << size
                << ", expected 0 or more";
      return;
    }
    shape.push_back(size);
  }
  if (!c.hasAttr("shape"))
    c.error() << "attribute 'shape' is missing";
  else
    setRandom(c, shape, readType(c, c.graph.getBuilder().getF32Type()),
              isNormal);
}

template <bool isNormal> static void convertRandomLike(NodeContext &c) {
  setRandom(c, dimsOf(c.input(0)), readType(c, elementTypeOf(c.input(0))),
            isNormal);
}

/// 1 with the probability that the input has.
static void convertBernoulli(NodeContext &c) {
  Value x = c.input(0);
  Type type = readType(c, elementTypeOf(x));
  if (!type || !c.requireFloat(x, "input"))
    return;
  Value numbers = randomUniform(c, dimsOf(x), readSeed(c), elementTypeOf(x));
  if (!numbers)
    return;
  Value isDrawn = c.map(
      {numbers, c.cast(x, elementTypeOf(numbers))},
      [](ScalarBuilder &s, ValueRange v) {
        return s.compare(Relation::Kind::LT, v[0], v[1]);
      },
      c.boolType());
  c.setOutput(0, c.cast(isDrawn, type));
}

void ambit::onnx_import::addRandom(ConverterTable &table) {
  table.add("RandomUniform", convertRandom<false>, 0);
  table.add("RandomNormal", convertRandom<true>, 0);
  table.add("RandomUniformLike", convertRandomLike<false>, 1).readsShapes();
  table.add("RandomNormalLike", convertRandomLike<true>, 1).readsShapes();
  table.add("Bernoulli", convertBernoulli, 1).since(15);
}
