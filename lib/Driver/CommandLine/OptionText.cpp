// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of option values: ranges, lists of sizes, assignments, shapes.

#include "OptionText.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Symbolic/Domain.h"
#include "ambit/Symbolic/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace ambit;
using llvm::StringRef;
using llvm::Twine;

static std::string quote(StringRef text) { return ("'" + text + "'").str(); }

/// Splits `NAME=REST`. ONNX names may hold any character, values no '=': the
/// last one separates.
std::string ambit::splitName(StringRef text, StringRef form, StringRef &name,
                             StringRef &rest) {
  size_t at = text.rfind('=');
  if (at == StringRef::npos || at == 0 || at + 1 == text.size())
    return "expected " + form.str() + ", found " + quote(text);
  name = text.take_front(at);
  rest = text.drop_front(at + 1);
  return "";
}

/// Sizes are integers in [0, INT64_MAX]; elements of inputs may be negative.
static std::string readSize(StringRef name, StringRef text, int64_t &value) {
  if (isElementName(name) && !text.empty() && !text.getAsInteger(10, value))
    return "";
  if (text.empty() || text.getAsInteger(10, value) || value < 0)
    return "expected a size (an integer from 0 to 9223372036854775807), "
           "found " +
           quote(text);
  return "";
}

/// The message, and below it the text with a caret under `part` of it.
static std::string pointAt(StringRef text, StringRef part,
                           const Twine &message) {
  ParseError error;
  error.column = part.data() - text.data();
  error.message = message.str();
  return error.render(text);
}

/// As readSize, for a part of `text`.
static std::string readSizeIn(StringRef name, StringRef text, StringRef part,
                              int64_t &value) {
  std::string error = readSize(name, part, value);
  return error.empty() ? "" : pointAt(text, part, error);
}

/// Reads `LO..HI`, `LO..` or `N`, which is the end of `text`.
static std::string readRange(StringRef text, StringRef range, DimOption &dim) {
  size_t dots = range.find("..");
  if (dots == StringRef::npos) {
    std::string error = readSizeIn(dim.name, text, range, dim.min);
    dim.max = dim.min;
    return error;
  }
  std::string error =
      readSizeIn(dim.name, text, range.take_front(dots), dim.min);
  StringRef upper = range.drop_front(dots + 2);
  if (!error.empty() || upper.empty())
    return error;
  return readSizeIn(dim.name, text, upper, dim.max);
}

std::string ambit::readDim(StringRef text, std::vector<DimOption> &dims) {
  StringRef name, rest;
  std::string error = splitName(text, "NAME=LO..HI", name, rest);
  if (!error.empty())
    return error;
  DimOption dim;
  dim.name = name.str();
  auto [range, divisor] = rest.split('%');
  if (error = readRange(text, range, dim); !error.empty())
    return error;
  if (range.size() != rest.size()) {
    if (error = readSizeIn("", text, divisor, dim.divisor); !error.empty())
      return error;
    if (dim.divisor == 0)
      return pointAt(text, divisor,
                     "the divisor must be at least 1, found '0'");
  }
  if (dim.min > dim.max)
    return "the range of " + quote(name) + " is empty: " + quote(rest);
  if (dim.min > dim.max - dim.max % dim.divisor)
    return "no multiple of " + std::to_string(dim.divisor) +
           " lies in the range of " + quote(name) + ": " + quote(rest);
  if (llvm::any_of(dims, [&](const DimOption &d) { return d.name == name; }))
    return quote(name) + " is given twice";
  dims.push_back(std::move(dim));
  return "";
}

std::string ambit::readConstraint(StringRef text,
                                  std::vector<std::string> &constraints) {
  ParseError error;
  if (!parseCondition(text, error))
    return error.render(text);
  constraints.push_back(text.str());
  return "";
}

std::string ambit::readSizes(StringRef name, StringRef text,
                             std::vector<int64_t> &sizes) {
  llvm::SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    int64_t size;
    if (std::string error = readSize(name, item, size); !error.empty())
      return error;
    sizes.push_back(size);
  }
  llvm::sort(sizes);
  sizes.erase(llvm::unique(sizes), sizes.end());
  return "";
}

std::string ambit::readValues(StringRef text,
                              std::vector<SymbolValues> &values) {
  StringRef name, rest;
  std::string error = splitName(text, "NAME=SIZE,SIZE,...", name, rest);
  if (!error.empty())
    return error;
  auto at = llvm::find_if(
      values, [&](const SymbolValues &v) { return v.name == name; });
  if (at == values.end())
    at = values.insert(at, SymbolValues{name.str(), {}});
  return readSizes(name, rest, at->values);
}

std::string ambit::readAssignments(StringRef text,
                                   std::map<std::string, int64_t> &values) {
  llvm::SmallVector<StringRef> items;
  text.split(items, ',');
  for (StringRef item : items) {
    StringRef name, rest;
    std::string error = splitName(item, "NAME=SIZE", name, rest);
    if (!error.empty())
      return error;
    int64_t value;
    if (error = readSize(name, rest, value); !error.empty())
      return error;
    if (!values.emplace(name.str(), value).second)
      return quote(name) + " is given twice";
  }
  return "";
}

std::string
ambit::readInputShape(StringRef text,
                      std::map<std::string, std::vector<std::string>> &shapes) {
  // A scalar has no dims, so `NAME=` is a shape.
  size_t at = text.rfind('=');
  if (at == StringRef::npos || at == 0)
    return "expected NAME=DIM,DIM,..., found " + quote(text);
  std::vector<std::string> dims;
  std::string dim;
  int depth = 0;
  StringRef rest = text.drop_front(at + 1);
  for (char c : rest) {
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0) {
      dims.push_back(std::move(dim));
      dim.clear();
      continue;
    }
    dim += c;
  }
  if (!rest.empty())
    dims.push_back(std::move(dim));
  for (const std::string &entry : dims)
    if (StringRef(entry).trim().empty())
      return "a dim of " + quote(text) + " is empty";
  if (!shapes.emplace(text.take_front(at).str(), std::move(dims)).second)
    return quote(text.take_front(at)) + " is given twice";
  return "";
}

std::string ambit::readInputValue(StringRef text,
                                  std::map<std::string, InputValue> &values) {
  StringRef name, rest;
  std::string error = splitName(text, "NAME=VALUE", name, rest);
  if (!error.empty())
    return error;
  InputValue value;
  value.isList = rest.consume_front("[");
  if (value.isList && !rest.consume_back("]"))
    return "the list of " + quote(text) + " has no end, expected ']'";
  llvm::SmallVector<StringRef> items;
  if (!value.isList || !rest.trim().empty())
    rest.split(items, ',');
  if (!value.isList && items.size() > 1)
    return "expected one value or a list in '[]', found " + quote(rest);
  for (StringRef item : items) {
    if (item.trim().empty())
      return "a value of " + quote(text) + " is empty";
    value.elements.push_back(item.trim().str());
  }
  if (!values.emplace(name.str(), std::move(value)).second)
    return quote(name) + " is given twice";
  return "";
}

std::string ambit::readInputFile(StringRef text,
                                 std::vector<std::string> &files) {
  size_t at = text.find('=', 1);
  if (at == StringRef::npos || at + 1 == text.size())
    return "expected NAME=FILE, found " + quote(text);
  files.push_back(text.str());
  return "";
}

StringRef ambit::closestName(StringRef text,
                             llvm::ArrayRef<std::string> candidates) {
  if (text.size() < 4)
    return "";
  // A third of the letters may be wrong; more is a guess nobody asked for.
  unsigned best = text.size() / 3 + 1;
  StringRef found;
  for (StringRef candidate : candidates) {
    unsigned distance = text.edit_distance(candidate, true, best);
    if (distance < best || (distance == best && found.empty())) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}
