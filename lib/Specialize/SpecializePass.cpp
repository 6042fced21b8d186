// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass `specialize`: options as text, then plan and specialize.

#include "ambit/Specialize/Passes.h"
#include "ambit/Specialize/Specialize.h"

namespace ambit {
#define GEN_PASS_DEF_SPECIALIZEPASS
#include "ambit/Specialize/Passes.h.inc"
} // namespace ambit

using namespace mlir;
using namespace ambit;

/// Reads "NAME:1:2:3".
static LogicalResult
readSizes(Location loc, ArrayRef<std::string> texts,
          std::map<std::string, std::vector<int64_t>> &sizes) {
  for (StringRef text : texts) {
    SmallVector<StringRef> parts;
    text.split(parts, ':');
    std::vector<int64_t> &list = sizes[parts.front().str()];
    for (StringRef part : ArrayRef(parts).drop_front())
      if (part.getAsInteger(10, list.emplace_back()))
        return emitError(loc)
               << "'" << part << "' in '" << text << "', expected an integer";
  }
  return success();
}

namespace {

struct SpecializePass : ambit::impl::SpecializePassBase<SpecializePass> {
  using SpecializePassBase::SpecializePassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    PlanOptions options;
    options.fallback = fallback;
    options.maxVariants = maxVariants;
    if (failed(readSizes(module.getLoc(), exact, options.exact)) ||
        failed(readSizes(module.getLoc(), bucket, options.buckets)))
      return signalPassFailure();
    FailureOr<Plan> plan =
        makePlan(&getContext(), sym::getEntryDomain(module), options);
    if (failed(plan) || failed(specialize(module, *plan)))
      signalPassFailure();
  }
};

} // namespace
