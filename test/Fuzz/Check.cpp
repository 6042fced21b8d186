// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One module, three kinds of objects: generic only; with exact and bucket
// variants; without symbols.

#include "Check.h"
#include "Generator.h"
#include "GuardedModel.h"
#include "Subject.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Pipeline.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <cstring>
#include <ctime>
#include <random>
#include <unistd.h>

using namespace mlir;
using namespace ambit;
using namespace ambit::fuzz;
using reference::HostTensor;

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registerPipelineDialects(registry);
  return registry;
}

namespace {
class Checker {
public:
  Checker(const CheckOptions &options, CaseFacts &facts)
      : options(options), facts(facts), random(options.seed) {}
  /// "" or what is wrong.
  std::string check(const std::string &text);

private:
  std::string compile(StringRef name, const std::string &text,
                      CompileOptions how, GuardedModel &model);
  CompileOptions chooseVariants();
  std::vector<Sizes> chooseSizes();
  /// A shape that a guard refuses is refused whatever the outputs need.
  std::string checkShapes(const Shapes &shapes, const std::string &place,
                          bool mayBeNeedless);
  std::string checkStatic(const Sizes &sizes, const Shapes &shapes);
  std::string damage(Shapes &shapes);

  const CheckOptions &options;
  CaseFacts &facts;
  std::mt19937_64 random;
  /// Before what lives in it.
  MLIRContext context{makeRegistry(), MLIRContext::Threading::DISABLED};
  Subject subject;
  GuardedModel generic, special;
};
} // namespace

std::string Checker::compile(StringRef name, const std::string &text,
                             CompileOptions how, GuardedModel &model) {
  std::string stem = options.scratch + "/" + name.str() + "-" +
                     std::to_string(options.seed) + "-" +
                     std::to_string(getpid());
  how.input = stem + ".mlir";
  how.output = stem + ".so";
  std::error_code code;
  llvm::raw_fd_ostream(how.input, code) << text;
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  MLIRContext fresh(makeRegistry(), MLIRContext::Threading::DISABLED);
  DiagnosticPrinter printer(&fresh, stream);
  bool compiled = succeeded(runCompile(how, fresh, stream));
  llvm::sys::fs::remove(how.input);
  if (!compiled)
    return "compile: " + name.str() + ": " + errors;
  std::string problem = model.open(how.output);
  llvm::sys::fs::remove(how.output);
  return problem.empty() ? "" : "load: " + name.str() + ": " + problem;
}

/// Buckets are padded in half of the cases, or always.
CompileOptions Checker::chooseVariants() {
  CompileOptions how;
  how.paddingFill = random() % 2 ? FreePadding::NaN : FreePadding::Huge;
  int64_t variants = 1;
  for (const std::string &symbol : subject.symbols()) {
    SymbolRange range = subject.domain().range(symbol);
    SymbolValues exact{symbol, {}};
    BucketEnds buckets;
    for (int64_t size : kSizes) {
      bool fits =
          size >= range.min && size <= range.max && size % range.divisor == 0;
      if (fits && random() % 5 == 0 && !options.padded)
        exact.values.push_back(size);
      if (fits && random() % (options.padded ? 3 : 6) == 0)
        buckets.sizes.push_back(size);
    }
    int64_t choices =
        std::max<int64_t>(exact.values.size() + buckets.sizes.size(), 1);
    if (variants * choices > 6)
      continue;
    variants *= choices;
    if (!exact.values.empty())
      how.exact.push_back(exact);
    if (!buckets.sizes.empty())
      how.buckets[symbol] = buckets;
  }
  // What kind suits models that small is not for expected times to say.
  using Way = BucketKind::Way;
  Way ways[] = {Way::Range, Way::Divisible, Way::Padded, Way::Padded};
  if (!how.buckets.empty())
    how.bucketKinds[""] = {options.padded ? Way::Padded : ways[random() % 4],
                           int64_t(random() % 4 + 2)};
  return how;
}

/// Sizes that the guards admit for the most part, with some that they refuse.
std::vector<Sizes> Checker::chooseSizes() {
  std::vector<Sizes> chosen;
  std::set<Sizes> seen;
  int64_t admitted = 0, refused = 0;
  for (int tries = 0; tries < 400 && admitted < options.shapes; ++tries) {
    Sizes sizes;
    for (const std::string &symbol : subject.symbols())
      sizes[symbol] = kSizes[random() % std::size(kSizes)];
    if (!seen.insert(sizes).second || !subject.inputShapes(sizes))
      continue;
    bool isAdmitted = subject.domain().contains(sizes);
    if (!isAdmitted && refused >= 4)
      continue;
    ++(isAdmitted ? admitted : refused);
    chosen.push_back(std::move(sizes));
  }
  return chosen;
}

static std::string sizesText(const Sizes &sizes) {
  std::string text;
  for (const auto &[name, size] : sizes)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(size);
  return text;
}

static std::string elementText(const HostTensor &tensor, int64_t index) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isa<FloatType>(tensor.getElementType()))
    stream << llvm::format("%.9g", tensor.getFloat(index));
  else
    stream << tensor.getInt(index);
  std::string position;
  for (int64_t dim : llvm::reverse(tensor.getDims())) {
    position =
        std::to_string(index % dim) + (position.empty() ? "" : ",") + position;
    index /= dim;
  }
  return text + " at [" + position + "]";
}

static bool isNear(const HostTensor &actual, const HostTensor &expected,
                   int64_t i, double tolerance, bool isVague) {
  if (!isa<FloatType>(actual.getElementType()))
    return tolerance > 0 || actual.getInt(i) == expected.getInt(i);
  double a = actual.getFloat(i), e = expected.getFloat(i);
  if (isVague && !(std::isfinite(a) && std::isfinite(e)))
    return true;
  if (std::isnan(a) || std::isnan(e))
    return std::isnan(a) && std::isnan(e);
  return a == e ||
         std::fabs(a - e) <= tolerance + 3e-5 * (tolerance > 0) * std::fabs(e);
}

static std::string compare(const std::vector<HostTensor> &actual,
                           const Expectation &expected) {
  for (size_t n = 0; n < actual.size(); ++n) {
    std::string place = "output " + std::to_string(n) + ": ";
    if (actual[n].getDims() != expected.outputs[n].getDims())
      return place + "another shape";
    int64_t wrong = 0, first = -1, count = actual[n].getNumElements();
    for (int64_t i = 0; i < count; ++i)
      if (!isNear(actual[n], expected.outputs[n], i, expected.tolerance[n],
                  expected.isVague[n])) {
        first = first < 0 ? i : first;
        ++wrong;
      }
    if (wrong)
      return place + std::to_string(wrong) + " of " + std::to_string(count) +
             " differ: " + elementText(actual[n], first) + ", expected " +
             elementText(expected.outputs[n], first) + " within " +
             std::to_string(expected.tolerance[n]);
  }
  return "";
}

static std::string compareBits(const std::vector<HostTensor> &lhs,
                               const std::vector<HostTensor> &rhs) {
  for (size_t n = 0; n < lhs.size(); ++n) {
    std::string place = "output " + std::to_string(n) + ": ";
    if (lhs[n].getDims() != rhs[n].getDims())
      return place + "another shape";
    int64_t width = HostTensor::elementBytes(lhs[n].getElementType());
    for (int64_t i = 0; i < lhs[n].getNumElements(); ++i) {
      if (!memcmp(lhs[n].getBytes().data() + i * width,
                  rhs[n].getBytes().data() + i * width, width))
        continue;
      // Which NaN it is, is nobody's business.
      if (isa<FloatType>(lhs[n].getElementType()) &&
          std::isnan(lhs[n].getFloat(i)) && std::isnan(rhs[n].getFloat(i)))
        continue;
      return place + elementText(lhs[n], i) + ", generic has " +
             elementText(rhs[n], i);
    }
  }
  return "";
}

std::string Checker::checkShapes(const Shapes &shapes, const std::string &place,
                                 bool mayBeNeedless) {
  std::vector<HostTensor> inputs = subject.makeInputs(shapes);
  Expectation expected = subject.evaluate(inputs);
  bool mayRun =
      expected.refusal.empty() || (mayBeNeedless && expected.isNeedless);
  SmallVector<Type> types = subject.resultElementTypes();
  std::vector<HostTensor> first;
  for (auto [model, name] : {std::make_pair(&generic, "generic"),
                             std::make_pair(&special, "variants")}) {
    std::string where = std::string(name) + " at " + place + ": ";
    bool refused = false;
    auto outputs = model->run(inputs, types, refused);
    if (!outputs) {
      std::string why = llvm::toString(outputs.takeError());
      if (expected.refusal.empty() || !refused)
        return "refuses: " + where + why;
      continue;
    }
    if (!mayRun)
      return "admits: " + where + "the reference says " + expected.refusal;
    std::string problem;
    if (expected.refusal.empty())
      problem = compare(*outputs, expected);
    if (!problem.empty())
      return "wrong: " + where + problem + " (variant " +
             std::to_string(model->lastVariant()) + ")";
    if (first.empty())
      first = *outputs;
    else if (problem = compareBits(*outputs, first); !problem.empty())
      return "bits: " + where + problem + " (variant " +
             std::to_string(model->lastVariant()) + ")";
  }
  ++(expected.refusal.empty() ? facts.ran : facts.refused);
  return "";
}

std::string Checker::checkStatic(const Sizes &sizes, const Shapes &shapes) {
  std::vector<HostTensor> inputs = subject.makeInputs(shapes);
  SmallVector<Type> types = subject.resultElementTypes();
  bool refused = false;
  auto expected = generic.run(inputs, types, refused);
  if (!expected) {
    llvm::consumeError(expected.takeError());
    return "";
  }
  GuardedModel model;
  std::string problem = compile("static", subject.staticText(sizes), {}, model);
  std::string place = " at " + sizesText(sizes);
  if (!problem.empty())
    return problem + place;
  auto outputs = model.run(inputs, types, refused);
  if (!outputs)
    return "refuses: static" + place + ": " +
           llvm::toString(outputs.takeError());
  problem = subject.foldsMath() ? compare(*outputs, subject.evaluate(inputs))
                                : compareBits(*outputs, *expected);
  return problem.empty() ? "" : "bits: static" + place + ": " + problem;
}

/// Makes one dim of one input something else.
std::string Checker::damage(Shapes &shapes) {
  size_t input = random() % shapes.size();
  if (shapes[input].empty())
    return "";
  size_t dim = random() % shapes[input].size();
  int64_t &size = shapes[input][dim];
  size = random() % 2 ? size + 1 : std::max<int64_t>(size - 1, 0);
  return " with dim " + std::to_string(dim) + " of input " +
         std::to_string(input) + " made " + std::to_string(size);
}

std::string Checker::check(const std::string &text) {
  context.loadAllAvailableDialects();
  std::string problem = subject.read(text, context);
  if (!problem.empty())
    return problem;
  std::clock_t start = std::clock();
  problem = compile("generic", text, {}, generic);
  facts.compileSeconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  if (!problem.empty())
    return problem;
  problem = compile("variants", text, chooseVariants(), special);
  if (!problem.empty())
    return problem;
  int64_t statics = options.statics;
  for (const Sizes &sizes : chooseSizes()) {
    Shapes shapes = *subject.inputShapes(sizes);
    problem =
        checkShapes(shapes, sizesText(sizes), subject.domain().contains(sizes));
    if (!problem.empty())
      return problem;
    if (random() % 4 == 0) {
      Shapes damaged = shapes;
      std::string what = damage(damaged);
      problem = checkShapes(damaged, sizesText(sizes) + what, true);
      if (!problem.empty())
        return problem;
    }
    if (statics > 0 && subject.domain().contains(sizes)) {
      --statics;
      if (problem = checkStatic(sizes, shapes); !problem.empty())
        return problem;
    }
  }
  return "";
}

conformance::Report ambit::fuzz::checkModule(const std::string &text,
                                             const CheckOptions &options,
                                             CaseFacts &facts) {
  conformance::Report report;
  report.detail = Checker(options, facts).check(text);
  report.status = report.detail.empty() ? conformance::Status::Pass
                                        : conformance::Status::Fail;
  return report;
}
