// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random graph while it grows. Forms (what can be added to it) are functions
// of this state, in files by subject.

#ifndef AMBIT_TEST_FUZZ_GENERATION_H
#define AMBIT_TEST_FUZZ_GENERATION_H

#include "ambit/Shape/GraphBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <random>

namespace ambit::fuzz {

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::FailureOr;
using mlir::Type;
using mlir::Value;

/// Random numbers that are the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// 0 .. count-1.
  int64_t below(int64_t count) { return engine() % uint64_t(count); }
  /// low .. high.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool oneIn(int64_t count) { return below(count) == 0; }
  template <typename T> const T &oneOf(ArrayRef<T> items) {
    return items[below(items.size())];
  }
  template <typename T> T choose(std::initializer_list<T> items) {
    return items.begin()[below(items.size())];
  }

private:
  std::mt19937_64 engine;
};

class Generation {
public:
  Generation(mlir::MLIRContext &context, uint64_t seed);

  /// Values that ops may take, oldest first.
  ArrayRef<Value> values() const { return pool; }
  /// A value that satisfies `fits`, more often a late one; null if none does.
  Value pick(llvm::function_ref<bool(Value)> fits);
  Value pickFloat(int64_t minRank = 0, int64_t maxRank = 5);
  /// A new input, or a constant when the dims are and chance has it.
  Value addOperand(ArrayRef<Expr> dims, Type elementType,
                   bool mayBeConstant = false);
  /// A value with these dims: one that exists, or a new input.
  Value operandLike(ArrayRef<Expr> dims, Type elementType);
  Value constant(ArrayRef<int64_t> dims, Type elementType);

  /// Whether the value's bits are exact; only then may a form use it where a
  /// small error would show as a large one.
  bool isExact(Value value);

  Type randomType();
  Type randomFloat();
  Expr randomDim();
  Expr randomSymbol() { return random.oneOf<Expr>(symbols); }
  int64_t randomAxis(Value value) { return random.below(rankOf(value)); }

  GraphBuilder &graph() { return *builder; }
  mlir::OpBuilder &ops() { return opBuilder; }

  /// Adds the result of `form`; undoes everything when it fails, when its size
  /// goes out of hand, or when its guards leave too few sizes.
  bool tryAdd(llvm::function_ref<FailureOr<Value>(Generation &)> form);
  /// The module, with every value that nothing uses as an output.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

  Random random;

private:
  void declareSymbols();
  void addFirstInputs();
  void resetBuilder();
  void undo(mlir::Operation *last, size_t arguments, size_t guardCount);
  bool isAcceptable(Value value);
  std::vector<Condition> guards;
  SmallVector<Expr> symbols;
  std::vector<std::map<std::string, int64_t>> samples;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::OpBuilder opBuilder;
  Domain domain;
  std::unique_ptr<graph::ShapeContext> shapes;
  std::unique_ptr<GraphBuilder> builder;
  std::vector<Value> pool;
  llvm::DenseMap<Value, bool> exactness;
};

/// Something that can be added to a graph.
struct Form {
  llvm::StringRef name;
  unsigned weight;
  FailureOr<Value> (*make)(Generation &);
};

ArrayRef<Form> mapForms();
ArrayRef<Form> movementForms();
ArrayRef<Form> placementForms();
ArrayRef<Form> computeForms();

} // namespace ambit::fuzz

#endif // AMBIT_TEST_FUZZ_GENERATION_H
