// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dropping implied guards leaves the admitted shapes as they were, for random
// guards over small domains, and leaves little that could still be dropped.

#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include <catch2/catch.hpp>
#include <random>

using namespace ambit;
using Random = std::mt19937_64;
using Guards = std::vector<Condition>;

static std::string randomGuard(Random &random) {
  static const char *const names[] = {"a", "b", "c"};
  auto name = [&] { return std::string(names[random() % 3]); };
  auto number = [&](unsigned limit) {
    return std::to_string(random() % limit);
  };
  switch (random() % 7) {
  case 0:
    return name() + " >= " + number(6);
  case 1:
    return name() + " == " + name();
  case 2:
    return name() + " <= " + name() + " + " + number(4);
  case 3:
    return name() + " % " + std::to_string(2 + random() % 3) + " == 0";
  case 4:
    return name() + " == " + name() + " || " + name() + " == 1";
  case 5:
    return "floordiv(" + name() + " + 1, 2) >= " + number(4);
  default:
    return name() + "*" + name() + " <= " + std::to_string(random() % 80);
  }
}

static Guards readGuards(mlir::ModuleOp module) {
  Guards guards;
  for (sym::GuardOp guard : module.getOps<sym::GuardOp>())
    guards.push_back(sym::getCondition(guard));
  return guards;
}

/// The shapes that pass all guards but `skipped`, one bit for each.
static std::vector<bool> admitted(const Guards &guards, size_t skipped) {
  std::vector<bool> bits;
  for (int64_t a = 0; a < 9; ++a)
    for (int64_t b = 0; b < 9; ++b)
      for (int64_t c = 0; c < 9; ++c) {
        bool holds = true;
        for (size_t index = 0; index < guards.size() && holds; ++index)
          holds =
              index == skipped ||
              guards[index].evaluate({{"a", a}, {"b", b}, {"c", c}}) == true;
        bits.push_back(holds);
      }
  return bits;
}

TEST_CASE("pruned guards admit the same shapes") {
  mlir::DialectRegistry registry;
  registry.insert<sym::SymDialect>();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  Random random(23);
  unsigned before = 0, after = 0, redundant = 0;
  for (unsigned round = 0; round < 200; ++round) {
    std::string text;
    for (const char *name : {"a", "b", "c"})
      text += std::string("sym.symbol \"") + name + "\" min 0 max 8\n";
    for (size_t index = 0, count = 1 + random() % 8; index < count; ++index)
      text += "sym.guard \"" + randomGuard(random) + "\"\n";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    REQUIRE(module);
    Guards original = readGuards(*module);
    mlir::PassManager passes(&context);
    passes.addPass(dispatch::createPruneGuardsPass());
    REQUIRE(mlir::succeeded(passes.run(*module)));
    Guards pruned = readGuards(*module);
    INFO(text);
    REQUIRE(admitted(pruned, SIZE_MAX) == admitted(original, SIZE_MAX));
    before += original.size();
    after += pruned.size();
    for (size_t index = 0; index < pruned.size(); ++index)
      redundant += admitted(pruned, index) == admitted(pruned, SIZE_MAX);
  }
  CHECK(after < before);
  INFO(before << " guards became " << after << ", of which " << redundant
              << " are implied by the others");
  CHECK(redundant * 10 <= after);
}
