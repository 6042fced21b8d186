// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that change, end early, or are none.

#include "ambit/Files/InputFile.h"
#include "Folder.h"
#include <catch2/catch.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace ambit;

template <typename T> static std::string errorOf(llvm::Expected<T> result) {
  return result ? "" : llvm::toString(result.takeError());
}

TEST_CASE("a file is read whole, up to a limit") {
  Folder folder;
  put(folder.file("a"), "text");
  auto buffer = readInput(folder.file("a"), 4);
  REQUIRE(bool(buffer));
  CHECK((*buffer)->getBuffer() == "text");
  CHECK(*(*buffer)->getBufferEnd() == 0);
  CHECK(errorOf(readInput(folder.file("a"), 3)) ==
        "has 4 bytes, expected at most 3");
}

TEST_CASE("a file that is cut while it is read is an error") {
  Folder folder;
  put(folder.file("a"), "text");
  auto file = InputFile::open(folder.file("a"));
  REQUIRE(bool(file));
  CHECK(file->size() == 4);
  REQUIRE(truncate(folder.file("a").c_str(), 1) == 0);
  CHECK(errorOf(file->readAll("a", 100)) ==
        "it was cut while it was read: 1 bytes found, expected 4");
}

TEST_CASE("what is no file is refused") {
  Folder folder;
  CHECK(errorOf(InputFile::open("/dev/zero")) ==
        "it is a device, expected a file");
  CHECK(errorOf(InputFile::open(folder.path)) == "Is a directory");
  CHECK(errorOf(InputFile::open(folder.file("none"))) ==
        "No such file or directory");
  REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  // Does not wait for a writer.
  CHECK(errorOf(InputFile::openRegular(folder.file("pipe"))) ==
        "it is not a regular file");
}

TEST_CASE("links are resolved") {
  Folder folder;
  put(folder.file("a"), "text");
  REQUIRE(symlink("a", folder.file("link").c_str()) == 0);
  auto file = InputFile::open(folder.file("link"));
  REQUIRE(bool(file));
  llvm::SmallString<128> real;
  REQUIRE_FALSE(llvm::sys::fs::real_path(folder.path, real));
  CHECK(file->realPath() == (real + "/a").str());
}
