// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit plan`: the table of variants with expected times, before anything is
// compiled.

#include "../Model/LoadModel.h"
#include "../Model/ModelCosts.h"
#include "../Model/ModelShapes.h"
#include "PlanTable.h"
#include "ambit/Dialect/Dispatch/Transforms/Guards.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Pipeline.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ambit;

std::string ambit::getDomainText(const Plan &plan, const VariantPlan &variant) {
  return dispatch::getDomainText(getConditions(plan, variant));
}

std::string ambit::getBytesText(double bytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (bytes < 1e6)
    out << llvm::format("%.0fkB", bytes / 1e3);
  else
    out << llvm::format("%.1fMB", bytes / 1e6);
  return text;
}

static void printTraffic(const PlanTable &table, llvm::raw_ostream &out) {
  const TrafficReport &report = *table.plan.traffic;
  out << report.calls << " calls of " << report.shapes << " shapes";
  if (report.outside)
    out << "; " << report.outside
        << " more are outside of what the model admits";
  out << '\n';
  auto line = [&](const char *what, double time, size_t variants) {
    out << llvm::format("%12.1f us a call, ", time) << what;
    if (variants)
      out << " (" << variants << (variants == 1 ? " variant)" : " variants)");
    out << '\n';
  };
  line("generic only", report.generic, 0);
  line("padded to powers of two", report.powersOfTwo, report.powerVariants);
  line("this plan", report.chosen, 0);
  line("each shape exact, without a budget", report.optimum,
       report.optimumVariants);
  if (table.plan.variants.size() == 1)
    out << "no variant would save 0.1 % of this time\n";
}

/// "64 variants share the body 'padded_seq', which is not faster than a
/// generic one".
static std::vector<std::string> describeSharing(const Plan &plan) {
  std::map<std::string, unsigned> sharing;
  for (const VariantPlan &variant : plan.variants)
    if (!variant.shares.empty())
      ++sharing[variant.shares];
  std::vector<std::string> notes;
  for (const auto &[body, count] : sharing)
    notes.push_back(std::to_string(count) + " variants share the body '" +
                    body + "', which is not faster than a generic one");
  return notes;
}

static void printTable(const PlanTable &table, llvm::raw_ostream &out) {
  out << "variant                      kind      expected us   generic us  "
         "of generic  padding    bytes  compile s  domain\n";
  for (auto [variant, expected, code] :
       llvm::zip_equal(table.plan.variants, table.estimates, table.code)) {
    out << llvm::left_justify(variant.name, 28) << ' '
        << llvm::left_justify(dispatch::stringifyVariantKind(variant.kind), 9)
        << llvm::format("%12.1f %12.1f %9.0f %%", expected.time,
                        expected.generic,
                        100 * expected.time / expected.generic);
    if (variant.kind == dispatch::VariantKind::Padded)
      out << llvm::format("%7.0f %%", 100 * expected.padding);
    else
      out.indent(9);
    out << ' ' << llvm::right_justify(getBytesText(double(code.bytes)), 8)
        << llvm::format("%11.2f  ", code.seconds)
        << getDomainText(table.plan, variant) << '\n';
  }
  for (const std::string &note : describeSharing(table.plan))
    out << "note: " << note << '\n';
  for (const OmittedVariant &omitted : table.plan.omitted)
    out << "note: variant '" << omitted.name
        << "' is left out: " << omitted.reason << '\n';
  out << table.plan.variants.size() << " of at most " << table.maxVariants
      << " variants; times are expected ones of one thread, at the greatest "
         "sizes that a variant takes\n"
      << "about " << getBytesText(double(table.total.bytes));
  if (table.maxBytes)
    out << " of at most " << getBytesText(double(table.maxBytes));
  out << llvm::format(", %.1f s of one processor to compile\n",
                      table.total.seconds);
  if (table.maxBytes && table.total.bytes > double(table.maxBytes))
    out << "note: this is more than --max-size allows\n";
  if (table.plan.traffic)
    printTraffic(table, out);
}

static Json trafficToJson(const TrafficReport &report) {
  return {{"calls", report.calls},
          {"shapes", report.shapes},
          {"outside", report.outside},
          {"generic_us", report.generic},
          {"powers_of_two_us", report.powersOfTwo},
          {"powers_of_two_variants", report.powerVariants},
          {"plan_us", report.chosen},
          {"optimum_us", report.optimum},
          {"optimum_variants", report.optimumVariants}};
}

static Json tableToJson(const PlanTable &table) {
  Json variants = Json::array(), notes = Json::array();
  for (auto [variant, expected, code] :
       llvm::zip_equal(table.plan.variants, table.estimates, table.code))
    variants.push_back(
        {{"name", variant.name},
         {"kind", dispatch::stringifyVariantKind(variant.kind).str()},
         {"domain", getDomainText(table.plan, variant)},
         {"sizes", expected.top},
         {"expected_us", expected.time},
         {"generic_us", expected.generic},
         {"padding", expected.padding},
         {"kernels", code.kernels},
         {"bytes", code.bytes},
         {"compile_seconds", code.seconds}});
  for (auto [json, variant] : llvm::zip_equal(variants, table.plan.variants))
    if (!variant.shares.empty())
      json["shares"] = variant.shares;
  for (const std::string &note : describeSharing(table.plan))
    notes.push_back(note);
  for (const OmittedVariant &omitted : table.plan.omitted)
    notes.push_back("variant '" + omitted.name +
                    "' is left out: " + omitted.reason);
  Json json = {{"variants", std::move(variants)},
               {"notes", std::move(notes)},
               {"max_variants", table.maxVariants},
               {"bytes", table.total.bytes},
               {"compile_seconds", table.total.seconds}};
  if (table.maxBytes)
    json["max_bytes"] = table.maxBytes;
  if (table.plan.traffic)
    json["traffic"] = trafficToJson(*table.plan.traffic);
  return json;
}

/// Writes the page, with what one more variant would be worth.
static LogicalResult writePage(PlanTable &table, ModuleOp module,
                               PlanOptions wanted,
                               const PlanVerbOptions &options,
                               llvm::raw_ostream &out) {
  if (wanted.traffic) {
    wanted.maxVariants = unsigned(table.plan.variants.size()) + 1;
    FailureOr<Plan> more =
        makePlan(module.getContext(), makePlanInput(module, std::move(wanted)));
    if (failed(more))
      return failure();
    table.oneMore = std::min(more->traffic->chosen, table.plan.traffic->chosen);
  }
  std::string page = makePlanPage(table);
  if (options.html == "-") {
    out << page;
    return success();
  }
  if (llvm::Error error = writeFile(options.html, page))
    return emitError(
               FileLineColLoc::get(module.getContext(), options.html, 0, 0))
           << llvm::toString(std::move(error));
  return success();
}

LogicalResult ambit::runPlan(const PlanVerbOptions &options,
                             MLIRContext &context, llvm::raw_ostream &out) {
  OwningOpRef<ModuleOp> module = loadModel(options, context);
  if (!module)
    return failure();
  FailureOr<ModelCosts> costs = measureCosts(*module, options);
  if (failed(costs))
    return failure();
  FailureOr<PlanOptions> wanted = getPlanOptions(*module, options, &*costs);
  if (failed(wanted))
    return failure();
  FailureOr<Plan> plan = makePlan(&context, makePlanInput(*module, *wanted));
  if (failed(plan))
    return failure();
  PlanTable table;
  table.name = options.input;
  if (auto name = (*module)->getAttrOfType<StringAttr>(attributes::kModel))
    table.name = name.str();
  table.plan = std::move(*plan);
  table.total = costs->common();
  table.maxVariants = options.maxVariants;
  table.maxBytes = options.maxBytes;
  table.costs = wanted->costs;
  table.traffic = wanted->traffic;
  for (const VariantPlan &variant : table.plan.variants)
    table.estimates.push_back(estimate(table.plan, variant, wanted->costs));
  table.code = costs->codeOf(table.plan);
  for (const cost::CodeSize &code : table.code) {
    table.total.bytes += code.bytes;
    table.total.seconds += code.seconds;
  }
  if (!options.html.empty() &&
      failed(writePage(table, *module, *wanted, options, out)))
    return failure();
  if (options.json)
    printJson(tableToJson(table), out);
  else if (options.html != "-")
    printTable(table, out);
  return success();
}
