// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows what a compiled object says about itself, as text or as JSON.

#include "ObjectVerbs.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Symbolic/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include <nlohmann/json.hpp>

using namespace ambit;
using Json = nlohmann::ordered_json;

bool ambit::isObjectFile(llvm::StringRef path) {
  llvm::Expected<InputFile> file = InputFile::openRegular(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  char start[64] = "";
  size_t count = std::min<uint64_t>(file->size(), sizeof start);
  if (llvm::Error error = file->read({start, count}, 0)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return llvm::file_magic(llvm::identify_magic(llvm::StringRef(start, count)))
      .is_object();
}

static const char *guardClassName(int32_t guardClass) {
  static const char *const names[] = {"range", "equality", "divisibility",
                                      "relation"};
  return guardClass >= 0 && guardClass < 4 ? names[guardClass] : "?";
}

static Json dimsToJson(const std::vector<ambit_dim_info> &dims) {
  Json result = Json::array();
  for (const ambit_dim_info &dim : dims)
    result.push_back(dim.value >= 0 ? Json(dim.value) : Json(dim.expr));
  return result;
}

static Json tensorToJson(const ambit_tensor_info &tensor,
                         const std::vector<ambit_dim_info> &dims) {
  return {{"name", tensor.name},
          {"dtype", dtypeName(tensor.dtype)},
          {"dims", dimsToJson(dims)}};
}

static Json symbolToJson(const LoadedModel &loaded,
                         const ambit_symbol_info &symbol) {
  Json result = {{"name", symbol.name},
                 {"min", symbol.min},
                 {"max", symbol.max == INT64_MAX ? Json() : Json(symbol.max)},
                 {"divisor", symbol.divisor}};
  if (symbol.definition)
    result["is"] = symbol.definition;
  bool isFound = symbol.input < 0;
  result["input"] = isFound ? Json() : Json(loaded.input(symbol.input).name);
  if (symbol.element < 0)
    result["dim"] = isFound ? Json() : Json(symbol.dim);
  else
    result["element"] = symbol.element;
  return result;
}

static Json modelToJson(const LoadedModel &loaded) {
  Json root = {{"model", loaded.api().model_name(loaded.model())},
               {"abi", loaded.api().abi}};
  for (const char *key : {"inputs", "outputs", "symbols", "guards", "variants"})
    root[key] = Json::array();
  const ambit_counts &counts = loaded.counts();
  for (int32_t i = 0; i < counts.inputs; ++i)
    root["inputs"].push_back(
        tensorToJson(loaded.input(i), loaded.inputDims(i)));
  for (int32_t i = 0; i < counts.outputs; ++i)
    root["outputs"].push_back(
        tensorToJson(loaded.output(i), loaded.outputDims(i)));
  for (int32_t i = 0; i < counts.symbols; ++i)
    root["symbols"].push_back(symbolToJson(loaded, loaded.symbol(i)));
  for (int32_t i = 0; i < counts.guards; ++i) {
    ambit_guard_info guard = loaded.guard(i);
    root["guards"].push_back({{"text", guard.text},
                              {"origin", guard.origin},
                              {"class", guardClassName(guard.guard_class)}});
  }
  for (int32_t i = 0; i < counts.variants; ++i) {
    ambit_variant_info variant = loaded.variant(i);
    root["variants"].push_back({{"name", variant.name},
                                {"kind", variant.kind},
                                {"domain", variant.domain}});
  }
  const char *missing = loaded.api().missing_isa(loaded.model());
  root["missing_isa"] = missing ? Json(missing) : Json();
  root["manifest"] =
      Json::parse(loaded.api().manifest(loaded.model()), nullptr, false);
  if (root["manifest"].is_discarded())
    root["manifest"] = Json();
  return root;
}

static void printTensor(const ambit_tensor_info &tensor,
                        const std::vector<ambit_dim_info> &dims,
                        llvm::raw_ostream &out) {
  out << "  " << llvm::left_justify(tensor.name, 20) << ' '
      << dtypeName(tensor.dtype) << '[';
  for (size_t i = 0; i < dims.size(); ++i)
    out << (i ? ", " : "") << dims[i].expr;
  out << "]\n";
}

/// Where the value of a symbol comes from.
static std::string placeOf(const LoadedModel &loaded,
                           const ambit_symbol_info &symbol) {
  constexpr size_t kMaxText = 60;
  if (llvm::StringRef text(symbol.definition ? symbol.definition : "");
      !text.empty()) {
    ParseError error;
    std::optional<Expr> expr = parseExpr(text, error);
    if (text.size() <= kMaxText || !expr)
      return "is " + text.str();
    std::set<std::string> symbols;
    expr->collectSymbols(symbols);
    return "computed from " + llvm::join(symbols, ", ");
  }
  if (symbol.input < 0)
    return "depends on data";
  std::string place = symbol.element < 0
                          ? "dim " + std::to_string(symbol.dim)
                          : "element " + std::to_string(symbol.element);
  return place + " of input '" + loaded.input(symbol.input).name + "'";
}

static void printSymbols(const LoadedModel &loaded, llvm::raw_ostream &out) {
  if (loaded.counts().symbols)
    out << "symbols:\n";
  for (int32_t i = 0; i < loaded.counts().symbols; ++i) {
    ambit_symbol_info symbol = loaded.symbol(i);
    std::string range =
        symbol.min == INT64_MIN ? ".." : std::to_string(symbol.min) + "..";
    if (symbol.max != INT64_MAX)
      range += std::to_string(symbol.max);
    if (symbol.divisor != 1)
      range += ", a multiple of " + std::to_string(symbol.divisor);
    out << "  " << llvm::left_justify(symbol.name, 20) << ' '
        << llvm::left_justify(range, 16) << ' ' << placeOf(loaded, symbol)
        << '\n';
  }
}

static void printGuards(const LoadedModel &loaded, llvm::raw_ostream &out) {
  if (loaded.counts().guards)
    out << "guards:\n";
  for (int32_t i = 0; i < loaded.counts().guards; ++i) {
    ambit_guard_info guard = loaded.guard(i);
    out << "  " << llvm::left_justify(guard.text, 36) << ' '
        << guardClassName(guard.guard_class) << ", from " << guard.origin
        << '\n';
  }
}

static void printVariants(const LoadedModel &loaded, llvm::raw_ostream &out) {
  out << "variants:\n";
  for (int32_t i = 0; i < loaded.counts().variants; ++i) {
    ambit_variant_info variant = loaded.variant(i);
    out << "  " << i << "  " << llvm::left_justify(variant.name, 28) << ' '
        << llvm::left_justify(variant.kind, 9) << ' ' << variant.domain << '\n';
  }
}

static void printModel(const LoadedModel &loaded, llvm::raw_ostream &out) {
  const ambit_counts &counts = loaded.counts();
  out << "model " << loaded.api().model_name(loaded.model()) << "\ninputs:\n";
  for (int32_t i = 0; i < counts.inputs; ++i)
    printTensor(loaded.input(i), loaded.inputDims(i), out);
  out << "outputs:\n";
  for (int32_t i = 0; i < counts.outputs; ++i)
    printTensor(loaded.output(i), loaded.outputDims(i), out);
  printSymbols(loaded, out);
  printGuards(loaded, out);
  printVariants(loaded, out);
  if (const char *missing = loaded.api().missing_isa(loaded.model()))
    out << "this machine cannot run it: its processor lacks '" << missing
        << "'\n";
}

ExitCode ambit::inspectObject(const InspectOptions &options,
                              llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (!options.dims.empty() || !options.inputShapes.empty() ||
      !options.values.empty() || options.ops || options.padding ||
      !options.constraints.empty() || !options.exact.empty() ||
      !options.buckets.empty() || !options.profile.empty() ||
      !options.samples.empty()) {
    printError(err, "'" + options.input +
                        "' is compiled already: only --guards, --variants and "
                        "--json are for libraries");
    return ExitUsage;
  }
  llvm::Expected<LoadedModel> loaded = LoadedModel::open(options.input);
  if (!loaded) {
    printError(err, llvm::toString(loaded.takeError()));
    return ExitFailure;
  }
  uint64_t size = 0;
  bool all = !options.guards && !options.variants;
  if (!options.json && !all) {
    if (options.guards)
      printGuards(*loaded, out);
    if (options.variants)
      printVariants(*loaded, out);
    return ExitSuccess;
  }
  if (!options.json) {
    printModel(*loaded, out);
    if (!llvm::sys::fs::file_size(options.input, size))
      out << "file: " << size << " bytes\n";
    return ExitSuccess;
  }
  Json root = modelToJson(*loaded);
  if (!all) {
    Json chosen = Json::object();
    if (options.guards)
      chosen["guards"] = root["guards"];
    if (options.variants)
      chosen["variants"] = root["variants"];
    root = std::move(chosen);
  } else if (!llvm::sys::fs::file_size(options.input, size))
    root["file_bytes"] = size;
  out << root.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  return ExitSuccess;
}
