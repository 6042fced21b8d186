// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the values of `--value` by the types and dims of their inputs.

#include "InputValues.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Shape/FollowValues.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;
using llvm::StringRef;

static InFlightDiagnostic error(const FixedInput &input) {
  return emitError(input.loc) << "input '" << input.name << "' ";
}

/// Whether the integer type holds the number.
static bool holds(Type type, int64_t number) {
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = type.isUnsignedInteger() || width == 1;
  if (isUnsigned && number < 0)
    return false;
  return width == 64 || (isUnsigned ? llvm::isUIntN(width, uint64_t(number))
                                    : llvm::isIntN(width, number));
}

/// What is wrong with other types is told by the caller.
static bool isFixable(Type type) {
  if (type.isF32() || type.isF64())
    return true;
  unsigned width = type.getIntOrFloatBitWidth();
  return isa<IntegerType>(type) && !type.isUnsignedInteger(64) &&
         (width == 1 || width >= 8);
}

/// A number of the type; of a float type its bits.
static std::optional<int64_t> readNumber(StringRef text, Type type) {
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat number(floatType.getFloatSemantics());
    llvm::Expected<APFloat::opStatus> status =
        number.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (status)
      return number.bitcastToAPInt().getSExtValue();
    llvm::consumeError(status.takeError());
    return std::nullopt;
  }
  if (type.isInteger(1) && (text == "true" || text == "false"))
    return text == "true";
  int64_t number;
  if (text.getAsInteger(10, number) || !holds(type, number))
    return std::nullopt;
  return number;
}

FailureOr<SmallVector<int64_t>>
ambit::onnx_import::readFixedElements(const FixedInput &input, Type type) {
  if (!isFixable(type))
    return error(input) << "has elements of type " << type
                        << ", expected integers of 8 to 63 bits, bools, f32 or "
                           "f64: only these can have a fixed value";
  if (int64_t(input.value.elements.size()) > kMaxFollowedElements)
    return error(input) << "has " << input.value.elements.size()
                        << " values, expected at most " << kMaxFollowedElements;
  SmallVector<int64_t> numbers;
  for (StringRef text : input.value.elements) {
    std::optional<int64_t> number = readNumber(text, type);
    if (!number)
      return error(input) << "has elements of type " << type
                          << ", which cannot have the value '" << text << "'";
    numbers.push_back(*number);
  }
  return numbers;
}

LogicalResult
ambit::onnx_import::fixDims(const FixedInput &input, bool hasRank,
                            SmallVectorImpl<std::optional<Expr>> &dims) {
  int64_t count = input.value.elements.size();
  if (!hasRank && input.value.isList)
    dims.push_back(std::nullopt);
  if (input.value.isList && dims.empty())
    return error(input) << "has rank 0, expected one value instead of a list";
  bool isLine = input.value.isList && dims.size() == 1;
  int64_t product = 1;
  for (auto [index, dim] : llvm::enumerate(dims)) {
    std::optional<int64_t> size = dim ? dim->constant() : std::nullopt;
    if (!size && input.value.isList && !isLine)
      return error(input) << "has a size in dim " << index
                          << " that is not known, which a value needs; give "
                             "its dims with --input-shape";
    if (!size)
      dim = Expr(size.emplace(isLine ? count : 1));
    if (llvm::MulOverflow(product, *size, product))
      product = INT64_MAX;
  }
  if (product != count)
    return error(input) << "has " << product << " elements, found " << count
                        << (count == 1 ? " value" : " values");
  return success();
}

SmallVector<FixableInput> ambit::onnx_import::findFixableInputs(Value value) {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  std::map<unsigned, FixableInput> found;
  for (size_t i = 0; i < reached.size(); ++i) {
    if (Operation *op = reached[i].getDefiningOp()) {
      reached.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    auto argument = cast<BlockArgument>(reached[i]);
    auto function =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    auto type = cast<RankedTensorType>(argument.getType());
    bool isSmall =
        !type.hasStaticShape() || type.getNumElements() <= kMaxFollowedElements;
    unsigned number = argument.getArgNumber();
    if (!function || !isFixable(type.getElementType()) || !isSmall)
      return {};
    if (auto name =
            function.getArgAttrOfType<StringAttr>(number, attributes::kName))
      found.emplace(number, FixableInput{name.getValue(), type.getRank() == 0});
  }
  SmallVector<FixableInput> inputs;
  for (const auto &[number, input] : found)
    inputs.push_back(input);
  return inputs;
}
