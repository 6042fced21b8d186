// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs appear whole or not at all, whatever their paths.

#include "ambit/Files/OutputFile.h"
#include "Folder.h"
#include <catch2/catch.hpp>
#include <unistd.h>

using namespace ambit;

TEST_CASE("an output that is not kept leaves nothing") {
  Folder folder;
  {
    auto output = OutputFile::create(folder.file("a"));
    REQUIRE(bool(output));
    CHECK_FALSE(bool(output->write([](auto &out) { out << "text"; })));
    CHECK_FALSE(bool(output->write("part", [](auto &out) { out << "x"; })));
    CHECK(folder.count() == 1);
  }
  CHECK(folder.count() == 0);
}

TEST_CASE("an output replaces what its links lead to") {
  Folder folder;
  std::string longName(255, 'x'), percent = folder.file("100%%");
  REQUIRE_FALSE(llvm::sys::fs::create_directory(percent));
  REQUIRE(symlink("b", folder.file("a").c_str()) == 0);
  for (std::string path :
       {folder.file("a"), folder.file(longName), percent + "/%"}) {
    CHECK(llvm::toString(writeFile(path, "old")) == "");
    CHECK(llvm::toString(writeFile(path, "new")) == "");
    CHECK(get(path) == "new");
  }
  CHECK(llvm::sys::fs::is_symlink_file(folder.file("a")));
  CHECK(get(folder.file("b")) == "new");
  CHECK(folder.count() == 4);
}

TEST_CASE("an output grows and is copied") {
  auto output = OutputFile::createUnnamed();
  REQUIRE(bool(output));
  CHECK_FALSE(bool(output->write([](auto &out) { out << "begin"; })));
  CHECK_FALSE(bool(output->append(" end")));
  std::string text;
  llvm::raw_string_ostream out(text);
  CHECK_FALSE(bool(output->copyTo(out)));
  CHECK(out.str() == "begin end");
}

TEST_CASE("devices and descriptors are written to directly") {
  CHECK(isDirectOutput("/dev/null"));
  CHECK(isDirectOutput("/dev/fd/1"));
  CHECK(isDirectOutput("/proc/self/fd/1"));
  CHECK_FALSE(isDirectOutput("/dev/none"));
  CHECK_FALSE(isDirectOutput("1"));
  CHECK(llvm::toString(writeFile("/dev/null", "x")) == "");
  CHECK(llvm::toString(writeFile("/dev/full", "x")) ==
        "cannot write '/dev/full': No space left on device");
}

TEST_CASE("all outputs under way can be removed at once") {
  Folder folder;
  auto first = OutputFile::create(folder.file("a"));
  auto second = OutputFile::create(folder.file("b"));
  REQUIRE((bool(first) && bool(second)));
  CHECK_FALSE(bool(first->write([](auto &out) { out << "text"; })));
  for (int i = 0; i < 300; ++i)
    CHECK_FALSE(bool(second->write("part" + std::to_string(i),
                                   [](auto &out) { out << "text"; })));
  CHECK(folder.count() == 2);
  removeScratchFolders();
  CHECK(folder.count() == 0);
}
