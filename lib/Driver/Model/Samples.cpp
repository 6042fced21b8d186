// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading samples and holding them against the model's inputs: the dims of each
// sample give the symbols values, as the object does at entry.

#include "Samples.h"
#include "LoadModel.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Files/Json.h"
#include "ambit/Symbolic/LinearForm.h"
#include "ambit/Symbolic/Parser.h"
#include "ambit/Symbolic/Prover.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;

constexpr uint64_t kMaxSampleBytes = uint64_t(1) << 28;

using Row = std::map<std::string, int64_t>;
using Dims = std::vector<int64_t>;

namespace {
class SampleReader {
public:
  SampleReader(const ModelOptions &options, MLIRContext &context,
               std::vector<ModelInput> inputs)
      : options(options), context(context), inputs(std::move(inputs)) {}

  LogicalResult read();
  FailureOr<ModelOptions> apply(SampleReport &report);

private:
  LogicalResult readSample(size_t number, const llvm::json::Value &value);
  LogicalResult readDims(size_t number, const ModelInput &input,
                         const llvm::json::Value &value, Dims &dims);
  Expr makeSymbol(StringRef input, size_t dim);
  LogicalResult openFixedDims(ModelOptions &result);
  LogicalResult bind(size_t number, Row &row);
  LogicalResult checkRow(size_t number, const Row &row);
  LogicalResult fixDims(ModelOptions &result, SampleReport &report);
  InFlightDiagnostic error(unsigned line = 0, unsigned column = 0) {
    return emitError(
        FileLineColLoc::get(&context, options.samples, line, column));
  }
  InFlightDiagnostic errorIn(size_t number) {
    return error() << "sample " << number << ": ";
  }

  const ModelOptions &options;
  MLIRContext &context;
  std::vector<ModelInput> inputs;
  /// By sample, then by input.
  std::vector<std::vector<Dims>> samples;
  std::vector<Row> rows;
};
} // namespace

LogicalResult SampleReader::readDims(size_t number, const ModelInput &input,
                                     const llvm::json::Value &value,
                                     Dims &dims) {
  const llvm::json::Array *list = value.getAsArray();
  if (!list)
    return errorIn(number) << "'" << input.name << "' has no list of sizes";
  if (list->size() != input.dims.size())
    return errorIn(number) << "input '" << input.name << "' has rank "
                           << input.dims.size() << ", found " << list->size()
                           << " dims";
  for (auto [index, entry] : llvm::enumerate(*list)) {
    std::optional<int64_t> size = entry.getAsInteger();
    if (!size || *size < 0)
      return errorIn(number)
             << "dim " << index << " of '" << input.name << "' is no size";
    dims.push_back(*size);
  }
  return success();
}

LogicalResult SampleReader::readSample(size_t number,
                                       const llvm::json::Value &value) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return errorIn(number) << "expected an object like {\"x\": [1, 7]}";
  for (const auto &[name, dims] : *object) {
    StringRef text = name;
    if (llvm::any_of(inputs, [&](const ModelInput &input) {
          return input.name == text;
        }))
      continue;
    InFlightDiagnostic unknown = errorIn(number)
                                 << "the model has no input '" << text
                                 << "'; its inputs are ";
    llvm::interleave(
        inputs,
        [&](const ModelInput &input) { unknown << "'" << input.name << "'"; },
        [&] { unknown << ", "; });
    return unknown;
  }
  std::vector<Dims> shapes;
  for (const ModelInput &input : inputs) {
    const llvm::json::Value *dims = object->get(input.name);
    if (!dims)
      return errorIn(number) << "input '" << input.name << "' is missing";
    if (failed(readDims(number, input, *dims, shapes.emplace_back())))
      return failure();
  }
  samples.push_back(std::move(shapes));
  return success();
}

LogicalResult SampleReader::read() {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      readInput(options.samples, kMaxSampleBytes);
  if (!buffer)
    return error() << llvm::toString(buffer.takeError());
  llvm::Expected<llvm::json::Value> root = parseJson((*buffer)->getBuffer());
  if (!root) {
    // "[LINE:COLUMN, byte=N]: MESSAGE"
    std::string text = llvm::toString(root.takeError());
    StringRef message = text;
    unsigned line = 0, column = 0;
    if (message.consume_front("[") && !message.consumeInteger(10, line) &&
        message.consume_front(":") && !message.consumeInteger(10, column))
      message = message.split("]: ").second;
    return error(line, column) << "bad JSON: " << message;
  }
  const llvm::json::Array *list = root->getAsArray();
  if (!list)
    return error() << "expected a list of objects like {\"x\": [1, 7]}";
  if (list->empty())
    return error() << "the list of samples is empty";
  for (auto [number, value] : llvm::enumerate(*list))
    if (failed(readSample(number, value)))
      return failure();
  return success();
}

/// A symbol for a dim, of a name that no other dim uses: "x_dim1".
Expr SampleReader::makeSymbol(StringRef input, size_t dim) {
  std::set<std::string> taken;
  for (const ModelInput &other : inputs)
    for (Expr expr : other.dims)
      expr.collectSymbols(taken);
  std::string name = asNamePart(input);
  if (name.empty() || llvm::isDigit(name[0]))
    name = "_" + name;
  name += "_dim" + std::to_string(dim);
  while (taken.count(name))
    name += "_";
  return Expr::symbol(name);
}

/// Fixed dims that vary become symbols, by giving the input's dims anew.
LogicalResult SampleReader::openFixedDims(ModelOptions &result) {
  for (auto [index, input] : llvm::enumerate(inputs)) {
    bool changes = false;
    for (auto [dim, expr] : llvm::enumerate(input.dims)) {
      std::optional<int64_t> declared = expr.constant();
      std::set<int64_t> seen;
      for (const std::vector<Dims> &sample : samples)
        seen.insert(sample[index][dim]);
      if (!declared || (seen.size() == 1 && *seen.begin() == *declared))
        continue;
      if (seen.size() == 1)
        return error() << "dim " << dim << " of input '" << input.name
                       << "' is " << *seen.begin()
                       << " in every sample, but the model says " << *declared;
      if (!canDeclareShapes(options))
        return error() << "dim " << dim << " of input '" << input.name
                       << "' varies, but the model says " << *declared
                       << "; a .mlir file declares its own shapes";
      expr = makeSymbol(input.name, dim);
      changes = true;
    }
    if (!changes)
      continue;
    std::vector<std::string> &texts = result.inputShapes[input.name];
    texts.clear();
    for (Expr dim : input.dims)
      texts.push_back(dim.str());
  }
  return success();
}

/// The values of the symbols in one sample, which all dims must agree with.
LogicalResult SampleReader::bind(size_t number, Row &row) {
  const std::vector<Dims> &sample = samples[number];
  for (bool alone : {true, false})
    for (auto [input, sizes] : llvm::zip_equal(inputs, sample))
      for (auto [expr, size] : llvm::zip_equal(input.dims, sizes)) {
        std::optional<LinearForm> form = asLinear(expr);
        if (!form || (alone && !expr.isSymbol()) || row.count(form->symbol))
          continue;
        if (std::optional<int64_t> value = form->solve(size))
          row[form->symbol] = *value;
      }
  for (auto [input, sizes] : llvm::zip_equal(inputs, sample))
    for (auto [dim, expr] : llvm::enumerate(input.dims)) {
      std::optional<int64_t> expected = expr.evaluate(row);
      if (expected == sizes[dim])
        continue;
      InFlightDiagnostic wrong = errorIn(number)
                                 << "dim " << dim << " ('" << expr.str()
                                 << "') of input '" << input.name << "' is "
                                 << sizes[dim] << ", expected ";
      if (expected)
        return wrong << *expected;
      return wrong << "'" << expr.str() << "'";
    }
  return success();
}

/// What the other options say must hold in the sample.
LogicalResult SampleReader::checkRow(size_t number, const Row &row) {
  for (const DimOption &dim : options.dims) {
    auto found = row.find(dim.name);
    if (found != row.end() &&
        (found->second < dim.min || found->second > dim.max ||
         found->second % dim.divisor != 0))
      return errorIn(number) << "'" << dim.name << "' is " << found->second
                             << ", which --dim does not allow";
  }
  for (const std::string &text : options.constraints) {
    ParseError unused;
    std::optional<Condition> condition = parseCondition(text, unused);
    if (condition && condition->evaluate(row) == false)
      return errorIn(number) << "--constraint '" << text << "' does not hold";
  }
  return success();
}

LogicalResult SampleReader::fixDims(ModelOptions &result,
                                    SampleReport &report) {
  for (size_t number = 0; number < samples.size(); ++number)
    if (failed(bind(number, rows.emplace_back())) ||
        failed(checkRow(number, rows.back())))
      return failure();
  report.count = samples.size();
  // In the order of the inputs, so that later symbols depend on earlier ones.
  std::vector<std::string> symbols;
  for (const ModelInput &input : inputs)
    for (Expr dim : input.dims)
      if (std::optional<LinearForm> form = asLinear(dim))
        if (!llvm::is_contained(symbols, form->symbol))
          symbols.push_back(form->symbol);
  for (const std::string &symbol : symbols) {
    int64_t value = rows.front().at(symbol);
    if (llvm::any_of(rows,
                     [&](const Row &row) { return row.at(symbol) != value; })) {
      report.varied.push_back(symbol);
      continue;
    }
    report.fixed[symbol] = value;
    // A range that the user gives says more than the samples.
    if (llvm::none_of(options.dims,
                      [&](const DimOption &dim) { return dim.name == symbol; }))
      result.dims.push_back({symbol, value, value, 1});
  }
  return success();
}

FailureOr<ModelOptions> SampleReader::apply(SampleReport &report) {
  ModelOptions result = options;
  result.samples.clear();
  if (failed(openFixedDims(result)) || failed(fixDims(result, report)))
    return failure();
  Domain known;
  for (const std::string &text : options.constraints) {
    ParseError unused;
    if (std::optional<Condition> condition = parseCondition(text, unused))
      known.assume(*condition);
  }
  Prover prover(known);
  for (Proposal &proposal : findProposals(report.varied, rows))
    if (prover.prove(proposal.condition) != Truth::Yes)
      report.proposals.push_back(std::move(proposal));
  report.accepted = options.acceptProposals;
  if (report.accepted)
    for (const Proposal &proposal : report.proposals)
      result.proposals.push_back(proposal.condition.str());
  return result;
}

static std::string valuesText(const Row &values) {
  std::string text;
  for (const auto &[symbol, value] : values)
    text += (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(value);
  return text;
}

static void remark(const SampleReport &report, MLIRContext *context) {
  Location loc = optionLocation(context, "--from-samples");
  std::string varied, fixed = valuesText(report.fixed);
  for (const std::string &symbol : report.varied)
    varied += (varied.empty() ? "" : ", ") + symbol;
  emitRemark(loc) << report.count
                  << " samples; fixed: " << (fixed.empty() ? "none" : fixed)
                  << "; varied: " << (varied.empty() ? "none" : varied);
  for (const Proposal &proposal : report.proposals) {
    std::string text = proposal.condition.str();
    InFlightDiagnostic found = emitRemark(loc);
    found << (report.accepted ? "taken as a guard: '" : "proposal: '") << text
          << "' held for " << proposal.distinct << " different shapes ("
          << valuesText(proposal.examples.front());
    if (proposal.examples.size() > 1)
      found << "; " << valuesText(proposal.examples.back());
    found << ")";
    if (!report.accepted)
      found << "; not used without --accept-proposals or --constraint '" << text
            << "'";
  }
}

FailureOr<ModelOptions> ambit::applySamples(const ModelOptions &options,
                                            MLIRContext &context,
                                            SampleReport &report) {
  if (options.samples.empty())
    return options;
  FailureOr<std::vector<ModelInput>> inputs = readInputs(options, context);
  if (failed(inputs))
    return failure();
  SampleReader reader(options, context, std::move(*inputs));
  if (failed(reader.read()))
    return failure();
  FailureOr<ModelOptions> result = reader.apply(report);
  if (succeeded(result))
    remark(report, &context);
  return result;
}

Json ambit::toJson(const SampleReport &report) {
  Json proposals = Json::array();
  for (const Proposal &proposal : report.proposals)
    proposals.push_back({{"condition", proposal.condition.str()},
                         {"distinct", proposal.distinct},
                         {"examples", proposal.examples}});
  return {{"count", report.count},
          {"fixed", report.fixed},
          {"varied", report.varied},
          {"proposals", std::move(proposals)},
          {"accepted", report.accepted}};
}
