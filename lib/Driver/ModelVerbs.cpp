// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit shapes`, and `ambit inspect` on a model that is not compiled: what is
// known without compiling anything.

#include "LoadModel.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Pipeline.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/Format.h"
#include "nlohmann/json.hpp"

using namespace mlir;
using namespace ambit;
using Json = nlohmann::ordered_json;

namespace {
/// A named value of the model.
struct NamedShape {
  std::string name, elementType;
  SmallVector<Expr> dims;
};
} // namespace

static NamedShape describe(StringRef name, Type type) {
  NamedShape shape;
  shape.name = name.str();
  llvm::raw_string_ostream(shape.elementType)
      << cast<RankedTensorType>(type).getElementType();
  shape.dims = sym::getDims(type);
  return shape;
}

static std::string nodeName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    if (!fused.getLocations().empty())
      return nodeName(fused.getLocations().front());
  return "";
}

/// `name` of argument or result attributes.
static StringRef ioName(DictionaryAttr attributes) {
  auto name = attributes
                  ? attributes.getAs<StringAttr>("ambit.name")
                  : StringAttr();
  return name ? name.getValue() : StringRef("?");
}

static std::vector<NamedShape> getInputs(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    shapes.push_back(
        describe(ioName(main.getArgAttrDict(i)), main.getArgumentTypes()[i]));
  return shapes;
}

static std::vector<NamedShape> getOutputs(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    shapes.push_back(
        describe(ioName(main.getResultAttrDict(i)), main.getResultTypes()[i]));
  return shapes;
}

/// One entry per node of the model: of the ops that it became, the last.
static std::vector<NamedShape> getNodes(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (Operation &op : main.front().without_terminator()) {
    std::string name = nodeName(op.getLoc());
    if (name.empty() || isa<graph::ConstantOp>(op))
      continue;
    if (!shapes.empty() && shapes.back().name == name)
      shapes.pop_back();
    shapes.push_back(describe(name, op.getResult(0).getType()));
  }
  return shapes;
}

/// The dims as text, with values put in where they are given.
static std::string dimsText(ArrayRef<Expr> dims,
                            const std::map<std::string, Expr> &values) {
  std::string text = "[";
  for (Expr dim : dims)
    text += (text.size() > 1 ? ", " : "") + dim.substitute(values).str();
  return text + "]";
}

static Json toJson(const std::vector<NamedShape> &shapes,
                   const std::map<std::string, Expr> &values) {
  Json list = Json::array();
  for (const NamedShape &shape : shapes) {
    Json dims = Json::array();
    for (Expr dim : shape.dims) {
      Expr put = dim.substitute(values);
      if (put.constant())
        dims.push_back(*put.constant());
      else
        dims.push_back(put.str());
    }
    list.push_back({{"name", shape.name}, {"dtype", shape.elementType},
                    {"dims", dims}});
  }
  return list;
}

static void print(StringRef title, const std::vector<NamedShape> &shapes,
                  const std::map<std::string, Expr> &values,
                  llvm::raw_ostream &out) {
  out << title << ":\n";
  for (const NamedShape &shape : shapes)
    out << "  " << llvm::left_justify(shape.name, 20) << ' '
        << shape.elementType << dimsText(shape.dims, values) << '\n';
}

static std::string upperText(int64_t max) {
  return max == Interval::kMax ? "" : std::to_string(max);
}

static Json symbolsJson(ModuleOp module) {
  Json list = Json::array();
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    Json entry = {{"name", symbol.getName().str()},
                  {"min", int64_t(symbol.getMin())}};
    if (int64_t(symbol.getMax()) != Interval::kMax)
      entry["max"] = int64_t(symbol.getMax());
    entry["divisor"] = int64_t(symbol.getDivisor());
    list.push_back(entry);
  }
  return list;
}

static Json guardsJson(ModuleOp module) {
  Json list = Json::array();
  for (auto guard : module.getOps<sym::GuardOp>())
    list.push_back({{"rule", guard.getCondition().str()},
                    {"node", nodeName(guard.getLoc())}});
  return list;
}

static void printSymbols(ModuleOp module, llvm::raw_ostream &out) {
  out << "symbols:\n";
  for (auto symbol : module.getOps<sym::SymbolOp>()) {
    out << "  " << llvm::left_justify(symbol.getName(), 20) << ' '
        << int64_t(symbol.getMin()) << ".." << upperText(symbol.getMax());
    if (symbol.getDivisor() != 1)
      out << ", a multiple of " << symbol.getDivisor();
    out << '\n';
  }
  if (!module.getOps<sym::GuardOp>().empty())
    out << "guards:\n";
  for (auto guard : module.getOps<sym::GuardOp>())
    out << "  " << llvm::left_justify(guard.getCondition(), 36)
        << " from " << dispatch::describeOrigin(guard.getLoc()) << '\n';
}

/// Imports and infers; null after an error.
static OwningOpRef<ModuleOp> load(const ModelOptions &options,
                                  MLIRContext &context) {
  OwningOpRef<ModuleOp> module = importModel(options, context);
  if (!module || failed(inferModel(*module)))
    return {};
  return module;
}

/// The values of --set, which must satisfy the domain as far as they go.
static FailureOr<std::map<std::string, Expr>>
checkValues(ModuleOp module, const std::map<std::string, int64_t> &set) {
  Domain domain = sym::getDomain(module);
  std::map<std::string, Expr> values;
  auto fail = [&]() {
    return emitError(optionLocation(module.getContext(), "--set"));
  };
  for (auto [name, value] : set) {
    if (!domain.ranges().count(name))
      return fail() << "the model has no symbol '" << name << "'";
    SymbolRange range = domain.range(name);
    if (value < range.min || value > range.max || value % range.divisor)
      return fail() << "'" << name << "' is " << value << ", expected "
                    << range.min << ".." << upperText(range.max)
                    << (range.divisor > 1 ? ", a multiple of " +
                                                std::to_string(range.divisor)
                                          : "");
    values[name] = Expr(value);
  }
  for (const Condition &rule : domain.assumptions())
    if (rule.evaluate(set) == false)
      return fail() << "rule '" << rule.str() << "' fails";
  return values;
}

LogicalResult ambit::runShapes(const ShapesOptions &options,
                               MLIRContext &context, llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> module = load(options, context);
  if (!module)
    return failure();
  auto values = checkValues(*module, options.set);
  if (failed(values))
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  if (options.json) {
    Json json = {{"inputs", toJson(getInputs(main), *values)},
                 {"nodes", toJson(getNodes(main), *values)},
                 {"outputs", toJson(getOutputs(main), *values)}};
    out << json.dump(2) << '\n';
    return success();
  }
  print("inputs", getInputs(main), *values, out);
  print("nodes", getNodes(main), *values, out);
  print("outputs", getOutputs(main), *values, out);
  return success();
}

LogicalResult ambit::inspectModel(const InspectOptions &options,
                                  MLIRContext &context,
                                  llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> module = load(options, context);
  if (!module)
    return failure();
  auto main = module->lookupSymbol<func::FuncOp>("main");
  if (options.json) {
    Json json = {{"inputs", toJson(getInputs(main), {})},
                 {"outputs", toJson(getOutputs(main), {})},
                 {"symbols", symbolsJson(*module)},
                 {"guards", guardsJson(*module)}};
    out << json.dump(2) << '\n';
    return success();
  }
  print("inputs", getInputs(main), {}, out);
  print("outputs", getOutputs(main), {}, out);
  printSymbols(*module, out);
  return success();
}
