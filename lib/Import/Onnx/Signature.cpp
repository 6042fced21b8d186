// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a model's inputs. ONNX has no language for dims, but exporters write
// expressions ("2*s0 + 1") into the names of dims; a symbol can be computed
// only where some dim is a linear form of it. Other texts are labels, which say
// that dims with the same text are equal and nothing more.

#include "Signature.h"
#include "InputValues.h"
#include "Nodes/Limits.h"
#include "TensorData.h"
#include "ambit/Dialect/Graph/IR/InferTypes.h"
#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Shape/FollowValues.h"
#include "ambit/Shape/Rank.h"
#include "ambit/Symbolic/LinearForm.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

static bool isBareSymbol(StringRef text) {
  ParseError error;
  std::optional<Expr> expr = parseExpr(text, error);
  return expr && expr->isSymbol();
}

namespace {

/// An input while its dims are being read; an absent dim is not known.
struct Input {
  const onnx::ValueInfoProto *proto;
  Type elementType;
  SmallVector<std::optional<Expr>> dims;
  /// The elements, when the options give them.
  std::optional<SmallVector<int64_t>> values;
};

class SignatureReader {
public:
  SignatureReader(const OnnxModel &model, const ImportOptions &options,
                  const llvm::StringMap<SizeInput> &sizeInputs)
      : model(model), options(options), sizeInputs(sizeInputs) {}
  FailureOr<Signature> read();

private:
  LogicalResult readInput(const onnx::ValueInfoProto &proto);
  LogicalResult readDeclaredDims(Input &input);
  LogicalResult readGivenDims(Input &input, ArrayRef<std::string> texts);
  LogicalResult readDims(Input &input);
  LogicalResult readValue(Input &input);
  Expr readName(const Input &input, size_t dim, StringRef text);
  Expr readLabel(const Input &input, size_t dim, StringRef text,
                 const Twine &why);
  LogicalResult checkOptions();
  LogicalResult checkDerivedDims();
  void reserveNames();
  void nameUnknownDims();
  void nameElements(Argument &argument);
  std::string makeName(StringRef text);
  InFlightDiagnostic error(const Input &input, size_t dim) {
    return emitError(model.loc())
           << "dim " << dim << " of input '" << input.proto->name() << "' ";
  }

  const OnnxModel &model;
  const ImportOptions &options;
  const llvm::StringMap<SizeInput> &sizeInputs;
  std::vector<Input> inputs;
  /// Names made for texts that are no expressions.
  std::map<std::string, std::string> madeNames;
  std::set<std::string> usedNames;
  std::vector<std::string> warnings;
};

} // namespace

/// A symbol that reads like the text and is not in use.
std::string SignatureReader::makeName(StringRef text) {
  std::string name;
  for (char c : text)
    name += llvm::isAlnum(c) || c == '_' || c == '.' || c == ':' ? c : '_';
  if (name.empty() || !isBareSymbol(name.substr(0, 1)))
    name = "_" + name;
  while (!isBareSymbol(name) || usedNames.count(name))
    name += "_";
  usedNames.insert(name);
  return name;
}

/// Why a text that reads like an expression is none; empty if it may be one.
static std::string whyLabel(StringRef text, Expr expr) {
  if (expr.constant())
    return "a size would be a number";
  // Exporters put spaces around the signs of expressions.
  if (text.contains('-') && text.find_first_of("+*/%(), ") == StringRef::npos)
    return "a difference would have spaces around its sign";
  std::set<std::string> names;
  expr.collectSymbols(names);
  for (const std::string &name : names)
    if (isElementName(name))
      return "elements of inputs are not dims";
  return "";
}

/// The symbol of a text that is a label although it reads like an expression.
Expr SignatureReader::readLabel(const Input &input, size_t dim, StringRef text,
                                const Twine &why) {
  std::string &name = madeNames[text.str()];
  if (name.empty()) {
    name = makeName(text);
    warnings.push_back(("dim " + Twine(dim) + " of input '" +
                        input.proto->name() + "' is named '" + text +
                        "', which is taken for a label and no expression (" +
                        why + "); its symbol is '" + name + "'")
                           .str());
  }
  return Expr::symbol(name);
}

Expr SignatureReader::readName(const Input &input, size_t dim, StringRef text) {
  ParseError error;
  if (std::optional<Expr> expr = parseExpr(text, error)) {
    std::string why = options.strictDims ? "" : whyLabel(text, *expr);
    return why.empty() ? *expr : readLabel(input, dim, text, why);
  }
  std::string &name = madeNames[text.str()];
  if (name.empty())
    name = makeName(text);
  return Expr::symbol(name);
}

LogicalResult SignatureReader::readDeclaredDims(Input &input) {
  const onnx::TypeProto::Tensor &type = input.proto->type().tensor_type();
  if (!type.has_shape())
    return emitError(model.loc())
           << "input '" << input.proto->name()
           << "' has no rank; give its dims with --input-shape";
  for (auto [index, dim] : llvm::enumerate(type.shape().dim())) {
    if (dim.has_dim_value() && dim.dim_value() != -1) {
      if (dim.dim_value() < 0)
        return error(input, index) << "is " << dim.dim_value()
                                   << ", expected a size that is not negative";
      input.dims.push_back(Expr(int64_t(dim.dim_value())));
    } else if (dim.has_dim_param() && !dim.dim_param().empty()) {
      input.dims.push_back(readName(input, index, dim.dim_param()));
    } else {
      input.dims.push_back(std::nullopt);
    }
  }
  return success();
}

LogicalResult SignatureReader::readGivenDims(Input &input,
                                             ArrayRef<std::string> texts) {
  Location loc = options.inputShapesLoc.value_or(model.loc());
  const onnx::TypeProto::Tensor &type = input.proto->type().tensor_type();
  if (type.has_shape() && type.shape().dim_size() != int(texts.size()))
    return emitError(loc) << "input '" << input.proto->name() << "' has rank "
                          << type.shape().dim_size() << ", found "
                          << texts.size() << " dims";
  for (StringRef text : texts) {
    ParseError problem;
    std::optional<Expr> expr = parseExpr(text, problem);
    if (!expr)
      return emitError(loc) << "dims of input '" << input.proto->name()
                            << "': " << problem.render(text);
    input.dims.push_back(*expr);
  }
  return success();
}

LogicalResult SignatureReader::readDims(Input &input) {
  const onnx::ValueInfoProto &proto = *input.proto;
  auto given = options.inputShapes.find(proto.name());
  bool isFixed = options.values.count(proto.name());
  if (given != options.inputShapes.end())
    return readGivenDims(input, given->second);
  if (isFixed && !proto.type().tensor_type().has_shape())
    return success();
  return readDeclaredDims(input);
}

/// What `--value` says about the input.
LogicalResult SignatureReader::readValue(Input &input) {
  const onnx::ValueInfoProto &proto = *input.proto;
  auto given = options.values.find(proto.name());
  if (given == options.values.end())
    return success();
  FixedInput fixed{options.valuesLoc.value_or(model.loc()), proto.name(),
                   given->second};
  bool hasRank = proto.type().tensor_type().has_shape() ||
                 options.inputShapes.count(proto.name());
  FailureOr<SmallVector<int64_t>> elements =
      readFixedElements(fixed, input.elementType);
  if (failed(elements) || failed(fixDims(fixed, hasRank, input.dims)))
    return failure();
  input.values = std::move(*elements);
  return success();
}

LogicalResult SignatureReader::readInput(const onnx::ValueInfoProto &proto) {
  Input input{&proto, {}, {}, {}};
  if (!proto.type().has_tensor_type())
    return emitError(model.loc())
           << "input '" << proto.name() << "' is "
           << (proto.type().has_sequence_type() ? "a sequence"
               : proto.type().has_optional_type()
                   ? "an optional"
                   : "of a type that is not supported")
           << ", expected a tensor: a compiled model has no other inputs";
  input.elementType = getElementType(proto.type().tensor_type().elem_type(),
                                     model.locOf("input", proto.name()));
  if (!input.elementType)
    return failure();
  auto given = options.inputShapes.find(proto.name());
  int64_t rank = given == options.inputShapes.end()
                     ? proto.type().tensor_type().shape().dim_size()
                     : int64_t(given->second.size());
  if (rank > kMaxRank)
    return emitError(model.loc()) << "input '" << proto.name() << "' has rank "
                                  << rank << ", expected at most " << kMaxRank;
  if (failed(readDims(input)) || failed(readValue(input)))
    return failure();
  for (auto [index, dim] : llvm::enumerate(input.dims)) {
    if (!dim)
      continue;
    if (!dim->isValid() || (dim->constant() && *dim->constant() < 0))
      return error(input, index) << "is '" << dim->str()
                                 << "', expected a size that is not negative";
    dim->collectSymbols(usedNames);
  }
  inputs.push_back(std::move(input));
  return success();
}

/// Some dim must give every symbol. An expression of others is a label.
LogicalResult SignatureReader::checkDerivedDims() {
  std::set<std::string> solved;
  for (const Input &input : inputs)
    for (const std::optional<Expr> &dim : input.dims)
      if (std::optional<LinearForm> form = dim ? asLinear(*dim) : std::nullopt)
        solved.insert(form->symbol);
  LogicalResult result = success();
  for (Input &input : inputs)
    for (auto [index, dim] : llvm::enumerate(input.dims)) {
      std::set<std::string> names;
      if (dim)
        dim->collectSymbols(names);
      auto unbound = llvm::find_if(
          names, [&](const std::string &name) { return !solved.count(name); });
      if (unbound == names.end())
        continue;
      bool isGiven = options.inputShapes.count(input.proto->name());
      if (!isGiven && !options.strictDims) {
        const auto &shape = input.proto->type().tensor_type().shape();
        dim = readLabel(input, index, shape.dim(index).dim_param(),
                        "no dim of an input gives '" + *unbound + "'");
        continue;
      }
      result = error(input, index)
               << "is '" << dim->str() << "', from which '" << *unbound
               << "' cannot be computed: no dim of an input is '" << *unbound
               << "' or a linear form of it like '2*" << *unbound
               << " + 1'; give the dims with --input-shape";
    }
  return result;
}

void SignatureReader::nameUnknownDims() {
  for (Input &input : inputs)
    for (auto [index, dim] : llvm::enumerate(input.dims))
      if (!dim)
        dim = Expr::symbol(
            makeName(input.proto->name() + "_dim" + std::to_string(index)));
}

static void listNames(InFlightDiagnostic &diagnostic,
                      const std::vector<std::string> &names) {
  llvm::interleave(
      names, [&](const std::string &name) { diagnostic << "'" << name << "'"; },
      [&] { diagnostic << ", "; });
}

LogicalResult SignatureReader::checkOptions() {
  LogicalResult result = success();
  std::vector<std::string> names;
  for (const Input &input : inputs)
    names.push_back(input.proto->name());
  auto check = [&](const std::string &name, std::optional<Location> loc) {
    if (llvm::is_contained(names, name))
      return;
    InFlightDiagnostic error = emitError(loc.value_or(model.loc()));
    error << "the model has no input '" << name << "'; its inputs are ";
    listNames(error, names);
    result = error;
  };
  for (const auto &[name, dims] : options.inputShapes)
    check(name, options.inputShapesLoc);
  for (const auto &[name, value] : options.values)
    check(name, options.valuesLoc);
  return result;
}

/// What the integer type of an element holds; of 64 bits, what still adds and
/// multiplies without harm: no size is larger.
static SymbolRange rangeOfElement(Type type) {
  if (type.isInteger(1))
    return {0, 1};
  unsigned width = type.getIntOrFloatBitWidth();
  if (width == 64)
    return {-(int64_t(1) << 48), int64_t(1) << 48};
  if (type.isUnsignedInteger())
    return {0, (int64_t(1) << width) - 1};
  return {-(int64_t(1) << (width - 1)), (int64_t(1) << (width - 1)) - 1};
}

/// Makes symbols of the elements of an input, unless these are many or no
/// integers.
void SignatureReader::nameElements(Argument &argument) {
  Type type = argument.type.getElementType();
  if (type.isUnsignedInteger(64) || isPackedType(type))
    return;
  std::string base;
  for (int64_t i = 0, count = argument.type.getNumElements(); i < count; ++i) {
    if (base.empty())
      base = makeName(argument.name + (isa<FloatType>(type) ? ".bits" : ""));
    argument.elements.push_back(
        Expr::symbol(base + "[" + std::to_string(i) + "]"));
  }
}

/// What is known of element `number` of an input.
static Symbol symbolOfElement(const Argument &argument, size_t number,
                              const llvm::StringMap<SizeInput> &sizeInputs) {
  Symbol symbol;
  symbol.isFixed = argument.values.has_value();
  if (symbol.isFixed) {
    int64_t value = (*argument.values)[number];
    symbol.range = {value, value};
    return symbol;
  }
  symbol.range = rangeOfElement(argument.type.getElementType());
  symbol.saturates = sizeInputs.lookup(argument.name).onlyBoundSlices;
  return symbol;
}

/// Symbols in the order of appearance, with the ranges of the options.
static FailureOr<std::vector<Symbol>>
collectSymbols(const std::vector<Argument> &arguments,
               const ImportOptions &options,
               const llvm::StringMap<SizeInput> &sizeInputs, Location loc) {
  std::vector<Symbol> symbols;
  std::vector<std::string> names;
  llvm::StringSet<> added;
  auto add = [&](const std::string &name, Symbol symbol) {
    if (!added.insert(name).second)
      return;
    names.push_back(name);
    symbol.name = name;
    if (auto range = options.dims.find(name); range != options.dims.end()) {
      symbol.range = range->second;
      symbol.isDeclared = true;
      symbol.saturates = false;
    }
    symbols.push_back(std::move(symbol));
  };
  for (const Argument &argument : arguments)
    for (Expr dim : sym::getDims(argument.type)) {
      std::set<std::string> found;
      dim.collectSymbols(found);
      for (const std::string &name : found)
        add(name, Symbol());
    }
  for (const Argument &argument : arguments)
    for (auto [number, element] : llvm::enumerate(argument.elements))
      add(element.symbolName().str(),
          symbolOfElement(argument, number, sizeInputs));
  LogicalResult result = success();
  for (const auto &[name, range] : options.dims) {
    bool isFixed = llvm::any_of(symbols, [&](const Symbol &symbol) {
      return symbol.isFixed && symbol.name == name;
    });
    if (isFixed) {
      result = emitError(options.dimsLoc.value_or(loc))
               << "'" << name << "' has a fixed value already, by --value";
      continue;
    }
    if (added.contains(name))
      continue;
    InFlightDiagnostic error = emitError(options.dimsLoc.value_or(loc));
    error << "the model has no symbol '" << name << "'; ";
    if (names.empty())
      error << "all dims of its inputs are fixed";
    else
      error << "its symbols are ";
    listNames(error, names);
    result = error;
  }
  if (failed(result))
    return failure();
  return symbols;
}

/// Names that are made must not be those of symbols that come later.
void SignatureReader::reserveNames() {
  for (const onnx::ValueInfoProto &proto : model.graph().input())
    for (const auto &dim : proto.type().tensor_type().shape().dim()) {
      ParseError ignored;
      if (std::optional<Expr> expr = parseExpr(dim.dim_param(), ignored))
        expr->collectSymbols(usedNames);
    }
}

FailureOr<Signature> SignatureReader::read() {
  reserveNames();
  llvm::StringSet<> initialized, seen;
  for (const onnx::TensorProto &tensor : model.graph().initializer())
    initialized.insert(tensor.name());
  LogicalResult result = success();
  for (const onnx::ValueInfoProto &proto : model.graph().input()) {
    if (initialized.contains(proto.name()))
      continue;
    // Names are C strings for applications.
    if (StringRef(proto.name()).contains('\0'))
      return emitError(model.loc())
             << "the name of an input holds a zero byte, after '"
             << proto.name().c_str() << "'";
    if (proto.name().empty() || !seen.insert(proto.name()).second)
      return emitError(model.loc())
             << "input '" << proto.name() << "' has no name of its own";
    if (failed(readInput(proto)))
      result = failure();
  }
  if (failed(result) || failed(checkOptions()) || failed(checkDerivedDims()))
    return failure();
  nameUnknownDims();
  Signature signature;
  for (const Input &input : inputs) {
    SmallVector<Expr> dims;
    for (const std::optional<Expr> &dim : input.dims)
      dims.push_back(*dim);
    Argument argument{input.proto->name(),
                      sym::getTensorType(dims, input.elementType),
                      {},
                      input.values};
    RankedTensorType type = argument.type;
    if (failed(graph::checkTensorSize(
            [&] {
              return emitError(model.loc())
                     << "input '" << argument.name << "': ";
            },
            type)))
      return failure();
    bool canFollow = type.hasStaticShape() &&
                     isa<IntegerType>(type.getElementType()) &&
                     type.getNumElements() <= kMaxFollowedElements;
    if (argument.values || (sizeInputs.count(argument.name) && canFollow))
      nameElements(argument);
    signature.arguments.push_back(std::move(argument));
  }
  FailureOr<std::vector<Symbol>> symbols =
      collectSymbols(signature.arguments, options, sizeInputs, model.loc());
  if (failed(symbols))
    return failure();
  if (symbols->size() > kMaxSymbols)
    return emitError(model.loc())
           << "the inputs have " << symbols->size()
           << " sizes that only a call tells, expected at most " << kMaxSymbols
           << ": give them names that they share, or numbers by --input-shape";
  signature.symbols = std::move(*symbols);
  signature.warnings = std::move(warnings);
  return signature;
}

FailureOr<Signature> ambit::onnx_import::readSignature(
    const OnnxModel &model, const ImportOptions &options,
    const llvm::StringMap<SizeInput> &sizeInputs) {
  return SignatureReader(model, options, sizeInputs).read();
}
