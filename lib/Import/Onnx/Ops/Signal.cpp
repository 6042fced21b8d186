// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spectra: DFT, STFT, MelWeightMatrix.

#include "../../Compose/Signal/Fourier.h"
#include "../Converters.h"
#include "../TensorData.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// The one number that an input is; nothing after an error.
static std::optional<Expr> readNumber(NodeContext &c, size_t index,
                                      StringRef what) {
  std::optional<SmallVector<Expr>> known = c.knownInput(index, what);
  if (known && known->size() == 1)
    return known->front();
  if (known)
    c.error() << what << " has " << known->size() << " elements, expected 1";
  return std::nullopt;
}

/// Inputs: x, dft_length, and since opset 20 the axis, an attribute before.
static void convertDFT(NodeContext &c) {
  FourierSpec spec;
  spec.isInverse = c.intAttr("inverse", 0) != 0;
  spec.isOneSided = c.intAttr("onesided", 0) != 0;
  spec.axis = c.opset() < 20 ? c.intAttr("axis", 1) : -2;
  if (c.opset() >= 20 && c.input(2)) {
    auto axis = c.constantInput(2, "axis");
    if (!axis)
      return;
    if (axis->size() != 1) {
      c.error() << "axis has " << axis->size() << " elements, expected 1";
      return;
    }
    spec.axis = axis->front();
  }
  if (!c.normalizeAxis(spec.axis, rankOf(c.input(0))))
    return;
  spec.length = dimsOf(c.input(0))[spec.axis];
  if (spec.isInverse && spec.isOneSided)
    spec.length = c.simplify(Expr(2) * (spec.length - 1));
  if (c.input(1)) {
    std::optional<Expr> length = readNumber(c, 1, "dft_length");
    if (!length)
      return;
    spec.length = *length;
  }
  c.setOutput(0, fourier(c, c.input(0), spec));
}

/// Inputs: signal, frame_step, window, frame_length.
static void convertSTFT(NodeContext &c) {
  std::optional<Expr> step = readNumber(c, 1, "frame_step"), length;
  if (!step)
    return;
  Value window = c.input(2);
  if (c.input(3)) {
    length = readNumber(c, 3, "frame_length");
    if (!length)
      return;
  } else if (window && rankOf(window) == 1) {
    length = dimsOf(window)[0];
  } else {
    c.error() << "neither a window of rank 1 nor a frame_length is given";
    return;
  }
  c.setOutput(0, shortTimeFourier(c, c.input(0), window, *length, *step,
                                  c.intAttr("onesided", 1) != 0));
}

/// Inputs: bins, dft_length, rate, lower and upper edge.
static void convertMelWeightMatrix(NodeContext &c) {
  std::optional<Expr> bins = readNumber(c, 0, "num_mel_bins"), length;
  if (!bins || !(length = readNumber(c, 1, "dft_length")))
    return;
  Type type = getElementType(c.intAttr("output_datatype", 1), c.graph.getLoc());
  if (!type ||
      !c.require(Relation{Relation::Kind::GE, *bins, Expr(0)},
                 "number of bins") ||
      !c.require(Relation{Relation::Kind::GE, *length, Expr(1)}, "dft_length"))
    return;
  c.setOutput(
      0, melWeights(c, {*bins, *length, c.input(2), c.input(3), c.input(4)},
                    type));
}

void ambit::onnx_import::addSignals(ConverterTable &table) {
  table.add("DFT", convertDFT, 1, 3).since(17).sizes({1});
  table.add("STFT", convertSTFT, 2, 4).since(17).sizes({1, 3});
  table.add("MelWeightMatrix", convertMelWeightMatrix, 5)
      .since(17)
      .sizes({0, 1});
}
