// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums what kernels take over a body. The constants were fitted to seven models
// (convolutions, products, small and large) by `benchmarks/plan`, which prints
// what is expected beside what is measured.

#include "ambit/Cost/BodyCost.h"
#include "InnerSizes.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::cost;
using namespace ambit::graph;

/// Ticks for an element of what a function of the library gives.
constexpr int64_t kLibraryTicks = 32;

BodyCost BodyCost::of(func::FuncOp generic, const Rates &rates) {
  BodyCost cost;
  cost.rates = rates;
  for (Operation &op : generic.front().without_terminator())
    cost.add(&op, {});
  for (Type type : generic.getArgumentTypes())
    cost.addCopy(type);
  for (Type type : generic.getResultTypes())
    cost.addCopy(type);
  return cost;
}

void BodyCost::addCopy(Type tensor) {
  Amount elements;
  elements.add(sym::getDims(tensor), 1);
  addPadding(elements, rates.copy);
}

void BodyCost::add(Operation *op, ArrayRef<Expr> trips) {
  // What has kernels inside says how often they run.
  if (auto count = op->getAttrOfType<sym::ShapeAttr>("trips")) {
    SmallVector<Expr> inner(trips);
    llvm::append_range(inner, count.getDims());
    for (Operation &nested : op->getRegion(0).front().without_terminator())
      add(&nested, inner);
    return;
  }
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, launch.getKernelAttr());
    auto sizes = kernel->getAttrOfType<sym::ShapeAttr>(attributes::kSizes);
    std::map<Expr, Expr> values;
    for (auto [size, value] :
         llvm::zip_equal(sizes.getDims(), launch.getDims().getDims()))
      values[size] = value;
    addKernel(kernel.front(), values, trips);
    return;
  }
  KernelRule rule = getKernelRule(op);
  if (rule.role != KernelRole::Library)
    return;
  Amount launch, elements;
  launch.add(trips, 1);
  SmallVector<Expr> box = sym::getDims(op->getResult(0).getType());
  llvm::append_range(box, trips);
  elements.add(box, kLibraryTicks);
  addTerms(launch, 0, rates.launch.exact, 0);
  addTerms(elements, 0, 1, 0);
}

/// The points of a box whose symbols are all 1.
static SmallVector<Expr> constantPart(ArrayRef<Expr> box) {
  SmallVector<Expr> constants;
  for (Expr extent : box)
    if (extent.constant())
      constants.push_back(extent);
  return constants;
}

/// A product, or a convolution that is one.
static bool isProduct(Operation *op) {
  auto conv = dyn_cast<ConvOp>(op);
  if (!conv)
    return isa<ContractOp>(op);
  SmallVector<Expr> filter = sym::getDims(conv.getFilter().getType());
  return llvm::all_of(ArrayRef(filter).drop_front(2),
                      [](Expr extent) { return extent.isConstant(1); });
}

/// A sum of what is inside of loops.
static Amount multiply(const Amount &amount, ArrayRef<Expr> trips,
                       const std::map<Expr, Expr> &sizes) {
  Amount product;
  for (const Amount::Term &term : amount.terms()) {
    SmallVector<Expr> box(trips);
    for (Expr extent : term.box) {
      auto value = sizes.find(extent);
      box.push_back(value == sizes.end() ? extent : value->second);
    }
    product.add(box, term.weight);
  }
  return product;
}

void BodyCost::addKernel(Block &kernel, const std::map<Expr, Expr> &sizes,
                         ArrayRef<Expr> trips) {
  uint64_t loose = getMask(findInnerSymbols(kernel, sizes));
  WorkRate factor = rates.elements;
  Amount launch, oneRow, tails, matrices;
  launch.add({}, 1);
  for (Operation &op : kernel.without_terminator()) {
    KernelRule rule = getKernelRule(&op);
    if (rule.role != KernelRole::Root)
      continue;
    if (isa<WindowOp>(op))
      factor = rates.window;
    if (!isProduct(&op))
      tails.add(sym::getDims(op.getOperand(0).getType()), 1);
    if (rule.work != WorkKind::MultiplyAdd)
      continue;
    SmallVector<Expr> box = sym::getDims(op.getResult(0).getType());
    if (isa<ContractOp>(op) && box.size() > 2)
      matrices.add(ArrayRef(box).drop_back(2), 1);
    factor = isProduct(&op) ? rates.product : rates.window;
    oneRow.add(constantPart(rule.points), 1);
  }
  auto add = [&](const Amount &amount, double exact, double extra) {
    addTerms(multiply(amount, trips, sizes), loose, exact, extra);
  };
  add(launch, rates.launch.exact, rates.launch.extra);
  add(oneRow, rates.fetchRows.exact, rates.fetchRows.extra);
  add(matrices, 0, rates.matrix);
  add(getKernelTicks(kernel), factor.exact, factor.extra);
  addPadding(multiply(tails, trips, sizes), rates.tail);
}

/// The bit that symbols beyond the others share.
constexpr size_t kLastBit = 63;

uint64_t BodyCost::getMask(const Symbols &used) {
  uint64_t mask = 0;
  for (const std::string &symbol : used) {
    auto known = llvm::find(symbols, symbol);
    size_t bit = known - symbols.begin();
    if (known == symbols.end())
      symbols.push_back(symbol);
    mask |= uint64_t(1) << std::min(bit, kLastBit);
  }
  return mask;
}

unsigned BodyCost::getExtent(Expr extent) {
  auto known = llvm::find(extents, extent);
  unsigned number = known - extents.begin();
  if (known == extents.end())
    extents.push_back(extent);
  return number;
}

llvm::SmallVector<unsigned> BodyCost::getBox(const Amount::Term &term) {
  llvm::SmallVector<unsigned> box;
  for (Expr extent : term.box)
    box.push_back(getExtent(extent));
  llvm::sort(box);
  return box;
}

void BodyCost::addTerms(const Amount &ticks, uint64_t loose, double exact,
                        double extra) {
  for (const Amount::Term &from : ticks.terms()) {
    llvm::SmallVector<unsigned> box = getBox(from);
    auto same = llvm::find_if(terms, [&](const Term &term) {
      return term.loose == loose && term.box == box;
    });
    if (same == terms.end())
      same = terms.insert(same, Term{box, loose, 0, 0});
    same->exact += double(from.weight) * exact / rates.ticksPerMicrosecond;
    same->extra += double(from.weight) * extra / rates.ticksPerMicrosecond;
  }
}

void BodyCost::addPadding(const Amount &elements, double ticks) {
  for (const Amount::Term &from : elements.terms()) {
    Symbols used;
    for (Expr extent : from.box)
      extent.collectSymbols(used);
    paddingTerms.push_back(
        Term{getBox(from), getMask(used), 0,
             double(from.weight) * ticks / rates.ticksPerMicrosecond});
  }
}

/// The bits of the symbols that are in a set, or of those that are not.
uint64_t BodyCost::findBits(const Symbols &set, bool isIn) const {
  uint64_t bits = 0;
  for (auto [bit, symbol] : llvm::enumerate(symbols))
    if (bool(set.count(symbol)) == isIn)
      bits |= uint64_t(1) << std::min<size_t>(bit, kLastBit);
  return bits;
}

llvm::SmallVector<double, 64> BodyCost::evaluate(const Sizes &sizes) const {
  llvm::SmallVector<double, 64> values;
  for (Expr extent : extents)
    values.push_back(
        double(std::max<int64_t>(extent.evaluate(sizes).value_or(1), 0)));
  return values;
}

/// The product of a term's extents.
static double getPoints(ArrayRef<unsigned> box, ArrayRef<double> values) {
  double points = 1;
  for (unsigned extent : box)
    points *= values[extent];
  return points;
}

double BodyCost::getPadding(const Sizes &sizes, const Symbols &padded) const {
  llvm::SmallVector<double, 64> values = evaluate(sizes);
  uint64_t mask = findBits(padded, /*isIn=*/true);
  double time = 0;
  for (const Term &term : paddingTerms)
    if (term.loose & mask)
      time += getPoints(term.box, values) * term.extra;
  return time;
}

BodyCost::Times BodyCost::at(const Sizes &sizes, const Symbols &fixed) const {
  llvm::SmallVector<double, 64> values = evaluate(sizes);
  uint64_t free = findBits(fixed, /*isIn=*/false);
  // A run is never for nothing.
  Times times{1 / rates.ticksPerMicrosecond, 1 / rates.ticksPerMicrosecond};
  for (const Term &term : terms) {
    double points = getPoints(term.box, values);
    double extra = term.loose ? term.extra : 0;
    times.generic += points * (term.exact + extra);
    times.exact += points * (term.exact + (term.loose & free ? extra : 0));
  }
  return times;
}
