// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of evaluating each op. A new evaluation has its line here, beside
// the loops that it counts.

#include "ambit/Reference/Work.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using ambit::reference::kUnknownWork;

/// Looking up operands, allocating and checking results of one op.
constexpr uint64_t kOverhead = 128;

static uint64_t add(uint64_t lhs, uint64_t rhs) {
  return llvm::SaturatingAdd(lhs, rhs);
}
static uint64_t multiply(uint64_t lhs, uint64_t rhs) {
  return llvm::SaturatingMultiply(lhs, rhs);
}

/// The points of a box. An empty dim counts as 1: loops over the others may
/// still run.
static uint64_t pointsOf(ArrayRef<int64_t> extents) {
  uint64_t points = 1;
  for (int64_t extent : extents)
    points = multiply(points, ShapedType::isDynamic(extent)
                                  ? kUnknownWork
                                  : std::max<int64_t>(extent, 1));
  return points;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static uint64_t elementsOf(Value value) { return pointsOf(shapeOf(value)); }

static uint64_t countTrips(LoopOp loop) {
  std::optional<int64_t> trips = loop.getTripCount().constant();
  if (!trips)
    return kUnknownWork;
  uint64_t trip = kOverhead;
  for (Operation &op : loop.getBody().front().without_terminator())
    trip = add(trip, reference::countWork(&op));
  return multiply(std::max<int64_t>(*trips, 0), trip);
}

/// One dim is resampled after the other.
static uint64_t countPasses(ResizeOp resize) {
  SmallVector<int64_t> extents(shapeOf(resize.getInput()));
  uint64_t work = pointsOf(extents);
  for (auto [dim, extent] : llvm::enumerate(shapeOf(resize.getResult()))) {
    extents[dim] = extent;
    work = add(work, multiply(4, pointsOf(extents)));
  }
  return work;
}

/// Every box with every other one, for each batch and class.
static uint64_t countPairs(NmsOp nms) {
  ArrayRef<int64_t> scores = shapeOf(nms.getScores());
  return multiply(pointsOf(scores), pointsOf(scores.back()));
}

/// What an op does besides writing its results once.
static uint64_t countSteps(Operation *op, uint64_t results) {
  return TypeSwitch<Operation *, uint64_t>(op)
      .Case<ConstantOp, DimsOp, IotaOp, BroadcastOp, ReshapeOp, TransposeOp,
            SliceOp, ConcatOp, PadOp, GatherOp>([](auto) { return 0; })
      .Case<MapOp>([&](MapOp map) {
        uint64_t steps = map.getBody().front().getOperations().size();
        return multiply(results, add(steps, map.getInputs().size()));
      })
      .Case<ResizeOp>(countPasses)
      .Case<ReduceOp, ArgReduceOp, NonZeroOp, HistogramOp>(
          [](auto reduce) { return elementsOf(reduce->getOperand(0)); })
      .Case<SoftmaxOp>([&](auto) { return multiply(results, 8); })
      .Case<ContractOp>([&](ContractOp contract) {
        return multiply(results, pointsOf(shapeOf(contract.getLhs()).back()));
      })
      .Case<ConvOp>([&](ConvOp conv) {
        ArrayRef<int64_t> filter = shapeOf(conv.getFilter());
        return multiply(results, pointsOf(filter.drop_front()));
      })
      .Case<WindowOp>([&](WindowOp window) {
        return multiply(results, pointsOf(window.getWindow()));
      })
      .Case<TopKOp>([](TopKOp topk) {
        // A sort of at most 2^63 elements.
        return multiply(elementsOf(topk.getInput()), 64);
      })
      .Case<UniqueOp, UniqueInverseOp>([](auto unique) {
        uint64_t rows = pointsOf(shapeOf(unique->getOperand(0)).front());
        return multiply(2 * rows, elementsOf(unique->getOperand(0)));
      })
      .Case<NmsOp>(countPairs)
      .Case<LoopOp>(countTrips)
      .Default([](Operation *) { return kUnknownWork; });
}

uint64_t reference::countWork(Operation *op) {
  uint64_t results = 0;
  for (Value result : op->getResults())
    results = add(results, elementsOf(result));
  return add(add(results, countSteps(op, results)), kOverhead);
}
