// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resize and Upsample: their modes by opset.

#include "../../Compose/Resizes/Resize.h"
#include "../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static std::optional<ResizeSpec> readSpec(NodeContext &c, bool isOld) {
  ResizeSpec spec;
  spec.isCubic = !isOld && c.stringAttr("mode", "") == "cubic";
  spec.cubicFactor = c.floatAttr("cubic_coeff_a", -0.75);
  auto mode = c.choiceAttr<graph::ResizeMode>(
      "mode", "nearest",
      {{"nearest", graph::ResizeMode::Nearest},
       {"linear", graph::ResizeMode::Linear},
       {"bilinear", graph::ResizeMode::Linear},
       {isOld ? "linear" : "cubic", graph::ResizeMode::Linear}});
  if (!mode)
    return std::nullopt;
  spec.mode = *mode;
  if (isOld) {
    spec.coordinates = graph::Coordinates::Asymmetric;
    spec.rounding = graph::Rounding::Floor;
    return spec;
  }
  StringRef coordinatesName = "coordinate_transformation_mode";
  std::string name = c.stringAttr(coordinatesName, "");
  spec.isSymmetric = name == "half_pixel_symmetric";
  spec.isFirstForOne = name == "pytorch_half_pixel";
  spec.extrapolation = c.floatAttr("extrapolation_value", 0);
  auto coordinates = c.choiceAttr<graph::Coordinates>(
      coordinatesName, "half_pixel",
      {{"half_pixel", graph::Coordinates::HalfPixel},
       {"half_pixel_symmetric", graph::Coordinates::HalfPixel},
       {"pytorch_half_pixel", graph::Coordinates::PytorchHalfPixel},
       {"align_corners", graph::Coordinates::AlignCorners},
       {"tf_crop_and_resize", graph::Coordinates::Asymmetric},
       {"asymmetric", graph::Coordinates::Asymmetric}});
  if (name == "tf_crop_and_resize" && !(spec.region = c.input(1))) {
    c.error() << "tf_crop_and_resize needs input 1, the region";
    return std::nullopt;
  }
  auto rounding = c.choiceAttr<graph::Rounding>(
      "nearest_mode", "round_prefer_floor",
      {{"round_prefer_floor", graph::Rounding::RoundPreferFloor},
       {"round_prefer_ceil", graph::Rounding::RoundPreferCeil},
       {"floor", graph::Rounding::Floor},
       {"ceil", graph::Rounding::Ceil}});
  if (!coordinates || !rounding)
    return std::nullopt;
  bool isNearest = spec.mode == graph::ResizeMode::Nearest;
  spec.smooths = !isNearest && c.intAttr("antialias", 0) != 0;
  spec.excludesOutside = c.intAttr("exclude_outside", 0) != 0;
  spec.coordinates = *coordinates;
  spec.rounding = *rounding;
  return spec;
}

/// Sets the axes that `sizes` and `scales` speak of: all, or those of the
/// attribute.
static bool readAxes(NodeContext &c, ResizeSpec &spec) {
  int64_t rank = rankOf(c.input(0));
  spec.axes = c.intsAttr("axes");
  if (spec.axes.empty())
    spec.axes = dimsFrom(0, rank);
  return c.normalizeAxes(spec.axes, rank);
}

static void convertToSizes(NodeContext &c, size_t index,
                           const ResizeSpec &spec) {
  std::optional<SmallVector<Expr>> sizes = c.knownInput(index, "sizes");
  if (!sizes)
    return;
  auto policy =
      c.choiceAttr<AspectPolicy>("keep_aspect_ratio_policy", "stretch",
                                 {{"stretch", AspectPolicy::Stretch},
                                  {"not_larger", AspectPolicy::NotLarger},
                                  {"not_smaller", AspectPolicy::NotSmaller}});
  if (!policy)
    return;
  bool isKept = *policy != AspectPolicy::Stretch &&
                sizes->size() == spec.axes.size() && !sizes->empty();
  if (isKept && !findLeadingAxis(c, c.input(0), *sizes, *policy, spec.axes)) {
    InFlightDiagnostic problem = c.error();
    problem << "which axis decides about the aspect ratio is known only at run "
               "time, expected sizes that decide";
    NodeContext::suggestValues(problem, *sizes);
    return;
  }
  c.setOutput(0, resizeToSizes(c, c.input(0), *sizes, *policy, spec));
}

static void convertByScales(NodeContext &c, Value scales,
                            const ResizeSpec &spec) {
  if (auto numbers = readResizeScales(c, scales)) {
    c.setOutput(0, resizeByScales(c, c.input(0), *numbers, spec));
    return;
  }
  InFlightDiagnostic problem = c.error();
  problem << "scales of type " << scales.getType()
          << " depend on data; floor(size * scale) must be known from the "
             "shapes of the model's inputs: expected constants or quotients of "
             "sizes";
  NodeContext::suggestValues(problem, scales);
}

/// Inputs since opset 11: x, roi, scales, sizes; before: x, scales.
static void convertResize(NodeContext &c) {
  bool isOld = c.opset() < 11;
  std::optional<ResizeSpec> spec = readSpec(c, isOld);
  if (!spec || !readAxes(c, *spec))
    return;
  size_t scales = isOld ? 1 : 2;
  // Exporters leave an unused input as an empty tensor.
  auto isGiven = [&](size_t index) {
    Value value = c.input(index);
    return value && !(rankOf(value) == 1 && dimsOf(value)[0].isConstant(0));
  };
  if (!isOld && isGiven(3))
    convertToSizes(c, 3, *spec);
  else if (isGiven(scales))
    convertByScales(c, c.input(scales), *spec);
  else
    c.error() << "neither scales nor sizes are given";
}

/// The scales are an input since opset 9.
static void convertUpsample(NodeContext &c) {
  std::optional<ResizeSpec> spec = readSpec(c, /*isOld=*/true);
  if (!spec || !readAxes(c, *spec))
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
    convertByScales(c, scales, *spec);
  else
    c.error() << "input 1 is missing";
}

void ambit::onnx_import::addResizes(ConverterTable &table) {
  table.add("Resize", convertResize, 1, 4).since(10).sizes({3});
  table.add("Upsample", convertUpsample, 1, 2).readSince(7);
}
