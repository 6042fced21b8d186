// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit profile suggest`: which shapes of a profile a library has no variant
// for, what a call of each takes there, and the command that changes it.

#include "../Object/RunInputs.h"
#include "ProfileFile.h"
#include "ProfileVerbs.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Symbolic/Parser.h"
#include "llvm/Support/Format.h"
#include <chrono>
#include <nlohmann/json.hpp>

using namespace ambit;
using Json = nlohmann::ordered_json;
using Sizes = std::map<std::string, int64_t>;

/// The shapes that are timed and listed.
constexpr size_t kMostShapes = 10;

namespace {
struct Miss {
  Sizes sizes;
  int64_t calls;
  /// Of one call; nothing when it was not run.
  std::optional<double> microseconds;
};

struct Findings {
  int64_t calls = 0, fallen = 0, refused = 0;
  size_t shapes = 0;
  /// Those that fell to the fallback, the most frequent first.
  std::vector<Miss> misses;
};

/// Makes inputs of a library without data but for elements that are sizes.
class ShapeInputs {
public:
  explicit ShapeInputs(const LoadedModel &loaded);
  std::vector<TensorData> make(const Sizes &sizes) const;

private:
  struct Element {
    size_t input, position, width;
    std::string symbol;
  };
  std::vector<TensorData> inputs;
  std::vector<std::vector<Expr>> dims;
  std::vector<Element> elements;
};
} // namespace

ShapeInputs::ShapeInputs(const LoadedModel &loaded) {
  for (int32_t i = 0; i < loaded.counts().inputs; ++i) {
    inputs.emplace_back();
    inputs.back().dtype = loaded.input(i).dtype;
    dims.emplace_back();
    for (const ambit_dim_info &dim : loaded.inputDims(i)) {
      ParseError unused;
      std::optional<Expr> expr = parseExpr(dim.expr, unused);
      dims.back().push_back(dim.value >= 0 ? Expr(dim.value)
                                           : expr.value_or(Expr::invalid()));
    }
  }
  for (int32_t i = 0; i < loaded.counts().symbols; ++i) {
    ambit_symbol_info symbol = loaded.symbol(i);
    if (symbol.element < 0)
      continue;
    size_t width = ambit_dtype_bits(inputs[symbol.input].dtype) / 8;
    elements.push_back(
        {size_t(symbol.input), size_t(symbol.element), width, symbol.name});
    std::vector<char> &bytes = inputs[symbol.input].bytes;
    bytes.resize(std::max(bytes.size(), (symbol.element + 1) * width));
  }
}

std::vector<TensorData> ShapeInputs::make(const Sizes &sizes) const {
  std::vector<TensorData> made = inputs;
  for (auto [tensor, exprs] : llvm::zip_equal(made, dims))
    for (Expr expr : exprs)
      // The library refuses what is no size.
      tensor.dims.push_back(expr.evaluate(sizes).value_or(-1));
  // The bytes of a little-endian number are those of a wider one.
  for (const Element &element : elements)
    std::memcpy(made[element.input].bytes.data() +
                    element.position * element.width,
                &sizes.at(element.symbol), element.width);
  return made;
}

/// The least time of a few runs on random values.
static std::optional<double> timeRun(LoadedModel &loaded, const Sizes &sizes) {
  RunOptions options;
  options.random = true;
  options.set = sizes;
  llvm::Expected<std::vector<TensorData>> inputs =
      gatherInputs(loaded, options);
  if (!inputs) {
    llvm::consumeError(inputs.takeError());
    return std::nullopt;
  }
  double least = 0;
  for (unsigned run = 0; run < 3; ++run) {
    auto start = std::chrono::steady_clock::now();
    llvm::Expected<std::vector<TensorData>> outputs = loaded.run(*inputs);
    std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    // Random data need not suit the model.
    if (!outputs) {
      llvm::consumeError(outputs.takeError());
      return std::nullopt;
    }
    least = run ? std::min(least, elapsed.count()) : elapsed.count();
  }
  return least;
}

/// What does not fit the library, or "".
static std::string checkLibrary(const LoadedModel &loaded,
                                const Profile &profile) {
  std::string name = loaded.api().model_name(loaded.model());
  if (name != profile.model)
    return "is a profile of model '" + profile.model + "', expected '" + name +
           "'";
  std::vector<Profile::Input> inputs;
  for (int32_t i = 0; i < loaded.counts().inputs; ++i) {
    ambit_tensor_info input = loaded.input(i);
    inputs.push_back({input.name, input.dtype, input.rank});
  }
  if (!(inputs == profile.inputs))
    return "counts calls of a model with other inputs than the library has";
  std::vector<std::string> symbols;
  for (int32_t i = 0; i < loaded.counts().symbols; ++i)
    if (loaded.symbol(i).input >= 0)
      symbols.push_back(loaded.symbol(i).name);
  std::vector<std::string> counted = profile.symbols;
  llvm::sort(symbols);
  llvm::sort(counted);
  if (symbols != counted)
    return "counts sizes of other symbols than the library has";
  return "";
}

static llvm::Expected<Findings> findMisses(LoadedModel &loaded,
                                           const Profile &profile) {
  Findings findings;
  findings.calls = profile.other;
  findings.refused = profile.refused;
  findings.shapes = profile.shapes.size();
  ShapeInputs inputs(loaded);
  for (const auto &[values, calls] : profile.shapes) {
    findings.calls += calls;
    Sizes sizes;
    for (auto [symbol, value] : llvm::zip_equal(profile.symbols, values))
      sizes[symbol] = value;
    std::vector<TensorData> tensors = inputs.make(sizes);
    llvm::Expected<std::optional<int32_t>> variant = loaded.select(tensors);
    if (!variant)
      return variant.takeError();
    if (!*variant) {
      findings.refused += calls;
    } else if (llvm::StringRef(loaded.variant(**variant).kind) == "generic") {
      findings.fallen += calls;
      findings.misses.push_back({std::move(sizes), calls, std::nullopt});
    }
  }
  llvm::stable_sort(findings.misses, [](const Miss &lhs, const Miss &rhs) {
    return lhs.calls > rhs.calls;
  });
  for (Miss &miss :
       llvm::MutableArrayRef(findings.misses)
           .take_front(std::min(kMostShapes, findings.misses.size())))
    miss.microseconds = timeRun(loaded, miss.sizes);
  return findings;
}

static std::string command(const ProfileOptions &options) {
  return "ambit compile MODEL -o " + options.files[0] + " --profile " +
         options.files[1];
}

static double share(int64_t part, int64_t whole) {
  return whole ? 100 * double(part) / double(whole) : 0;
}

static void print(const Findings &findings, const ProfileOptions &options,
                  llvm::raw_ostream &out) {
  out << findings.calls << " calls of " << findings.shapes << " shapes, "
      << findings.fallen
      << llvm::format(" of them (%.1f %%) ran the generic variant\n",
                      share(findings.fallen, findings.calls));
  if (findings.refused)
    out << findings.refused << " more were refused\n";
  if (findings.misses.empty())
    return;
  out << "     calls    share  us a call  sizes\n";
  size_t shown = std::min(kMostShapes, findings.misses.size());
  for (const Miss &miss : llvm::ArrayRef(findings.misses).take_front(shown)) {
    out << llvm::format("%10lld %7.1f %%", (long long)miss.calls,
                        share(miss.calls, findings.calls));
    if (miss.microseconds)
      out << llvm::format(" %10.1f  ", *miss.microseconds);
    else
      out.indent(13);
    bool isFirst = true;
    for (const auto &[symbol, size] : miss.sizes)
      out << (std::exchange(isFirst, false) ? "" : ", ") << symbol << " = "
          << size;
    out << '\n';
  }
  if (shown < findings.misses.size())
    out << "and " << findings.misses.size() - shown << " more shapes\n";
  out << "variants for what pays: " << command(options) << '\n';
}

static Json toJson(const Findings &findings, const ProfileOptions &options) {
  Json shapes = Json::array();
  for (const Miss &miss : findings.misses)
    shapes.push_back({{"sizes", miss.sizes},
                      {"calls", miss.calls},
                      {"microseconds",
                       miss.microseconds ? Json(*miss.microseconds) : Json()}});
  return {{"calls", findings.calls},
          {"shapes", findings.shapes},
          {"generic_calls", findings.fallen},
          {"refused", findings.refused},
          {"generic_shapes", std::move(shapes)},
          {"command", command(options)}};
}

ExitCode ambit::suggestVariants(const ProfileOptions &options,
                                llvm::raw_ostream &out,
                                llvm::raw_ostream &err) {
  auto fail = [&](const llvm::Twine &message, ExitCode code = ExitFailure) {
    printError(err, message);
    return code;
  };
  llvm::Expected<LoadedModel> loaded = LoadedModel::open(options.files[0]);
  if (!loaded)
    return fail(llvm::toString(loaded.takeError()));
  llvm::Expected<Profile> profile = readProfile(options.files[1]);
  if (!profile)
    return fail("'" + options.files[1] +
                "': " + llvm::toString(profile.takeError()));
  if (std::string problem = checkLibrary(*loaded, *profile); !problem.empty())
    return fail("'" + options.files[1] + "' " + problem, ExitUsage);
  llvm::Expected<Findings> findings = findMisses(*loaded, *profile);
  if (!findings)
    return fail(llvm::toString(findings.takeError()));
  if (options.json)
    out << toJson(*findings, options)
               .dump(2, ' ', false, Json::error_handler_t::replace)
        << '\n';
  else
    print(*findings, options, out);
  return ExitSuccess;
}
