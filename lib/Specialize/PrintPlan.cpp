// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan as a table and as JSON.

#include "PlanInternals.h"
#include "llvm/Support/Format.h"
#include <nlohmann/json.hpp>

using namespace ambit;

static std::string shapesText(const Plan &plan, const VariantPlan &variant) {
  std::string text;
  for (const auto &[symbol, range] : variant.box) {
    if (!text.empty())
      text += ", ";
    if (planning::isPoint(range))
      text += symbol + " = " + std::to_string(range.min);
    else
      text += symbol + " = " + std::to_string(range.min) + ".." +
              std::to_string(range.max);
    if (range.divisor > std::max<int64_t>(plan.model.range(symbol).divisor, 1))
      text += " in multiples of " + std::to_string(range.divisor);
  }
  return text.empty() ? "every other shape" : text;
}

void ambit::printPlan(const Plan &plan, llvm::raw_ostream &out) {
  size_t nameWidth = 7, kindWidth = 4;
  for (const VariantPlan &variant : plan.variants) {
    nameWidth = std::max(nameWidth, variant.name.size());
    kindWidth = std::max(kindWidth, variant.kind.size());
  }
  auto row = [&](llvm::StringRef name, llvm::StringRef kind,
                 llvm::StringRef shapes) {
    out << llvm::left_justify(name, nameWidth) << "  "
        << llvm::left_justify(kind, kindWidth) << "  " << shapes << '\n';
  };
  row("variant", "kind", "shapes");
  for (const VariantPlan &variant : plan.variants)
    row(variant.name, variant.kind, shapesText(plan, variant));
  for (const std::string &note : plan.notes)
    out << "note: " << note << '\n';
}

void ambit::printPlanJson(const Plan &plan, llvm::raw_ostream &out) {
  using Json = nlohmann::ordered_json;
  Json variants = Json::array();
  for (const VariantPlan &variant : plan.variants) {
    Json where = Json::array();
    for (const Condition &condition : getConditions(plan, variant))
      where.push_back(condition.str());
    variants.push_back({{"name", variant.name},
                        {"kind", variant.kind},
                        {"where", std::move(where)}});
  }
  Json root = {{"variants", std::move(variants)}, {"notes", plan.notes}};
  out << root.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}
