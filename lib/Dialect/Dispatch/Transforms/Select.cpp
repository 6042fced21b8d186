// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission of the choice of a variant: the rank of each symbol among its
// boundaries, one table lookup, and for the few cells that the table leaves
// open a chain of conditions.

#include "FunctionEmitter.h"
#include <numeric>

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;

/// Up to this many boundaries are compared one by one, which has no dependence
/// between steps; more are searched by halving.
static constexpr size_t kLinearRank = 12;

std::string FunctionEmitter::emitGlobal(StringRef name, Type elementType,
                                        DenseElementsAttr values) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(builder.getInsertionBlock()->getParentOp());
  builder.create<LLVM::GlobalOp>(
      loc, LLVM::LLVMArrayType::get(elementType, values.getNumElements()),
      /*isConstant=*/true, LLVM::Linkage::Internal, name, values);
  return name.str();
}

Value FunctionEmitter::loadElement(StringRef global, Type elementType,
                                   Value index) {
  Value base = builder.create<LLVM::AddressOfOp>(loc, pointer, global);
  Value address = builder.create<LLVM::GEPOp>(loc, pointer, elementType, base,
                                              ArrayRef<LLVM::GEPArg>{index});
  return builder.create<LLVM::LoadOp>(loc, elementType, address);
}

Value FunctionEmitter::emitRank(const SelectTable::Axis &axis) {
  Value value = loadSymbol(axis.symbol);
  auto isAtLeast = [&](Value boundary) {
    return builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, value,
                                         boundary);
  };
  Value rank = constant(i64, 0);
  size_t count = axis.boundaries.size();
  if (count <= kLinearRank) {
    for (int64_t boundary : axis.boundaries) {
      Value step = builder.create<LLVM::ZExtOp>(
          loc, i64, isAtLeast(constant(i64, boundary)));
      rank = builder.create<arith::AddIOp>(loc, rank, step);
    }
    return rank;
  }
  // Branch-free halving over 2^k - 1 boundaries; the padding is never reached
  // but by the largest integer, which the final minimum takes care of.
  size_t step = llvm::PowerOf2Ceil(count + 1);
  std::vector<int64_t> padded = axis.boundaries;
  padded.resize(step - 1, INT64_MAX);
  auto type = RankedTensorType::get({int64_t(padded.size())}, i64);
  std::string global =
      emitGlobal("ambit_boundaries_" + axis.symbol, i64,
                 DenseElementsAttr::get(type, llvm::ArrayRef(padded)));
  while (step /= 2) {
    Value probe = builder.create<arith::AddIOp>(
        loc, rank, constant(i64, int64_t(step) - 1));
    Value next =
        builder.create<arith::AddIOp>(loc, rank, constant(i64, int64_t(step)));
    rank = builder.create<LLVM::SelectOp>(
        loc, isAtLeast(loadElement(global, i64, probe)), next, rank);
  }
  return builder.create<arith::MinSIOp>(loc, rank,
                                        constant(i64, int64_t(count)));
}

Value FunctionEmitter::emitCell(const SelectTable &table) {
  if (table.axes.empty())
    return constant(i32, table.cells.front());
  Value cell = constant(i64, 0);
  for (const SelectTable::Axis &axis : table.axes) {
    Value width = constant(i64, int64_t(axis.boundaries.size()) + 1);
    cell = builder.create<arith::MulIOp>(loc, cell, width);
    cell = builder.create<arith::AddIOp>(loc, cell, emitRank(axis));
  }
  Type i16 = builder.getI16Type();
  auto type = RankedTensorType::get({int64_t(table.cells.size())}, i16);
  std::string global =
      emitGlobal("ambit_cells", i16,
                 DenseElementsAttr::get(type, llvm::ArrayRef(table.cells)));
  return builder.create<LLVM::SExtOp>(loc, i32, loadElement(global, i16, cell));
}

/// Emits blocks that try variants in order and leave to `exit` with the first
/// that admits, or -1; returns the first block.
Block *FunctionEmitter::emitChain(Block *exit, ArrayRef<unsigned> variants,
                                  ArrayRef<SmallVector<Condition>> residual) {
  OpBuilder::InsertionGuard guard(builder);
  Block *first = builder.createBlock(exit);
  for (unsigned variant : variants) {
    Value number = constant(i32, variant);
    if (residual[variant].empty()) {
      builder.create<LLVM::BrOp>(loc, number, exit);
      return first;
    }
    ExprEmitter exprs = makeExprs();
    Value holds = emitAll(exprs, residual[variant]);
    Block *current = builder.getInsertionBlock();
    Block *next = builder.createBlock(exit);
    builder.setInsertionPointToEnd(current);
    builder.create<LLVM::CondBrOp>(loc, holds, exit, ValueRange(number), next,
                                   ValueRange());
    builder.setInsertionPointToEnd(next);
  }
  Value none = constant(i32, -1);
  builder.create<LLVM::BrOp>(loc, none, exit);
  return first;
}

std::string FunctionEmitter::emitSelect(size_t maxCells) {
  std::vector<SmallVector<Condition>> domains;
  for (const ModelTables::Variant &variant : tables.variants)
    domains.push_back(variant.conditions);
  std::optional<SelectTable> table =
      buildSelectTable(tables.domain(), domains, maxCells);

  LLVM::LLVMFuncOp function = begin("ambit_model_select", i32, {pointer});
  Block *entry = builder.getInsertionBlock();
  readSymbolsFrom(function.getArgument(0));
  Block *exit = builder.createBlock(&function.getBody());
  exit->addArgument(i32, loc);
  builder.setInsertionPointToEnd(entry);
  if (!table) {
    SmallVector<unsigned> all(domains.size());
    std::iota(all.begin(), all.end(), 0);
    Block *chain = emitChain(exit, all, domains);
    builder.create<LLVM::BrOp>(loc, ValueRange(), chain);
  } else {
    Value cell = emitCell(*table);
    SmallVector<int32_t> cases;
    SmallVector<Block *> chains;
    for (auto [index, list] : llvm::enumerate(table->candidates)) {
      cases.push_back(int32_t(domains.size() + index));
      chains.push_back(emitChain(exit, list, table->residual));
    }
    if (cases.empty())
      builder.create<LLVM::BrOp>(loc, cell, exit);
    else
      builder.create<LLVM::SwitchOp>(loc, cell, exit, ValueRange(cell), cases,
                                     chains,
                                     SmallVector<ValueRange>(cases.size()));
  }
  builder.setInsertionPointToEnd(exit);
  end(function, exit->getArgument(0));
  return function.getName().str();
}
