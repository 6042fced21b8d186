// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Following small tensors through data movement: which element of an operand
// each element of the result is.

#include "FollowElements.h"
#include "FollowMap.h"
#include "ambit/Shape/GraphBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

/// Row-major position of an index.
static int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    position = position * extent + i;
  return position;
}

/// Calls `source` with each index of the result; it returns the element or
/// nothing.
static Elements generate(RankedTensorType type,
                         function_ref<MaybeScalar(ArrayRef<int64_t>)> source) {
  SmallVector<SizeScalar> elements;
  SmallVector<int64_t> index(type.getRank(), 0);
  for (int64_t count = type.getNumElements(); count > 0; --count) {
    MaybeScalar element = source(index);
    if (!element || !element->isValid())
      return std::nullopt;
    elements.push_back(*element);
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      if (++index[dim] < type.getDimSize(dim))
        break;
      index[dim] = 0;
    }
  }
  return elements;
}

namespace {
struct Known : KnownOperand {
  SizeScalar at(ArrayRef<int64_t> index) const {
    return elements[linearize(index, shape)];
  }
};
} // namespace

static Elements followMap(MapOp op, ArrayRef<Known> inputs,
                          RankedTensorType type, SizeMath &math) {
  return generate(type, [&](ArrayRef<int64_t> index) {
    SmallVector<SizeScalar> scalars;
    for (const Known &input : inputs)
      scalars.push_back(input.at(index));
    return followBody(op, scalars, math);
  });
}

static Elements followSlice(SliceOp op, const Known &input,
                            RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> source;
    for (auto [i, offset, stride] :
         llvm::zip_equal(index, op.getOffsets().getDims(), op.getStrides())) {
      std::optional<int64_t> start = offset.constant();
      if (!start)
        return std::nullopt;
      source.push_back(*start + i * stride);
    }
    return input.at(source);
  });
}

static Elements followConcat(ConcatOp op, ArrayRef<Known> inputs,
                             RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> source(index);
    for (const Known &input : inputs) {
      if (source[op.getDim()] < input.shape[op.getDim()])
        return input.at(source);
      source[op.getDim()] -= input.shape[op.getDim()];
    }
    return std::nullopt;
  });
}

/// The choice among elements by a number: elements[index].
static MaybeScalar choose(ArrayRef<SizeScalar> elements,
                          const SizeScalar &index, SizeMath &math) {
  if (!index.isInteger() || elements.empty())
    return std::nullopt;
  Interval bounds = math.prover().bounds(index.numerator);
  int64_t last = elements.size() - 1;
  if (bounds.min < 0 || bounds.max > last)
    return std::nullopt;
  MaybeScalar result = elements[bounds.max];
  for (int64_t i = bounds.max; result && i-- > bounds.min;) {
    MaybeScalar isHere = math.compare(Relation::Kind::EQ, index, Expr(i));
    result = isHere ? math.select(*isHere, elements[i], *result) : std::nullopt;
  }
  return result;
}

static Elements followGather(GatherOp op, const Known &data,
                             const Known &indices, RankedTensorType type,
                             SizeMath &math) {
  int64_t axis = op.getAxis(), rank = indices.shape.size();
  int64_t extent = data.shape[axis];
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> source(index.take_front(axis));
    source.push_back(0);
    source.append(index.begin() + axis + rank, index.end());
    SizeScalar position = indices.at(index.slice(axis, rank));
    if (std::optional<int64_t> at = position.constant()) {
      if (*at < -extent || *at >= extent)
        return std::nullopt;
      source[axis] = *at < 0 ? *at + extent : *at;
      return data.at(source);
    }
    if (math.getMode() == Following::Replace)
      return std::nullopt;
    SmallVector<SizeScalar> choices;
    for (source[axis] = 0; source[axis] < extent; ++source[axis])
      choices.push_back(data.at(source));
    return choose(choices, position, math);
  });
}

/// Two elements of a reduction as one.
static MaybeScalar combine(ReduceKind kind, const SizeScalar &lhs,
                           const SizeScalar &rhs, Type type, SizeMath &math) {
  bool isFloat = isa<FloatType>(type);
  switch (kind) {
  case ReduceKind::Sum:
    return isFloat ? math.add(lhs, rhs, type) : lhs.numerator + rhs.numerator;
  case ReduceKind::Product:
    return isFloat ? math.multiply(lhs, rhs, type)
                   : lhs.numerator * rhs.numerator;
  case ReduceKind::Max:
    return math.extremum(Atom::Kind::Max, lhs, rhs);
  case ReduceKind::Min:
    return math.extremum(Atom::Kind::Min, lhs, rhs);
  }
  llvm_unreachable("every kind is listed");
}

/// Every partial sum of floats that are not negative is exact where the whole
/// is, whatever the order.
static bool isFollowedReduction(ReduceOp op, const Known &input,
                                SizeMath &math) {
  Type type = elementTypeOf(op.getInput());
  if (type.isInteger(1))
    return false;
  if (!isa<FloatType>(type))
    return true;
  return math.getMode() != Following::Replace &&
         llvm::all_of(input.elements, [&](const SizeScalar &element) {
           return math.isNotNegative(element.numerator);
         });
}

static Elements followReduce(ReduceOp op, const Known &input,
                             RankedTensorType type, SizeMath &math) {
  if (!isFollowedReduction(op, input, math))
    return std::nullopt;
  math.setOp(op);
  SmallVector<MaybeScalar> results(type.getNumElements());
  SmallVector<bool> reduced(input.shape.size(), false);
  for (int64_t dim : op.getDims())
    reduced[dim] = true;
  auto inputType = cast<RankedTensorType>(op.getInput().getType());
  SmallVector<bool> isStarted(results.size(), false);
  generate(inputType, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> target;
    for (auto [i, isReduced] : llvm::zip_equal(index, reduced))
      if (!isReduced)
        target.push_back(i);
    int64_t position = linearize(target, type.getShape());
    MaybeScalar &result = results[position];
    SizeScalar element = input.at(index);
    if (!isStarted[position])
      result = element;
    else if (result)
      result =
          combine(op.getKind(), *result, element, type.getElementType(), math);
    isStarted[position] = true;
    return element;
  });
  SmallVector<SizeScalar> elements;
  for (auto [result, hasBegun] : llvm::zip_equal(results, isStarted)) {
    bool isSum = op.getKind() == ReduceKind::Sum;
    bool hasNeutral = isSum || op.getKind() == ReduceKind::Product;
    if (hasBegun ? !result : !hasNeutral)
      return std::nullopt;
    elements.push_back(hasBegun ? *result : SizeScalar(isSum ? 0 : 1));
  }
  return elements;
}

static Elements followBroadcast(const Known &input, RankedTensorType type) {
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> source;
    size_t skipped = index.size() - input.shape.size();
    for (auto [dim, extent] : llvm::enumerate(input.shape))
      source.push_back(extent == 1 ? 0 : index[skipped + dim]);
    return input.at(source);
  });
}

static Elements followPad(PadOp op, const Known &input, const Known &value,
                          RankedTensorType type) {
  if (op.getMode() != PadMode::Constant)
    return std::nullopt;
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> source;
    bool isInside = true;
    for (auto [i, low, extent] :
         llvm::zip_equal(index, op.getLow().getDims(), input.shape)) {
      if (!low.constant())
        return std::nullopt;
      source.push_back(i - *low.constant());
      isInside &= source.back() >= 0 && source.back() < extent;
    }
    return isInside ? input.at(source) : value.elements.front();
  });
}

/// The elements of a line along a dim, which the index does not have.
static SmallVector<SizeScalar> lineOf(const Known &input,
                                      ArrayRef<int64_t> others, int64_t dim) {
  SmallVector<int64_t> index(others);
  index.insert(index.begin() + dim, 0);
  SmallVector<SizeScalar> line;
  for (; index[dim] < input.shape[dim]; ++index[dim])
    line.push_back(input.at(index));
  return line;
}

static MaybeScalar findExtreme(ArrayRef<SizeScalar> line, bool isMax,
                               bool selectsLast, SizeMath &math) {
  using Kind = Relation::Kind;
  Kind beats = isMax ? (selectsLast ? Kind::GE : Kind::GT)
                     : (selectsLast ? Kind::LE : Kind::LT);
  MaybeScalar best, at = SizeScalar(0);
  for (auto [position, element] : llvm::enumerate(line)) {
    if (position == 0) {
      best = element;
      continue;
    }
    MaybeScalar wins = math.compare(beats, element, *best);
    if (!wins)
      return std::nullopt;
    at = math.select(*wins, Expr(int64_t(position)), *at);
    best = math.extremum(isMax ? Atom::Kind::Max : Atom::Kind::Min, *best,
                         element);
    if (!at || !best)
      return std::nullopt;
  }
  return at;
}

static Elements followArgReduce(ArgReduceOp op, const Known &input,
                                RankedTensorType type, SizeMath &math) {
  math.setOp(op);
  return generate(type, [&](ArrayRef<int64_t> index) {
    return findExtreme(lineOf(input, index, op.getDim()),
                       op.getKind() == ReduceKind::Max, op.getSelectLast(),
                       math);
  });
}

/// How many elements of the line come before one of them when sorted.
static MaybeScalar rankOf(ArrayRef<SizeScalar> line, size_t which,
                          bool isSmallest, SizeMath &math) {
  using Kind = Relation::Kind;
  Expr rank = 0;
  for (auto [other, element] : llvm::enumerate(line)) {
    if (other == which)
      continue;
    Kind kind = isSmallest ? Kind::LT : Kind::GT;
    if (other < which) // of equal ones the lower position comes first
      kind = isSmallest ? Kind::LE : Kind::GE;
    MaybeScalar isBefore = math.compare(kind, element, line[which]);
    if (!isBefore)
      return std::nullopt;
    rank = rank + isBefore->numerator;
  }
  return SizeScalar(rank);
}

/// Position i of the sorted line is that of the element with rank i.
static Elements followTopK(TopKOp op, const Known &input, RankedTensorType type,
                           SizeMath &math) {
  math.setOp(op);
  return generate(type, [&](ArrayRef<int64_t> index) -> MaybeScalar {
    SmallVector<int64_t> others(index);
    others.erase(others.begin() + op.getDim());
    SmallVector<SizeScalar> line = lineOf(input, others, op.getDim());
    Expr position = 0;
    for (size_t i = 1; i < line.size(); ++i) {
      MaybeScalar rank = rankOf(line, i, op.getSmallest(), math);
      MaybeScalar isHere = rank ? math.compare(Relation::Kind::EQ, *rank,
                                               Expr(index[op.getDim()]))
                                : std::nullopt;
      if (!isHere)
        return std::nullopt;
      position = position + Expr(int64_t(i)) * isHere->numerator;
    }
    return SizeScalar(position);
  });
}

Elements ambit::followElements(Operation *op, ArrayRef<KnownOperand> operands,
                               SizeMath &math) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<Known> inputs;
  for (const KnownOperand &operand : operands)
    inputs.push_back(Known{operand});
  return TypeSwitch<Operation *, Elements>(op)
      .Case<MapOp>([&](auto o) { return followMap(o, inputs, type, math); })
      .Case<ReshapeOp>([&](auto) -> Elements { return inputs[0].elements; })
      .Case<BroadcastOp>([&](auto) { return followBroadcast(inputs[0], type); })
      .Case<TransposeOp>([&](TransposeOp o) {
        return generate(type, [&](ArrayRef<int64_t> index) {
          SmallVector<int64_t> source(index.size());
          for (auto [i, from] : llvm::enumerate(o.getPermutation()))
            source[from] = index[i];
          return MaybeScalar(inputs[0].at(source));
        });
      })
      .Case<SliceOp>([&](auto o) { return followSlice(o, inputs[0], type); })
      .Case<ConcatOp>([&](auto o) { return followConcat(o, inputs, type); })
      .Case<GatherOp>([&](auto o) {
        return followGather(o, inputs[0], inputs[1], type, math);
      })
      .Case<ReduceOp>(
          [&](auto o) { return followReduce(o, inputs[0], type, math); })
      .Case<ArgReduceOp>(
          [&](auto o) { return followArgReduce(o, inputs[0], type, math); })
      .Case<TopKOp>(
          [&](auto o) { return followTopK(o, inputs[0], type, math); })
      .Case<PadOp>(
          [&](auto o) { return followPad(o, inputs[0], inputs[1], type); })
      .Case<IotaOp>([&](IotaOp o) {
        return generate(type, [&](ArrayRef<int64_t> index) {
          return MaybeScalar(Expr(index[o.getDim()]));
        });
      })
      .Default([](Operation *) { return std::nullopt; });
}
