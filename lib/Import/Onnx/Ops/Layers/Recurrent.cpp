// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LSTM, GRU and RNN: which inputs and attributes they have.

#include "../../../Compose/Recurrent/Recurrent.h"
#include "../../Converters.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

namespace {
/// An activation function by name, and which parameters it takes.
struct NamedActivation {
  StringRef name;
  Activation function;
  bool hasAlpha = false, hasBeta = false;
};
} // namespace

static ArrayRef<NamedActivation> namedActivations() {
  using Kind = Activation::Kind;
  static const NamedActivation all[] = {
      {"relu", {Kind::Relu}},
      {"tanh", {Kind::Tanh}},
      {"sigmoid", {Kind::Sigmoid}},
      {"affine", {Kind::Affine, 1, 0}, true, true},
      {"leakyrelu", {Kind::LeakyRelu, 0.01f}, true},
      {"thresholdedrelu", {Kind::ThresholdedRelu, 1}, true},
      {"scaledtanh", {Kind::ScaledTanh, 1, 1}, true, true},
      {"hardsigmoid", {Kind::HardSigmoid, 0.2f, 0.5}, true, true},
      {"elu", {Kind::Elu, 1}, true},
      {"softsign", {Kind::Softsign}},
      {"softplus", {Kind::Softplus}},
  };
  return all;
}

/// Parameters are listed for the functions that take them, one after the other.
static bool readActivations(NodeContext &c, RecurrentSpec &spec) {
  size_t each = countActivations(spec.kind);
  size_t count = each * spec.isReversed.size();
  SmallVector<std::string> names = c.stringsAttr("activations");
  if (names.empty())
    for (size_t i = 0; i < count; ++i)
      names.push_back(each > 1 && i % each == 0 ? "Sigmoid" : "Tanh");
  if (names.size() != count) {
    c.error() << "attribute 'activations' has " << names.size()
              << " functions, expected " << count;
    return false;
  }
  SmallVector<double> alphas = c.floatsAttr("activation_alpha"),
                      betas = c.floatsAttr("activation_beta");
  size_t alpha = 0, beta = 0;
  for (const std::string &name : names) {
    const NamedActivation *named =
        llvm::find_if(namedActivations(), [&](const NamedActivation &known) {
          return known.name.equals_insensitive(name);
        });
    if (named == namedActivations().end()) {
      c.error() << "activation '" << name << "' is not supported";
      return false;
    }
    Activation function = named->function;
    if (named->hasAlpha && alpha < alphas.size())
      function.alpha = alphas[alpha++];
    if (named->hasBeta && beta < betas.size())
      function.beta = betas[beta++];
    spec.activations.push_back(function);
  }
  return true;
}

/// The attribute or, when it is absent, what the recurrent weights have.
static bool readHidden(NodeContext &c, RecurrentSpec &spec) {
  Value recurrent = c.input(2);
  std::optional<int64_t> given;
  if (c.hasAttr("hidden_size"))
    given = c.intAttr("hidden_size", 0);
  else if (rankOf(recurrent) == 3)
    given = dimsOf(recurrent)[2].constant();
  constexpr int64_t kMost = int64_t(1) << 40;
  if (!given || *given < 1 || *given > kMost) {
    if (!c.hasFailed())
      c.error() << "attribute 'hidden_size' is "
                << (given ? std::to_string(*given) : "missing")
                << ", expected a positive size";
    return false;
  }
  spec.hidden = *given;
  return true;
}

/// What the three have in common; nothing after an error.
static std::optional<RecurrentSpec> readSpec(NodeContext &c, CellKind kind) {
  RecurrentSpec spec;
  spec.kind = kind;
  auto directions =
      c.choiceAttr<SmallVector<bool>>("direction", "forward",
                                      {{"forward", {false}},
                                       {"reverse", {true}},
                                       {"bidirectional", {false, true}}});
  if (!directions)
    return std::nullopt;
  spec.isReversed = *directions;
  if (!readHidden(c, spec) || !readActivations(c, spec))
    return std::nullopt;
  if (c.hasAttr("clip"))
    spec.clip = c.floatAttr("clip", 0);
  int64_t layout = c.intAttr("layout", 0);
  if (layout != 0 && (layout != 1 || c.opset() < 14)) {
    c.error() << "attribute 'layout' is " << layout << ", expected 0"
              << (c.opset() < 14 ? " before opset 14" : " or 1");
    return std::nullopt;
  }
  spec.isBatchFirst = layout == 1;
  spec.wantsAll = c.wantsOutput(0);
  return c.hasFailed() ? std::nullopt : std::optional(spec);
}

static void setOutputs(NodeContext &c, const RecurrentInputs &inputs,
                       const RecurrentSpec &spec) {
  RecurrentResults results = recurrent(c, inputs, spec);
  c.setOutput(0, results.all);
  c.setOutput(1, results.state);
  c.setOutput(2, results.cell);
}

/// Inputs: x, W, R, B, sequence_lens, initial_h.
static RecurrentInputs readInputs(NodeContext &c) {
  RecurrentInputs inputs;
  inputs.x = c.input(0);
  inputs.weights = c.input(1);
  inputs.recurrent = c.input(2);
  inputs.bias = c.input(3);
  inputs.lengths = c.input(4);
  inputs.state = c.input(5);
  return inputs;
}

static void convertRnn(NodeContext &c) {
  if (auto spec = readSpec(c, CellKind::Simple))
    setOutputs(c, readInputs(c), *spec);
}

static void convertGru(NodeContext &c) {
  std::optional<RecurrentSpec> spec = readSpec(c, CellKind::Gru);
  if (!spec)
    return;
  spec->resetsAfter = c.intAttr("linear_before_reset", 0) != 0;
  setOutputs(c, readInputs(c), *spec);
}

/// Further inputs: initial_c, P.
static void convertLstm(NodeContext &c) {
  std::optional<RecurrentSpec> spec = readSpec(c, CellKind::Lstm);
  if (!spec)
    return;
  spec->couplesForget = c.intAttr("input_forget", 0) != 0;
  RecurrentInputs inputs = readInputs(c);
  inputs.cell = c.input(6);
  inputs.peepholes = c.input(7);
  setOutputs(c, inputs, *spec);
}

void ambit::onnx_import::addRecurrent(ConverterTable &table) {
  table.add("RNN", convertRnn, 3, 6).readSince(7);
  table.add("GRU", convertGru, 3, 6).readSince(7);
  table.add("LSTM", convertLstm, 3, 8).readSince(7);
}
