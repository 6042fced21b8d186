// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws variants over the space of shapes. Marks carry a <title>, which is what
// a browser shows where the pointer rests.

#include "PlanMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace ambit;
using llvm::StringRef;

/// The drawing in its own units, and its margins.
constexpr double kWidth = 720, kHeight = 400;
constexpr double kLeft = 64, kRight = 16, kTop = 12, kBottom = 46;
/// Marks of traffic; more are left out, the rarest first.
constexpr size_t kMostMarks = 1500;

std::string ambit::escapeXml(StringRef text) {
  std::string result;
  for (char c : llvm::json::fixUTF8(text)) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result;
}

std::optional<size_t> ambit::findVariant(const Plan &plan, const Shape &shape) {
  for (size_t index = 0; index < plan.variants.size(); ++index)
    if (llvm::all_of(plan.variants[index].box, [&](const auto &entry) {
          auto size = shape.find(entry.first);
          const SymbolRange &range = entry.second;
          return size != shape.end() && size->second >= range.min &&
                 size->second <= range.max &&
                 size->second % std::max<int64_t>(range.divisor, 1) == 0;
        }))
      return index;
  return std::nullopt;
}

std::vector<std::string> ambit::choosePlanAxes(const PlanTable &table) {
  std::map<std::string, std::set<std::pair<int64_t, int64_t>>> seen;
  for (const VariantPlan &variant : table.plan.variants)
    for (const auto &[symbol, range] : variant.box)
      seen[symbol].insert({range.min, range.max});
  if (table.traffic)
    for (const Traffic::Row &row : table.traffic->rows)
      for (auto [symbol, size] :
           llvm::zip_equal(table.traffic->symbols, row.sizes))
        if (seen[symbol].size() < kMostMarks)
          seen[symbol].insert({size, size});
  std::vector<std::pair<size_t, std::string>> counts;
  for (const auto &[symbol, range] : table.plan.model.ranges())
    if (range.min < range.max)
      counts.emplace_back(seen[symbol].size(), symbol);
  llvm::stable_sort(counts, [](const auto &lhs, const auto &rhs) {
    return lhs.first > rhs.first;
  });
  std::vector<std::string> axes;
  for (const auto &[count, symbol] : counts)
    if (axes.size() < 2 && (axes.empty() || count > 1))
      axes.push_back(symbol);
  return axes;
}

namespace {
/// Sizes of one symbol along the drawing; by their logarithm where they differ
/// much.
class Axis {
public:
  Axis(double from, double to) : from(from), to(to) {}

  void stretch(int64_t size) {
    low = std::min(low, double(size));
    high = std::max(high, double(size));
  }
  /// Half a size beyond the ends.
  double place(double size) const {
    double first = scale(low - 0.5), last = scale(high + 0.5);
    double part = (scale(size) - first) / (last - first);
    return from + std::clamp(part, 0.0, 1.0) * (to - from);
  }
  /// The size at a part of the way.
  double at(double part) const {
    return isLogarithmic() ? low * std::pow(high / low, part)
                           : low + (high - low) * part;
  }
  std::vector<int64_t> ticks() const {
    std::vector<int64_t> ticks;
    if (isLogarithmic()) {
      for (double tick = std::exp2(std::ceil(std::log2(low))); tick <= high;
           tick *= 2)
        ticks.push_back(int64_t(tick));
      while (ticks.size() > 9)
        thin(ticks);
      return ticks;
    }
    double step = std::exp2(std::round(std::log2((high - low + 1) / 6)));
    for (double tick =
             std::ceil(low / std::max(step, 1.0)) * std::max(step, 1.0);
         tick <= high && ticks.size() < 32; tick += std::max(step, 1.0))
      ticks.push_back(int64_t(tick));
    return ticks;
  }
  double least() const { return low; }
  double greatest() const { return high; }

private:
  bool isLogarithmic() const { return low >= 1 && high / low >= 24; }
  double scale(double size) const {
    return isLogarithmic() ? std::log(std::max(size, 0.5)) : size;
  }
  static void thin(std::vector<int64_t> &ticks) {
    size_t kept = 0;
    for (size_t i = 0; i < ticks.size(); i += 2)
      ticks[kept++] = ticks[i];
    ticks.resize(kept);
  }

  double from, to;
  double low = INFINITY, high = -INFINITY;
};

class Drawing {
public:
  Drawing(const PlanTable &table, llvm::ArrayRef<std::string> axes,
          llvm::raw_ostream &out);
  void draw();

private:
  bool isMap() const { return axes.size() == 2; }
  void stretch(Axis &axis, const std::string &symbol);
  std::string titleOf(size_t variant) const;
  void drawFrame();
  void drawTicks();
  void drawLabels();
  void drawBox(size_t variant);
  void drawLevel(size_t variant);
  void drawGeneric();
  void drawTraffic();
  void text(double x, double y, const char *anchor, StringRef what);
  double generic(int64_t size) const;

  const PlanTable &table;
  llvm::ArrayRef<std::string> axes;
  llvm::raw_ostream &out;
  /// Of a map, the sizes of the second symbol; else microseconds.
  Axis x{kLeft, kWidth - kRight}, y{kHeight - kBottom, kTop};
};
} // namespace

/// All that is declared, where that has an end; else what occurs.
void Drawing::stretch(Axis &axis, const std::string &symbol) {
  SymbolRange declared = table.plan.model.range(symbol);
  auto add = [&](int64_t size) {
    if (size >= declared.min && size <= declared.max)
      axis.stretch(size);
  };
  bool isOpen =
      declared.max == Interval::kMax || declared.min < -(int64_t(1) << 32);
  if (!isOpen) {
    axis.stretch(declared.min);
    axis.stretch(declared.max);
  }
  for (auto [variant, estimate] :
       llvm::zip_equal(table.plan.variants, table.estimates)) {
    auto range = variant.box.find(symbol);
    if (range != variant.box.end()) {
      if (range->second.min > -(int64_t(1) << 32))
        add(range->second.min);
      if (range->second.max != Interval::kMax)
        add(range->second.max);
    }
    auto top = estimate.top.find(symbol);
    if (top != estimate.top.end())
      add(top->second);
  }
  if (!table.traffic)
    return;
  auto at = llvm::find(table.traffic->symbols, symbol);
  if (at != table.traffic->symbols.end())
    for (const Traffic::Row &row : table.traffic->rows)
      add(row.sizes[at - table.traffic->symbols.begin()]);
}

Drawing::Drawing(const PlanTable &table, llvm::ArrayRef<std::string> axes,
                 llvm::raw_ostream &out)
    : table(table), axes(axes), out(out) {
  stretch(x, axes[0]);
  if (isMap()) {
    stretch(y, axes[1]);
    return;
  }
  double most = 1;
  for (const VariantEstimate &estimate : table.estimates)
    most = std::max({most, estimate.time, estimate.generic});
  most = std::max(most, generic(int64_t(x.greatest())));
  y = Axis(kHeight - kBottom, kTop);
  y.stretch(0);
  y.stretch(int64_t(std::ceil(most)));
}

double Drawing::generic(int64_t size) const {
  Shape shape = table.estimates.back().top;
  shape[axes[0]] = size;
  return table.costs.generic(shape);
}

void Drawing::text(double x, double y, const char *anchor, StringRef what) {
  out << llvm::format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
                      anchor)
      << escapeXml(what) << "</text>\n";
}

std::string Drawing::titleOf(size_t variant) const {
  const VariantPlan &plan = table.plan.variants[variant];
  const VariantEstimate &estimate = table.estimates[variant];
  std::string title;
  llvm::raw_string_ostream stream(title);
  stream << plan.name << " (" << dispatch::stringifyVariantKind(plan.kind)
         << "): " << getDomainText(table.plan, plan)
         << llvm::format("; %.1f us expected, generic %.1f us", estimate.time,
                         estimate.generic);
  if (plan.kind == dispatch::VariantKind::Padded)
    stream << llvm::format("; %.0f %% padding", 100 * estimate.padding);
  return escapeXml(title);
}

void Drawing::drawTicks() {
  for (int64_t tick : x.ticks()) {
    double at = x.place(double(tick));
    out << llvm::format("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" "
                        "y1=\"%.1f\" y2=\"%.1f\"/>\n",
                        at, at, kTop, kHeight - kBottom);
    text(at, kHeight - kBottom + 16, "middle", std::to_string(tick));
  }
  for (int64_t tick : y.ticks()) {
    double at = y.place(double(tick));
    out << llvm::format("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" "
                        "y1=\"%.1f\" y2=\"%.1f\"/>\n",
                        kLeft, kWidth - kRight, at, at);
    text(kLeft - 6, at + 4, "end", std::to_string(tick));
  }
}

void Drawing::drawFrame() {
  out << llvm::format("<rect class=\"generic\" x=\"%.1f\" y=\"%.1f\" "
                      "width=\"%.1f\" height=\"%.1f\"/>\n",
                      kLeft, kTop, kWidth - kLeft - kRight,
                      kHeight - kTop - kBottom);
}

void Drawing::drawLabels() {
  text((kLeft + kWidth - kRight) / 2, kHeight - 8, "middle", axes[0]);
  std::string label = isMap() ? axes[1] : "us a call, expected";
  out << llvm::format("<g transform=\"rotate(-90 14 %.1f)\">\n", kHeight / 2);
  text(14, kHeight / 2, "middle", label);
  out << "</g>\n";
}

/// In a map, all that a variant takes; of the smallest something can be seen.
void Drawing::drawBox(size_t variant) {
  constexpr double kLeast = 5;
  const VariantPlan &plan = table.plan.variants[variant];
  auto edges = [&](const Axis &axis, const std::string &symbol) {
    auto range = plan.box.find(symbol);
    double low = axis.least(), high = axis.greatest();
    if (range != plan.box.end()) {
      low = std::max(low, double(range->second.min));
      high = std::min(high, double(range->second.max));
    }
    double from = axis.place(low - 0.5), to = axis.place(high + 0.5);
    if (from > to)
      std::swap(from, to);
    double missing = std::max(kLeast - (to - from), 0.0);
    return std::pair(from - missing / 2, to + missing / 2);
  };
  auto [left, right] = edges(x, axes[0]);
  auto [top, bottom] = edges(y, axes[1]);
  out << "<rect class=\"box " << dispatch::stringifyVariantKind(plan.kind)
      << llvm::format("\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                      "height=\"%.1f\"><title>",
                      left, top, right - left, bottom - top)
      << titleOf(variant) << "</title></rect>\n";
}

/// Beside expected times, a line at the time that a variant takes, as wide as
/// its sizes.
void Drawing::drawLevel(size_t variant) {
  const VariantPlan &plan = table.plan.variants[variant];
  auto range = plan.box.find(axes[0]);
  if (range == plan.box.end())
    return;
  double low = std::max(double(range->second.min), x.least());
  double high = std::min(double(range->second.max), x.greatest());
  double left = x.place(low - 0.5), right = x.place(high + 0.5);
  if (right - left < 6) {
    double middle = (left + right) / 2;
    left = middle - 3;
    right = middle + 3;
  }
  // What computes each size as it is takes what the curve says.
  bool isFlat = plan.kind == dispatch::VariantKind::Padded ||
                plan.kind == dispatch::VariantKind::Exact;
  double level =
      isFlat ? y.place(table.estimates[variant].time) : kHeight - kBottom - 12;
  out << "<rect class=\"box " << dispatch::stringifyVariantKind(plan.kind)
      << llvm::format("\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                      "height=\"%.1f\"><title>",
                      left, level, right - left,
                      std::max(kHeight - kBottom - level, 1.0))
      << titleOf(variant) << "</title></rect>\n";
}

void Drawing::drawGeneric() {
  constexpr unsigned kPoints = 120;
  out << "<polyline class=\"curve\" points=\"";
  for (unsigned i = 0; i <= kPoints; ++i) {
    double size = x.at(double(i) / kPoints);
    out << llvm::format("%.1f,%.1f ", x.place(size),
                        y.place(generic(int64_t(std::llround(size)))));
  }
  out << "\"><title>the generic variant</title></polyline>\n";
}

void Drawing::drawTraffic() {
  if (!table.traffic)
    return;
  auto indexOf = [&](const std::string &symbol) {
    return size_t(llvm::find(table.traffic->symbols, symbol) -
                  table.traffic->symbols.begin());
  };
  // Shapes that differ in other symbols are one mark.
  std::map<std::pair<int64_t, int64_t>, int64_t> counts;
  for (const Traffic::Row &row : table.traffic->rows) {
    int64_t &count = counts[{row.sizes[indexOf(axes[0])],
                             isMap() ? row.sizes[indexOf(axes[1])] : 0}];
    count = std::min(count, INT64_MAX - row.count) + row.count;
  }
  using Mark = std::pair<std::pair<int64_t, int64_t>, int64_t>;
  std::vector<Mark> marks(counts.begin(), counts.end());
  llvm::stable_sort(marks, [](const Mark &lhs, const Mark &rhs) {
    return lhs.second > rhs.second;
  });
  double most = marks.empty() ? 1 : double(marks.front().second);
  marks.resize(std::min(marks.size(), kMostMarks));
  for (const auto &[sizes, count] : marks) {
    double part = std::sqrt(double(count) / most);
    double at = isMap() ? y.place(double(sizes.second)) : kHeight - kBottom;
    out << llvm::format("<circle class=\"call\" cx=\"%.1f\" cy=\"%.1f\" "
                        "r=\"%.1f\"><title>",
                        x.place(double(sizes.first)), at, 1.5 + 8 * part)
        << escapeXml(axes[0]) << " = " << sizes.first;
    if (isMap())
      out << ", " << escapeXml(axes[1]) << " = " << sizes.second;
    out << ": " << count << (count == 1 ? " call" : " calls")
        << "</title></circle>\n";
  }
}

void Drawing::draw() {
  out << llvm::format("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
                      "xmlns=\"http://www.w3.org/2000/svg\">\n",
                      kWidth, kHeight)
      << "<title>variants over sizes</title>\n";
  drawFrame();
  drawTicks();
  // What comes first runs first, so it lies on top.
  for (size_t variant = table.plan.variants.size(); variant-- > 0;)
    if (!table.plan.variants[variant].box.empty())
      isMap() ? drawBox(variant) : drawLevel(variant);
  if (!isMap())
    drawGeneric();
  drawTraffic();
  drawLabels();
  out << "</svg>\n";
}

void ambit::drawPlanMap(const PlanTable &table,
                        llvm::ArrayRef<std::string> axes,
                        llvm::raw_ostream &out) {
  Drawing(table, axes, out).draw();
}
