// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two operands at a time: dims that only one operand has are summed
// first, and what is left is a batched matrix product between transposes.

#include "Einsum.h"
#include "../Movement/Gather.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::compose;

/// Dims by label; an ellipsis becomes the labels '0', '1', ... of its dims, '0'
/// being the last.
using Labels = std::string;

namespace {
struct Operand {
  Value value;
  Labels labels;
};
} // namespace

/// "i...j" with the ellipsis standing for `extra` dims.
static std::optional<Labels> readTerm(ValueBuilder &b, StringRef term,
                                      size_t extra) {
  Labels labels;
  while (!term.empty()) {
    if (term.consume_front("...")) {
      for (size_t i = extra; i > 0; --i)
        labels += char('0' + i - 1);
    } else if (llvm::isAlpha(term.front())) {
      labels += term.front();
      term = term.drop_front();
    } else {
      b.error() << "equation has '" << term << "', expected letters or '...'";
      return std::nullopt;
    }
  }
  return labels;
}

static bool hasRepeats(StringRef labels) {
  for (size_t i = 0; i < labels.size(); ++i)
    if (labels.drop_front(i + 1).contains(labels[i]))
      return true;
  return false;
}

/// Leaves one dim of each label: where the labels of two are the same, the
/// elements whose indices are too.
static Operand takeDiagonals(ValueBuilder &b, Operand operand) {
  for (size_t first = 0; first < operand.labels.size(); ++first) {
    size_t again;
    while (operand.value &&
           (again = operand.labels.find(operand.labels[first], first + 1)) !=
               Labels::npos) {
      SmallVector<Expr> dims = dimsOf(operand.value);
      if (!b.requireEqual(dims[first], dims[again],
                          "sizes of the repeated label '" +
                              operand.labels.substr(first, 1) + "' differ"))
        return {};
      dims[again] = 1;
      Type index = b.indexType();
      Value diagonal =
          gatherElements(b, operand.value, b.iota(dims, first, index), again);
      dims.erase(dims.begin() + again);
      operand.value = b.reshape(diagonal, dims);
      operand.labels.erase(again, 1);
    }
  }
  return operand;
}

/// Sums of narrow floats are f32, and so is what meets them.
static Value widen(ValueBuilder &b, Value value) {
  if (!value || !isNarrowFloat(elementTypeOf(value)))
    return value;
  return b.cast(value, b.graph.getBuilder().getF32Type());
}

/// Sums over the dims whose labels are not among `kept`.
static Operand sumOthers(ValueBuilder &b, Operand operand, StringRef kept) {
  SmallVector<int64_t> dims;
  Labels labels;
  for (auto [dim, label] : llvm::enumerate(operand.labels)) {
    if (kept.contains(label))
      labels += label;
    else
      dims.push_back(dim);
  }
  if (dims.empty())
    return operand;
  return {b.reduce(widen(b, operand.value), dims, ReduceKind::Sum, false),
          labels};
}

/// Brings the dims into the order of `labels`.
static Value arrange(ValueBuilder &b, const Operand &operand,
                     StringRef labels) {
  SmallVector<int64_t> order;
  for (char label : labels)
    order.push_back(operand.labels.find(label));
  return b.transpose(operand.value, order);
}

/// The dims of `labels`, where an operand may have 1 for what the other has.
static std::optional<SmallVector<Expr>> commonDims(ValueBuilder &b,
                                                   const Operand &lhs,
                                                   const Operand &rhs,
                                                   StringRef labels) {
  SmallVector<Expr> left, right;
  for (char label : labels) {
    left.push_back(dimsOf(lhs.value)[lhs.labels.find(label)]);
    right.push_back(dimsOf(rhs.value)[rhs.labels.find(label)]);
  }
  FailureOr<SmallVector<Expr>> shape = b.broadcastShapes({left, right});
  if (failed(shape))
    return std::nullopt;
  return *shape;
}

static SmallVector<Expr> dimsOfLabels(const Operand &operand,
                                      StringRef labels) {
  SmallVector<Expr> dims;
  for (char label : labels)
    dims.push_back(dimsOf(operand.value)[operand.labels.find(label)]);
  return dims;
}

/// [batch..., rows..., columns...] as [batch..., row, column].
static Value asMatrices(ValueBuilder &b, Value value, ArrayRef<Expr> batch,
                        ArrayRef<Expr> rows, ArrayRef<Expr> columns) {
  SmallVector<Expr> full(batch), shape(batch);
  full.append(rows.begin(), rows.end());
  full.append(columns.begin(), columns.end());
  shape.push_back(sym::getNumElements(rows));
  shape.push_back(sym::getNumElements(columns));
  return b.reshape(b.broadcast(value, full), shape);
}

/// The product of two operands; labels that `kept` lacks are contracted.
static Operand multiplyPair(ValueBuilder &b, Operand lhs, Operand rhs,
                            StringRef kept) {
  lhs = sumOthers(b, lhs, rhs.labels + kept.str());
  rhs = sumOthers(b, rhs, lhs.labels + kept.str());
  if (!lhs.value || !rhs.value)
    return {};
  if (elementTypeOf(lhs.value) != elementTypeOf(rhs.value)) {
    lhs.value = widen(b, lhs.value);
    rhs.value = widen(b, rhs.value);
  }
  Labels batch, rows, columns, contracted;
  for (char label : lhs.labels) {
    bool isShared = StringRef(rhs.labels).contains(label);
    if (isShared)
      (kept.contains(label) ? batch : contracted) += label;
    else
      rows += label;
  }
  for (char label : rhs.labels)
    if (!StringRef(lhs.labels).contains(label))
      columns += label;
  auto batchDims = commonDims(b, lhs, rhs, batch);
  auto innerDims = commonDims(b, lhs, rhs, contracted);
  if (!batchDims || !innerDims)
    return {};
  SmallVector<Expr> rowDims = dimsOfLabels(lhs, rows);
  SmallVector<Expr> columnDims = dimsOfLabels(rhs, columns);
  Value left = asMatrices(b, arrange(b, lhs, batch + rows + contracted),
                          *batchDims, rowDims, *innerDims);
  Value right = asMatrices(b, arrange(b, rhs, batch + contracted + columns),
                           *batchDims, *innerDims, columnDims);
  SmallVector<Expr> shape = *batchDims;
  shape.append(rowDims);
  shape.append(columnDims);
  return {b.reshape(b.contract(left, right), shape), batch + rows + columns};
}

/// Labels that occur once, in alphabetical order: what "->" stands for when it
/// is left out.
static std::string implicitOutput(StringRef inputs) {
  std::string output = inputs.contains("...") ? "..." : "";
  for (int c = 0; c < 128; ++c)
    if (llvm::isAlpha(char(c)) && inputs.count(char(c)) == 1)
      output += char(c);
  return output;
}

/// Splits the equation; a term for each value and the output's labels.
static bool readEquation(ValueBuilder &b, ArrayRef<Value> values,
                         StringRef text, std::vector<Operand> &operands,
                         Labels &output) {
  std::string equation = text.str();
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  std::string wanted =
      StringRef(equation).contains("->") ? right.str() : implicitOutput(left);
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != values.size()) {
    b.error() << "equation '" << equation << "' has " << terms.size()
              << " terms for " << values.size() << " inputs";
    return false;
  }
  size_t most = 0;
  for (auto [term, value] : llvm::zip_equal(terms, values)) {
    size_t letters = llvm::count_if(term, llvm::isAlpha);
    bool hasEllipsis = term.contains("...");
    size_t rank = value ? rankOf(value) : 0;
    if (!value || rank < letters || (!hasEllipsis && rank != letters) ||
        rank > letters + 10) {
      b.error() << "term '" << term << "' does not fit an input of rank "
                << rank;
      return false;
    }
    std::optional<Labels> labels = readTerm(b, term, rank - letters);
    if (!labels)
      return false;
    most = std::max(most, rank - letters);
    operands.push_back({value, *labels});
  }
  std::optional<Labels> labels = readTerm(b, wanted, most);
  if (!labels)
    return false;
  output = *labels;
  return true;
}

Value compose::einsum(ValueBuilder &b, ArrayRef<Value> values,
                      StringRef equation) {
  std::vector<Operand> operands;
  Labels output;
  if (!readEquation(b, values, equation, operands, output))
    return {};
  std::string all;
  for (Operand &operand : operands) {
    operand = takeDiagonals(b, operand);
    if (!operand.value)
      return {};
    all += operand.labels;
  }
  bool isKnown = llvm::all_of(
      output, [&](char label) { return StringRef(all).contains(label); });
  if (hasRepeats(output) || !isKnown) {
    b.error() << "output has a label twice, or one that no input has";
    return {};
  }
  Operand result = operands.front();
  for (size_t i = 1; i < operands.size() && result.value; ++i) {
    std::string kept = output;
    for (size_t later = i + 1; later < operands.size(); ++later)
      kept += operands[later].labels;
    result = multiplyPair(b, result, operands[i], kept);
  }
  if (!result.value)
    return {};
  result = sumOthers(b, result, output);
  return result.value ? arrange(b, result, output) : Value();
}
