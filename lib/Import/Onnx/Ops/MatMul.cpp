// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products.

#include "../../Compose/Products/MatMul.h"
#include "../../Compose/Products/Determinant.h"
#include "../../Compose/Products/Einsum.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static void convertMatMul(NodeContext &c) {
  c.setOutput(0, matmul(c, c.input(0), c.input(1)));
}

static void convertGemm(NodeContext &c) {
  GemmSpec spec{c.floatAttr("alpha", 1), c.floatAttr("beta", 1),
                c.intAttr("transA", 0) != 0, c.intAttr("transB", 0) != 0};
  c.setOutput(0, gemm(c, c.input(0), c.input(1), c.input(2), spec));
}

static void convertEinsum(NodeContext &c) {
  c.setOutput(0, einsum(c, c.allInputs(), c.stringAttr("equation", "")));
}

static void convertDet(NodeContext &c) {
  c.setOutput(0, determinant(c, c.input(0)));
}

void ambit::onnx_import::addMatrixProducts(ConverterTable &table) {
  table.add("Det", convertDet, 1).since(11);
  table.add("MatMul", convertMatMul, 2);
  table.add("Gemm", convertGemm, 2, 3);
  table.add("Einsum", convertEinsum, 1, kAnyNumber).since(12);
}
