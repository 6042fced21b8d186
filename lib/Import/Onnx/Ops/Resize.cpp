// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample: sizes from scales or given, and the ways of mapping
// coordinates.

#include "../Converters.h"
#include "../ResizeScales.h"

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
  /// `half_pixel_symmetric`, which is `half_pixel` for whole resized lengths.
  bool isSymmetric = false;
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
  std::string transformation =
      c.stringAttr("coordinate_transformation_mode", "half_pixel");
  modes.isSymmetric = transformation == "half_pixel_symmetric";
  auto coordinates = choose<Coordinates>(
      c, "coordinate_transformation_mode", transformation,
      {{"half_pixel", Coordinates::HalfPixel},
       {"half_pixel_symmetric", Coordinates::HalfPixel},
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

/// The element of the scales for each dim; nothing after an error.
static std::optional<SmallVector<ResizeScale>> scalesOfDims(NodeContext &c,
                                                            Value scales) {
  size_t rank = rankOf(c.input(0));
  std::optional<SmallVector<int64_t>> axes = resizedAxes(c, rank);
  if (!axes)
    return std::nullopt;
  std::optional<SmallVector<ResizeScale>> given = readResizeScales(c, scales);
  if (!given) {
    c.error() << "scales of type " << scales.getType()
              << " depend on data; floor(size * scale) must be known from the "
                 "shapes of the model's inputs: expected constants or "
                 "quotients of sizes";
    return std::nullopt;
  }
  if (given->size() != axes->size()) {
    c.error() << "has " << given->size() << " scales for " << axes->size()
              << " axes";
    return std::nullopt;
  }
  SmallVector<ResizeScale> all(rank);
  for (auto [axis, scale] : llvm::zip_equal(*axes, *given))
    all[axis] = scale;
  return all;
}

/// Whether some scales are quotients of sizes, so that positions are computed
/// from the sizes of the result; nothing after an error.
static std::optional<bool> haveQuotients(NodeContext &c,
                                         const ResizeModes &modes,
                                         ArrayRef<ResizeScale> scales) {
  bool haveQuotients = llvm::any_of(
      scales, [](const ResizeScale &scale) { return bool(scale.quotient); });
  if (!haveQuotients && !modes.isSymmetric)
    return false;
  for (auto [extent, scale] : llvm::zip_equal(dimsOf(c.input(0)), scales)) {
    if (scale.quotient || !mayLeaveFraction(c.prover(), extent, scale.number))
      continue;
    c.error() << (modes.isSymmetric ? "half_pixel_symmetric"
                                    : "a scale beside quotients of sizes")
              << " needs a whole resized length, found '" << extent.str()
              << "' * " << std::to_string(scale.number);
    return std::nullopt;
  }
  return haveQuotients;
}

static void resizeByScales(NodeContext &c, Value given,
                           const ResizeModes &modes) {
  std::optional<SmallVector<ResizeScale>> scales = scalesOfDims(c, given);
  if (!scales)
    return;
  SmallVector<Expr> shape = dimsOf(c.input(0));
  SmallVector<float> numbers;
  for (auto [extent, scale] : llvm::zip_equal(shape, *scales)) {
    numbers.push_back(scale.number);
    if (scale.quotient) {
      if (!c.requireEqual(scale.quotient->under, extent,
                          "scale is a quotient by another size"))
        return;
      extent = scale.quotient->over;
      continue;
    }
    std::optional<Expr> size = scaleExtent(c, extent, scale.number);
    if (!size)
      return;
    extent = *size;
  }
  std::optional<bool> isBySizes = haveQuotients(c, modes, *scales);
  if (!isBySizes)
    return;
  DenseF32ArrayAttr attr;
  if (!*isBySizes)
    attr = c.graph.getBuilder().getDenseF32ArrayAttr(numbers);
  c.setOutput(0, c.create<ResizeOp>(c.input(0), c.graph.shapeAttr(shape), attr,
                                    modes.mode, modes.coordinates,
                                    modes.rounding));
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

/// The scales are an input since opset 9.
static void convertUpsample(NodeContext &c) {
  std::optional<ResizeModes> modes = readModes(c, /*isOld=*/true);
  if (!modes)
    return;
  Value scales = c.input(1);
  if (c.opset() < 9) {
    SmallVector<double> given = c.floatsAttr("scales");
    SmallVector<float> numbers(given.begin(), given.end());
    auto type = RankedTensorType::get(int64_t(numbers.size()),
                                      c.graph.getBuilder().getF32Type());
    scales = c.graph.constant(DenseElementsAttr::get(type, ArrayRef(numbers)));
  }
  if (scales)
    resizeByScales(c, scales, *modes);
  else
    c.error() << "input 1 is missing";
}

void ambit::onnx_import::addResizes(ConverterTable &table) {
  table.add("Resize", convertResize, 1, 4);
  table.add("Upsample", convertUpsample, 1, 2);
}
