// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads files and pipes.

#include "ambit/Files/InputFile.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <climits>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace ambit;

using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

static llvm::Error systemError(int code) {
  return llvm::errorCodeToError(std::error_code(code, std::generic_category()));
}

static llvm::Error textError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

static llvm::Error tooLarge(const llvm::Twine &found, uint64_t atMost) {
  return textError("has " + found + " bytes, expected at most " +
                   llvm::Twine(atMost));
}

llvm::Expected<InputFile> InputFile::open(llvm::StringRef path, int flags) {
  InputFile file;
  file.fd = ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | flags);
  struct stat status;
  if (file.fd < 0 || fstat(file.fd, &status))
    return systemError(errno);
  if (S_ISDIR(status.st_mode))
    return systemError(EISDIR);
  file.pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
  if (!file.pipe && !S_ISREG(status.st_mode))
    return textError("it is a device, expected a file");
  if (!file.pipe)
    file.bytes = static_cast<uint64_t>(status.st_size);
  return std::move(file);
}

llvm::Expected<InputFile> InputFile::open(llvm::StringRef path) {
  return open(path, 0);
}

llvm::Expected<InputFile> InputFile::openRegular(llvm::StringRef path) {
  llvm::Expected<InputFile> file = open(path, O_NONBLOCK);
  if (file && file->pipe)
    return textError("it is not a regular file");
  return file;
}

InputFile::InputFile(InputFile &&other)
    : fd(std::exchange(other.fd, -1)), pipe(other.pipe), bytes(other.bytes) {}

InputFile::~InputFile() {
  if (fd >= 0)
    close(fd);
}

std::string InputFile::realPath() const {
  char path[PATH_MAX];
  std::string link = "/proc/self/fd/" + std::to_string(fd);
  ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length < 0 ? "" : std::string(path, length);
}

llvm::Error InputFile::read(llvm::MutableArrayRef<char> to,
                            uint64_t offset) const {
  size_t expected = to.size();
  while (!to.empty()) {
    ssize_t count = pread(fd, to.data(), to.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(errno);
    if (count == 0)
      return textError(
          "it was cut while it was read: " + llvm::Twine(expected - to.size()) +
          " bytes found, expected " + llvm::Twine(expected));
    to = to.drop_front(count);
    offset += count;
  }
  return llvm::Error::success();
}

llvm::Expected<Buffer> InputFile::readAll(llvm::StringRef name,
                                          uint64_t atMost) const {
  if (pipe)
    return readPipe(name, std::min(atMost, kMaxPipeBytes));
  if (bytes > atMost)
    return tooLarge(llvm::Twine(bytes), atMost);
  auto buffer = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes, name);
  if (!buffer)
    return systemError(ENOMEM);
  if (llvm::Error error = read(buffer->getBuffer(), 0))
    return std::move(error);
  return std::move(buffer);
}

llvm::Expected<Buffer> InputFile::readPipe(llvm::StringRef name,
                                           uint64_t atMost) const {
  std::string text;
  std::vector<char> piece(1 << 16);
  for (;;) {
    ssize_t count = ::read(fd, piece.data(), piece.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return systemError(errno);
    if (count == 0)
      return llvm::MemoryBuffer::getMemBufferCopy(text, name);
    text.append(piece.data(), count);
    if (text.size() > atMost)
      return tooLarge("more than " + llvm::Twine(atMost), atMost);
  }
}

llvm::Expected<Buffer> ambit::readInput(llvm::StringRef path, uint64_t atMost) {
  llvm::Expected<InputFile> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  return file->readAll(path, atMost);
}
