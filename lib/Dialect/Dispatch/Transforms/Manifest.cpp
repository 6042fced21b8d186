// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manifest: what an object says of itself, as JSON for tools. It has no
// dates, paths or host names, so that equal builds give equal bytes.

#include "Internals.h"
#include <nlohmann/json.hpp>

using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;
using Json = nlohmann::ordered_json;

static Json makeTensors(const std::vector<ModelTables::Tensor> &tensors) {
  Json list = Json::array();
  for (const ModelTables::Tensor &tensor : tensors) {
    Json dims = Json::array();
    for (const ModelTables::Dim &dim : tensor.dims) {
      if (std::optional<int64_t> value = dim.expr.constant())
        dims.push_back(*value);
      else
        dims.push_back(dim.expr.str());
    }
    list.push_back({{"name", tensor.name},
                    {"dtype", tensor.dataType},
                    {"dims", std::move(dims)}});
  }
  return list;
}

static Json makeSymbols(const ModelTables &tables) {
  Json list = Json::array();
  for (const ModelTables::Symbol &symbol : tables.symbols) {
    Json max = nullptr;
    if (symbol.range.max < INT64_MAX)
      max = symbol.range.max;
    Json input = nullptr, dim = nullptr;
    if (symbol.input >= 0) {
      input = tables.inputs[symbol.input].name;
      dim = symbol.dim;
    }
    list.push_back({{"name", symbol.name},
                    {"min", symbol.range.min},
                    {"max", max},
                    {"divisor", symbol.range.divisor}});
    Json &last = list.back();
    if (symbol.definition) {
      last["is"] = symbol.definition->str();
      continue;
    }
    last["input"] = input;
    if (symbol.element < 0)
      last["dim"] = dim;
    else
      last["element"] = symbol.element;
  }
  return list;
}

static Json makeGuards(const ModelTables &tables) {
  Json list = Json::array();
  for (const Guard &guard : tables.guards)
    list.push_back({{"condition", guard.condition.str()},
                    {"class", getGuardClassName(guard.condition).str()},
                    {"origin", guard.origin}});
  return list;
}

static Json makeVariants(const ModelTables &tables) {
  Json list = Json::array();
  for (const ModelTables::Variant &variant : tables.variants) {
    Json where = Json::array();
    for (const Condition &condition : variant.conditions)
      where.push_back(condition.str());
    list.push_back({{"name", variant.name},
                    {"kind", stringifyVariantKind(variant.kind).str()},
                    {"where", std::move(where)},
                    {"workspace", variant.workspace.str()},
                    {"checks", variant.checks}});
  }
  return list;
}

std::string ambit::dispatch::lowering::makeManifest(const ModelTables &tables) {
  Json manifest = {{"ambit", AMBIT_VERSION},
                   {"model", tables.name},
                   {"cpu", tables.cpu},
                   {"isa", tables.isa},
                   {"inputs", makeTensors(tables.inputs)},
                   {"outputs", makeTensors(tables.outputs)},
                   {"symbols", makeSymbols(tables)},
                   {"guards", makeGuards(tables)},
                   {"variants", makeVariants(tables)}};
  // Names come from model files and need not be UTF-8.
  return manifest.dump(1, ' ', false, Json::error_handler_t::replace);
}
