// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of the object cache: how they are named, read, checked and written.

#include "ambit/Emit/ObjectCache.h"
#include "Internals.h"
#include "ambit/Files/Checksum.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace ambit {

/// Of entries and of what is between bitcode and object; to be raised when a
/// change to either is not one of version.
static constexpr StringLiteral kFormat = "ambit-object 1 ";
/// No object of one unit is nearly as large.
static constexpr uint64_t kMostBytes = uint64_t(1) << 30;

std::string ObjectCache::makeKey(ArrayRef<char> bitcode,
                                 const EmitOptions &options) {
  emit::TargetSpec spec = emit::resolveTarget(options);
  BLAKE3 hash;
  auto add = [&](StringRef text) {
    // With its length: no two lists of texts are the same bytes.
    hash.update(std::to_string(text.size()) + ":");
    hash.update(text);
  };
  for (StringRef text :
       {StringRef(kFormat), StringRef(AMBIT_VERSION),
        StringRef(LLVM_VERSION_STRING), StringRef(options.targetTriple),
        StringRef(spec.cpu), StringRef(spec.features)})
    add(text);
  add(std::to_string(options.optLevel));
  add(StringRef(bitcode.data(), bitcode.size()));
  return toHex(hash.final(), /*LowerCase=*/true);
}

std::string ObjectCache::pathOf(StringRef key) const {
  SmallString<128> path(folder);
  sys::path::append(path, key.take_front(2), key.drop_front(2) + ".o");
  return path.str().str();
}

void ObjectCache::note(Error error) {
  std::string text = toString(std::move(error));
  std::lock_guard<std::mutex> lock(mutex);
  if (problem.empty())
    problem = std::move(text);
}

std::optional<std::string> ObjectCache::find(StringRef key) {
  std::string path = pathOf(key);
  std::string head = (kFormat + key + "\n").str();
  bool isThere = sys::fs::exists(path);
  std::optional<std::string> object;
  if (isThere) {
    auto file = readInput(path, kMostBytes);
    if (!file)
      note(file.takeError());
    else if (StringRef bytes = (*file)->getBuffer();
             checkChecksum(bytes) == ChecksumState::Right &&
             bytes.starts_with(head))
      object = bytes.drop_front(head.size())
                   .drop_back(makeChecksum("").size())
                   .str();
  }
  std::lock_guard<std::mutex> lock(mutex);
  counts.found += object.has_value();
  counts.missing += !isThere;
  counts.damaged += isThere && !object;
  return object;
}

void ObjectCache::store(StringRef key, StringRef object) {
  // Once something is wrong with the folder, it would be wrong every time.
  if (!getProblem().empty())
    return;
  std::string path = pathOf(key);
  StringRef parent = sys::path::parent_path(path);
  if (std::error_code error = sys::fs::create_directories(parent))
    return note(createStringError(error, parent + ": " + error.message()));
  std::string entry = (kFormat + key + "\n" + object).str();
  entry += makeChecksum(entry);
  if (Error error = writeFile(path, entry))
    note(std::move(error));
}

ObjectCache::Counts ObjectCache::getCounts() const {
  std::lock_guard<std::mutex> lock(mutex);
  return counts;
}

std::string ObjectCache::getProblem() const {
  std::lock_guard<std::mutex> lock(mutex);
  return problem;
}

} // namespace ambit
