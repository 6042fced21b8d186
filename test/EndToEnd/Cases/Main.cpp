// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-cases MODEL RUNS: runs a model on inputs written as text and compares
// with outputs written as text. Every run is made on four objects: compiled as
// the model says, with exact variants beside the generic one, for the run's own
// sizes, and with every size padded to the largest of all runs, NaN in padding
// that should not matter. RUNS holds, line by line:
//
//   # a comment
//   options --exact n=2 --dim n=0..64        (of `ambit compile`)
//   statics 8                                (static for one run in 8)
//   near 1e-5                                (differences that are none)
//   padded n=4,8                             (buckets of padded objects, with
//                                             bodies of their own and shared)
//   sweep n=1..8: x[n,3]=random ; w[3]=iota  (padded and generic: same bits)
//   x[2,3]=1,2,3,4,5,6 ; w[0]= -> y[6]=iota  (iota/8, ones, zeros, random)
//   x[4]=ones -> error: 'n % 3 == 0' ...     (a text that the error contains)
//
// An error must show when the static object is compiled or when it runs.

#include "Cases.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Driver/Pipeline.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstring>

using namespace ambit;
using llvm::StringRef;

/// The text of what went wrong, or "" and a loaded object.
static std::string compile(CompileOptions options,
                           std::optional<LoadedModel> &loaded) {
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(&context, stream);
  static int number = 0;
  options.output += "." + std::to_string(number++) + ".so";
  if (failed(runCompile(options, context, stream)))
    return errors.empty() ? "failed without saying why" : errors;
  llvm::Expected<LoadedModel> opened = LoadedModel::open(options.output);
  llvm::sys::fs::remove(options.output);
  if (!opened)
    return llvm::toString(opened.takeError());
  loaded.emplace(std::move(*opened));
  return "";
}

template <typename T>
static void write(const std::vector<double> &values, std::vector<char> &bytes) {
  bytes.resize(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    // The largest int64 is no double, and reads as one too many.
    T value = std::numeric_limits<T>::max();
    if (!std::is_same_v<T, int64_t> || values[i] < double(value))
      value = static_cast<T>(values[i]);
    memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

/// f16, rounded to the nearest.
static void writeHalves(const std::vector<double> &values,
                        std::vector<char> &bytes) {
  bytes.resize(values.size() * sizeof(uint16_t));
  for (auto [i, value] : llvm::enumerate(values)) {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(llvm::APFloat::IEEEhalf(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    uint16_t bits = number.bitcastToAPInt().getZExtValue();
    memcpy(bytes.data() + i * sizeof(bits), &bits, sizeof(bits));
  }
}

/// Integers of 2 or 4 bits, the first one in the lowest.
static void writePacked(const std::vector<double> &values, int64_t bits,
                        std::vector<char> &bytes) {
  size_t each = 8 / bits;
  bytes.resize((values.size() + each - 1) / each);
  for (auto [i, value] : llvm::enumerate(values))
    bytes[i / each] |= (int64_t(value) & ((1 << bits) - 1))
                       << (i % each * bits);
}

static TensorData makeInput(const NamedValues &values, int32_t dtype) {
  TensorData tensor;
  tensor.name = values.name;
  tensor.dtype = dtype;
  tensor.dims = values.dims;
  if (dtype == AMBIT_FLOAT32)
    write<float>(values.values, tensor.bytes);
  else if (dtype == AMBIT_FLOAT64)
    write<double>(values.values, tensor.bytes);
  else if (dtype == AMBIT_INT64)
    write<int64_t>(values.values, tensor.bytes);
  else if (dtype == AMBIT_INT32)
    write<int32_t>(values.values, tensor.bytes);
  else if (dtype == AMBIT_FLOAT16)
    writeHalves(values.values, tensor.bytes);
  else if (int64_t bits = ambit_dtype_bits(dtype); bits < 8)
    writePacked(values.values, bits, tensor.bytes);
  else
    write<char>(values.values, tensor.bytes);
  return tensor;
}

/// The text of what is wrong with the outputs, or "".
static std::string compare(const std::vector<TensorData> &actual, Run run) {
  if (actual.size() != run.outputs.size())
    return "another number of outputs";
  for (auto [got, wanted] : llvm::zip_equal(actual, run.outputs)) {
    if (got.dims != wanted.dims) {
      std::string dims;
      for (int64_t dim : got.dims)
        dims += (dims.empty() ? "" : ",") + std::to_string(dim);
      return "'" + wanted.name + "' has shape [" + dims + "]";
    }
    for (size_t i = 0; i < wanted.values.size(); ++i) {
      double value = elementAsDouble(got, i), expected = wanted.values[i];
      if (value != expected && !(std::fabs(value - expected) <=
                                 run.near + 1e-6 * std::fabs(expected)))
        return "'" + wanted.name + "' has " + std::to_string(value) +
               " as element " + std::to_string(i) + ", expected " +
               std::to_string(expected);
    }
  }
  return "";
}

static std::vector<TensorData> makeInputs(LoadedModel &loaded, const Run &run) {
  std::vector<TensorData> inputs;
  for (int32_t i = 0; i < loaded.counts().inputs; ++i)
    for (const NamedValues &values : run.inputs)
      if (values.name == loaded.input(i).name)
        inputs.push_back(makeInput(values, loaded.input(i).dtype));
  return inputs;
}

/// Runs on one object; "" or what is wrong. The kind of the variant it took is
/// added to `kinds`.
static std::string check(LoadedModel &loaded, const Run &run,
                         std::set<std::string> &kinds) {
  std::vector<TensorData> inputs = makeInputs(loaded, run);
  llvm::Expected<std::vector<TensorData>> outputs = loaded.run(inputs);
  if (!outputs) {
    std::string text = llvm::toString(outputs.takeError());
    if (!run.error.empty() && StringRef(text).contains(run.error))
      return "";
    return "refused: " + text;
  }
  if (!run.error.empty())
    return "admitted";
  kinds.insert(loaded.variant(loaded.lastVariant()).kind);
  return compare(*outputs, run);
}

/// Compiles for the run's own sizes. A refusal may come at either time, and the
/// compiler puts it in its own words.
static std::string checkStatic(CompileOptions options, Run run) {
  options.exact.clear();
  options.buckets.clear();
  options.dims.clear();
  options.constraints.clear();
  for (const NamedValues &input : run.inputs) {
    std::vector<std::string> &dims = options.inputShapes[input.name];
    dims.clear();
    for (int64_t dim : input.dims)
      dims.push_back(std::to_string(dim));
  }
  std::optional<LoadedModel> loaded;
  std::string problem = compile(options, loaded);
  bool isRefused = !run.error.empty();
  if (!problem.empty())
    return isRefused ? "" : "does not compile: " + problem;
  // Declared ranges bind the symbols that are gone.
  if (isRefused && StringRef(run.error).contains(".."))
    return "";
  std::set<std::string> kinds;
  std::string text = check(*loaded, run, kinds);
  if (!isRefused || text.empty())
    return text;
  run.error = "range";
  return check(*loaded, run, kinds);
}

/// The largest size of all runs, for each symbol that is a size of an input.
static std::map<std::string, BucketEnds> findTops(LoadedModel &loaded,
                                                  const Cases &cases) {
  std::map<std::string, BucketEnds> tops;
  for (const Run &run : cases.runs) {
    std::vector<TensorData> inputs = makeInputs(loaded, run);
    llvm::Expected<std::vector<int64_t>> values = loaded.symbolValues(inputs);
    if (!values) {
      llvm::consumeError(values.takeError());
      continue;
    }
    for (auto [index, value] : llvm::enumerate(*values)) {
      ambit_symbol_info symbol = loaded.symbol(index);
      if (!run.error.empty() || symbol.input < 0 || symbol.dim < 0 || value < 1)
        continue;
      std::vector<int64_t> &sizes = tops[symbol.name].sizes;
      sizes = {std::max(sizes.empty() ? 0 : sizes.front(), value)};
    }
  }
  return tops;
}

/// Where two objects give other bits for the same inputs, or "". Which NaN it
/// is, is nobody's business.
static std::string compareBits(LoadedModel &plain, LoadedModel &padded,
                               const Run &run, std::set<std::string> &kinds) {
  std::vector<TensorData> inputs = makeInputs(plain, run);
  auto expected = plain.run(inputs), actual = padded.run(inputs);
  if (!expected || !actual) {
    std::string why = expected ? "" : llvm::toString(expected.takeError());
    return why + (actual ? "" : llvm::toString(actual.takeError()));
  }
  kinds.insert(padded.variant(padded.lastVariant()).kind);
  for (auto [got, wanted] : llvm::zip_equal(*actual, *expected)) {
    if (got.dims != wanted.dims)
      return "'" + wanted.name + "' has another shape";
    int64_t count = tensorBytes(AMBIT_UINT8, got.dims).value_or(0);
    size_t width = count ? got.bytes.size() / count : 0;
    // Elements that share bytes.
    if (width == 0 && got.bytes != wanted.bytes)
      return "'" + wanted.name + "' has other bytes";
    for (int64_t i = 0; i < count; ++i) {
      double a = elementAsDouble(got, i), b = elementAsDouble(wanted, i);
      if (memcmp(&got.bytes[i * width], &wanted.bytes[i * width], width) &&
          !(std::isnan(a) && std::isnan(b)))
        return "'" + wanted.name + "' has " + std::to_string(a) +
               " as element " + std::to_string(i) + ", generic " +
               std::to_string(b);
    }
  }
  return "";
}

/// Makes the runs that are no errors on a padded object.
static void checkPadded(LoadedModel &padded, LoadedModel &plain,
                        const Cases &cases, std::set<std::string> &kinds) {
  for (const Run &run : cases.runs)
    if (run.error.empty())
      if (std::string text = check(padded, run, kinds); !text.empty())
        fail(run.line, "padded: " + text);
  for (const Run &run : cases.sweeps)
    if (std::string text = compareBits(plain, padded, run, kinds);
        !text.empty())
      fail(run.line, "padded: " + text);
}

/// Compiles with padded buckets, and tries what comes out.
static void checkPadded(CompileOptions options, LoadedModel &plain,
                        const Cases &cases) {
  bool isAsked = !cases.padded.empty();
  options.buckets = isAsked ? cases.padded : findTops(plain, cases);
  if (options.buckets.empty())
    return;
  options.bucketKinds[""].way = BucketKind::Way::Padded;
  std::set<std::string> kinds;
  for (Sharing sharing : {Sharing::Never, Sharing::Always})
    for (FreePadding fill : {FreePadding::NaN, FreePadding::Huge}) {
      options.sharing = sharing;
      options.paddingFill = fill;
      std::optional<LoadedModel> padded;
      if (std::string problem = compile(options, padded); !problem.empty())
        fail(0, "padded: " + problem);
      checkPadded(*padded, plain, cases, kinds);
      // One bucket is a body of its own; and other tests are about padding.
      if (!isAsked)
        return;
    }
  if (isAsked && !kinds.count("padded"))
    fail(0, "no run took a padded variant");
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail(0, "usage: ambit-cases MODEL RUNS");
  auto buffer = llvm::MemoryBuffer::getFile(argv[2]);
  if (!buffer)
    fail(0, llvm::Twine(argv[2]) + ": " + buffer.getError().message());
  Cases cases = readCases((*buffer)->getBuffer());
  std::vector<const char *> words = {"ambit", "compile", argv[1], "-o",
                                     argv[2]};
  for (const std::string &option : cases.options)
    words.push_back(option.c_str());
  Command command = parseCommandLine(words, llvm::outs(), llvm::errs());
  auto *special = std::get_if<CompileOptions>(&command);
  if (!special)
    return ExitUsage;
  CompileOptions generic = *special;
  generic.exact.clear();
  generic.buckets.clear();
  std::optional<LoadedModel> plain, exact;
  for (auto [options, loaded] :
       {std::make_pair(&generic, &plain), std::make_pair(special, &exact)})
    if (std::string problem = compile(*options, *loaded); !problem.empty())
      fail(0, problem);
  std::set<std::string> kinds;
  for (auto [index, run] : llvm::enumerate(cases.runs)) {
    if (std::string text = check(*plain, run, kinds); !text.empty())
      fail(run.line, "generic only: " + text);
    if (std::string text = check(*exact, run, kinds); !text.empty())
      fail(run.line, "exact and generic: " + text);
    if (index % cases.statics != 0)
      continue;
    if (std::string text = checkStatic(generic, run); !text.empty())
      fail(run.line, "static: " + text);
  }
  checkPadded(generic, *plain, cases);
  if (!special->exact.empty() && !kinds.count("exact"))
    fail(0, "no run took an exact variant");
  llvm::outs() << cases.runs.size() + cases.sweeps.size()
               << " runs as expected\n";
  return ExitSuccess;
}
