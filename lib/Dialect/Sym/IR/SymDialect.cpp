// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `sym` dialect: attribute syntax, verifiers, and tensor type helpers.

#include "ambit/Dialect/Sym/IR/SymDialect.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::sym;

#include "ambit/Dialect/Sym/IR/SymDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Sym/IR/SymAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Sym/IR/SymOps.cpp.inc"

void SymDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ambit/Dialect/Sym/IR/SymAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ambit/Dialect/Sym/IR/SymOps.cpp.inc"
      >();
}

static FailureOr<Expr> parseDim(AsmParser &parser) {
  int64_t value;
  OptionalParseResult integer = parser.parseOptionalInteger(value);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    return Expr(value);
  }
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  StringRef keyword;
  if (succeeded(parser.parseOptionalKeyword(&keyword)))
    text = keyword.str();
  else if (failed(parser.parseString(&text)))
    return failure();
  ParseError error;
  std::optional<Expr> expr = parseExpr(text, error);
  if (!expr) {
    parser.emitError(loc, "dim expression '" + text + "': " + error.message);
    return failure();
  }
  return *expr;
}

Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  SmallVector<Expr> dims;
  auto parseEntry = [&]() -> ParseResult {
    FailureOr<Expr> dim = parseDim(parser);
    if (failed(dim))
      return failure();
    dims.push_back(*dim);
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseEntry) ||
      parser.parseGreater())
    return {};
  return ShapeAttr::get(parser.getContext(), dims);
}

/// Whether a symbol can stand in IR without quotes.
static bool isBareName(StringRef name) {
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_'))
    return false;
  return llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  });
}

void ShapeAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDims(), printer, [&](Expr dim) {
    if (dim.isValid() && dim.constant())
      printer << *dim.constant();
    else if (dim.isSymbol() && isBareName(dim.symbolName()))
      printer << dim.symbolName();
    else
      printer << '"' << dim.str() << '"';
  });
  printer << "]>";
}

LogicalResult
ShapeAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                          function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().size())
    return emitError() << "shape encoding has " << getDims().size()
                       << " dims, expected " << shape.size();
  for (auto [index, extent, dim] : llvm::enumerate(shape, getDims())) {
    std::optional<int64_t> value = dim.constant();
    bool agrees = value ? extent == *value : ShapedType::isDynamic(extent);
    if (!agrees)
      return emitError() << "shape encoding has '" << dim.str() << "' for dim "
                         << index << ", which the type does not show";
  }
  return success();
}

LogicalResult SymbolOp::verify() {
  if (getName().empty())
    return emitOpError("has an empty name");
  ParseError error;
  if (getDefinition() && !parseExpr(*getDefinition(), error))
    return emitOpError() << "'" << getName() << "' is '" << *getDefinition()
                         << "': " << error.message;
  // IR may have signless attributes; the sizes are signed.
  int64_t min = getMin(), max = getMax(), divisor = getDivisor();
  if (min < 0 && !isElementName(getName()))
    return emitOpError() << "'" << getName() << "' has minimum " << min
                         << ", expected at least 0";
  if (getSaturates() && !isElementName(getName()))
    return emitOpError() << "'" << getName()
                         << "' saturates, which only elements of inputs do";
  if (max < min)
    return emitOpError() << "'" << getName() << "' has the empty range " << min
                         << ".." << max;
  if (divisor < 1)
    return emitOpError() << "'" << getName() << "' has divisor " << divisor
                         << ", expected at least 1";
  return success();
}

void SymbolOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     SymbolRange range) {
  build(builder, state, builder.getStringAttr(name),
        builder.getI64IntegerAttr(range.min),
        builder.getI64IntegerAttr(range.max),
        builder.getI64IntegerAttr(range.divisor), UnitAttr(), UnitAttr(),
        UnitAttr(), StringAttr());
}

std::optional<Expr> SymbolOp::getExpr() {
  ParseError error;
  return getDefinition() ? parseExpr(*getDefinition(), error) : std::nullopt;
}

LogicalResult GuardOp::verify() {
  ParseError error;
  if (!parseCondition(getCondition(), error))
    return emitOpError() << "condition '" << getCondition()
                         << "': " << error.message;
  return success();
}

RankedTensorType sym::getTensorType(ArrayRef<Expr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  bool isStatic = true;
  for (Expr dim : dims) {
    if (!dim.isValid())
      return {};
    std::optional<int64_t> value = dim.constant();
    if (value && *value < 0)
      return {};
    isStatic &= value.has_value();
    shape.push_back(value.value_or(ShapedType::kDynamic));
  }
  if (isStatic)
    return RankedTensorType::get(shape, elementType);
  return RankedTensorType::get(shape, elementType,
                               ShapeAttr::get(elementType.getContext(), dims));
}

SmallVector<Expr> sym::getDims(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (auto shape = dyn_cast_or_null<ShapeAttr>(tensor.getEncoding()))
    return SmallVector<Expr>(shape.getDims());
  SmallVector<Expr> dims;
  for (int64_t extent : tensor.getShape())
    dims.push_back(ShapedType::isDynamic(extent) ? Expr::invalid()
                                                 : Expr(extent));
  return dims;
}

Expr sym::getNumElements(ArrayRef<Expr> dims) {
  Expr product = 1;
  for (Expr dim : dims)
    product = product * dim;
  return product;
}

Domain sym::getDomain(ModuleOp module) {
  Domain domain;
  for (SymbolOp symbol : module.getOps<SymbolOp>()) {
    domain.setRange(symbol.getName(),
                    SymbolRange{int64_t(symbol.getMin()),
                                int64_t(symbol.getMax()),
                                int64_t(symbol.getDivisor())});
    if (symbol.getUnbacked())
      domain.setUnbacked(symbol.getName());
  }
  for (GuardOp guard : module.getOps<GuardOp>())
    domain.assume(getCondition(guard));
  return domain;
}

Domain sym::getEntryDomain(ModuleOp module) {
  Domain whole = getDomain(module), entry;
  for (const auto &[symbol, range] : whole.ranges())
    if (!llvm::is_contained(whole.unbacked(), symbol))
      entry.setRange(symbol, range);
  for (const Condition &fact : whole.assumptions())
    if (whole.level(fact) == 0)
      entry.assume(fact);
  return entry;
}

Condition sym::getCondition(GuardOp guard) {
  ParseError error;
  return parseCondition(guard.getCondition(), error).value_or(Condition());
}
