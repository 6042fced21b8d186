// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operators that move elements: transpose, concat, split, tile and the
// block-wise rearrangements.

#include "../Converters.h"

using namespace mlir;
using namespace ambit;
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
  Expr offset = 0;
  for (auto [index, size] : llvm::enumerate(*sizes)) {
    if (c.wantsOutput(index))
      c.setOutput(index, c.sliceDim(c.input(0), axis, offset, size));
    offset = c.simplify(offset + size);
  }
}

/// Repeats by broadcasting a new dim before each: [d] to [1, d] to [r, d] to
/// [r * d].
static void convertTile(NodeContext &c) {
  std::optional<SmallVector<Expr>> repeats = c.knownInput(1, "repeats");
  if (!repeats)
    return;
  SmallVector<Expr> dims = dimsOf(c.input(0)), split, repeated, joined;
  if (repeats->size() != dims.size()) {
    c.error() << "has " << repeats->size() << " repeats for rank "
              << dims.size();
    return;
  }
  for (auto [dim, count] : llvm::zip_equal(dims, *repeats)) {
    split.append({1, dim});
    repeated.append({count, dim});
    joined.push_back(dim * count);
  }
  c.setOutput(0, c.reshape(c.broadcast(c.reshape(c.input(0), split), repeated),
                           joined));
}

/// Reads the block size, and requires rank 4.
static std::optional<int64_t> blockSize(NodeContext &c) {
  int64_t block = c.intAttr("blocksize", 0);
  if (rankOf(c.input(0)) != 4) {
    c.error() << "input has rank " << rankOf(c.input(0)) << ", expected 4";
    return std::nullopt;
  }
  if (block < 1 || block > INT32_MAX) {
    c.error() << "attribute 'blocksize' is " << block
              << ", expected a positive size";
    return std::nullopt;
  }
  return block;
}

static void convertDepthToSpace(NodeContext &c) {
  std::optional<int64_t> block = blockSize(c);
  std::string mode = c.stringAttr("mode", "DCR");
  if (!block)
    return;
  if (mode != "DCR" && mode != "CRD") {
    c.error() << "attribute 'mode' is '" << mode
              << "', expected 'DCR' or 'CRD'";
    return;
  }
  SmallVector<Expr> d = dimsOf(c.input(0));
  Expr b = *block, area = b * b;
  if (!c.requireDivisible(d[1], area, "channels do not divide into blocks"))
    return;
  Expr depth = c.simplify(Expr::floorDiv(d[1], area));
  bool isDcr = mode == "DCR";
  SmallVector<Expr> split = {d[0], b, b, depth, d[2], d[3]};
  SmallVector<int64_t> order = {0, 3, 4, 1, 5, 2};
  if (!isDcr) {
    split = {d[0], depth, b, b, d[2], d[3]};
    order = {0, 1, 4, 2, 5, 3};
  }
  Value blocks = c.transpose(c.reshape(c.input(0), split), order);
  c.setOutput(0, c.reshape(blocks, {d[0], depth, d[2] * b, d[3] * b}));
}

static void convertSpaceToDepth(NodeContext &c) {
  std::optional<int64_t> block = blockSize(c);
  if (!block)
    return;
  SmallVector<Expr> d = dimsOf(c.input(0));
  Expr b = *block;
  for (int64_t dim : {2, 3})
    if (!c.requireDivisible(
            d[dim], b, "dim " + Twine(dim) + " does not divide into blocks"))
      return;
  Expr height = c.simplify(Expr::floorDiv(d[2], b));
  Expr width = c.simplify(Expr::floorDiv(d[3], b));
  Value blocks = c.reshape(c.input(0), {d[0], d[1], height, b, width, b});
  blocks = c.transpose(blocks, {0, 3, 5, 1, 2, 4});
  c.setOutput(0, c.reshape(blocks, {d[0], d[1] * b * b, height, width}));
}

void ambit::onnx_import::addMovement(ConverterTable &table) {
  table.add("Transpose", convertTranspose, 1);
  table.add("Concat", convertConcat, 1, kAnyNumber).movesAll();
  table.add("Split", convertSplit, 1, 2).sizes({1}).moves({0});
  table.add("Tile", convertTile, 2).sizes({1});
  table.add("DepthToSpace", convertDepthToSpace, 1);
  table.add("SpaceToDepth", convertSpaceToDepth, 1);
}
