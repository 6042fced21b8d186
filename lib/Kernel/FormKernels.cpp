// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups ops into kernels and outlines each group into a private function that
// all structurally equal groups share.
//
// A group ends in one op whose result is stored to memory. Going backwards from
// it, elementwise and index-mapping ops join as long as nothing else needs
// their results; one root (contract, conv, reduce, ...) joins when only
// elementwise ops lie between it and the end, so that they can be applied to
// its elements while those are in registers. Whatever a group reads from
// outside is in memory. A group takes as much code as `CodeSize.h` allows, and
// what it would have to compute again and again, at many indices for each
// element of its result, ends a group of its own.

#include "CodeSize.h"
#include "ElementIndices.h"
#include "KernelKey.h"
#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Graph/IR/Tensors.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

namespace ambit {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

bool ambit::isRootOp(Operation *op) {
  return getKernelRule(op).role == KernelRole::Root;
}

/// Whether the op's work is done in a kernel.
static bool belongsInKernel(Operation *op) {
  KernelRole role = getKernelRule(op).role;
  return role != KernelRole::None && role != KernelRole::Library;
}

/// Constants that a kernel writes into its code.
static bool isScalarConstant(Operation *op) {
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  return dense && dense.isSplat() && dense.getNumElements() > 0;
}

/// Whether a user can compute this operand itself, once for each element that
/// it reads, instead of loading it.
static bool takesInline(OpOperand &use, const KernelRule &producer) {
  KernelRule user = getKernelRule(use.getOwner());
  return user.inlines(use.getOperandNumber()) &&
         (producer.isCheap || !user.inlinesOnlyCheap);
}

namespace {
/// The ops of one kernel to be.
struct Group {
  Operation *output;
  Operation *root;
  unsigned repetitionsLeft = kMaxRepetitions;
  llvm::SetVector<Operation *> members = {}; // from the output backwards
  int64_t codeSize = 0;
};

/// Assigns the ops of one block to groups.
class Grouping {
public:
  explicit Grouping(Block &block);
  MutableArrayRef<Group> getGroups() { return groups; }

private:
  void place(Operation *op);
  bool canInline(Operation *op, int64_t group) const;
  bool canBeRoot(Operation *op, int64_t group) const;
  /// The group all users are in, or -1.
  int64_t groupOfUsers(Operation *op) const;
  /// Whether all users are elementwise, and theirs are, up to the output.
  bool hasIdentityUsers(Operation *op) const;

  std::vector<Group> groups;
  llvm::DenseMap<Operation *, int64_t> groupOf;
  ElementIndices indices;
  /// Elementwise ops that are outputs, or have such users only: an element of
  /// the output needs theirs at the same index.
  llvm::DenseSet<Operation *> onIdentityPath;
};
} // namespace

Grouping::Grouping(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (belongsInKernel(&op))
      place(&op);
}

int64_t Grouping::groupOfUsers(Operation *op) const {
  int64_t group = -1;
  for (Operation *user : op->getUsers()) {
    auto it = groupOf.find(user);
    if (it == groupOf.end() || (group >= 0 && it->second != group))
      return -1;
    group = it->second;
  }
  return group;
}

bool Grouping::canInline(Operation *op, int64_t group) const {
  KernelRule rule = getKernelRule(op);
  if (rule.role != KernelRole::Inline)
    return false;
  for (OpOperand &use : op->getResult(0).getUses())
    if (!takesInline(use, rule))
      return false;
  // A softmax stores its input's elements in its result's buffer, and what is
  // before it must not be evaluated more than once; both hold for one use.
  return group >= 0 && groups[group].codeSize + getCodeSize(op) <= kMaxCodeSize;
}

bool Grouping::hasIdentityUsers(Operation *op) const {
  return llvm::all_of(op->getUsers(), [&](Operation *user) {
    return onIdentityPath.contains(user);
  });
}

bool Grouping::canBeRoot(Operation *op, int64_t group) const {
  return group >= 0 && !groups[group].root && getKernelRule(op).takesEpilogue &&
         hasIdentityUsers(op);
}

void Grouping::place(Operation *op) {
  int64_t group = groupOfUsers(op);
  bool isInline =
      canInline(op, group) && indices.add(op, groups[group].repetitionsLeft);
  bool isOutput = !isInline && !canBeRoot(op, group);
  if (isOutput) {
    group = groups.size();
    groups.push_back(Group{op, nullptr});
  }
  if (!isInline) {
    indices.addOnce(op);
    if (isRootOp(op))
      groups[group].root = op;
  }
  if (isa<MapOp>(op) && (isOutput || hasIdentityUsers(op)))
    onIdentityPath.insert(op);
  groups[group].members.insert(op);
  groups[group].codeSize += getCodeSize(op);
  groupOf[op] = group;
}

//===-- Outlining ---------------------------------------------------------===//

namespace {
/// Outlines groups of all functions of a module; equal groups share a kernel.
class Outliner {
public:
  explicit Outliner(ModuleOp module) : module(module) {}
  void outline(Group &group);
  unsigned getNumKernels() const { return kernels.size(); }

private:
  func::FuncOp build(Group &group, ArrayRef<Value> inputs);

  ModuleOp module;
  llvm::StringMap<func::FuncOp> kernels;
  llvm::StringSet<> names;
};
} // namespace

func::FuncOp Outliner::build(Group &group, ArrayRef<Value> inputs) {
  SmallVector<Type> types;
  for (Value input : inputs)
    types.push_back(input.getType());
  Type resultType = group.output->getResult(0).getType();
  OpBuilder builder(module.getContext());
  auto kernel =
      func::FuncOp::create(group.output->getLoc(), "kernel",
                           builder.getFunctionType(types, {resultType}));
  kernel.setPrivate();
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  IRMapping mapping;
  for (auto [input, argument] : llvm::zip_equal(inputs, entry->getArguments()))
    mapping.map(input, argument);
  SmallVector<Operation *> ordered(group.members.begin(), group.members.end());
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) {
    return lhs->isBeforeInBlock(rhs);
  });
  for (Operation *op : ordered) {
    for (Value operand : op->getOperands())
      if (isScalarConstant(operand.getDefiningOp()) &&
          !mapping.contains(operand))
        builder.clone(*operand.getDefiningOp(), mapping);
    builder.clone(*op, mapping);
  }
  builder.create<func::ReturnOp>(group.output->getLoc(),
                                 mapping.lookup(group.output->getResult(0)));
  return kernel;
}

/// A name that says what the kernel's root is and, by a hash of all that it
/// computes, which kernel it is: the same in every module that has it.
static std::string nameOf(const Group &group, StringRef key) {
  Operation *op = group.root ? group.root : group.output;
  return ("kernel_" + op->getName().stripDialect() + "_" +
          llvm::utohexstr(llvm::xxh3_64bits(key), /*LowerCase=*/true, 16))
      .str();
}

void Outliner::outline(Group &group) {
  llvm::SetVector<Value> inputs;
  for (Operation *op : llvm::reverse(group.members)) {
    KernelRule rule = getKernelRule(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *producer = operand.get().getDefiningOp();
      // The bodies' scalars are no tensors; members pass values inside.
      if (isScalarConstant(producer) &&
          !rule.readsFromMemory(operand.getOperandNumber()))
        continue;
      if (!producer || !group.members.contains(producer))
        inputs.insert(operand.get());
    }
  }
  func::FuncOp kernel = build(group, inputs.getArrayRef());
  KernelKey key = getKernelKey(kernel);
  func::FuncOp &known = kernels[key.text];
  MLIRContext *context = module.getContext();
  if (known) {
    kernel.erase();
  } else {
    known = kernel;
    std::string name = nameOf(group, key.text);
    while (!names.insert(name).second) // a hash that two kernels share
      name += '_';
    known.setName(name);
    known->setAttr(attributes::kKernel, UnitAttr::get(context));
    known->setAttr(attributes::kSizes, sym::ShapeAttr::get(context, key.sizes));
    module.push_back(known);
  }
  OpBuilder builder(group.output);
  auto launch = builder.create<LaunchOp>(
      group.output->getLoc(), group.output->getResult(0).getType(),
      FlatSymbolRefAttr::get(context, known.getName()), inputs.getArrayRef(),
      sym::ShapeAttr::get(context, key.sizes));
  group.output->getResult(0).replaceAllUsesWith(launch.getResult());
  // From the output backwards, so that uses go before definitions.
  for (Operation *op : group.members)
    op->erase();
}

//===-- Preparation -------------------------------------------------------===//

/// Gives every use of a cheap op a copy of its own.
static void duplicateCheapOps(Block &block) {
  SmallVector<Operation *> cheap;
  for (Operation &op : block)
    if (getKernelRule(&op).isCheap)
      cheap.push_back(&op);
  // Users first: their copies are uses of what they are made from.
  for (Operation *op : llvm::reverse(cheap)) {
    if (op->getResult(0).hasOneUse())
      continue;
    for (OpOperand &use :
         llvm::make_early_inc_range(op->getResult(0).getUses())) {
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*op)->getResult(0));
    }
    op->erase();
  }
}

/// Copies returned values that have no buffer of their own to return:
/// arguments, constants, and what is returned twice.
static void copyReturnedAliases(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  llvm::SmallPtrSet<Value, 8> returned;
  for (OpOperand &operand : terminator->getOpOperands()) {
    // A function that is no model may return anything.
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    Value storage = getStorage(operand.get());
    Operation *producer = storage.getDefiningOp();
    bool hasBuffer = producer && !isa<ConstantOp>(producer);
    if (hasBuffer && returned.insert(storage).second)
      continue;
    OpBuilder builder(terminator);
    Location loc = producer ? producer->getLoc() : terminator->getLoc();
    auto map = builder.create<MapOp>(loc, operand.get().getType(),
                                     ValueRange{operand.get()});
    Block &body = map.getBody().emplaceBlock();
    Type elementType = map.getResult().getType().getElementType();
    body.addArgument(getBodyType(elementType), loc);
    builder.setInsertionPointToEnd(&body);
    builder.create<YieldOp>(loc, body.getArgument(0));
    operand.set(map.getResult());
    returned.insert(map.getResult());
  }
}

/// Merges neighbouring reduced dims of a reduction whose input is in memory, so
/// that short trailing dims become one long one.
static void mergeReducedDims(Block &block) {
  for (ReduceOp reduce : llvm::make_early_inc_range(block.getOps<ReduceOp>())) {
    SmallVector<int64_t> dims(reduce.getDims());
    llvm::sort(dims);
    SmallVector<Expr> extents = sym::getDims(reduce.getInput().getType());
    bool isSuffix = dims.size() > 1 &&
                    dims.back() == int64_t(extents.size()) - 1 &&
                    dims.front() == int64_t(extents.size() - dims.size());
    if (!isSuffix)
      continue;
    SmallVector<Expr> merged(extents.begin(), extents.begin() + dims.front());
    merged.push_back(
        sym::getNumElements(ArrayRef(extents).drop_front(dims.front())));
    OpBuilder builder(reduce);
    Type elementType = reduce.getInput().getType().getElementType();
    auto reshaped = builder.create<ReshapeOp>(
        reduce.getLoc(), sym::getTensorType(merged, elementType),
        reduce.getInput(), sym::ShapeAttr::get(builder.getContext(), merged));
    reduce.getInputMutable().assign(reshaped.getResult());
    reduce.setDims({dims.front()});
  }
}

/// reshape(extend(x)) ==> extend(reshape(x)): what a reshape reads must be in
/// memory, and wider floats had better not be.
static void extendAfterReshapes(Block &block) {
  for (ReshapeOp reshape :
       llvm::make_early_inc_range(block.getOps<ReshapeOp>())) {
    Operation *extension = reshape.getInput().getDefiningOp();
    if (!isFloatExtension(extension))
      continue;
    OpBuilder builder(reshape);
    Value input = extension->getOperand(0);
    Type elementType = cast<RankedTensorType>(input.getType()).getElementType();
    Value reshaped = builder.create<ReshapeOp>(
        reshape.getLoc(),
        sym::getTensorType(sym::getDims(reshape.getResult().getType()),
                           elementType),
        input, reshape.getShape());
    Operation *extended = builder.clone(*extension);
    extended->setOperand(0, reshaped);
    extended->getResult(0).setType(reshape.getResult().getType());
    reshape.getResult().replaceAllUsesWith(extended->getResult(0));
    reshape.erase();
  }
}

namespace {
struct FormKernelsPass
    : public ambit::impl::FormKernelsPassBase<FormKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Outliner outliner(module);
    for (func::FuncOp function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (function->hasAttr(attributes::kKernel) || function.isDeclaration())
        continue;
      copyReturnedAliases(function);
      formKernels(function.front(), outliner);
    }
  }

  static void formKernels(Block &block, Outliner &outliner) {
    // What stays outside of kernels may have kernels inside.
    for (Operation &op : block)
      if (getKernelRule(&op).role == KernelRole::None)
        for (Region &region : op.getRegions())
          formKernels(region.front(), outliner);
    mergeReducedDims(block);
    extendAfterReshapes(block);
    duplicateCheapOps(block);
    Grouping grouping(block);
    // Groups were found from the end; outlining from the start lets every
    // group see its inputs already replaced.
    for (Group &group : llvm::reverse(grouping.getGroups()))
      outliner.outline(group);
  }
};
} // namespace
