// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that move elements: transpose, concat, split, tile and the
// block-wise rearrangements.

#include "../../Compose/Movement/Blocks.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static void convertTranspose(NodeContext &c) {
  SmallVector<int64_t> permutation = c.intsAttr("perm");
  if (!c.hasAttr("perm"))
    for (int64_t dim = rankOf(c.input(0)) - 1; dim >= 0; --dim)
      permutation.push_back(dim);
  c.setOutput(0, c.transpose(c.input(0), permutation));
}

static void convertConcat(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  for (auto [index, value] : llvm::enumerate(c.allInputs()))
    if (!value) {
      c.error() << "input " << index << " is missing";
      return;
    }
  if (!c.hasAttr("axis")) {
    c.error() << "attribute 'axis' is missing";
    return;
  }
  if (c.normalizeAxis(axis, rankOf(c.input(0))))
    c.setOutput(0, c.concat(c.allInputs(), axis));
}

/// The sizes of the parts of a split.
static std::optional<SmallVector<Expr>> splitSizes(NodeContext &c, Expr extent,
                                                   int64_t axis) {
  size_t outputs = c.node.outputs.size();
  if (c.hasAttr("split")) {
    SmallVector<int64_t> sizes = c.intsAttr("split");
    return SmallVector<Expr>(sizes.begin(), sizes.end());
  }
  if (c.input(1))
    return c.knownInput(1, "split");
  int64_t count = c.intAttr("num_outputs", outputs);
  if (count < 1 || size_t(count) != outputs) {
    c.error() << "has " << outputs << " outputs, expected " << count;
    return std::nullopt;
  }
  // From opset 18 on, which has num_outputs, the last part may be smaller.
  if (c.hasAttr("num_outputs")) {
    Expr part = c.simplify(Expr::ceilDiv(extent, count));
    SmallVector<Expr> sizes(count, part);
    sizes.back() = c.simplify(extent - part * Expr(count - 1));
    return sizes;
  }
  if (!c.requireDivisible(extent, count,
                          "dim " + Twine(axis) + " does not split evenly"))
    return std::nullopt;
  return SmallVector<Expr>(count, c.simplify(Expr::floorDiv(extent, count)));
}

static void convertSplit(NodeContext &c) {
  int64_t axis = c.intAttr("axis", 0);
  if (!c.normalizeAxis(axis, rankOf(c.input(0))))
    return;
  Expr extent = dimsOf(c.input(0))[axis];
  std::optional<SmallVector<Expr>> sizes = splitSizes(c, extent, axis);
  if (!sizes)
    return;
  if (sizes->size() < c.node.outputs.size()) {
    c.error() << "has " << c.node.outputs.size() << " outputs for "
              << sizes->size() << " parts";
    return;
  }
  Expr total = 0;
  for (Expr size : *sizes)
    total = total + size;
  bool isGiven = c.hasAttr("split") || c.input(1);
  if (isGiven && !c.requireEqual(total, extent,
                                 "parts do not add up to dim " + Twine(axis)))
    return;
  SmallVector<Value> parts =
      split(c, c.input(0), axis, *sizes,
            [&](size_t index) { return c.wantsOutput(index); });
  for (auto [index, part] : llvm::enumerate(parts))
    c.setOutput(index, part);
}

static void convertTile(NodeContext &c) {
  if (auto repeats = c.knownInput(1, "repeats"))
    c.setOutput(0, tile(c, c.input(0), *repeats));
}

static void convertDepthToSpace(NodeContext &c) {
  std::string mode = c.stringAttr("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") {
    c.error() << "attribute 'mode' is '" << mode
              << "', expected 'DCR' or 'CRD'";
    return;
  }
  c.setOutput(0, depthToSpace(c, c.input(0), c.intAttr("blocksize", 0),
                              /*isDepthFirst=*/mode == "CRD"));
}

static void convertSpaceToDepth(NodeContext &c) {
  c.setOutput(0, spaceToDepth(c, c.input(0), c.intAttr("blocksize", 0)));
}

void ambit::onnx_import::addMovement(ConverterTable &table) {
  table.add("Transpose", convertTranspose, 1).storedTypes();
  table.add("Concat", convertConcat, 1, kAnyNumber).readSince(4).movesAll();
  table.add("Split", convertSplit, 1, 2).sizes({1}).moves({0});
  table.add("Tile", convertTile, 2).readSince(6).sizes({1}).storedTypes();
  table.add("DepthToSpace", convertDepthToSpace, 1);
  table.add("SpaceToDepth", convertSpaceToDepth, 1);
}
