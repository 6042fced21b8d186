// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts kernels. The constants were fitted to objects of seven models with one
// variant of each kind beside the generic one; `benchmarks/plan code` prints
// what is expected beside what is measured.

#include "ambit/Cost/CodeCost.h"
#include "InnerSizes.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::cost;
using namespace ambit::graph;

namespace {
/// Bytes in the object and seconds of the compiler.
struct Code {
  double bytes, seconds;
};

/// What kernels of a kind take: each, and each instruction of scalar bodies.
struct KernelCode {
  Code kernel, instruction;
};
} // namespace

/// Kernels that compute tiles, when their inner sizes are constants and when
/// some are not; and all others, which are a few loops.
constexpr KernelCode kExactTiles = {{800, 0.034}, {140, 0.003}};
constexpr KernelCode kLooseTiles = {{3100, 0.088}, {165, 0.002}};
constexpr KernelCode kLoops = {{150, 0.003}, {140, 0.003}};
/// A launch or a call of the library.
constexpr Code kLaunch = {130, 0.0014};
/// What sets a tail, copies an input or cuts an output.
constexpr Code kTail = {1000, 0.03};
/// A variant without a body of its own.
constexpr Code kEntry = {1600, 0.01};
/// The runtime and the tables; reading a model and linking it.
constexpr Code kObject = {60000, 0.05};

/// As they lie in the object.
static int64_t countBytes(ElementsAttr elements) {
  unsigned bits = elements.getElementType().getIntOrFloatBitWidth();
  int64_t bytes = elements.getNumElements() * std::max(bits / 8, 1u);
  return int64_t(llvm::alignTo(uint64_t(bytes), 64));
}

CodeCost CodeCost::of(func::FuncOp generic) {
  CodeCost cost;
  for (Operation &op : generic.front().without_terminator())
    cost.add(&op);
  auto addCopy = [&](Type tensor) {
    Symbols used;
    for (Expr extent : sym::getDims(tensor))
      extent.collectSymbols(used);
    cost.copied.push_back(std::move(used));
  };
  llvm::for_each(generic.getArgumentTypes(), addCopy);
  llvm::for_each(generic.getResultTypes(), addCopy);
  auto module = generic->getParentOfType<ModuleOp>();
  if (auto weights = module->getAttrOfType<ArrayAttr>(attributes::kWeights))
    for (auto elements : weights.getAsRange<ElementsAttr>())
      cost.weightBytes += countBytes(elements);
  return cost;
}

void CodeCost::add(Operation *op) {
  // What stays outside of kernels may have launches inside.
  for (Region &region : op->getRegions())
    for (Operation &nested : region.front().without_terminator())
      add(&nested);
  if (auto launch = dyn_cast<LaunchOp>(op))
    addLaunch(launch);
  else
    calls += getKernelRule(op).role == KernelRole::Library;
}

void CodeCost::addLaunch(LaunchOp op) {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getKernelAttr());
  Launch launch{addKernel(function), {}, {}};
  llvm::append_range(launch.sizes, op.getDims().getDims());
  auto parameters = function->getAttrOfType<sym::ShapeAttr>(attributes::kSizes);
  std::map<Expr, Expr> values;
  for (auto [size, value] : llvm::zip_equal(parameters.getDims(), launch.sizes))
    values[size] = value;
  launch.inner = findInnerSymbols(function.front(), values);
  launches.push_back(std::move(launch));
}

unsigned CodeCost::addKernel(func::FuncOp function) {
  auto [known, isNew] = numbers.try_emplace(function, kernels.size());
  if (!isNew)
    return known->second;
  Kernel kernel{false, false, countEpilogueInstructions(function.front())};
  for (Operation &op : function.front().without_terminator()) {
    bool multiplies = getKernelRule(&op).work == WorkKind::MultiplyAdd;
    kernel.isTiled |= multiplies;
    kernel.readsTail |=
        isa<WindowOp>(op) || (multiplies && !isa<ContractOp>(op));
  }
  kernels.push_back(kernel);
  return known->second;
}

static void charge(CodeSize &size, Code code, double count) {
  size.bytes += int64_t(code.bytes * count);
  size.seconds += code.seconds * count;
}

CodeSize CodeCost::add(const Sizes &sizes, const Symbols &fixed,
                       Known &known) const {
  CodeSize size;
  charge(size, kLaunch, double(launches.size() + calls));
  auto isFixed = [&](const std::string &symbol) {
    return fixed.count(symbol) != 0;
  };
  for (const Launch &launch : launches) {
    Known::value_type key{launch.kernel, {}};
    for (Expr extent : launch.sizes) {
      Symbols used;
      extent.collectSymbols(used);
      key.second.push_back(llvm::all_of(used, isFixed) ? extent.evaluate(sizes)
                                                       : std::nullopt);
    }
    if (!known.insert(std::move(key)).second)
      continue;
    ++size.kernels;
    const Kernel &kernel = kernels[launch.kernel];
    const KernelCode &code = !kernel.isTiled ? kLoops
                             : llvm::all_of(launch.inner, isFixed)
                                 ? kExactTiles
                                 : kLooseTiles;
    charge(size, code.kernel, 1);
    charge(size, code.instruction, double(kernel.instructions));
  }
  return size;
}

CodeSize CodeCost::getPadding(const Symbols &padded) const {
  unsigned tails = 0;
  auto isPadded = [&](const Symbols &used) {
    return llvm::any_of(used, [&](const std::string &symbol) {
      return padded.count(symbol) != 0;
    });
  };
  // Most windows find a tail that has its value already.
  for (const Kernel &kernel : kernels)
    tails += kernel.readsTail;
  CodeSize size;
  size.kernels = llvm::count_if(copied, isPadded) + tails / 4;
  charge(size, kTail, size.kernels);
  return size;
}

CodeSize CodeCost::getEntry() {
  CodeSize size;
  charge(size, kEntry, 1);
  return size;
}

CodeSize CodeCost::common() const {
  CodeSize size{weightBytes, 0, 0};
  charge(size, kObject, 1);
  return size;
}
