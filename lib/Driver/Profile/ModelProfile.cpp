// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds a profile against the model that it is to be used for.

#include "ModelProfile.h"
#include "../Model/ModelShapes.h"
#include "ProfileFile.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;

static std::string listSymbols(ArrayRef<std::string> symbols) {
  if (symbols.empty())
    return "the model has none";
  return "the model has '" + llvm::join(symbols, "', '") + "'";
}

/// The symbols that inputs give.
static std::vector<std::string> getSymbols(ModuleOp module) {
  std::vector<std::string> symbols;
  for (auto symbol : module.getOps<sym::SymbolOp>())
    if (!symbol.getUnbacked() && !symbol.getDefinition())
      symbols.push_back(symbol.getName().str());
  return symbols;
}

static std::string checkInputs(ModuleOp module, const Profile &profile) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  std::vector<NamedShape> inputs = getInputShapes(main);
  if (inputs.size() != profile.inputs.size())
    return "is a profile of a model with " +
           std::to_string(profile.inputs.size()) + " inputs, expected " +
           std::to_string(inputs.size());
  for (auto [shape, type, input] :
       llvm::zip_equal(inputs, main.getArgumentTypes(), profile.inputs)) {
    auto tensor = cast<RankedTensorType>(type);
    std::optional<int32_t> dtype =
        dispatch::getDataType(tensor.getElementType());
    if (shape.name != input.name || tensor.getRank() != input.rank ||
        dtype.value_or(0) != input.dtype)
      return "is a profile of a model with another input '" + input.name +
             "', expected '" + shape.name + "' of rank " +
             std::to_string(tensor.getRank()) + " and type " +
             shape.elementType;
  }
  return "";
}

/// What does not fit, or "".
static std::string checkModel(ModuleOp module, const Profile &profile) {
  auto name = module->getAttrOfType<StringAttr>(attributes::kModel);
  if (name && name.getValue() != profile.model)
    return "is a profile of model '" + profile.model + "', expected '" +
           name.str() + "'";
  if (std::string problem = checkInputs(module, profile); !problem.empty())
    return problem;
  std::vector<std::string> symbols = getSymbols(module);
  for (const std::string &symbol : profile.symbols)
    if (!llvm::is_contained(symbols, symbol))
      return "counts sizes of '" + symbol + "'; " + listSymbols(symbols);
  for (const std::string &symbol : symbols)
    if (!llvm::is_contained(profile.symbols, symbol))
      return "counts no sizes of '" + symbol + "'";
  return "";
}

/// A shape of which an input has more bytes than can be counted, or "".
static std::string checkSizes(ModuleOp module, const Profile &profile) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  std::vector<NamedShape> inputs = getInputShapes(main);
  for (const auto &entry : profile.shapes) {
    std::map<std::string, int64_t> sizes;
    for (auto [symbol, size] : llvm::zip_equal(profile.symbols, entry.first))
      sizes[symbol] = size;
    for (auto [input, type] :
         llvm::zip_equal(inputs, main.getArgumentTypes())) {
      unsigned bits = cast<RankedTensorType>(type).getElementTypeBitWidth();
      int64_t bytes = std::max(bits / 8, 1u);
      bool overflows = false;
      for (Expr dim : input.dims)
        overflows |= __builtin_mul_overflow(
            bytes, dim.evaluate(sizes).value_or(1), &bytes);
      if (!overflows)
        continue;
      std::string text;
      for (const auto &[symbol, size] : sizes)
        text +=
            (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(size);
      return "counts calls of " + text + ", for which the bytes of input '" +
             input.name + "' overflow 64 bits";
    }
  }
  return "";
}

FailureOr<Traffic> ambit::readTraffic(ModuleOp module, StringRef path) {
  Location loc = optionLocation(module.getContext(), "--profile");
  llvm::Expected<Profile> profile = readProfile(path);
  if (!profile)
    return emitError(FileLineColLoc::get(module.getContext(), path, 0, 0))
           << llvm::toString(profile.takeError());
  if (std::string problem = checkModel(module, *profile); !problem.empty())
    return emitError(loc) << "'" << path << "' " << problem;
  if (std::string problem = checkSizes(module, *profile); !problem.empty())
    return emitError(loc) << "'" << path << "' " << problem;
  return makeTraffic(*profile);
}
