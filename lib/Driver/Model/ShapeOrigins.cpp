// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dim is traced through the operands of ops: a dim of the same expression is
// the same dim, and dims that share symbols with it are what it is made of.

#include "ShapeOrigins.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Symbolic/LinearForm.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;

using Names = std::set<std::string>;

static Names symbolsOf(Expr expr) {
  Names names;
  expr.collectSymbols(names);
  return names;
}

static bool share(const Names &lhs, const Names &rhs) {
  return llvm::any_of(
      lhs, [&](const std::string &name) { return rhs.count(name) != 0; });
}

namespace {
class Tracer {
public:
  explicit Tracer(func::FuncOp main) : main(main) {}
  DimOrigin trace(Value value, unsigned dim);

private:
  struct Place {
    Value value;
    unsigned dim;
  };
  void follow(Place place, unsigned depth);
  static SmallVector<Place> sourcesOf(Operation *op, Expr dim);
  std::string findSource(const std::string &symbol);
  void findSymbols();
  void findGuards();

  func::FuncOp main;
  DimOrigin origin;
  llvm::DenseSet<std::pair<Value, unsigned>> visited;
  Names nodes;
};
} // namespace

/// The operand dim that is this dim, or else all that it may be made of.
SmallVector<Tracer::Place> Tracer::sourcesOf(Operation *op, Expr dim) {
  Names symbols = symbolsOf(dim);
  SmallVector<Place> sources;
  for (Value operand : op->getOperands()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    for (auto [index, other] :
         llvm::enumerate(sym::getDims(operand.getType()))) {
      if (other == dim)
        return {{operand, unsigned(index)}};
      if (share(symbols, symbolsOf(other)))
        sources.push_back({operand, unsigned(index)});
    }
  }
  return sources;
}

void Tracer::follow(Place place, unsigned depth) {
  while (Operation *op = place.value.getDefiningOp()) {
    if (!visited.insert({place.value, place.dim}).second)
      return;
    std::string node = getNodeName(op->getLoc());
    nodes.insert(node);
    Expr dim = sym::getDims(place.value.getType())[place.dim];
    SmallVector<Place> sources = sourcesOf(op, dim);
    bool isKept =
        sources.size() == 1 &&
        sym::getDims(sources[0].value.getType())[sources[0].dim] == dim;
    if (!isKept) {
      ShapeStep step;
      step.node = node;
      step.op = op->getName().stripDialect().str();
      step.made = dim;
      step.depth = depth;
      auto source = dyn_cast<graph::SizeSourceOpInterface>(op);
      step.isFound =
          source && dim.isSymbol() && dim.symbolName() == source.getSymbol();
      for (const Place &source : sources) {
        Expr from = sym::getDims(source.value.getType())[source.dim];
        if (!llvm::is_contained(step.from, from))
          step.from.push_back(from);
      }
      origin.steps.push_back(std::move(step));
    }
    if (sources.empty())
      return;
    unsigned below = depth + (sources.size() > 1);
    for (const Place &source : ArrayRef(sources).drop_front())
      follow(source, below);
    place = sources.front();
    depth = below;
  }
}

/// What an element of an input, or a name for an expression, comes from.
std::string Tracer::findSource(const std::string &symbol) {
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (auto elements =
            main.getArgAttrOfType<sym::ShapeAttr>(i, sym::kElements))
      for (auto [number, element] : llvm::enumerate(elements.getDims()))
        if (element.isSymbol() && element.symbolName() == symbol)
          return "element " + std::to_string(number) + " of input '" +
                 getInputShapes(main)[i].name + "'";
  for (auto op : main.getOps<graph::SizeSourceOpInterface>())
    if (op.getSymbol() == symbol)
      return "found by node '" + getNodeName(op->getLoc()) + "'";
  auto module = main->getParentOfType<ModuleOp>();
  for (auto op : module.getOps<sym::SymbolOp>())
    if (op.getName() == symbol && op.getDefinition())
      return op.getDefinition()->str();
  return "";
}

/// Where the values of the dim's symbols are read.
void Tracer::findSymbols() {
  Names symbols = symbolsOf(origin.dim);
  for (const std::string &symbol : symbols)
    if (std::string source = findSource(symbol); !source.empty())
      origin.symbols[symbol] = source;
  for (const std::string &symbol : symbols)
    for (const NamedShape &input : getInputShapes(main))
      for (auto [index, dim] : llvm::enumerate(input.dims)) {
        std::optional<LinearForm> form = asLinear(dim);
        if (!form || form->symbol != symbol)
          continue;
        std::string text =
            "dim " + std::to_string(index) + " of input '" + input.name + "'";
        if (!dim.isSymbol())
          text += ", which is " + dim.str();
        std::string &known = origin.symbols[symbol];
        if (known.empty() || (dim.isSymbol() && StringRef(known).contains(',')))
          known = std::move(text);
      }
}

void Tracer::findGuards() {
  auto module = main->getParentOfType<ModuleOp>();
  for (auto guard : module.getOps<sym::GuardOp>()) {
    std::string node = getNodeName(guard.getLoc());
    Names symbols;
    for (const Relation &relation : sym::getCondition(guard).anyOf) {
      relation.lhs.collectSymbols(symbols);
      relation.rhs.collectSymbols(symbols);
    }
    if (nodes.count(node) && share(symbols, symbolsOf(origin.dim)))
      origin.guards.push_back({guard.getCondition().str(),
                               dispatch::describeOrigin(guard.getLoc())});
  }
}

DimOrigin Tracer::trace(Value value, unsigned dim) {
  origin = DimOrigin();
  origin.dim = sym::getDims(value.getType())[dim];
  visited.clear();
  nodes.clear();
  // A number may stand in many shapes by chance.
  if (!origin.dim.constant())
    follow({value, dim}, 0);
  findSymbols();
  findGuards();
  return std::move(origin);
}

/// The value of that name, with the shapes that have names.
static Value findValue(func::FuncOp main, StringRef name) {
  std::vector<NamedShape> outputs = getOutputShapes(main);
  Operation *terminator = main.front().getTerminator();
  for (auto [index, output] : llvm::enumerate(outputs))
    if (output.name == name)
      return terminator->getOperand(index);
  for (auto [index, input] : llvm::enumerate(getInputShapes(main)))
    if (input.name == name)
      return main.getArgument(index);
  Value found;
  for (Operation &op : main.front().without_terminator())
    if (getNodeName(op.getLoc()) == name && op.getNumResults() != 0)
      found = op.getResult(0);
  return found;
}

FailureOr<ShapeOrigin> ambit::traceShape(func::FuncOp main, StringRef name) {
  Value value = findValue(main, name);
  if (!value) {
    std::vector<std::string> names;
    for (const std::vector<NamedShape> &shapes :
         {getInputShapes(main), getNodeShapes(main), getOutputShapes(main)})
      for (const NamedShape &shape : shapes)
        names.push_back(shape.name);
    InFlightDiagnostic error =
        emitError(optionLocation(main.getContext(), "--why"))
        << "the model has no input, node or output '" << name << "'";
    if (StringRef closest = closestName(name, names); !closest.empty())
      error << "; did you mean '" << closest << "'?";
    return error;
  }
  ShapeOrigin origin;
  origin.shape = describeShape(name, value.getType());
  Tracer tracer(main);
  for (unsigned dim = 0; dim < origin.shape.dims.size(); ++dim)
    origin.dims.push_back(tracer.trace(value, dim));
  return origin;
}

static std::string joinExprs(ArrayRef<Expr> exprs) {
  return llvm::join(
      llvm::map_range(exprs, [](Expr expr) { return expr.str(); }), ", ");
}

void ambit::printOrigin(const ShapeOrigin &origin, llvm::raw_ostream &out) {
  out << origin.shape.name << ": " << origin.shape.elementType
      << getDimsText(origin.shape.dims, {}) << '\n';
  for (auto [index, dim] : llvm::enumerate(origin.dims)) {
    out << "dim " << index << " is " << dim.dim.str() << '\n';
    for (const ShapeStep &step : dim.steps) {
      out.indent(2 + 2 * step.depth) << step.made.str() << ": " << step.op
                                     << " of node '" << step.node << "'";
      if (step.isFound)
        out << " finds it in the data\n";
      else if (step.from.empty())
        out << " has it in the shape that it is given\n";
      else
        out << " makes it from " << joinExprs(step.from) << '\n';
    }
    for (const auto &[symbol, place] : dim.symbols)
      out << "  " << symbol << ": " << place << '\n';
    for (const auto &[condition, from] : dim.guards)
      out << "  guard " << condition << ", from " << from << '\n';
  }
}

Json ambit::toJson(const ShapeOrigin &origin) {
  Json dims = Json::array();
  for (const DimOrigin &dim : origin.dims) {
    Json steps = Json::array(), guards = Json::array();
    for (const ShapeStep &step : dim.steps) {
      Json from = Json::array();
      for (Expr expr : step.from)
        from.push_back(expr.str());
      steps.push_back({{"made", step.made.str()},
                       {"op", step.op},
                       {"node", step.node},
                       {"from", std::move(from)},
                       {"found_in_data", step.isFound},
                       {"depth", step.depth}});
    }
    for (const auto &[condition, from] : dim.guards)
      guards.push_back({{"text", condition}, {"origin", from}});
    dims.push_back({{"dim", dim.dim.str()},
                    {"steps", std::move(steps)},
                    {"symbols", dim.symbols},
                    {"guards", std::move(guards)}});
  }
  return {{"value", origin.shape.name},
          {"dtype", origin.shape.elementType},
          {"dims", std::move(dims)}};
}
