// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, checks and writes the file of expected refusals. Only refusals can be
// expected: a case that is wrong or crashes is a defect.

#include "Expectations.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace ambit;
using namespace ambit::conformance;
using llvm::SmallVector;
using llvm::StringRef;

constexpr size_t kLineWidth = 100;

static constexpr StringRef modes[] = {"static", "dynamic", "bucketed"};

/// Replaces every match.
static std::string replaceAll(std::string text, StringRef pattern,
                              StringRef by) {
  llvm::Regex regex(pattern);
  std::string result;
  StringRef rest = text;
  for (SmallVector<StringRef> match; regex.match(rest, &match);) {
    size_t end = match[0].data() + match[0].size() - rest.data();
    result += regex.sub(by, rest.take_front(end));
    rest = rest.drop_front(end);
  }
  return result + rest.str();
}

std::string ambit::conformance::reasonOf(StringRef detail) {
  // The files of a case: "DIR/model.onnx: error: ", "DIR/input_0.pb: ".
  std::string text =
      replaceAll(detail.str(), "(^| )[^ ]*/[^ ]+\\.(onnx|pb): ", "\\1");
  text = replaceAll(text, "(^| )(ambit: )?error: ", "\\1");
  text = replaceAll(text, "node '[^']*'(: )?", "");
  text = replaceAll(text, "test_data_set_[0-9]+(: )?", "");
  text = replaceAll(text, " \\(opset [0-9]+\\)", "");
  return replaceAll(text, "(input|output|dim|symbol) '[^']*'", "\\1 '*'");
}

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Error Expectations::read(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError(path + ": " + buffer.getError().message());
  std::string reason;
  SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (auto [index, line] : llvm::enumerate(lines)) {
    auto fail = [&](const llvm::Twine &what) {
      return makeError(path + ":" + llvm::Twine(index + 1) + ": " + what);
    };
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    if (!line.starts_with(" ")) {
      reason = line.str();
      continue;
    }
    auto [where, names] = line.split(':');
    if (reason.empty() || names.empty())
      return fail("expected a reason, then lines of '  MODE...: NAME...'");
    for (StringRef mode : llvm::split(where.trim(), ' ')) {
      if (!llvm::is_contained(modes, mode))
        return fail("'" + mode + "' is no mode");
      for (StringRef name : llvm::split(names.trim(), ' '))
        reasons[{name.str(), mode.str()}].insert(reason);
    }
  }
  return llvm::Error::success();
}

std::string Expectations::check(StringRef name, StringRef mode,
                                const Report &report) const {
  auto found = reasons.find({name.str(), mode.str()});
  bool isExpected = found != reasons.end();
  if (report.status == Status::Pass)
    return isExpected ? "passes, expected: " + *found->second.begin() : "";
  if (report.status != Status::Unsupported)
    return "";
  if (!isExpected)
    return "is refused, expected to pass";
  std::string reason = reasonOf(report.detail);
  if (found->second.count(reason))
    return "";
  return "is refused with '" + reason +
         "', expected: " + *found->second.begin();
}

void Expectations::forget(StringRef name, StringRef mode) {
  reasons.erase({name.str(), mode.str()});
}

void Expectations::add(StringRef name, StringRef mode, const Report &report) {
  if (report.status == Status::Unsupported)
    reasons[{name.str(), mode.str()}].insert(reasonOf(report.detail));
}

/// "  MODES: NAME NAME ...", in lines of a bounded width.
static void printNames(llvm::raw_ostream &stream, StringRef modes,
                       const std::set<std::string> &names) {
  size_t width = 0;
  for (const std::string &name : names) {
    if (width == 0 || width + 1 + name.size() > kLineWidth) {
      stream << (width == 0 ? "" : "\n") << "  " << modes << ":";
      width = 3 + modes.size();
    }
    stream << ' ' << name;
    width += 1 + name.size();
  }
  stream << '\n';
}

llvm::Error Expectations::write(StringRef path) const {
  // By reason: the modes of each name, then the names of each set of modes.
  std::map<std::string, std::map<std::string, std::string>> byReason;
  for (StringRef mode : modes)
    for (const auto &[key, texts] : reasons)
      if (key.second == mode)
        for (const std::string &text : texts) {
          std::string &all = byReason[text][key.first];
          all += (all.empty() ? "" : " ") + mode.str();
        }
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return makeError(path + ": " + code.message());
  stream << "# The cases that are refused, by reason. All others pass; what is "
            "wrong is no expectation.\n# Written by ambit-conformance "
            "--write-expectations, once for each mode.\n";
  for (const auto &[reason, names] : byReason) {
    stream << '\n' << reason << '\n';
    std::map<std::string, std::set<std::string>> byModes;
    for (const auto &[name, all] : names)
      byModes[all].insert(name);
    for (const auto &[all, same] : byModes)
      printNames(stream, all, same);
  }
  return llvm::Error::success();
}
