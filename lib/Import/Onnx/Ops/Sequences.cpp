// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences and optionals: lists whose lengths are known at compile time, so
// that nothing is left of them.

#include "Control/Sequences.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

/// The elements of input 0; an error when it is no sequence.
static std::optional<SmallVector<Value>> elementsOf(NodeContext &c) {
  if (isSequence(c.input(0)))
    return SmallVector<Value>(sequenceElements(c.input(0)));
  c.error() << "input 0 is " << kindText(c.input(0)) << ", expected a sequence";
  return std::nullopt;
}

static void setSequence(NodeContext &c, ArrayRef<Value> elements) {
  c.setOutput(0,
              makeSequence(c.graph.getBuilder(), c.graph.getLoc(), elements));
}

/// The position in input `index`, from 0 on; it must be below `count`.
static std::optional<int64_t> position(NodeContext &c, size_t index,
                                       int64_t length, int64_t count) {
  std::optional<SmallVector<int64_t>> known =
      c.constantInput(index, "the position");
  if (!known)
    return std::nullopt;
  if (known->size() != 1) {
    c.error() << "the position (input " << index << ") has " << known->size()
              << " elements, expected 1";
    return std::nullopt;
  }
  int64_t at = known->front() < 0 ? known->front() + length : known->front();
  if (at >= 0 && at < count)
    return at;
  c.error() << "the position is " << known->front()
            << ", but the sequence has length " << length;
  return std::nullopt;
}

static void convertConstruct(NodeContext &c) {
  for (auto [index, input] : llvm::enumerate(c.allInputs()))
    if (!input) {
      c.error() << "input " << index << " is missing";
      return;
    }
  setSequence(c, c.allInputs());
}

static void convertEmpty(NodeContext &c) { setSequence(c, {}); }

static void convertAt(NodeContext &c) {
  auto elements = elementsOf(c);
  if (!elements)
    return;
  if (auto at = position(c, 1, elements->size(), elements->size()))
    c.setOutput(0, (*elements)[*at]);
}

static void convertInsert(NodeContext &c) {
  auto elements = elementsOf(c);
  if (!elements)
    return;
  std::optional<int64_t> at = elements->size();
  if (c.input(2))
    at = position(c, 2, elements->size(), elements->size() + 1);
  if (!at)
    return;
  elements->insert(elements->begin() + *at, c.input(1));
  setSequence(c, *elements);
}

static void convertErase(NodeContext &c) {
  auto elements = elementsOf(c);
  if (!elements)
    return;
  int64_t length = elements->size();
  if (!c.input(1) && length == 0) {
    c.error() << "there is nothing to erase in an empty sequence";
    return;
  }
  std::optional<int64_t> at = length - 1;
  if (c.input(1))
    at = position(c, 1, length, length);
  if (!at)
    return;
  elements->erase(elements->begin() + *at);
  setSequence(c, *elements);
}

static void convertLength(NodeContext &c) {
  if (auto elements = elementsOf(c))
    c.setOutput(0, c.dims({Expr(int64_t(elements->size()))}, c.indexType(),
                          /*isScalar=*/true));
}

/// The sizes of the parts; their number must be known.
static std::optional<SmallVector<Expr>> partSizes(NodeContext &c, Expr size) {
  bool isEach = !c.input(1) || rankOf(c.input(1)) == 0;
  if (!isEach)
    return c.knownInput(1, "split");
  std::optional<SmallVector<int64_t>> each = SmallVector<int64_t>{1};
  if (c.input(1))
    each = c.constantInput(1, "split");
  if (!each)
    return std::nullopt;
  if (each->front() < 1) {
    c.error() << "split is " << each->front() << ", expected at least 1";
    return std::nullopt;
  }
  std::optional<int64_t> all = size.constant();
  if (!all) {
    c.error() << "the split dim '" << size.str()
              << "' is not a constant: it decides the length of the sequence";
    return std::nullopt;
  }
  if (*all / each->front() > kMaxSequenceLength) {
    c.error() << "a dim of " << *all << " in parts of " << each->front()
              << " gives more than " << kMaxSequenceLength << " tensors";
    return std::nullopt;
  }
  SmallVector<Expr> sizes;
  for (int64_t at = 0; at < *all; at += each->front())
    sizes.push_back(std::min(each->front(), *all - at));
  return sizes;
}

static void convertSplit(NodeContext &c) {
  Value x = c.input(0);
  int64_t axis = c.intAttr("axis", 0);
  if (!c.normalizeAxis(axis, rankOf(x)))
    return;
  SmallVector<Expr> dims = dimsOf(x);
  std::optional<SmallVector<Expr>> sizes = partSizes(c, dims[axis]);
  if (!sizes)
    return;
  bool isSqueezed = !c.input(1) && c.intAttr("keepdims", 1) == 0;
  SmallVector<Expr> partDims = dims;
  partDims.erase(partDims.begin() + axis);
  SmallVector<Value> parts;
  Expr at = 0;
  for (Expr size : *sizes) {
    if (!c.require(Relation{Relation::Kind::GE, size, Expr(0)},
                   "the size of a part is negative"))
      return;
    Value part = c.sliceDim(x, axis, at, size);
    parts.push_back(isSqueezed ? c.reshape(part, partDims) : part);
    at = at + size;
  }
  if (c.requireEqual(at, dims[axis],
                     "the parts do not make up the split dim") &&
      !c.hasFailed())
    setSequence(c, parts);
}

static void convertConcat(NodeContext &c) {
  auto elements = elementsOf(c);
  if (!elements)
    return;
  if (elements->empty()) {
    c.error() << "the sequence is empty";
    return;
  }
  bool isNew = c.intAttr("new_axis", 0) != 0;
  int64_t axis = c.intAttr("axis", 0);
  if (!c.normalizeAxis(axis, rankOf(elements->front()) + isNew))
    return;
  if (isNew)
    for (Value &element : *elements)
      element = c.unsqueeze(element, {axis});
  c.setOutput(0, c.concat(*elements, axis));
}

static void convertOptional(NodeContext &c) {
  c.setOutput(0, c.input(0) ? c.input(0)
                            : makeEmptyOptional(c.graph.getBuilder(),
                                                c.graph.getLoc()));
}

static void convertHasElement(NodeContext &c) {
  bool hasElement = c.input(0) && !isEmptyOptional(c.input(0));
  c.setOutput(0, c.scalar(hasElement, c.boolType()));
}

static void convertGetElement(NodeContext &c) {
  if (isEmptyOptional(c.input(0)))
    c.error() << "the optional is empty";
  else
    c.setOutput(0, c.input(0));
}

void ambit::onnx_import::addSequences(ConverterTable &table) {
  table.add("SequenceConstruct", convertConstruct, 1, kAnyNumber)
      .since(11)
      .movesAll();
  table.add("SequenceEmpty", convertEmpty, 0).since(11);
  table.add("SequenceAt", convertAt, 2)
      .since(11)
      .sequences({0})
      .moves({0})
      .sizes({1});
  table.add("SequenceInsert", convertInsert, 2, 3)
      .since(11)
      .sequences({0})
      .moves({0, 1})
      .sizes({2});
  table.add("SequenceErase", convertErase, 1, 2)
      .since(11)
      .sequences({0})
      .moves({0})
      .sizes({1});
  table.add("SequenceLength", convertLength, 1)
      .since(11)
      .sequences({0})
      .readsShapes();
  table.add("SplitToSequence", convertSplit, 1, 2)
      .since(11)
      .moves({0})
      .sizes({1});
  table.add("ConcatFromSequence", convertConcat, 1)
      .since(11)
      .sequences({0})
      .moves({0});
  table.add("Optional", convertOptional, 0, 1)
      .since(15)
      .sequences({0})
      .moves({0});
  table.add("OptionalHasElement", convertHasElement, 0, 1)
      .since(15)
      .sequences({0})
      .readsShapes();
  table.add("OptionalGetElement", convertGetElement, 1)
      .since(15)
      .sequences({0})
      .moves({0});
}
