// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Are the guards of a model right, and is none too many?
//
//   ambit-guards MODEL...
//
// Drops each guard in turn and looks for sizes that only this guard refuses.
// The judge is the importer with these sizes as numbers, where there are no
// guards: what it refuses, the model must refuse, and no other. A guard without
// such sizes is redundant, a guard whose sizes are fine is wrong.

#include "Model/LoadModel.h"
#include "Model/ModelShapes.h"
#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "ambit/Driver/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Path.h"
#include <random>

using namespace mlir;
using namespace ambit;

using Sizes = std::map<std::string, int64_t>;

/// Shapes that are judged for each model, beside one for each guard.
static constexpr unsigned kJudged = 40;
/// Larger sizes are limits of number types, which no single shape can show.
static constexpr int64_t kLargest = 4096;

namespace {
class GuardCheck {
public:
  GuardCheck(const std::string &path, MLIRContext &context)
      : path(path), context(context) {}
  bool run();

private:
  bool load();
  void collectCandidates();
  bool holds(size_t guard, const Sizes &sizes) const {
    return guards[guard].condition.evaluate(sizes) == true;
  }
  /// Calls `visit` with sizes until it says that it is done.
  void enumerate(llvm::function_ref<bool(const Sizes &)> visit) const;
  bool isAccepted(const Sizes &sizes);
  bool checkGuard(size_t guard);
  bool checkShapes();
  bool fail(const Twine &message) {
    llvm::outs() << name() << ": " << message << '\n';
    return false;
  }
  StringRef name() const { return llvm::sys::path::stem(path); }

  std::string path;
  MLIRContext &context;
  std::vector<NamedShape> inputs;
  std::vector<dispatch::Guard> guards;
  std::map<std::string, std::vector<int64_t>> candidates;
  unsigned admitted = 0, refused = 0;
};
} // namespace

static std::string describe(const Sizes &sizes) {
  std::string text;
  for (const auto &[symbol, size] : sizes)
    text += (text.empty() ? "" : ", ") + symbol + " = " + std::to_string(size);
  return text;
}

bool GuardCheck::load() {
  ModelOptions options;
  options.input = path;
  OwningOpRef<ModuleOp> module = loadModel(options, context);
  PassManager manager(&context);
  manager.addPass(dispatch::createPruneGuardsPass());
  if (!module || failed(manager.run(*module)))
    return fail("cannot be imported");
  inputs = getInputShapes(module->lookupSymbol<func::FuncOp>("main"));
  guards = dispatch::collectGuards(*module);
  for (auto symbol : module->getOps<sym::SymbolOp>())
    candidates[symbol.getName().str()];
  return true;
}

static void collectConstants(Expr expr, std::set<int64_t> &numbers) {
  for (const Term &term : expr.terms()) {
    numbers.insert(term.coefficient);
    for (const Atom *atom : term.factors)
      if (atom->kind != Atom::Kind::Symbol) {
        collectConstants(atom->lhs, numbers);
        collectConstants(atom->rhs, numbers);
      }
  }
}

/// Small sizes, and both sides of every number in a guard.
void GuardCheck::collectCandidates() {
  std::set<int64_t> numbers;
  std::set<std::string> guarded;
  for (const dispatch::Guard &guard : guards)
    for (const Relation &relation : guard.condition.anyOf)
      for (Expr side : {relation.lhs, relation.rhs}) {
        collectConstants(side, numbers);
        side.collectSymbols(guarded);
      }
  std::set<int64_t> sizes;
  int64_t dense = guarded.size() <= 2 ? 70 : 10;
  for (int64_t size = 0; size <= dense; ++size)
    sizes.insert(size);
  for (int64_t number : numbers)
    for (int64_t size : {number - 1, number, number + 1})
      if (size >= 0 && size < INT64_MAX)
        sizes.insert(size);
  for (auto &[symbol, list] : candidates) {
    if (guarded.count(symbol))
      list.assign(sizes.begin(), sizes.end());
    else
      list = {0, 1, 2};
  }
}

void GuardCheck::enumerate(
    llvm::function_ref<bool(const Sizes &)> visit) const {
  Sizes sizes;
  std::function<bool(decltype(candidates)::const_iterator)> walk =
      [&](auto at) {
        if (at == candidates.end())
          return visit(sizes);
        for (int64_t size : at->second) {
          sizes[at->first] = size;
          if (walk(std::next(at)))
            return true;
        }
        return false;
      };
  walk(candidates.begin());
}

/// Whether the model can be imported with numbers for symbols.
bool GuardCheck::isAccepted(const Sizes &sizes) {
  ModelOptions options;
  options.input = path;
  for (const NamedShape &input : inputs) {
    std::vector<std::string> &dims = options.inputShapes[input.name];
    for (Expr dim : input.dims) {
      std::optional<int64_t> size = dim.evaluate(sizes);
      if (!size || *size < 0)
        return false;
      dims.push_back(std::to_string(*size));
    }
  }
  ScopedDiagnosticHandler silence(&context,
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = loadModel(options, context);
  return module && module->getOps<sym::GuardOp>().empty();
}

bool GuardCheck::checkGuard(size_t guard) {
  std::optional<Sizes> shown;
  enumerate([&](const Sizes &sizes) {
    for (size_t other = 0; other < guards.size(); ++other)
      if (holds(other, sizes) == (other == guard))
        return false;
    shown = sizes;
    return true;
  });
  std::string text = guards[guard].condition.str();
  if (!shown)
    return fail("no shape needs the guard '" + text + "'");
  if (llvm::any_of(*shown,
                   [](const auto &entry) { return entry.second > kLargest; }))
    return true;
  if (isAccepted(*shown))
    return fail("the guard '" + text + "' refuses " + describe(*shown) +
                ", which is fine");
  return true;
}

/// Some shapes, as many of them admitted as refused if there are any.
bool GuardCheck::checkShapes() {
  std::vector<Sizes> all[2];
  enumerate([&](const Sizes &sizes) {
    bool isSmall = llvm::all_of(
        sizes, [](const auto &entry) { return entry.second <= kLargest; });
    bool isAdmitted = true;
    for (size_t guard = 0; guard < guards.size(); ++guard)
      isAdmitted &= holds(guard, sizes);
    if (isSmall)
      all[isAdmitted].push_back(sizes);
    return false;
  });
  std::mt19937_64 random(1);
  for (bool isAdmitted : {false, true}) {
    std::vector<Sizes> &list = all[isAdmitted];
    std::shuffle(list.begin(), list.end(), random);
    list.resize(std::min<size_t>(list.size(), kJudged / 2));
    for (const Sizes &sizes : list)
      if (isAccepted(sizes) != isAdmitted)
        return fail(isAdmitted
                        ? "admits " + describe(sizes) + ", which is wrong"
                        : "refuses " + describe(sizes) + ", which is fine");
    (isAdmitted ? admitted : refused) = list.size();
  }
  return true;
}

bool GuardCheck::run() {
  if (!load())
    return false;
  collectCandidates();
  bool ok = true;
  for (size_t guard = 0; guard < guards.size(); ++guard)
    ok &= checkGuard(guard);
  if (!ok || !checkShapes())
    return false;
  llvm::outs() << name() << ": " << guards.size() << " guards, none too many; "
               << admitted << " shapes admitted, " << refused << " refused\n";
  return true;
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerPipelineDialects(registry);
  bool ok = true;
  for (int i = 1; i < argc; ++i) {
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    ok &= GuardCheck(argv[i], context).run();
    llvm::outs().flush();
  }
  return ok ? 0 : 1;
}
