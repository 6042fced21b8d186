// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Einsum, two operands at a time: dims that only one operand has are summed
// first, and what is left is a batched matrix product between transposes.

#include "../Converters.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

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
static std::optional<Labels> readTerm(NodeContext &c, StringRef term,
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
      c.error() << "equation has '" << term << "', expected letters or '...'";
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
static Operand takeDiagonals(NodeContext &c, Operand operand) {
  for (size_t first = 0; first < operand.labels.size(); ++first) {
    size_t again;
    while (operand.value &&
           (again = operand.labels.find(operand.labels[first], first + 1)) !=
               Labels::npos) {
      SmallVector<Expr> dims = dimsOf(operand.value);
      if (!c.requireEqual(dims[first], dims[again],
                          "sizes of the repeated label '" +
                              operand.labels.substr(first, 1) + "' differ"))
        return {};
      dims[again] = 1;
      Type index = c.graph.getBuilder().getI64Type();
      Value diagonal =
          gatherElements(c, operand.value, c.iota(dims, first, index), again);
      dims.erase(dims.begin() + again);
      operand.value = c.reshape(diagonal, dims);
      operand.labels.erase(again, 1);
    }
  }
  return operand;
}

/// Sums of narrow floats are f32, and so is what meets them.
static Value widen(NodeContext &c, Value value) {
  if (!value || !isNarrowFloat(elementTypeOf(value)))
    return value;
  return c.cast(value, c.graph.getBuilder().getF32Type());
}

/// Sums over the dims whose labels are not among `kept`.
static Operand sumOthers(NodeContext &c, Operand operand, StringRef kept) {
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
  return {c.reduce(widen(c, operand.value), dims, ReduceKind::Sum, false),
          labels};
}

/// Brings the dims into the order of `labels`.
static Value arrange(NodeContext &c, const Operand &operand, StringRef labels) {
  SmallVector<int64_t> order;
  for (char label : labels)
    order.push_back(operand.labels.find(label));
  return c.transpose(operand.value, order);
}

/// The dims of `labels`, where an operand may have 1 for what the other has.
static std::optional<SmallVector<Expr>> commonDims(NodeContext &c,
                                                   const Operand &a,
                                                   const Operand &b,
                                                   StringRef labels) {
  SmallVector<Expr> left, right;
  for (char label : labels) {
    left.push_back(dimsOf(a.value)[a.labels.find(label)]);
    right.push_back(dimsOf(b.value)[b.labels.find(label)]);
  }
  FailureOr<SmallVector<Expr>> shape = c.broadcastShapes({left, right});
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
static Value asMatrices(NodeContext &c, Value value, ArrayRef<Expr> batch,
                        ArrayRef<Expr> rows, ArrayRef<Expr> columns) {
  SmallVector<Expr> full(batch), shape(batch);
  full.append(rows.begin(), rows.end());
  full.append(columns.begin(), columns.end());
  shape.push_back(sym::getNumElements(rows));
  shape.push_back(sym::getNumElements(columns));
  return c.reshape(c.broadcast(value, full), shape);
}

/// The product of two operands; labels that `kept` lacks are contracted.
static Operand multiplyPair(NodeContext &c, Operand a, Operand b,
                            StringRef kept) {
  a = sumOthers(c, a, b.labels + kept.str());
  b = sumOthers(c, b, a.labels + kept.str());
  if (!a.value || !b.value)
    return {};
  if (elementTypeOf(a.value) != elementTypeOf(b.value)) {
    a.value = widen(c, a.value);
    b.value = widen(c, b.value);
  }
  Labels batch, rows, columns, contracted;
  for (char label : a.labels) {
    bool isShared = StringRef(b.labels).contains(label);
    if (isShared)
      (kept.contains(label) ? batch : contracted) += label;
    else
      rows += label;
  }
  for (char label : b.labels)
    if (!StringRef(a.labels).contains(label))
      columns += label;
  auto batchDims = commonDims(c, a, b, batch);
  auto innerDims = commonDims(c, a, b, contracted);
  if (!batchDims || !innerDims)
    return {};
  SmallVector<Expr> rowDims = dimsOfLabels(a, rows);
  SmallVector<Expr> columnDims = dimsOfLabels(b, columns);
  Value lhs = asMatrices(c, arrange(c, a, batch + rows + contracted),
                         *batchDims, rowDims, *innerDims);
  Value rhs = asMatrices(c, arrange(c, b, batch + contracted + columns),
                         *batchDims, *innerDims, columnDims);
  SmallVector<Expr> shape = *batchDims;
  shape.append(rowDims);
  shape.append(columnDims);
  return {c.reshape(c.contract(lhs, rhs), shape), batch + rows + columns};
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

/// Splits the equation; a term for each input and the output's labels.
static bool readEquation(NodeContext &c, std::vector<Operand> &operands,
                         Labels &output) {
  std::string equation = c.stringAttr("equation", "");
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  std::string wanted =
      StringRef(equation).contains("->") ? right.str() : implicitOutput(left);
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != c.numInputs()) {
    c.error() << "equation '" << equation << "' has " << terms.size()
              << " terms for " << c.numInputs() << " inputs";
    return false;
  }
  size_t most = 0;
  for (auto [term, value] : llvm::zip_equal(terms, c.allInputs())) {
    size_t letters = llvm::count_if(term, llvm::isAlpha);
    bool hasEllipsis = term.contains("...");
    size_t rank = value ? rankOf(value) : 0;
    if (!value || rank < letters || (!hasEllipsis && rank != letters) ||
        rank > letters + 10) {
      c.error() << "term '" << term << "' does not fit an input of rank "
                << rank;
      return false;
    }
    std::optional<Labels> labels = readTerm(c, term, rank - letters);
    if (!labels)
      return false;
    most = std::max(most, rank - letters);
    operands.push_back({value, *labels});
  }
  std::optional<Labels> labels = readTerm(c, wanted, most);
  if (!labels)
    return false;
  output = *labels;
  return true;
}

static void convertEinsum(NodeContext &c) {
  std::vector<Operand> operands;
  Labels output;
  if (!readEquation(c, operands, output))
    return;
  std::string all;
  for (Operand &operand : operands) {
    operand = takeDiagonals(c, operand);
    if (!operand.value)
      return;
    all += operand.labels;
  }
  bool isKnown = llvm::all_of(
      output, [&](char label) { return StringRef(all).contains(label); });
  if (hasRepeats(output) || !isKnown) {
    c.error() << "output has a label twice, or one that no input has";
    return;
  }
  Operand result = operands.front();
  for (size_t i = 1; i < operands.size() && result.value; ++i) {
    std::string kept = output;
    for (size_t later = i + 1; later < operands.size(); ++later)
      kept += operands[later].labels;
    result = multiplyPair(c, result, operands[i], kept);
  }
  if (!result.value)
    return;
  result = sumOthers(c, result, output);
  if (result.value)
    c.setOutput(0, arrange(c, result, output));
}

void ambit::onnx_import::addEinsum(ConverterTable &table) {
  table.add("Einsum", convertEinsum, 1, kAnyNumber).since(12);
}
