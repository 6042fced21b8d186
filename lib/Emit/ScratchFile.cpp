// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that appear whole or not at all.

#include "Internals.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace ambit {

char InternalError::ID;

Error emit::userError(const Twine &text) {
  return createStringError(std::make_error_code(std::errc::invalid_argument),
                           text);
}

Error emit::hostError(const Twine &what, std::error_code code) {
  return createStringError(code, what + ": " + code.message());
}

Expected<emit::ScratchFile> emit::ScratchFile::create(StringRef path,
                                                      StringRef suffix) {
  // Renaming over a device or a pipe would replace it by a file.
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status))
    return emit::userError("cannot write '" + path + "': " +
                           (sys::fs::is_directory(status)
                                ? "it is a directory"
                                : "it is not a regular file"));
  Expected<sys::fs::TempFile> temp =
      sys::fs::TempFile::create(path + "." + suffix + "-%%%%%%%%");
  if (!temp)
    return hostError("cannot write '" + path + "'",
                     errorToErrorCode(temp.takeError()));
  ScratchFile result(path.str());
  result.file = std::move(*temp);
  return result;
}

emit::ScratchFile::~ScratchFile() {
  if (file)
    consumeError(file->discard());
}

Error emit::ScratchFile::write(function_ref<void(raw_pwrite_stream &)> body) {
  raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  body(os);
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (code)
    return hostError("cannot write '" + path + "'", code);
  return Error::success();
}

Error emit::ScratchFile::checkRoom(uint64_t bytes) {
  if (fallocate(file->FD, 0, 0, static_cast<off_t>(bytes))) {
    int code = errno;
    // Not every file system can tell.
    if (code == ENOSPC || code == EDQUOT || code == EFBIG)
      return hostError("cannot write '" + path + "'",
                       std::error_code(code, std::generic_category()));
  }
  if (ftruncate(file->FD, 0))
    return hostError("cannot write '" + path + "'",
                     std::error_code(errno, std::generic_category()));
  return Error::success();
}

Error emit::ScratchFile::keep() {
  Error error = file->keep(path);
  file.reset();
  if (error)
    return hostError("cannot write '" + path + "'",
                     errorToErrorCode(std::move(error)));
  return Error::success();
}

Error writeFile(StringRef path, StringRef contents) {
  Expected<emit::ScratchFile> file = emit::ScratchFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = file->write([&](raw_ostream &os) { os << contents; }))
    return error;
  return file->keep();
}

Error writeWeightObject(const WeightSection &weights, StringRef path) {
  Expected<emit::ScratchFile> file = emit::ScratchFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = file->write(
          [&](raw_ostream &os) { emit::writeWeights(weights, os); }))
    return error;
  return file->keep();
}

} // namespace ambit
