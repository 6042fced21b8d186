// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of objects: what is found, what is not, and what goes wrong.

#include "ambit/Emit/ObjectCache.h"
#include "TinyModel.h"
#include "ambit/Emit/Link.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <catch2/catch.hpp>
#include <thread>

using namespace ambit;
namespace fs = llvm::sys::fs;

namespace {
/// A fresh folder that goes away with the test.
struct Folder {
  llvm::SmallString<128> path;
  Folder() { fs::createUniqueDirectory("ambit-cache", path); }
  ~Folder() { fs::remove_directories(path); }
  std::string file(llvm::StringRef name) const {
    return (path + "/" + name).str();
  }
};
} // namespace

static const std::string kKey(64, 'a');

static std::vector<std::string> listFiles(const std::string &folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (fs::recursive_directory_iterator it(folder, code), end;
       it != end && !code; it.increment(code))
    if (fs::is_regular_file(it->path()))
      files.push_back(it->path());
  return files;
}

static std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

static void writeFile(const std::string &path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream(path, code) << text;
  REQUIRE(!code);
}

static void checkCounts(const ObjectCache &cache, unsigned found,
                        unsigned missing, unsigned damaged) {
  CHECK(cache.getCounts().found == found);
  CHECK(cache.getCounts().missing == missing);
  CHECK(cache.getCounts().damaged == damaged);
}

TEST_CASE("an object is found under its key alone", "[cache]") {
  Folder folder;
  std::string bytes("\0object\n", 8);
  ObjectCache cache(folder.file("new/folder"));
  CHECK_FALSE(cache.find(kKey));
  cache.store(kKey, bytes);
  CHECK(cache.find(kKey) == bytes);
  CHECK_FALSE(cache.find(std::string(64, 'b')));
  checkCounts(cache, 1, 2, 0);
  CHECK(cache.getProblem() == "");
  CHECK(listFiles(folder.path.str().str()).size() == 1);
  CHECK(ObjectCache(folder.file("new/folder")).find(kKey) == bytes);
}

TEST_CASE("a damaged entry is none and is replaced", "[cache]") {
  Folder folder;
  ObjectCache first(folder.path);
  first.store(kKey, "the object");
  std::string path = listFiles(folder.path.str().str()).at(0);
  std::string whole = readFile(path), changed = whole;
  changed[whole.find("the object") + 4] ^= 1;
  for (const std::string &text :
       {std::string(), whole.substr(0, whole.size() - 1), whole + " ",
        changed}) {
    writeFile(path, text);
    ObjectCache cache(folder.path);
    CHECK_FALSE(cache.find(kKey));
    cache.store(kKey, "the object");
    CHECK(cache.find(kKey) == std::string("the object"));
    checkCounts(cache, 1, 0, 1);
  }
  // A whole entry, at the place of another.
  std::string other(64, 'c');
  first.store(other, "other object");
  for (const std::string &file : listFiles(folder.path.str().str()))
    if (file != path)
      REQUIRE(!fs::rename(file, path));
  ObjectCache cache(folder.path);
  CHECK_FALSE(cache.find(kKey));
  checkCounts(cache, 0, 0, 1);
}

TEST_CASE("a folder that is none is a problem and no failure", "[cache]") {
  Folder folder;
  writeFile(folder.file("file"), "text");
  ObjectCache cache(folder.file("file"));
  CHECK_FALSE(cache.find(kKey));
  cache.store(kKey, "object");
  CHECK_FALSE(cache.find(kKey));
  CHECK(cache.getProblem() == folder.file("file/aa") + ": Not a directory");
}

TEST_CASE("keys tell options and code apart", "[cache]") {
  llvm::ArrayRef<char> code("code", 4);
  EmitOptions options;
  std::string key = ObjectCache::makeKey(code, options);
  CHECK(key.size() == 64);
  CHECK(key == ObjectCache::makeKey(code, options));
  CHECK(key != ObjectCache::makeKey(code.drop_back(), options));
  EmitOptions other = options;
  other.optLevel = 1;
  CHECK(key != ObjectCache::makeKey(code, other));
  other = options;
  other.targetCpu = "x86-64-v4";
  CHECK(key != ObjectCache::makeKey(code, other));
  // What does not reach the code.
  other = options;
  other.strip = true;
  CHECK(key == ObjectCache::makeKey(code, other));
}

static std::string emitTiny(const std::string &path, ObjectCache *cache,
                            std::string extra = "") {
  EmitOptions options;
  options.cache = cache;
  llvm::LLVMContext context;
  auto module = makeTinyModel(context, std::move(extra));
  static const float values[2] = {2, 1};
  auto *bytes = reinterpret_cast<const char *>(values);
  WeightSection weights;
  weights.size = sizeof values;
  weights.chunks = {{0, {bytes, sizeof values}}};
  return llvm::toString(emitSharedObject(*module, weights, path, options));
}

TEST_CASE("a cache changes no byte of an object", "[cache]") {
  Folder folder;
  std::string plain = folder.file("a/l.so"), cached = folder.file("b/l.so");
  for (const char *name : {"a", "b"})
    REQUIRE(!fs::create_directory(folder.file(name)));
  REQUIRE(emitTiny(plain, nullptr) == "");
  for (unsigned run = 0; run < 2; ++run) {
    ObjectCache cache(folder.file("cache"));
    REQUIRE(emitTiny(cached, &cache) == "");
    CHECK(readFile(plain) == readFile(cached));
    CHECK((cache.getCounts().found == 0) == (run == 0));
    CHECK((cache.getCounts().missing == 0) == (run == 1));
  }
}

TEST_CASE("what a model has of its own leaves the others' parts", "[cache]") {
  auto kernel = [](const std::string &name) {
    return "define float @" + name + "(float %v) \"ambit-unit\"=\"" + name +
           "\" {\n  ret float %v\n}\n";
  };
  Folder folder;
  {
    ObjectCache cache(folder.file("cache"));
    REQUIRE(emitTiny(folder.file("l.so"), &cache, kernel("extra")) == "");
    checkCounts(cache, 0, 2, 0);
  }
  ObjectCache cache(folder.file("cache"));
  REQUIRE(emitTiny(folder.file("l.so"), &cache,
                   kernel("another") + kernel("extra")) == "");
  checkCounts(cache, 2, 1, 0);
}

TEST_CASE("several compiles may share a folder", "[cache]") {
  Folder folder;
  std::string errors[4];
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      // Catch2's macros are for one thread.
      for (int round = 0; round < 3; ++round) {
        ObjectCache cache(folder.file("cache"));
        errors[i] += emitTiny(folder.file(std::to_string(i) + ".so"), &cache);
        errors[i] += cache.getProblem();
        errors[i] += cache.getCounts().damaged ? "damaged" : "";
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &error : errors)
    CHECK(error == "");
  for (const std::string &file : listFiles(folder.file("cache")))
    CHECK(llvm::StringRef(file).ends_with(".o"));
}
