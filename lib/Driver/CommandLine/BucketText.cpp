// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of options about variants: buckets, their kinds, budgets.

#include "OptionText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace ambit;
using llvm::StringRef;
using Rule = BucketEnds::Rule;

static std::string quote(StringRef text) { return ("'" + text + "'").str(); }

/// Reads a positive integer after a rule's name.
static std::string readCount(StringRef text, int64_t &value) {
  if (!text.getAsInteger(10, value) && value > 0)
    return "";
  return "expected an integer of at least 1, found " + quote(text);
}

/// Reads a rule; leaves `ends` alone when the text is none.
static std::string readRule(StringRef text, BucketEnds &ends) {
  if (text == "pow2") {
    ends.rule = Rule::PowersOfTwo;
    return "";
  }
  if (text.consume_front("step:")) {
    ends.rule = Rule::Steps;
    return readCount(text, ends.step);
  }
  if (text.consume_front("geometric:")) {
    ends.rule = Rule::Geometric;
    bool isNumber = !text.getAsDouble(ends.ratio, /*AllowInexact=*/true);
    if (isNumber && std::isfinite(ends.ratio) && ends.ratio > 1)
      return "";
    return "expected a number above 1, found " + quote(text);
  }
  if (!text.empty() && llvm::isAlpha(text.front()))
    return "expected sizes, pow2, step:N or geometric:R, found " + quote(text);
  return "";
}

std::string ambit::readBuckets(StringRef text,
                               std::map<std::string, BucketEnds> &buckets) {
  StringRef name, rest;
  std::string error = splitName(text, "NAME=SIZE,SIZE,...", name, rest);
  BucketEnds ends;
  if (error.empty())
    error = readRule(rest, ends);
  if (!error.empty())
    return error;
  auto [known, isNew] = buckets.emplace(name.str(), ends);
  if (!isNew &&
      (known->second.rule != Rule::Listed || ends.rule != Rule::Listed))
    return quote(name) + " is given twice, expected one rule or sizes";
  return ends.rule == Rule::Listed ? readSizes(name, rest, known->second.sizes)
                                   : "";
}

std::string ambit::readBucketKind(StringRef text,
                                  std::map<std::string, BucketKind> &kinds) {
  StringRef name, rest = text;
  if (text.contains('='))
    if (std::string error = splitName(text, "NAME=KIND", name, rest);
        !error.empty())
      return error;
  BucketKind kind;
  if (rest.consume_front("divisible:")) {
    kind.way = BucketKind::Way::Divisible;
    if (std::string error = readCount(rest, kind.divisor); !error.empty())
      return error;
  } else if (rest == "padded") {
    kind.way = BucketKind::Way::Padded;
  } else if (rest == "auto") {
    kind.way = BucketKind::Way::Auto;
  } else if (rest != "range") {
    return "expected auto, range, padded or divisible:N, found " + quote(rest);
  }
  if (!kinds.emplace(name.str(), kind).second)
    return name.empty() ? "is given twice" : quote(name) + " is given twice";
  return "";
}

std::string ambit::readSharing(StringRef text, Sharing &sharing) {
  for (auto [name, value] :
       {std::pair("auto", Sharing::Auto), std::pair("always", Sharing::Always),
        std::pair("never", Sharing::Never)})
    if (text == name) {
      sharing = value;
      return "";
    }
  return "expected auto, always or never, found " + quote(text);
}

std::string ambit::readBytes(StringRef text, uint64_t &bytes) {
  static constexpr std::pair<StringRef, uint64_t> units[] = {
      {"", 1},          {"B", 1},           {"kB", 1000},
      {"MB", 1000000},  {"GB", 1000000000}, {"KiB", 1 << 10},
      {"MiB", 1 << 20}, {"GiB", 1 << 30}};
  StringRef digits = text.take_while(llvm::isDigit);
  StringRef unit = text.drop_front(digits.size());
  const auto *found = llvm::find_if(
      units, [&](const auto &entry) { return entry.first == unit; });
  if (digits.getAsInteger(10, bytes) || bytes == 0 ||
      found == std::end(units) ||
      __builtin_mul_overflow(bytes, found->second, &bytes))
    return "expected a number of bytes such as 20MB or 512KiB, found " +
           quote(text);
  return "";
}

std::string ambit::readPaddingFill(StringRef text, FreePadding &fill) {
  for (auto [name, value] : {std::pair("zero", FreePadding::Zero),
                             std::pair("nan", FreePadding::NaN),
                             std::pair("huge", FreePadding::Huge)})
    if (text == name) {
      fill = value;
      return "";
    }
  return "expected zero, nan or huge, found " + quote(text);
}
