// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-evaluate MODULE CASE: runs the model of a conformance case in the
// reference evaluator, from graph IR of any phase before lowering, and compares
// with the case's outputs. Exit code 1 on a difference.

#include "../Conformance/Case.h"
#include "ambit/Driver/Registration.h"
#include "ambit/Reference/Reference.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ambit;
using ambit::conformance::DataSet;
using ambit::reference::HostTensor;

/// The ONNX number of an element type; 0 when it has none.
static int32_t dtypeOf(Type type) {
  if (type.isF32())
    return AMBIT_FLOAT32;
  if (type.isF64())
    return AMBIT_FLOAT64;
  if (type.isF16())
    return AMBIT_FLOAT16;
  if (type.isBF16())
    return AMBIT_BFLOAT16;
  if (!isa<IntegerType>(type))
    return 0;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return AMBIT_BOOL;
  case 8:
    return isUnsigned ? AMBIT_UINT8 : AMBIT_INT8;
  case 16:
    return isUnsigned ? AMBIT_UINT16 : AMBIT_INT16;
  case 32:
    return isUnsigned ? AMBIT_UINT32 : AMBIT_INT32;
  case 64:
    return isUnsigned ? AMBIT_UINT64 : AMBIT_INT64;
  default:
    return 0;
  }
}

/// The data set's inputs as tensors for the function; nothing when they do not
/// fit its types.
static std::optional<std::vector<HostTensor>>
makeInputs(func::FuncOp function, const DataSet &dataSet) {
  std::vector<HostTensor> inputs;
  if (dataSet.inputs.size() != function.getNumArguments())
    return std::nullopt;
  for (auto [type, data] :
       llvm::zip_equal(function.getArgumentTypes(), dataSet.inputs)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || dtypeOf(tensor.getElementType()) != data.dtype)
      return std::nullopt;
    HostTensor input(tensor.getElementType(), data.dims);
    if (input.getBytes().size() != data.bytes.size())
      return std::nullopt;
    llvm::copy(data.bytes, input.getBytes().begin());
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// What is wrong with the outputs for one data set, or "".
static std::string evaluate(func::FuncOp function, const DataSet &dataSet) {
  std::optional<std::vector<HostTensor>> inputs = makeInputs(function, dataSet);
  if (!inputs)
    return "inputs have other types than the function's arguments";
  std::vector<HostTensor> results;
  if (failed(reference::evaluateFunction(function, *inputs, results)))
    return "evaluation failed";
  std::vector<TensorData> outputs;
  for (auto [index, result] : llvm::enumerate(results)) {
    TensorData output;
    output.name = std::to_string(index);
    output.dtype = dtypeOf(result.getElementType());
    output.dims.assign(result.getDims().begin(), result.getDims().end());
    ArrayRef<char> bytes = std::as_const(result).getBytes();
    output.bytes.assign(bytes.begin(), bytes.end());
    outputs.push_back(std::move(output));
  }
  return conformance::compareOutputs(outputs, dataSet.outputs, {});
}

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: ambit-evaluate MODULE.mlir CASE\n";
    return 2;
  }
  DialectRegistry registry;
  registerAmbitDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(argv[1], sources, &context);
  auto read = conformance::readCase(argv[2]);
  if (!read)
    llvm::errs() << llvm::toString(read.takeError()) << '\n';
  if (!module || !read)
    return 1;
  // After specialization the generic variant has the model's signature.
  auto function = module->lookupSymbol<func::FuncOp>("main");
  if (!function)
    function = module->lookupSymbol<func::FuncOp>("generic");
  if (!function) {
    llvm::errs() << argv[1] << ": neither @main nor @generic\n";
    return 1;
  }
  bool allEqual = true;
  for (const DataSet &dataSet : read->dataSets) {
    std::string difference = evaluate(function, dataSet);
    llvm::outs() << (difference.empty() ? "pass " : "fail ") << dataSet.name
                 << (difference.empty() ? "" : ": ") << difference << '\n';
    allEqual &= difference.empty();
  }
  return allEqual ? 0 : 1;
}
