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

static Expr productOf(ArrayRef<Expr> dims) { return sym::getNumElements(dims); }

static SmallVector<Expr> dimsOf(Value value) {
  return sym::getDims(value.getType());
}

static LibraryCall callNonZero(NonZeroOp op) {
  SmallVector<Expr> dims = dimsOf(op.getInput());
  return {"nonzero",
          {dataTypeOf(op.getInput()), int64_t(dims.size())},
          dims,
          Expr(0),
          {}};
}

/// unique and unique_inverse: two words of scratch for each row.
template <typename OpT> static LibraryCall callUnique(OpT op, StringRef name) {
  SmallVector<Expr> dims = dimsOf(op.getInput());
  return {name.str(),
          {dataTypeOf(op.getInput()), op.getSorted()},
          dims,
          Expr(16) * dims[0],
          {}};
}

static LibraryCall callHistogram(HistogramOp op) {
  return {"histogram",
          {},
          {dimsOf(op.getInput())[0], op.getBins().getDims()[0]},
          Expr(0),
          {}};
}

static LibraryCall callTopK(TopKOp op) {
  SmallVector<Expr> dims = dimsOf(op.getInput());
  ArrayRef<Expr> all = dims;
  Expr k = op.getK().getDims()[0];
  return {"topk",
          {dataTypeOf(op.getInput()), !op.getSmallest()},
          {productOf(all.take_front(op.getDim())), all[op.getDim()],
           productOf(all.drop_front(op.getDim() + 1)), k},
          Expr(8) * k,
          {}};
}

static LibraryCall callNms(NmsOp op) {
  SmallVector<Expr> scores = dimsOf(op.getScores());
  return {"nms",
          {op.getCenter()},
          scores,
          Expr(16) * scores[2] + Expr(24) * productOf(scores),
          {}};
}

static LibraryCall callScatter(ScatterOp op) {
  SmallVector<Expr> sizes = {dimsOf(op.getUpdates())[0]};
  llvm::append_range(sizes, dimsOf(op.getData()));
  return {"scatter",
          {dataTypeOf(op.getData()), int64_t(op.getKind()),
           op.getData().getType().getRank() - 1},
          sizes,
          Expr(0),
          "index is out of range"};
}

/// pack and unpack.
static LibraryCall callPacking(Value input, StringRef name) {
  Type type = cast<RankedTensorType>(input.getType()).getElementType();
  return {name.str(),
          {int64_t(type.getIntOrFloatBitWidth())},
          {productOf(dimsOf(input))},
          Expr(0),
          {}};
}

LibraryCall ambit::getLibraryCall(Operation *op) {
  return TypeSwitch<Operation *, LibraryCall>(op)
      .Case([](NonZeroOp nonZero) { return callNonZero(nonZero); })
      .Case([](UniqueOp unique) { return callUnique(unique, "unique"); })
      .Case([](UniqueInverseOp inverse) {
        return callUnique(inverse, "unique_inverse");
      })
      .Case([](HistogramOp histogram) { return callHistogram(histogram); })
      .Case([](TopKOp topK) { return callTopK(topK); })
      .Case([](NmsOp nms) { return callNms(nms); })
      .Case([](ScatterOp scatter) { return callScatter(scatter); })
      .Case([](UnpackOp unpack) {
        return callPacking(unpack.getInput(), "unpack");
      })
      .Case([](PackOp pack) { return callPacking(pack.getInput(), "pack"); })
      .Default([](Operation *) { return LibraryCall(); });
}

int64_t ambit::countWords(Operation *op, const LibraryCall &call) {
  return FirstOperand + op->getNumOperands() + (call.check.empty() ? 0 : 2) +
         call.constants.size() + call.sizes.size();
}
