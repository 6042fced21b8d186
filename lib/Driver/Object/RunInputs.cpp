// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads input files and makes random inputs.

#include "RunInputs.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Symbolic/LinearForm.h"
#include "ambit/Symbolic/Parser.h"
#include "llvm/ADT/APFloat.h"
#include <cstring>

using namespace ambit;
using llvm::StringRef;

char UsageError::ID = 0;

using SymbolMap = std::map<std::string, int64_t>;

static llvm::Error usageError(const llvm::Twine &message) {
  return llvm::make_error<UsageError>(message);
}

static std::vector<std::string> inputNames(const LoadedModel &loaded) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < loaded.counts().inputs; ++i)
    names.push_back(loaded.input(i).name);
  return names;
}

static std::vector<std::string> symbolNames(const LoadedModel &loaded) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < loaded.counts().symbols; ++i)
    if (loaded.symbol(i).input >= 0)
      names.push_back(loaded.symbol(i).name);
  return names;
}

/// `option: the model has no WHAT 'NAME'; did you mean 'X'?`
static llvm::Error checkName(StringRef option, StringRef what, StringRef name,
                             const std::vector<std::string> &names) {
  if (llvm::is_contained(names, name))
    return llvm::Error::success();
  std::string text =
      (option + ": the model has no " + what + " '" + name + "'").str();
  if (StringRef closest = closestName(name, names); !closest.empty())
    return usageError(text + "; did you mean '" + closest + "'?");
  text += names.empty() ? " (it has none)" : "; it has";
  for (const std::string &known : names)
    text += (&known == &names.front() ? " '" : ", '") + known + "'";
  return usageError(text);
}

/// The path of each input's file; "" where there is none. Where one input's
/// name is the beginning of another's, the longer one is meant.
static llvm::Expected<std::vector<std::string>>
matchFiles(const std::vector<std::string> &names, const RunOptions &options) {
  std::vector<std::string> paths(names.size());
  for (StringRef text : options.inputs) {
    std::optional<size_t> best;
    for (size_t i = 0; i < names.size(); ++i)
      if (text.size() > names[i].size() + 1 && text.starts_with(names[i]) &&
          text[names[i].size()] == '=' &&
          (!best || names[i].size() > names[*best].size()))
        best = i;
    if (!best)
      return checkName("--input", "input", text.take_front(text.find('=', 1)),
                       names);
    if (!paths[*best].empty())
      return usageError("--input: '" + names[*best] + "' is given twice");
    paths[*best] = text.drop_front(names[*best].size() + 1).str();
  }
  for (size_t i = 0; i < names.size(); ++i)
    if (!options.random && paths[i].empty())
      return usageError("no data for input '" + names[i] + "': give --input " +
                        names[i] + "=FILE, or --random");
  return paths;
}

/// Sizes that are known before any random input is made: those that were set,
/// those that a file shows, and those with only one possible value.
static llvm::Expected<SymbolMap>
knownSizes(const LoadedModel &loaded, const RunOptions &options,
           const std::vector<std::optional<TensorData>> &files) {
  SymbolMap sizes = options.set;
  for (int32_t i = 0; i < loaded.counts().symbols; ++i) {
    ambit_symbol_info symbol = loaded.symbol(i);
    if (symbol.input < 0)
      continue;
    if (symbol.min == symbol.max)
      sizes.emplace(symbol.name, symbol.min);
    // What the object computes, and what it reads from data.
    if (symbol.dim < 0)
      continue;
    const std::optional<TensorData> &file = files[symbol.input];
    if (!file || static_cast<size_t>(symbol.dim) >= file->dims.size())
      continue;
    int64_t size = file->dims[symbol.dim];
    std::string dim = loaded.inputDims(symbol.input)[symbol.dim].expr;
    ParseError unused;
    std::optional<Expr> expr = parseExpr(dim, unused);
    std::optional<LinearForm> form = expr ? asLinear(*expr) : std::nullopt;
    std::optional<int64_t> value = form ? form->solve(size) : std::nullopt;
    // The object says what is wrong with a size that has no solution.
    if (!value)
      continue;
    auto [at, isNew] = sizes.emplace(symbol.name, *value);
    if (!isNew && at->second != *value)
      return usageError("--set " + at->first + "=" + llvm::Twine(at->second) +
                        " contradicts dim " + llvm::Twine(symbol.dim) +
                        " of the file for input '" +
                        loaded.input(symbol.input).name + "', which is " +
                        llvm::Twine(size));
  }
  return sizes;
}

static llvm::Expected<int64_t> dimValue(const ambit_dim_info &dim,
                                        const SymbolMap &sizes) {
  if (dim.value >= 0)
    return dim.value;
  ParseError parseError;
  std::optional<Expr> expr = parseExpr(dim.expr, parseError);
  if (!expr)
    return usageError(parseError.render(dim.expr));
  std::set<std::string> symbols;
  expr->collectSymbols(symbols);
  for (const std::string &symbol : symbols)
    if (!sizes.count(symbol))
      return usageError("no size for '" + symbol + "': give --set " + symbol +
                        "=N");
  std::optional<int64_t> value = expr->evaluate(sizes);
  if (!value || *value < 0)
    return usageError("dim '" + llvm::StringRef(dim.expr) +
                      "' is no size for the given values");
  return *value;
}

namespace {
/// splitmix64 (Steele, Lea, Flood 2014): the same values on every host.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [-1, 1), exactly representable as f32.
  double real() { return double(next() >> 40) / double(1 << 23) - 1.0; }
  int64_t bit() { return next() >> 63; }

private:
  uint64_t state;
};
} // namespace

template <typename T, typename Make>
static void fill(std::vector<char> &bytes, Make make) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value = static_cast<T>(make());
    std::memcpy(bytes.data() + at, &value, sizeof(T));
  }
}

static void fillRandom(TensorData &tensor, Random &random) {
  auto real = [&] { return random.real(); };
  auto bit = [&] { return random.bit(); };
  auto half = [&](const llvm::fltSemantics &semantics) {
    llvm::APFloat value(random.real());
    bool inexact;
    value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
    return value.bitcastToAPInt().getZExtValue();
  };
  switch (tensor.dtype) {
  case AMBIT_FLOAT32:
  case AMBIT_COMPLEX64:
    return fill<float>(tensor.bytes, real);
  case AMBIT_FLOAT64:
  case AMBIT_COMPLEX128:
    return fill<double>(tensor.bytes, real);
  case AMBIT_FLOAT16:
    return fill<uint16_t>(tensor.bytes,
                          [&] { return half(llvm::APFloat::IEEEhalf()); });
  case AMBIT_BFLOAT16:
    return fill<uint16_t>(tensor.bytes,
                          [&] { return half(llvm::APFloat::BFloat()); });
  case AMBIT_INT16:
  case AMBIT_UINT16:
    return fill<uint16_t>(tensor.bytes, bit);
  case AMBIT_INT32:
  case AMBIT_UINT32:
    return fill<uint32_t>(tensor.bytes, bit);
  case AMBIT_INT64:
  case AMBIT_UINT64:
    return fill<uint64_t>(tensor.bytes, bit);
  default:
    return fill<uint8_t>(tensor.bytes, bit);
  }
}

/// Writes the sizes that the elements of an input are: no random number is one.
static llvm::Error fillSizes(const LoadedModel &loaded, int32_t index,
                             const SymbolMap &sizes, TensorData &tensor) {
  size_t width = ambit_dtype_bits(tensor.dtype) / 8;
  SymbolMap fixed; // by the model
  for (int32_t i = 0; i < loaded.counts().symbols; ++i) {
    ambit_symbol_info symbol = loaded.symbol(i);
    if (symbol.input != index || symbol.element < 0)
      continue;
    auto size = sizes.find(symbol.name);
    if (size == sizes.end() && symbol.min == symbol.max)
      size = fixed.emplace(symbol.name, symbol.min).first;
    else if (size == sizes.end())
      return usageError("no value for '" + llvm::Twine(symbol.name) +
                        "': give --set " + symbol.name + "=N, or --input " +
                        loaded.input(index).name + "=FILE");
    // The bytes of a little-endian number are those of a wider one.
    std::memcpy(tensor.bytes.data() + symbol.element * width, &size->second,
                width);
  }
  return llvm::Error::success();
}

static llvm::Expected<TensorData> makeRandom(const LoadedModel &loaded,
                                             int32_t index,
                                             const SymbolMap &sizes,
                                             Random &random) {
  TensorData tensor;
  tensor.dtype = loaded.input(index).dtype;
  for (const ambit_dim_info &dim : loaded.inputDims(index)) {
    llvm::Expected<int64_t> value = dimValue(dim, sizes);
    if (!value)
      return value.takeError();
    tensor.dims.push_back(*value);
  }
  // More than an address space is no size to allocate.
  std::optional<int64_t> bytes = tensorBytes(tensor.dtype, tensor.dims);
  if (!bytes || *bytes > (int64_t(1) << 47))
    return usageError("input '" + llvm::StringRef(loaded.input(index).name) +
                      "' would be too large for memory");
  tensor.bytes.resize(*bytes);
  fillRandom(tensor, random);
  if (llvm::Error error = fillSizes(loaded, index, sizes, tensor))
    return error;
  return tensor;
}

llvm::Expected<std::vector<TensorData>>
ambit::gatherInputs(const LoadedModel &loaded, const RunOptions &options) {
  llvm::Expected<std::vector<std::string>> paths =
      matchFiles(inputNames(loaded), options);
  if (!paths)
    return paths.takeError();
  for (const auto &[name, value] : options.set)
    if (llvm::Error error =
            checkName("--set", "symbol", name, symbolNames(loaded)))
      return error;
  std::vector<std::optional<TensorData>> files(loaded.counts().inputs);
  for (size_t i = 0; i < files.size(); ++i) {
    if ((*paths)[i].empty())
      continue;
    llvm::Expected<TensorData> tensor = readTensorFile((*paths)[i]);
    if (!tensor)
      return tensor.takeError();
    files[i] = std::move(*tensor);
  }
  llvm::Expected<SymbolMap> sizes = knownSizes(loaded, options, files);
  if (!sizes)
    return sizes.takeError();
  std::vector<TensorData> inputs;
  Random random(options.seed);
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i]) {
      inputs.push_back(std::move(*files[i]));
      continue;
    }
    llvm::Expected<TensorData> tensor = makeRandom(loaded, i, *sizes, random);
    if (!tensor)
      return tensor.takeError();
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}
