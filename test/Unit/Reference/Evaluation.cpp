// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Implementation of the evaluation fixture.

#include "Evaluation.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using ambit::reference::HostTensor;

Evaluation::Evaluation(StringRef text)
    : context(MLIRContext::Threading::DISABLED) {
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  ambit::graph::GraphDialect, ambit::sym::SymDialect>();
  ambit::reference::registerReferenceModels(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(text, &context);
}

HostTensor Evaluation::tensor(StringRef type, ArrayRef<double> elements) {
  auto tensorType = cast<RankedTensorType>(parseType(type, &context));
  HostTensor result(tensorType.getElementType(), tensorType.getShape());
  for (auto [index, element] : llvm::enumerate(elements))
    if (isa<FloatType>(tensorType.getElementType()))
      result.setFloat(index, element);
    else
      result.setInt(index, int64_t(element));
  return result;
}

bool Evaluation::run(ArrayRef<HostTensor> inputs) {
  outputs.clear();
  errors.clear();
  if (!module)
    return false;
  auto function = module->lookupSymbol<func::FuncOp>("main");
  return function && succeeded(ambit::reference::evaluateFunction(
                         function, inputs, outputs));
}

std::vector<double> Evaluation::elements(size_t output) const {
  std::vector<double> values;
  for (int64_t i = 0, e = outputs.at(output).getNumElements(); i < e; ++i)
    values.push_back(outputs[output].getFloat(i));
  return values;
}

std::vector<int64_t> Evaluation::dims(size_t output) const {
  ArrayRef<int64_t> dims = outputs.at(output).getDims();
  return {dims.begin(), dims.end()};
}
