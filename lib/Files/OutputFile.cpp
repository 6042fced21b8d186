// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out what an output path leads to, and brings finished outputs there.

#include "ambit/Files/OutputFile.h"
#include "ScratchFolder.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ambit;
using llvm::StringRef;

namespace {
/// What a path leads to in the end.
struct Target {
  std::string path;
  /// Not a regular file, nor nothing.
  bool direct = false;
  /// An open descriptor of this process, or -1.
  int descriptor = -1;
};
} // namespace

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

/// The number in /proc/self/fd/N and its other names, or -1.
static int descriptorOf(StringRef path) {
  int descriptor;
  char parent[PATH_MAX], own[PATH_MAX];
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (llvm::sys::path::filename(path).getAsInteger(10, descriptor) ||
      !realpath(folder.c_str(), parent) || !realpath("/proc/self/fd", own) ||
      StringRef(parent) != own)
    return -1;
  return descriptor;
}

static Target findTarget(StringRef path) {
  // As many as the system follows.
  constexpr int kMaxLinks = 40;
  Target target{path.str()};
  for (int i = 0; i < kMaxLinks; ++i) {
    target.descriptor = descriptorOf(target.path);
    if (target.descriptor >= 0) {
      target.direct = true;
      return target;
    }
    char text[PATH_MAX];
    ssize_t length = readlink(target.path.c_str(), text, sizeof text);
    if (length <= 0)
      break;
    llvm::SmallString<128> next;
    if (text[0] != '/')
      next = llvm::sys::path::parent_path(target.path);
    llvm::sys::path::append(next, StringRef(text, length));
    target.path = next.str().str();
  }
  struct stat status;
  target.direct = stat(target.path.c_str(), &status) == 0 &&
                  !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  return target;
}

bool ambit::isDirectOutput(StringRef path) { return findTarget(path).direct; }

OutputFile::OutputFile() = default;
OutputFile::OutputFile(OutputFile &&) = default;
OutputFile::~OutputFile() = default;

llvm::Error OutputFile::error(std::error_code code) const {
  std::string what = path.empty() ? "a temporary file" : "'" + path + "'";
  return llvm::createStringError(code, "cannot write " + what + ": " +
                                           code.message());
}

llvm::Expected<OutputFile> OutputFile::createIn(StringRef parent,
                                                OutputFile result) {
  llvm::Expected<std::unique_ptr<ScratchFolder>> folder =
      ScratchFolder::create(parent);
  if (!folder)
    return result.error(llvm::errorToErrorCode(folder.takeError()));
  result.folder = std::move(*folder);
  return std::move(result);
}

static std::string temporaryDirectory() {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
  return folder.str().str();
}

llvm::Expected<OutputFile> OutputFile::create(StringRef path) {
  OutputFile result;
  result.path = path.str();
  Target target = findTarget(path);
  if (llvm::sys::fs::is_directory(target.path))
    return llvm::createStringError(
        std::make_error_code(std::errc::is_a_directory),
        "cannot write '" + path + "': it is a directory");
  result.target = target.path;
  result.direct = target.direct;
  result.descriptor = target.descriptor;
  return createIn(target.direct
                      ? temporaryDirectory()
                      : llvm::sys::path::parent_path(target.path).str(),
                  std::move(result));
}

llvm::Expected<OutputFile> OutputFile::createUnnamed() {
  return createIn(temporaryDirectory(), OutputFile());
}

std::string OutputFile::scratchPath(StringRef name) const {
  return folder->file(name);
}

llvm::Error
OutputFile::stream(StringRef name, int flags,
                   llvm::function_ref<void(llvm::raw_pwrite_stream &)> body) {
  int file = open(scratchPath(name).c_str(),
                  O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  if (file < 0)
    return error(lastError());
  llvm::raw_fd_ostream out(file, /*shouldClose=*/true);
  body(out);
  out.close();
  std::error_code code = out.error();
  out.clear_error();
  return code ? error(code) : llvm::Error::success();
}

llvm::Error
OutputFile::write(StringRef name,
                  llvm::function_ref<void(llvm::raw_pwrite_stream &)> body) {
  return stream(name, O_TRUNC, body);
}

llvm::Error OutputFile::append(StringRef bytes) {
  return stream("output", O_APPEND,
                [&](llvm::raw_ostream &out) { out << bytes; });
}

llvm::Error OutputFile::checkRoom(uint64_t bytes) {
  std::string name = scratchPath("room");
  int file = open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0)
    return error(lastError());
  std::error_code code;
  // Not every file system can tell.
  if (fallocate(file, 0, 0, static_cast<off_t>(bytes)) &&
      (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
    code = lastError();
  close(file);
  unlink(name.c_str());
  return code ? error(code) : llvm::Error::success();
}

llvm::Error OutputFile::copyTo(llvm::raw_ostream &out) const {
  int file = open(scratchPath().c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return error(lastError());
  std::vector<char> piece(1 << 20);
  ssize_t count;
  while ((count = read(file, piece.data(), piece.size())) > 0)
    out.write(piece.data(), count);
  std::error_code code = count < 0 ? lastError() : std::error_code();
  close(file);
  return code ? error(code) : llvm::Error::success();
}

llvm::Error OutputFile::keep() {
  if (!direct) {
    std::error_code code;
    if (rename(scratchPath().c_str(), target.c_str()))
      code = lastError();
    return code ? error(code) : llvm::Error::success();
  }
  int file = descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                             : open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return error(lastError());
  llvm::raw_fd_ostream out(file, /*shouldClose=*/true);
  llvm::Error failed = copyTo(out);
  out.close();
  std::error_code code = out.error();
  out.clear_error();
  if (failed || !code)
    return failed;
  return error(code);
}

llvm::Error ambit::writeFile(StringRef path, StringRef contents) {
  llvm::Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error =
          file->write([&](llvm::raw_ostream &out) { out << contents; }))
    return error;
  return file->keep();
}
