// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch folders, and how a dying process removes them. A signal handler may
// call nothing that allocates or locks, so it finds the folders by their open
// descriptors in a table of fixed size, and lists them with bare system calls.

#include "ScratchFolder.h"
#include "ambit/Files/OutputFile.h"
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace ambit;

namespace {
/// A folder under way. The path is leaked, since a handler may be reading it.
struct Entry {
  std::atomic<int> descriptor;
  std::atomic<const char *> path;
};

/// What getdents64 gives.
struct DirectoryEntry {
  uint64_t inode;
  int64_t next;
  uint16_t bytes;
  uint8_t type;
  char name[1];
};
} // namespace

/// More outputs at a time than slots are not removed by a signal.
static constexpr size_t kSlots = 64;
static Entry entries[kSlots];
static std::atomic<uint64_t> usedSlots;

static void removeFiles(int folder) {
  alignas(DirectoryEntry) char buffer[4096];
  // What is removed while a folder is listed may hide the rest of it.
  for (bool found = true; found;) {
    found = false;
    lseek(folder, 0, SEEK_SET);
    for (long count;
         (count = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
      for (long at = 0; at < count;) {
        auto *entry = reinterpret_cast<DirectoryEntry *>(buffer + at);
        at += entry->bytes;
        const char *name = entry->name;
        bool isItself = name[0] == '.' &&
                        (name[1] == 0 || (name[1] == '.' && name[2] == 0));
        if (!isItself && unlinkat(folder, name, 0) == 0)
          found = true;
      }
  }
}

void ambit::removeScratchFolders() {
  for (Entry &entry : entries) {
    const char *path = entry.path;
    if (!path)
      continue;
    // A thread may be writing still.
    for (int tries = 0; tries < 100; ++tries) {
      removeFiles(entry.descriptor);
      if (rmdir(path) == 0 || errno != ENOTEMPTY)
        break;
    }
  }
}

/// A free slot, or kSlots.
static size_t takeSlot() {
  uint64_t used = usedSlots;
  for (;;) {
    size_t slot = 0;
    while (slot < kSlots && (used >> slot & 1))
      ++slot;
    if (slot == kSlots ||
        usedSlots.compare_exchange_weak(used, used | uint64_t(1) << slot))
      return slot;
  }
}

llvm::Expected<std::unique_ptr<ScratchFolder>>
ScratchFolder::create(llvm::StringRef parent) {
  auto fail = [] {
    return llvm::errorCodeToError(
        std::error_code(errno, std::generic_category()));
  };
  std::string path = parent.empty() ? "." : parent.str();
  if (path.front() != '/' && path != "." &&
      !llvm::StringRef(path).starts_with("./"))
    path.insert(0, "./");
  path += "/.ambit-XXXXXX";
  if (!mkdtemp(path.data()))
    return fail();
  std::unique_ptr<ScratchFolder> result(new ScratchFolder);
  result->descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (result->descriptor < 0) {
    llvm::Error error = fail();
    rmdir(path.c_str());
    return std::move(error);
  }
  result->path = std::move(path);
  result->slot = takeSlot();
  if (result->slot < kSlots) {
    entries[result->slot].descriptor = result->descriptor;
    entries[result->slot].path = strdup(result->path.c_str());
  }
  return std::move(result);
}

ScratchFolder::~ScratchFolder() {
  removeFiles(descriptor);
  rmdir(path.c_str());
  if (slot < kSlots) {
    entries[slot].path = nullptr;
    usedSlots &= ~(uint64_t(1) << slot);
  }
  close(descriptor);
}

std::string ScratchFolder::file(llvm::StringRef name) const {
  if (!llvm::StringRef(path).contains('%'))
    return path + "/" + name.str();
  // LLVM's functions for temporary files replace every '%' of a path.
  return "/proc/self/fd/" + std::to_string(descriptor) + "/" + name.str();
}
