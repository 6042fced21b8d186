// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums what kernels take over a body. The constants were fitted to seven models
// (convolutions, products, small and large) by `benchmarks/plan`, which prints
// what is expected beside what is measured.

#include "ambit/Cost/BodyCost.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::cost;
using namespace ambit::graph;

/// What the machine of the fit does of these ticks.
constexpr double kPerMicrosecond = 68000;
/// Ticks for an element of what a function of the library gives.
constexpr int64_t kLibraryTicks = 32;
/// Ticks of a launch; and of a product as so many more rows, in which its
/// constant operand is fetched.
constexpr double kLaunchTicks = 1200;
constexpr double kFetchRows = 2.3;
/// How far the work of each kind is off its count, and how much more of it
/// symbolic sizes make.
constexpr double kWork[] = {0.76, 1, 1.22, 0.76};
constexpr double kLooseWork[] = {0, 0.02, 0.2, 0.02};
/// The same for a launch, and for a product as so many more rows.
constexpr double kLooseLaunchTicks = 180;
constexpr double kLooseRows = 0.5;

BodyCost BodyCost::of(func::FuncOp generic) {
  BodyCost cost;
  for (Operation &op : generic.front().without_terminator())
    cost.add(&op, {});
  cost.finish();
  return cost;
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
  launches.add(trips, 1);
  SmallVector<Expr> box = sym::getDims(op->getResult(0).getType());
  llvm::append_range(box, trips);
  work[Steady].add(box, kLibraryTicks);
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

void BodyCost::addKernel(Block &kernel, const std::map<Expr, Expr> &sizes,
                         ArrayRef<Expr> trips) {
  bool isLoose = !sizes.empty();
  Looseness looseness = isLoose ? Elements : Steady;
  for (Operation &op : kernel.without_terminator()) {
    KernelRule rule = getKernelRule(&op);
    if (!isLoose || rule.role != KernelRole::Root)
      continue;
    if (rule.work == WorkKind::MultiplyAdd) {
      looseness = isProduct(&op) ? Rows : Window;
      SmallVector<Expr> row = constantPart(rule.points);
      llvm::append_range(row, trips);
      oneRow.add(row, 1);
    } else if (isa<WindowOp>(op)) {
      looseness = Window;
    }
  }
  launches.add(trips, 1);
  if (isLoose)
    looseLaunches.add(trips, 1);
  Amount ticks = getKernelTicks(kernel);
  for (const Amount::Term &term : ticks.terms()) {
    SmallVector<Expr> box(trips);
    for (Expr extent : term.box) {
      auto value = sizes.find(extent);
      box.push_back(value == sizes.end() ? extent : value->second);
    }
    work[looseness].add(box, term.weight);
  }
}

void BodyCost::Sum::add(const Amount &amount, double generic, double exact) {
  for (const Amount::Term &from : amount.terms()) {
    llvm::SmallVector<unsigned> box;
    for (Expr extent : from.box) {
      auto known = llvm::find(extents, extent);
      box.push_back(known - extents.begin());
      if (known == extents.end())
        extents.push_back(extent);
    }
    llvm::sort(box);
    auto same =
        llvm::find_if(terms, [&](const Term &term) { return term.box == box; });
    if (same == terms.end())
      same = terms.insert(same, Term{box, 0, 0});
    same->generic += double(from.weight) * generic / kPerMicrosecond;
    same->exact += double(from.weight) * exact / kPerMicrosecond;
  }
}

void BodyCost::finish() {
  sum.add(launches, kLaunchTicks, kLaunchTicks);
  sum.add(looseLaunches, kLooseLaunchTicks, 0);
  sum.add(oneRow, kFetchRows + kLooseRows, kFetchRows);
  for (unsigned looseness = 0; looseness < Count; ++looseness)
    sum.add(work[looseness], kWork[looseness] + kLooseWork[looseness],
            kWork[looseness]);
}

BodyCost::Times BodyCost::at(const Sizes &sizes) const {
  llvm::SmallVector<double, 64> values;
  for (Expr extent : sum.extents)
    values.push_back(
        double(std::max<int64_t>(extent.evaluate(sizes).value_or(1), 0)));
  // A run is never for nothing.
  Times times{1 / kPerMicrosecond, 1 / kPerMicrosecond};
  for (const Sum::Term &term : sum.terms) {
    double points = 1;
    for (unsigned extent : term.box)
      points *= values[extent];
    times.generic += points * term.generic;
    times.exact += points * term.exact;
  }
  return times;
}
