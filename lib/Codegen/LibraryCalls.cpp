// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each op of the library hands to its functions.

#include "LibraryCalls.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// The number by which the runtime knows an element type.
static int64_t dataTypeOf(Value value) {
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  return dispatch::getDataType(element).value_or(0);
}

LibraryCall ambit::getLibraryCall(Operation *op) {
  LibraryCall call;
  TypeSwitch<Operation *>(op).Case([&](NonZeroOp nonZero) {
    SmallVector<Expr> dims = sym::getDims(nonZero.getInput().getType());
    call.name = "nonzero";
    call.constants = {dataTypeOf(nonZero.getInput()), int64_t(dims.size())};
    call.sizes = dims;
  });
  return call;
}

int64_t ambit::countWords(Operation *op, const LibraryCall &call) {
  return FirstOperand + op->getNumOperands() + call.constants.size() +
         call.sizes.size();
}
