// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `dispatch` dialect: registration, verifiers, and readers of its ops.

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Symbolic/LinearForm.h"
#include "ambit/Symbolic/Parser.h"
#define AMBIT_NO_LOADER
#include "ambit/runtime.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;

#include "ambit/Dialect/Dispatch/IR/DispatchDialect.cpp.inc"
#include "ambit/Dialect/Dispatch/IR/DispatchEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "ambit/Dialect/Dispatch/IR/DispatchAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "ambit/Dialect/Dispatch/IR/DispatchOps.cpp.inc"

void DispatchDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ambit/Dialect/Dispatch/IR/DispatchAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ambit/Dialect/Dispatch/IR/DispatchOps.cpp.inc"
      >();
}

/// Reports the second of two ops that share a name.
static LogicalResult claim(llvm::StringMap<Operation *> &taken, StringRef name,
                           Operation *op, StringRef what) {
  auto [entry, isNew] = taken.try_emplace(name, op);
  if (isNew)
    return success();
  InFlightDiagnostic error = op->emitError()
                             << "there are two " << what << " '" << name << "'";
  error.attachNote(entry->second->getLoc()) << "the first is here";
  return error;
}

/// Variants that share a function pad the same symbols: its parameters.
static LogicalResult verifySharing(ModelOp model) {
  llvm::StringMap<VariantOp> first;
  for (VariantOp variant : model.getAll<VariantOp>()) {
    if (!variant.getShares() || !variant.getTops())
      continue;
    auto [entry, isNew] = first.try_emplace(*variant.getShares(), variant);
    auto isSame = [](NamedAttribute lhs, NamedAttribute rhs) {
      return lhs.getName() == rhs.getName();
    };
    if (isNew ||
        llvm::equal(*variant.getTops(), *entry->second.getTops(), isSame))
      continue;
    InFlightDiagnostic error = variant.emitOpError()
                               << "shares '" << *variant.getShares()
                               << "' with one that pads other symbols";
    error.attachNote(entry->second->getLoc()) << "the first is here";
    return error;
  }
  for (VariantOp variant : model.getAll<VariantOp>())
    if (first.count(variant.getBody()))
      return variant.emitOpError() << "'" << variant.getBody()
                                   << "' has the name of a shared function";
  return success();
}

LogicalResult ModelOp::verifyRegions() {
  llvm::StringMap<Operation *> inputs, outputs, variants;
  for (Operation &op : getBody().front()) {
    LogicalResult unique =
        TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](InputOp input) {
              return claim(inputs, input.getName(), input, "inputs");
            })
            .Case([&](OutputOp output) {
              return claim(outputs, output.getName(), output, "outputs");
            })
            .Case([&](VariantOp variant) {
              return claim(variants, variant.getBody(), variant, "variants");
            })
            .Case([](OmittedOp) { return success(); })
            .Default([](Operation *op) {
              return op->emitOpError(
                  "stands in a dispatch.model, expected ops of dispatch only");
            });
    if (failed(unique))
      return failure();
  }
  return verifySharing(*this);
}

static LogicalResult verifyTensor(Operation *op, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (!getDataType(tensor.getElementType()))
    return op->emitOpError() << "has element type " << tensor.getElementType()
                             << ", which no input or output may have";
  for (auto [index, dim] : llvm::enumerate(sym::getDims(tensor)))
    if (!dim.isValid())
      return op->emitOpError() << "has no expression for dim " << index
                               << ", expected a #sym.shape encoding";
  return success();
}

LogicalResult InputOp::verify() {
  if (failed(verifyTensor(*this, getType())))
    return failure();
  if (!getElements())
    return success();
  // The runtime reads them before it looks at anything else.
  auto type = cast<RankedTensorType>(getType());
  Type element = type.getElementType();
  unsigned width = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
  bool isRead = isa<IntegerType>(element) ? width == 1 || width >= 8
                                          : element.isF32() || element.isF64();
  if (!isRead || !type.hasStaticShape())
    return emitOpError()
           << "has elements of type " << type
           << ", expected integers of whole bytes, bools, f32 or f64 in a "
              "static shape";
  if (int64_t(getElements()->getDims().size()) != type.getNumElements())
    return emitOpError() << "lists " << getElements()->getDims().size()
                         << " elements, expected " << type.getNumElements();
  return success();
}
LogicalResult OutputOp::verify() { return verifyTensor(*this, getType()); }

LogicalResult VariantOp::verify() {
  for (StringAttr text : getWhere().getAsRange<StringAttr>()) {
    ParseError error;
    if (!parseCondition(text.getValue(), error))
      return emitOpError() << "condition " << text << ": " << error.message;
  }
  if (std::optional<DictionaryAttr> tops = getTops())
    for (NamedAttribute top : *tops)
      if (!isa<IntegerAttr>(top.getValue()))
        return emitOpError()
               << "top of '" << top.getName().strref() << "' is no integer";
  if (getShares() && (!getTops() || getTops()->empty()))
    return emitOpError("shares a function, and has no tops to call it with");
  if (std::optional<sym::ShapeAttr> workspace = getWorkspace())
    if (workspace->getDims().size() != 1)
      return emitOpError() << "workspace has " << workspace->getDims().size()
                           << " expressions, expected one";
  return success();
}

static std::optional<int32_t> getIntegerType(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return AMBIT_BOOL;
  case 2:
    return isUnsigned ? AMBIT_UINT2 : AMBIT_INT2;
  case 4:
    return isUnsigned ? AMBIT_UINT4 : AMBIT_INT4;
  case 8:
    return isUnsigned ? AMBIT_UINT8 : AMBIT_INT8;
  case 16:
    return isUnsigned ? AMBIT_UINT16 : AMBIT_INT16;
  case 32:
    return isUnsigned ? AMBIT_UINT32 : AMBIT_INT32;
  case 64:
    return isUnsigned ? AMBIT_UINT64 : AMBIT_INT64;
  default:
    return std::nullopt;
  }
}

std::optional<int32_t> dispatch::getDataType(Type elementType) {
  using Result = std::optional<int32_t>;
  return TypeSwitch<Type, Result>(elementType)
      .Case([](IntegerType type) { return getIntegerType(type); })
      .Case([](Float32Type) { return Result(AMBIT_FLOAT32); })
      .Case([](Float16Type) { return Result(AMBIT_FLOAT16); })
      .Case([](Float64Type) { return Result(AMBIT_FLOAT64); })
      .Case([](BFloat16Type) { return Result(AMBIT_BFLOAT16); })
      .Case([](Float8E4M3FNType) { return Result(AMBIT_FLOAT8E4M3FN); })
      .Case([](Float8E4M3FNUZType) { return Result(AMBIT_FLOAT8E4M3FNUZ); })
      .Case([](Float8E5M2Type) { return Result(AMBIT_FLOAT8E5M2); })
      .Case([](Float8E5M2FNUZType) { return Result(AMBIT_FLOAT8E5M2FNUZ); })
      .Case([](ComplexType type) {
        if (type.getElementType().isF32())
          return Result(AMBIT_COMPLEX64);
        return type.getElementType().isF64() ? Result(AMBIT_COMPLEX128)
                                             : Result();
      })
      .Default([](Type) { return Result(); });
}

SmallVector<Condition> dispatch::getConditions(VariantOp variant) {
  SmallVector<Condition> conditions;
  for (StringAttr text : variant.getWhere().getAsRange<StringAttr>()) {
    ParseError error;
    conditions.push_back(
        parseCondition(text.getValue(), error).value_or(Condition()));
  }
  return conditions;
}

Domain dispatch::within(Domain domain, ArrayRef<Condition> conditions) {
  for (const Condition &condition : conditions) {
    std::optional<Bound> bound = getBound(condition);
    if (!bound) {
      domain.assume(condition);
      continue;
    }
    SymbolRange range = domain.range(bound->symbol);
    range.min = std::max(range.min, bound->interval.min);
    range.max = std::min(range.max, bound->interval.max);
    domain.setRange(bound->symbol, range);
  }
  return domain;
}

FailureOr<ModelOp> dispatch::getModel(ModuleOp module) {
  auto models = llvm::to_vector(module.getOps<ModelOp>());
  if (models.size() != 1)
    return module.emitError() << "module has " << models.size()
                              << " dispatch.model ops, expected one";
  return models.front();
}

/// The first name in a location; of fused locations, that of the first.
static StringRef findName(Location loc) {
  StringRef name;
  loc->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part)) {
      name = named.getName().getValue();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

std::string dispatch::describeOrigin(Location loc) {
  StringRef name = findName(loc);
  if (name.empty())
    return "the model";
  if (name.starts_with("--"))
    return ("option " + name).str();
  if (name.starts_with("input ") || name.starts_with("initializer "))
    return name.str();
  return ("node '" + name + "'").str();
}

SmallVector<std::string> dispatch::getSymbolNames(ModuleOp module) {
  SmallVector<std::string> names;
  for (sym::SymbolOp symbol : module.getOps<sym::SymbolOp>())
    names.push_back(symbol.getName().str());
  return names;
}
