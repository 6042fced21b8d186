// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pooling over windows and over all spatial dims.

#include "PoolAttrs.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

std::optional<PoolSpec> ambit::onnx_import::readPool(NodeContext &c,
                                                     int64_t rank) {
  if (rank < 3) {
    c.error() << "input has rank " << rank << ", expected at least 3";
    return std::nullopt;
  }
  PoolSpec pool;
  pool.window = c.intsAttr("kernel_shape");
  if (int64_t(pool.window.size()) != rank - 2) {
    c.error() << "attribute 'kernel_shape' has " << pool.window.size()
              << " sizes for " << rank - 2 << " spatial dims";
    return std::nullopt;
  }
  for (int64_t size : pool.window)
    if (size < 1 || size > INT32_MAX) {
      c.error() << "window size is " << size << ", expected a positive size";
      return std::nullopt;
    }
  std::optional<WindowSpec> slide = readWindow(c, rank - 2);
  if (!slide)
    return std::nullopt;
  pool.slide = *slide;
  pool.isCeil =
      c.intAttr("ceil_mode", 0) != 0 && slide->autoPad == AutoPad::NotSet;
  return pool;
}

static void convertMaxPool(NodeContext &c) {
  auto pool = readPool(c, rankOf(c.input(0)));
  if (!pool)
    return;
  if (c.wantsOutput(0))
    c.setOutput(0, maxPool(c, c.input(0), *pool));
  if (c.wantsOutput(1))
    c.setOutput(1, maxPoolIndices(c, c.input(0), *pool,
                                  c.intAttr("storage_order", 0) != 0));
}

static void convertAveragePool(NodeContext &c) {
  bool countsPads = c.intAttr("count_include_pad", 0) != 0;
  if (auto pool = readPool(c, rankOf(c.input(0))))
    c.setOutput(0, averagePool(c, c.input(0), *pool, countsPads));
}

static void convertLpPool(NodeContext &c) {
  if (auto pool = readPool(c, rankOf(c.input(0))))
    c.setOutput(0, lpPool(c, c.input(0), *pool, c.intAttr("p", 2)));
}

static void convertGlobalAveragePool(NodeContext &c) {
  Value x = c.input(0);
  c.setOutput(0, c.mean(x, dimsFrom(2, rankOf(x)), /*keepDims=*/true));
}

static void convertGlobalMaxPool(NodeContext &c) {
  Value x = c.input(0);
  c.setOutput(0, c.reduce(x, dimsFrom(2, rankOf(x)), graph::ReduceKind::Max,
                          /*keepDims=*/true));
}

static void convertGlobalLpPool(NodeContext &c) {
  c.setOutput(0, globalLpPool(c, c.input(0), c.intAttr("p", 2)));
}

void ambit::onnx_import::addPools(ConverterTable &table) {
  table.add("MaxPool", convertMaxPool, 1);
  table.add("AveragePool", convertAveragePool, 1);
  table.add("LpPool", convertLpPool, 1).readSince(2);
  table.add("GlobalAveragePool", convertGlobalAveragePool, 1);
  table.add("GlobalMaxPool", convertGlobalMaxPool, 1);
  table.add("GlobalLpPool", convertGlobalLpPool, 1).readSince(2);
}
