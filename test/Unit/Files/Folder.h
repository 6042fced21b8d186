// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fresh folder that goes away with the test.

#ifndef AMBIT_TEST_UNIT_FILES_FOLDER_H
#define AMBIT_TEST_UNIT_FILES_FOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <fstream>
#include <iterator>
#include <string>

struct Folder {
  llvm::SmallString<128> path;
  Folder() { llvm::sys::fs::createUniqueDirectory("ambit-files", path); }
  ~Folder() { llvm::sys::fs::remove_directories(path); }
  std::string file(llvm::StringRef name) const {
    return (path + "/" + name).str();
  }
  int count() const {
    int files = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(path, code), end; it != end;
         it.increment(code))
      ++files;
    return files;
  }
};

inline void put(const std::string &path, const std::string &text) {
  std::ofstream(path) << text;
}

inline std::string get(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

#endif // AMBIT_TEST_UNIT_FILES_FOLDER_H
