// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups ops into kernels and outlines each group into a private function that
// all structurally equal groups share.
//
// A group ends in one op whose result is stored to memory. Going backwards from
// it, elementwise and index-mapping ops join as long as nothing else needs
// their results; one root (contract, conv, reduce, ...) joins when only
// elementwise ops lie between it and the end, so that they can be applied to
// its elements while those are in registers. Whatever a group reads from
// outside is in memory.

#include "KernelKey.h"
#include "ambit/Dialect/Graph/IR/FloatExtension.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Kernel/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace ambit {
#define GEN_PASS_DEF_FORMKERNELSPASS
#include "ambit/Kernel/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;

#define DEBUG_TYPE "graph-form-kernels"

bool ambit::isRootOp(Operation *op) {
  return isa<ContractOp, ConvOp, WindowOp, ReduceOp, ArgReduceOp, SoftmaxOp>(
      op);
}

/// Ops that never become part of a kernel: they cost nothing at run time, or
/// have kernels inside.
static bool isFree(Operation *op) {
  return isa<ConstantOp, ReshapeOp, LaunchOp, LoopOp>(op) ||
         !isa<GraphDialect>(op->getDialect());
}

/// Ops that a function of the runtime's library carries out.
static bool isLibraryOp(Operation *op) {
  return isa<HistogramOp, NmsOp, NonZeroOp, TopKOp, UniqueInverseOp, UniqueOp>(
      op);
}

/// Constants that a kernel writes into its code.
static bool isScalarConstant(Operation *op) {
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  return dense && dense.isSplat() && dense.getNumElements() > 0;
}

/// Ops that are cheaper to compute again than to load.
static bool isCheap(Operation *op) {
  return isa<BroadcastOp, IotaOp, DimsOp>(op) || isFloatExtension(op);
}

/// Whether a user can compute this operand itself, once for each element that
/// it reads, instead of loading it.
static bool takesInline(OpOperand &use, Operation *producer) {
  Operation *user = use.getOwner();
  if (isa<MapOp, ConcatOp, ReduceOp, SoftmaxOp, ArgReduceOp, TransposeOp,
          SliceOp>(user))
    return true;
  if (isa<BroadcastOp>(user)) // repeats its input: only what is cheap
    return isCheap(producer);
  if (auto pad = dyn_cast<PadOp>(user))
    return use.getOperandNumber() == 0 && pad.getMode() == PadMode::Constant;
  if (isa<GatherOp>(user))
    return use.getOperandNumber() == 1;
  return false;
}

namespace {
/// The ops of one kernel to be.
struct Group {
  Operation *output;
  Operation *root = nullptr;
  llvm::SetVector<Operation *> members; // from the output backwards
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
  /// Whether the user's element at an index needs the operand's at the same
  /// index, all the way to the group's output.
  bool isOnIdentityPath(Operation *op) const;

  std::vector<Group> groups;
  llvm::DenseMap<Operation *, int64_t> groupOf;
};
} // namespace

Grouping::Grouping(Block &block) {
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (!isFree(&op) && !isLibraryOp(&op))
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
  if (!isa<MapOp, BroadcastOp, SliceOp, IotaOp, DimsOp>(op))
    return false;
  for (OpOperand &use : op->getResult(0).getUses())
    if (!takesInline(use, op))
      return false;
  // A softmax stores its input's elements in its result's buffer, and what is
  // before it must not be evaluated more than once; both hold for one use.
  return group >= 0;
}

bool Grouping::isOnIdentityPath(Operation *op) const {
  if (!isa<MapOp>(op))
    return false;
  auto it = groupOf.find(op);
  if (it == groupOf.end())
    return false;
  if (groups[it->second].output == op)
    return true;
  return llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return isOnIdentityPath(user); });
}

bool Grouping::canBeRoot(Operation *op, int64_t group) const {
  if (group < 0 || !isRootOp(op) || isa<SoftmaxOp>(op) || groups[group].root)
    return false;
  return llvm::all_of(op->getUsers(),
                      [&](Operation *user) { return isOnIdentityPath(user); });
}

void Grouping::place(Operation *op) {
  int64_t group = groupOfUsers(op);
  if (!canInline(op, group)) {
    bool joins = canBeRoot(op, group);
    if (!joins) {
      group = groups.size();
      groups.push_back(Group{op, nullptr, {}});
    }
    if (isRootOp(op))
      groups[group].root = op;
  }
  groups[group].members.insert(op);
  groupOf[op] = group;
}

//===-- Outlining
//----------------------------------------------------------===//

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

/// A name for the kernel that says what its root is.
static std::string nameOf(const Group &group, unsigned number) {
  Operation *op = group.root ? group.root : group.output;
  return ("kernel_" + Twine(number) + "_" + op->getName().stripDialect()).str();
}

void Outliner::outline(Group &group) {
  llvm::SetVector<Value> inputs;
  for (Operation *op : llvm::reverse(group.members))
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      // The bodies' scalars are no tensors; members pass values inside.
      if (isScalarConstant(producer) && !isRootOp(op) &&
          !(isa<GatherOp>(op) && operand == op->getOperand(0)))
        continue;
      if (!producer || !group.members.contains(producer))
        inputs.insert(operand);
    }
  func::FuncOp kernel = build(group, inputs.getArrayRef());
  KernelKey key = getKernelKey(kernel);
  func::FuncOp &known = kernels[key.text];
  MLIRContext *context = module.getContext();
  if (known) {
    kernel.erase();
  } else {
    known = kernel;
    known.setName(nameOf(group, kernels.size() - 1));
    known->setAttr("ambit.kernel", UnitAttr::get(context));
    known->setAttr("ambit.sizes", sym::ShapeAttr::get(context, key.sizes));
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

//===-- Preparation
//--------------------------------------------------------===//

/// Gives every use of a cheap op a copy of its own.
static void duplicateCheapOps(Block &block) {
  SmallVector<Operation *> cheap;
  for (Operation &op : block)
    if (isCheap(&op))
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

/// The tensor whose buffer a value lives in.
static Value getStorage(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getInput();
  return value;
}

/// Copies returned values that have no buffer of their own to return:
/// arguments, constants, and what is returned twice.
static void copyReturnedAliases(func::FuncOp function) {
  Operation *terminator = function.front().getTerminator();
  llvm::SmallPtrSet<Value, 8> returned;
  for (OpOperand &operand : terminator->getOpOperands()) {
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
    if (auto integer = dyn_cast<IntegerType>(elementType))
      elementType = builder.getIntegerType(integer.getWidth());
    body.addArgument(elementType, loc);
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
      if (function->hasAttr("ambit.kernel") || function.isDeclaration())
        continue;
      copyReturnedAliases(function);
      formKernels(function.front(), outliner);
      function.walk(
          [&](LoopOp loop) { formKernels(loop.getBody().front(), outliner); });
    }
  }

  static void formKernels(Block &block, Outliner &outliner) {
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
