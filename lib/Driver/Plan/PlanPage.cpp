// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page about a plan: figures, the map, the table. No script and no network:
// what a pointer reveals is in titles.

#include "PlanMap.h"
#include "llvm/Support/Format.h"

using namespace ambit;

static const char *const kStyle = R"(
:root { color-scheme: light dark; --ink: #1c2430; --faint: #5b6675;
  --paper: #ffffff; --panel: #f3f5f8; --line: #d5dbe3; --exact: #c2410c;
  --padded: #2563a8; --range: #15803d; --divisible: #9333a8; --call: #1c2430; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --faint: #9aa7b8;
  --paper: #12161c; --panel: #1b212a; --line: #333d4a; --exact: #fb923c;
  --padded: #60a5fa; --range: #4ade80; --divisible: #d8a4f0; --call: #e6eaf0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 62rem;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p, ul { margin: .25rem 0; color: var(--faint); }
ul { padding-left: 1.2rem; }
svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--faint); font: 13px system-ui, sans-serif; }
.generic { fill: var(--panel); stroke: var(--line); }
.grid { stroke: var(--line); stroke-width: .6; }
.box { fill-opacity: .3; stroke-width: 1.4; }
.exact { fill: var(--exact); stroke: var(--exact); }
.padded { fill: var(--padded); stroke: var(--padded); }
.range { fill: var(--range); stroke: var(--range); }
.divisible { fill: var(--divisible); stroke: var(--divisible); }
.curve { fill: none; stroke: var(--faint); stroke-width: 2;
  stroke-dasharray: 6 4; }
.call { fill: var(--call); fill-opacity: .45; stroke: var(--paper);
  stroke-width: .5; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; font-size: .85rem;
  color: var(--faint); margin: .4rem 0 0; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em;
  border-radius: 2px; vertical-align: -.05em; background: currentColor; }
.bars { display: grid; grid-template-columns: minmax(7rem, 15rem) 1fr auto;
  gap: .35rem .75rem; align-items: center; font-size: .9rem; }
.bars b { height: .9rem; border-radius: 3px; background: var(--padded); }
.bars span:last-child, td.n, th.n { font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { padding: .35rem .6rem; text-align: left; white-space: nowrap;
  border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th { color: var(--faint); font-weight: 600; }
td.n, th.n { text-align: right; }
@media (max-width: 40rem) {
  svg text { font-size: 22px; }
  .bars { grid-template-columns: 9.5rem 1fr auto; }
}
)";

static void writeHead(const PlanTable &table, llvm::raw_ostream &out) {
  std::string name = escapeXml(table.name);
  out << "<!DOCTYPE html>\n<html lang=\"en\" "
         "xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
         "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"/>\n"
         "<link rel=\"icon\" href=\"data:,\"/>\n<title>Variants of "
      << name << "</title>\n<style>" << kStyle << "</style>\n</head>\n<body>\n"
      << "<h1>Variants of " << name << "</h1>\n<p>"
      << table.plan.variants.size() << " of at most " << table.maxVariants
      << " variants, about " << getBytesText(double(table.total.bytes));
  if (table.maxBytes)
    out << " of at most " << getBytesText(double(table.maxBytes));
  out << llvm::format(", %.1f s of one processor to compile.</p>\n",
                      table.total.seconds);
}

static void writeTraffic(const PlanTable &table, llvm::raw_ostream &out) {
  const TrafficReport &report = *table.plan.traffic;
  out << "<h2>A call, on average over " << report.calls << " calls of "
      << report.shapes << " shapes</h2>\n<div class=\"bars\">\n";
  double most = std::max({report.generic, report.powersOfTwo, report.chosen,
                          report.optimum, 1e-9});
  auto bar = [&](const char *what, double time) {
    out << "<span>" << what
        << llvm::format("</span><b style=\"width: %.1f%%\"></b><span>%.1f us"
                        "</span>\n",
                        100 * time / most, time);
  };
  bar("the generic variant alone", report.generic);
  bar("padded to powers of two", report.powersOfTwo);
  bar("this plan", report.chosen);
  if (table.oneMore)
    bar("with one more variant", *table.oneMore);
  bar("each shape exact", report.optimum);
  out << "</div>\n";
  if (report.outside)
    out << "<p>" << report.outside
        << " more calls are outside of what the model admits.</p>\n";
  if (!table.oneMore)
    return;
  double saving = 1 - *table.oneMore / report.chosen;
  if (saving >= 0.0005)
    out << llvm::format(
        "<p id=\"one-more\">One more variant would save %.1f %% "
        "of this time.</p>\n",
        100 * saving);
  else
    out << "<p id=\"one-more\">One more variant would save nothing.</p>\n";
}

static void writeKey(const PlanTable &table, llvm::ArrayRef<std::string> axes,
                     llvm::raw_ostream &out) {
  std::set<dispatch::VariantKind> kinds;
  for (const VariantPlan &variant : table.plan.variants)
    kinds.insert(variant.kind);
  out << "<p class=\"key\">";
  for (dispatch::VariantKind kind : kinds) {
    std::string name = dispatch::stringifyVariantKind(kind).str();
    bool isGeneric = kind == dispatch::VariantKind::Generic;
    out << "<span><i style=\"color: var(--" << (isGeneric ? "line" : name)
        << ")\"></i>" << name
        << (isGeneric && axes.size() == 1 ? " (dashed)" : "") << "</span>";
  }
  if (table.traffic)
    out << "<span><i style=\"color: var(--call); border-radius: 50%\"></i>"
           "calls, by area</span>";
  out << "</p>\n";
}

static void writeTable(const PlanTable &table, llvm::raw_ostream &out) {
  std::vector<int64_t> calls(table.plan.variants.size());
  if (table.traffic)
    for (const Traffic::Row &row : table.traffic->rows) {
      Shape shape;
      for (auto [symbol, size] :
           llvm::zip_equal(table.traffic->symbols, row.sizes))
        shape[symbol] = size;
      if (std::optional<size_t> index = findVariant(table.plan, shape))
        calls[*index] =
            std::min(calls[*index], INT64_MAX - row.count) + row.count;
    }
  out << "<h2>Variants, in the order in which they are tried</h2>\n"
         "<div class=\"scroll\"><table>\n<thead><tr><th>domain</th>"
         "<th>kind</th><th class=\"n\">expected us</th><th class=\"n\">of "
         "generic</th><th class=\"n\">padding</th><th class=\"n\">bytes</th>"
         "<th class=\"n\">compile s</th>"
      << (table.traffic ? "<th class=\"n\">calls</th>" : "")
      << "</tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < table.plan.variants.size(); ++i) {
    const VariantPlan &variant = table.plan.variants[i];
    const VariantEstimate &estimate = table.estimates[i];
    out << "<tr><td>" << escapeXml(getDomainText(table.plan, variant))
        << "</td><td>" << dispatch::stringifyVariantKind(variant.kind)
        << llvm::format("</td><td class=\"n\">%.1f</td><td class=\"n\">%.0f "
                        "%%</td><td class=\"n\">",
                        estimate.time, 100 * estimate.time / estimate.generic);
    if (variant.kind == dispatch::VariantKind::Padded)
      out << llvm::format("%.0f %%", 100 * estimate.padding);
    out << "</td><td class=\"n\">" << getBytesText(double(table.code[i].bytes))
        << llvm::format("</td><td class=\"n\">%.2f</td>",
                        table.code[i].seconds);
    if (table.traffic)
      out << "<td class=\"n\">" << calls[i] << "</td>";
    out << "</tr>\n";
  }
  out << "</tbody></table></div>\n<p>Times are expected ones of one thread, at "
         "the greatest sizes that a variant takes.</p>\n";
}

std::string ambit::makePlanPage(const PlanTable &table) {
  std::string text;
  llvm::raw_string_ostream out(text);
  writeHead(table, out);
  if (table.plan.traffic)
    writeTraffic(table, out);
  std::vector<std::string> axes = choosePlanAxes(table);
  if (!axes.empty()) {
    out << "<h2>"
        << (axes.size() == 1 ? "Expected time by size" : "The space of shapes")
        << "</h2>\n";
    drawPlanMap(table, axes, out);
    writeKey(table, axes, out);
  }
  writeTable(table, out);
  if (!table.plan.omitted.empty()) {
    out << "<h2>Left out</h2>\n<ul>\n";
    for (const OmittedVariant &omitted : table.plan.omitted)
      out << "<li>" << escapeXml(omitted.name) << ": "
          << escapeXml(omitted.reason) << "</li>\n";
    out << "</ul>\n";
  }
  out << "</body>\n</html>\n";
  return text;
}
