// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the probes. Weights are no splats, which would not be loaded.

#include "Probes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstring>

using namespace ambit;

namespace {
/// A chain of ops, each of which takes what the one before gives.
class Chain {
public:
  /// `type` is that of the input and of every value.
  explicit Chain(std::string type) : type(std::move(type)) {}

  /// A product of the rows with a square matrix.
  void product(int64_t width) {
    std::string shape = std::to_string(width) + "x" + std::to_string(width);
    std::string weights = constant(shape, width * width);
    add("graph.contract " + value() + ", " + weights + " : (" + type +
        ", tensor<" + shape + "xf32>) -> " + type);
  }
  /// A convolution of `channels` with square windows.
  void conv(int64_t channels, int64_t window, bool isDepthwise) {
    int64_t inner = isDepthwise ? 1 : channels;
    std::string size = std::to_string(window),
                half = std::to_string(window / 2);
    std::string shape = std::to_string(channels) + "x" + std::to_string(inner) +
                        "x" + size + "x" + size;
    std::string weights = constant(shape, channels * inner * window * window);
    std::string pads = "array<i64: " + half + ", " + half + ">";
    add("graph.conv " + value() + ", " + weights +
        " {groups = " + std::to_string(isDepthwise ? channels : 1) +
        " : i64, low = " + pads + ", high = " + pads +
        ", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (" +
        type + ", tensor<" + shape + "xf32>) -> " + type);
  }
  void softmax(int64_t dim) {
    add("graph.softmax " + value() + " along " + std::to_string(dim) + " : (" +
        type + ") -> " + type);
  }
  void map(llvm::StringRef body) {
    add("graph.map " + value() + " : (" + type + ") -> " + type +
        " {\n^bb0(%a: f32):\n" + body.str() + "  graph.yield %b : f32\n}");
  }
  void relu() {
    map("  %z = arith.constant 0.0 : f32\n"
        "  %b = arith.maximumf %a, %z : f32\n");
  }
  std::string finish() const {
    return "sym.symbol \"n\" min 1 max 4096\nfunc.func @main(%v0: " + type +
           " {ambit.name = \"x\"}) -> (" + type + " {ambit.name = \"y\"}) {\n" +
           text + "return " + value() + " : " + type + "\n}\n";
  }

private:
  std::string value() const { return "%v" + std::to_string(count); }

  void add(const std::string &op) {
    text += "%v" + std::to_string(count + 1) + " = " + op + "\n";
    ++count;
  }

  /// Values between -0.03 and 0.03, so that chains of them stay finite.
  std::string constant(const std::string &shape, int64_t elements) {
    std::vector<float> values(static_cast<size_t>(elements));
    for (float &value : values) {
      random = random * 1664525 + 1013904223;
      value = (float(random >> 8) / float(1 << 24) - 0.5f) * 0.06f;
    }
    llvm::StringRef bytes(reinterpret_cast<const char *>(values.data()),
                          values.size() * sizeof(float));
    std::string name = "%w" + std::to_string(count);
    text += name + " = graph.constant dense<\"0x" + llvm::toHex(bytes) +
            "\"> : tensor<" + shape + "xf32>\n";
    return name;
  }

  std::string type, text;
  unsigned count = 0;
  uint32_t random = 1;
};
} // namespace

static std::string rowsType(int64_t width) {
  std::string text = std::to_string(width);
  return "tensor<?x" + text + "xf32, #sym.shape<[n, " + text + "]>>";
}

static std::string imageType(int64_t channels) {
  std::string text = std::to_string(channels);
  return "tensor<1x" + text + "x?x?xf32, #sym.shape<[1, " + text + ", n, n]>>";
}

std::vector<Probe> ambit::makeProbes() {
  Chain products(rowsType(256)), windows(imageType(16)), points(imageType(32)),
      elements(rowsType(256)), launches(rowsType(4));
  // More weights than the second cache holds.
  for (unsigned i = 0; i < 8; ++i) {
    products.product(256);
    products.relu();
  }
  for (unsigned i = 0; i < 2; ++i) {
    windows.conv(16, 3, /*isDepthwise=*/true);
    windows.relu();
    windows.conv(16, 3, /*isDepthwise=*/false);
    windows.relu();
  }
  for (unsigned i = 0; i < 3; ++i) {
    points.conv(32, 1, /*isDepthwise=*/false);
    points.relu();
  }
  for (unsigned i = 0; i < 3; ++i) {
    elements.softmax(1);
    elements.map("  %b = math.tanh %a : f32\n");
  }
  for (unsigned i = 0; i < 128; ++i)
    launches.softmax(1);
  return {{"products", products.finish(), {1, 6, 128}},
          {"windows", windows.finish(), {20, 80}},
          {"points", points.finish(), {20, 80}},
          {"elements", elements.finish(), {16, 256}},
          {"launches", launches.finish(), {1}}};
}
