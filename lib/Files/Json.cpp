// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of JSON calls itself for each level, and so does the destructor of
// what it makes; how deep a text goes is seen before.

#include "ambit/Files/Json.h"

using namespace ambit;

/// Far more than any of our files has.
static constexpr int64_t kMostLevels = 100;

/// The position of the bracket that opens one level too many; npos if none.
static size_t findTooDeep(llvm::StringRef text) {
  int64_t level = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      inString = !inString;
    else if (inString)
      at += c == '\\';
    else if ((c == '[' || c == '{') && ++level > kMostLevels)
      return at;
    else if (c == ']' || c == '}')
      --level;
  }
  return llvm::StringRef::npos;
}

llvm::Expected<llvm::json::Value> ambit::parseJson(llvm::StringRef text) {
  size_t at = findTooDeep(text);
  if (at == llvm::StringRef::npos)
    return llvm::json::parse(text);
  llvm::StringRef before = text.take_front(at);
  unsigned line = before.count('\n') + 1;
  unsigned column = at - (before.rfind('\n') + 1);
  return llvm::make_error<llvm::json::ParseError>("Nested too deep", line,
                                                  column, at);
}
