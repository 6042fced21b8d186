// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The planned variants of a module, as text and as JSON.

#include "ModelVariants.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ambit;

template <typename OpT> static SmallVector<OpT> collect(ModuleOp module) {
  SmallVector<OpT> all;
  for (auto model : module.getOps<dispatch::ModelOp>())
    llvm::append_range(all, model.getAll<OpT>());
  return all;
}

static std::string describe(dispatch::OmittedOp omitted) {
  return ("variant '" + omitted.getName() +
          "' is left out: " + omitted.getReason())
      .str();
}

void ambit::printVariants(ModuleOp module, llvm::raw_ostream &out) {
  out << "variants:\n";
  for (auto [index, variant] :
       llvm::enumerate(collect<dispatch::VariantOp>(module)))
    out << "  " << index << "  " << llvm::left_justify(variant.getBody(), 28)
        << ' ' << llvm::left_justify(stringifyVariantKind(variant.getKind()), 9)
        << ' ' << dispatch::getDomainText(dispatch::getConditions(variant))
        << '\n';
  for (const dispatch::Family &family : dispatch::getFamilies(module))
    out << "note: " << family.members.size() << " variants share the body '"
        << family.name << "'\n";
  for (auto omitted : collect<dispatch::OmittedOp>(module))
    out << "note: " << describe(omitted) << '\n';
}

/// The function that is a variant's, or that of several.
static StringRef bodyOf(dispatch::VariantOp variant) {
  return variant.getShares().value_or(variant.getBody());
}

void ambit::printPadding(ModuleOp module, llvm::raw_ostream &out) {
  for (auto variant : collect<dispatch::VariantOp>(module)) {
    if (!variant.getPadding())
      continue;
    out << "padding of " << (variant.getShares() ? "shared body" : "variant")
        << " '" << bodyOf(variant) << "':\n";
    for (auto line : variant.getPadding()->getAsRange<StringAttr>())
      out << "  " << line.getValue() << '\n';
  }
}

Json ambit::paddingToJson(ModuleOp module) {
  Json object = Json::object();
  for (auto variant : collect<dispatch::VariantOp>(module))
    if (variant.getPadding())
      for (auto line : variant.getPadding()->getAsRange<StringAttr>())
        object[bodyOf(variant).str()].push_back(line.getValue().str());
  return object;
}

Json ambit::variantsToJson(ModuleOp module) {
  Json list = Json::array();
  for (auto variant : collect<dispatch::VariantOp>(module)) {
    list.push_back({{"name", variant.getBody().str()},
                    {"kind", stringifyVariantKind(variant.getKind()).str()},
                    {"domain", dispatch::getDomainText(
                                   dispatch::getConditions(variant))}});
    if (variant.getShares())
      list.back()["shares"] = variant.getShares()->str();
  }
  return list;
}

Json ambit::omittedToJson(ModuleOp module) {
  Json list = Json::array();
  for (auto omitted : collect<dispatch::OmittedOp>(module))
    list.push_back(describe(omitted));
  return list;
}
