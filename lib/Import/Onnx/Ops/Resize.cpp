// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample: sizes from scales or given, and the ways of mapping
// coordinates.

#include "../Converters.h"
#include <cmath>

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

namespace {
/// How elements are picked, apart from sizes.
struct ResizeModes {
  ResizeMode mode = ResizeMode::Nearest;
  Coordinates coordinates = Coordinates::HalfPixel;
  Rounding rounding = Rounding::RoundPreferFloor;
};
} // namespace

/// Looks a text up; an error that lists the choices when it is none of them.
template <typename T>
static std::optional<T> choose(NodeContext &c, StringRef attribute,
                               StringRef text,
                               ArrayRef<std::pair<StringRef, T>> choices) {
  for (const auto &[name, value] : choices)
    if (name == text)
      return value;
  InFlightDiagnostic error = c.error();
  error << "attribute '" << attribute << "' is '" << text
        << "', supported are ";
  llvm::interleave(
      choices, [&](const auto &choice) { error << choice.first; },
      [&] { error << ", "; });
  return std::nullopt;
}

static std::optional<ResizeModes> readModes(NodeContext &c, bool isOld) {
  ResizeModes modes;
  auto mode = choose<ResizeMode>(c, "mode", c.stringAttr("mode", "nearest"),
                                 {{"nearest", ResizeMode::Nearest},
                                  {"linear", ResizeMode::Linear},
                                  {"bilinear", ResizeMode::Linear}});
  if (!mode)
    return std::nullopt;
  modes.mode = *mode;
  if (isOld) {
    modes.coordinates = Coordinates::Asymmetric;
    modes.rounding = Rounding::Floor;
    return modes;
  }
  auto coordinates = choose<Coordinates>(
      c, "coordinate_transformation_mode",
      c.stringAttr("coordinate_transformation_mode", "half_pixel"),
      {{"half_pixel", Coordinates::HalfPixel},
       {"pytorch_half_pixel", Coordinates::PytorchHalfPixel},
       {"align_corners", Coordinates::AlignCorners},
       {"asymmetric", Coordinates::Asymmetric}});
  auto rounding = choose<Rounding>(
      c, "nearest_mode", c.stringAttr("nearest_mode", "round_prefer_floor"),
      {{"round_prefer_floor", Rounding::RoundPreferFloor},
       {"round_prefer_ceil", Rounding::RoundPreferCeil},
       {"floor", Rounding::Floor},
       {"ceil", Rounding::Ceil}});
  for (StringRef name : {"antialias", "exclude_outside"})
    if (c.intAttr(name, 0) != 0) {
      c.error() << "attribute '" << name << "' is not supported";
      return std::nullopt;
    }
  if (!coordinates || !rounding)
    return std::nullopt;
  modes.coordinates = *coordinates;
  modes.rounding = *rounding;
  return modes;
}

/// floor(extent * scale) as ONNX Runtime computes it, in floats; symbolic
/// extents need a scale that is a fraction with a small power of 2 below.
static std::optional<Expr> scaleDim(NodeContext &c, Expr extent, float scale) {
  if (!(scale > 0) || !std::isfinite(scale)) {
    c.error() << "scale is " << double(scale) << ", expected a positive number";
    return std::nullopt;
  }
  if (scale == 1)
    return extent;
  if (std::optional<int64_t> size = extent.constant()) {
    float product = float(*size) * scale;
    if (product < 9.0e15f)
      return Expr(int64_t(std::floor(product)));
  }
  constexpr int kMaxBits = 8;
  double numerator = std::ldexp(double(scale), kMaxBits);
  if (std::trunc(numerator) != numerator || numerator > 1e9) {
    c.error() << "scale " << double(scale) << " of the symbolic size '"
              << extent.str() << "' is not a small fraction";
    return std::nullopt;
  }
  return c.simplify(Expr::floorDiv(extent * Expr(int64_t(numerator)),
                                   int64_t(1) << kMaxBits));
}

/// Axes that `sizes` and `scales` speak of: all, or those of the attribute.
static std::optional<SmallVector<int64_t>> resizedAxes(NodeContext &c,
                                                       int64_t rank) {
  SmallVector<int64_t> axes = c.intsAttr("axes");
  if (axes.empty())
    for (int64_t axis = 0; axis < rank; ++axis)
      axes.push_back(axis);
  if (!c.normalizeAxes(axes, rank))
    return std::nullopt;
  return axes;
}

static void resizeByScales(NodeContext &c, Value scales,
                           const ResizeModes &modes) {
  SmallVector<Expr> shape = dimsOf(c.input(0));
  std::optional<SmallVector<double>> given = c.constantFloats(scales);
  std::optional<SmallVector<int64_t>> axes = resizedAxes(c, shape.size());
  if (!axes)
    return;
  if (!given || given->size() != axes->size()) {
    c.error() << "scales of type " << scales.getType()
              << " are no constants for " << axes->size() << " axes";
    return;
  }
  SmallVector<float> all(shape.size(), 1.0f);
  for (auto [axis, scale] : llvm::zip_equal(*axes, *given)) {
    std::optional<Expr> size = scaleDim(c, shape[axis], float(scale));
    if (!size)
      return;
    all[axis] = float(scale);
    shape[axis] = *size;
  }
  c.setOutput(
      0, c.create<ResizeOp>(c.input(0), c.graph.shapeAttr(shape),
                            c.graph.getBuilder().getDenseF32ArrayAttr(all),
                            modes.mode, modes.coordinates, modes.rounding));
}

static void resizeToSizes(NodeContext &c, size_t index,
                          const ResizeModes &modes) {
  SmallVector<Expr> shape = dimsOf(c.input(0));
  std::optional<SmallVector<Expr>> sizes = c.knownInput(index, "sizes");
  std::optional<SmallVector<int64_t>> axes = resizedAxes(c, shape.size());
  if (!sizes || !axes)
    return;
  std::string policy = c.stringAttr("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") {
    c.error() << "attribute 'keep_aspect_ratio_policy' is '" << policy
              << "', supported is stretch";
    return;
  }
  if (sizes->size() != axes->size()) {
    c.error() << "has " << sizes->size() << " sizes for " << axes->size()
              << " axes";
    return;
  }
  for (auto [axis, size] : llvm::zip_equal(*axes, *sizes))
    shape[axis] = size;
  c.setOutput(0, c.create<ResizeOp>(c.input(0), c.graph.shapeAttr(shape),
                                    DenseF32ArrayAttr(), modes.mode,
                                    modes.coordinates, modes.rounding));
}

/// Inputs since opset 11: x, roi, scales, sizes; before: x, scales.
static void convertResize(NodeContext &c) {
  bool isOld = c.opset() < 11;
  std::optional<ResizeModes> modes = readModes(c, isOld);
  if (!modes)
    return;
  size_t scales = isOld ? 1 : 2;
  // Exporters leave an unused input as an empty tensor.
  auto isGiven = [&](size_t index) {
    Value value = c.input(index);
    return value && !(rankOf(value) == 1 && dimsOf(value)[0].isConstant(0));
  };
  if (!isOld && isGiven(3))
    resizeToSizes(c, 3, *modes);
  else if (isGiven(scales))
    resizeByScales(c, c.input(scales), *modes);
  else
    c.error() << "neither scales nor sizes are given";
}

/// The scales are an attribute before opset 9, an input from then on.
static void convertUpsample(NodeContext &c) {
  std::optional<ResizeModes> modes = readModes(c, /*isOld=*/true);
  Value scales = c.input(1);
  if (c.opset() < 9) {
    SmallVector<double> given = c.floatsAttr("scales");
    SmallVector<float> narrow(given.begin(), given.end());
    auto type = RankedTensorType::get(int64_t(narrow.size()),
                                      c.graph.getBuilder().getF32Type());
    scales =
        c.graph.constant(DenseElementsAttr::get(type, ArrayRef<float>(narrow)));
  }
  if (!scales)
    c.error() << "input 1 is missing";
  else if (modes)
    resizeByScales(c, scales, *modes);
}

void ambit::onnx_import::addResizes(ConverterTable &table) {
  table.add("Resize", convertResize, 1, 4).since(10).sizes({3});
  table.add("Upsample", convertUpsample, 1, 2);
}
