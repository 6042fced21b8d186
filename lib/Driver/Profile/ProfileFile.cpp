// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, adds up and writes profiles. Every field is checked: a file that was
// cut off or edited is damaged, not a little wrong.

#include "ProfileFile.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Files/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

using namespace ambit;
using llvm::StringRef;
using llvm::Twine;

constexpr uint64_t kMostBytes = uint64_t(1) << 30;

static llvm::Error fail(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

/// Names are bytes, each written as the code point of its value.
static bool decodeName(StringRef text, std::string &name) {
  llvm::SmallVector<llvm::UTF16> units;
  name.clear();
  if (!llvm::convertUTF8ToUTF16String(text, units))
    return false;
  for (llvm::UTF16 unit : units) {
    if (unit > 255)
      return false;
    name += char(unit);
  }
  return true;
}

static std::string encodeName(StringRef name) {
  std::string text = "\"";
  for (char c : name) {
    unsigned char byte = c;
    if (byte < 32 || byte > 126)
      text += "\\u00" + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
    else
      text += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return text + "\"";
}

namespace {
/// Reads one line.
class LineReader {
public:
  explicit LineReader(const llvm::json::Object &object) : object(object) {}
  /// What is wrong, or "".
  std::string read(Profile &profile);

private:
  bool count(StringRef key, int64_t &value);
  bool readInputs(Profile &profile);
  bool readSymbols(Profile &profile);
  std::string readShapes(Profile &profile, int64_t calls);

  const llvm::json::Object &object;
};
} // namespace

bool LineReader::count(StringRef key, int64_t &value) {
  std::optional<int64_t> found = object.getInteger(key);
  value = found.value_or(0);
  return found && value >= 0;
}

bool LineReader::readInputs(Profile &profile) {
  const llvm::json::Array *list = object.getArray("inputs");
  if (!list)
    return false;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry)
      return false;
    std::optional<StringRef> name = entry->getString("name");
    std::optional<int64_t> dtype = entry->getInteger("dtype"),
                           rank = entry->getInteger("rank");
    Profile::Input input{"", dtype.value_or(0), rank.value_or(0)};
    if (!name || !dtype || !rank || !decodeName(*name, input.name))
      return false;
    profile.inputs.push_back(std::move(input));
  }
  return true;
}

bool LineReader::readSymbols(Profile &profile) {
  const llvm::json::Array *list = object.getArray("symbols");
  if (!list)
    return false;
  for (const llvm::json::Value &value : *list) {
    std::optional<StringRef> name = value.getAsString();
    std::string symbol;
    if (!name || !decodeName(*name, symbol) ||
        llvm::is_contained(profile.symbols, symbol))
      return false;
    profile.symbols.push_back(std::move(symbol));
  }
  return true;
}

std::string LineReader::readShapes(Profile &profile, int64_t calls) {
  const llvm::json::Array *list = object.getArray("shapes");
  if (!list)
    return "'shapes' is no list";
  int64_t sum = profile.other;
  for (auto [index, value] : llvm::enumerate(*list)) {
    const llvm::json::Array *row = value.getAsArray();
    std::string place = "shape " + std::to_string(index);
    if (!row || row->size() != profile.symbols.size() + 1)
      return place + " has no " + std::to_string(profile.symbols.size()) +
             " sizes and a count";
    std::vector<int64_t> sizes;
    for (const llvm::json::Value &entry : *row) {
      std::optional<int64_t> number = entry.getAsInteger();
      if (!number)
        return place + " holds something that is no integer";
      sizes.push_back(*number);
    }
    int64_t calls = sizes.back();
    sizes.pop_back();
    if (calls < 1)
      return place + " has the count " + std::to_string(calls);
    if (!profile.shapes.emplace(std::move(sizes), calls).second)
      return place + " is there twice";
    if (__builtin_add_overflow(sum, calls, &sum))
      return "counts overflow 64 bits";
  }
  if (sum != calls)
    return "the counts add up to " + std::to_string(sum) + ", expected " +
           std::to_string(calls);
  return "";
}

std::string LineReader::read(Profile &profile) {
  std::optional<int64_t> version = object.getInteger("ambit_profile");
  if (!version)
    return "it is no profile";
  if (*version != 1)
    return "it is a profile of version " + std::to_string(*version) +
           ", expected 1";
  std::optional<StringRef> model = object.getString("model");
  int64_t calls = 0;
  if (!model || !decodeName(*model, profile.model))
    return "'model' is no name";
  if (!readInputs(profile))
    return "'inputs' is no list of inputs";
  if (!readSymbols(profile))
    return "'symbols' is no list of distinct names";
  for (auto [key, value] :
       {std::pair("calls", &calls), std::pair("other", &profile.other),
        std::pair("refused", &profile.refused)})
    if (!count(key, *value))
      return "'" + std::string(key) + "' is no count";
  return readShapes(profile, calls);
}

static llvm::Expected<Profile> readLine(StringRef line) {
  llvm::Expected<llvm::json::Value> json = parseJson(line);
  if (!json) {
    llvm::consumeError(json.takeError());
    return fail("it is damaged: not a line of JSON");
  }
  Profile profile;
  const llvm::json::Object *object = json->getAsObject();
  if (!object)
    return fail("it is no profile");
  std::string problem = LineReader(*object).read(profile);
  if (StringRef(problem).starts_with("it is"))
    return fail(problem);
  if (!problem.empty())
    return fail("it is damaged: " + problem);
  return profile;
}

llvm::Error ambit::addProfile(Profile &to, const Profile &from) {
  std::string what;
  if (to.model != from.model)
    what = "model '" + from.model + "', expected '" + to.model + "'";
  else if (!(to.inputs == from.inputs) || to.symbols != from.symbols)
    what = "a model '" + from.model + "' with other inputs or symbols";
  if (!what.empty())
    return fail("it is a profile of " + what);
  bool overflows =
      __builtin_add_overflow(to.other, from.other, &to.other) ||
      __builtin_add_overflow(to.refused, from.refused, &to.refused);
  for (const auto &[sizes, count] : from.shapes) {
    int64_t &sum = to.shapes[sizes];
    overflows |= __builtin_add_overflow(sum, count, &sum);
  }
  return overflows ? fail("its counts and others overflow 64 bits")
                   : llvm::Error::success();
}

llvm::Expected<Profile> ambit::readProfile(StringRef path) {
  auto buffer = readInput(path, kMostBytes);
  if (!buffer)
    return fail("cannot read it: " + llvm::toString(buffer.takeError()));
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  std::optional<Profile> all;
  for (auto [index, line] : llvm::enumerate(lines)) {
    if (line.trim().empty())
      continue;
    llvm::Expected<Profile> profile = readLine(line);
    if (!profile)
      return fail("line " + Twine(index + 1) + ": " +
                  llvm::toString(profile.takeError()));
    if (!all)
      all = std::move(*profile);
    else if (llvm::Error error = addProfile(*all, *profile))
      return fail("line " + Twine(index + 1) + ": " +
                  llvm::toString(std::move(error)));
  }
  if (!all)
    return fail("it is empty, expected a profile");
  return std::move(*all);
}

std::string ambit::writeProfile(const Profile &profile) {
  std::string text;
  llvm::raw_string_ostream out(text);
  int64_t calls = profile.other;
  for (const auto &[sizes, count] : profile.shapes)
    calls += count;
  out << "{\"ambit_profile\":1,\"model\":" << encodeName(profile.model)
      << ",\"inputs\":[";
  llvm::interleave(
      profile.inputs,
      [&](const Profile::Input &input) {
        out << "{\"name\":" << encodeName(input.name)
            << ",\"dtype\":" << input.dtype << ",\"rank\":" << input.rank
            << "}";
      },
      [&] { out << ","; });
  out << "],\"symbols\":[";
  llvm::interleave(
      profile.symbols,
      [&](const std::string &symbol) { out << encodeName(symbol); },
      [&] { out << ","; });
  out << "],\"calls\":" << calls << ",\"other\":" << profile.other
      << ",\"refused\":" << profile.refused << ",\"shapes\":[";
  llvm::interleave(
      profile.shapes,
      [&](const auto &shape) {
        out << "[";
        for (int64_t size : shape.first)
          out << size << ",";
        out << shape.second << "]";
      },
      [&] { out << ","; });
  out << "]}\n";
  return text;
}

Traffic ambit::makeTraffic(const Profile &profile) {
  Traffic traffic{profile.symbols, {}};
  for (const auto &[sizes, count] : profile.shapes)
    traffic.rows.push_back({sizes, count});
  return traffic;
}
