// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds, checks and reads the files of external data.

#include "ExternalData.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;

static std::string resolveFolder(StringRef path) {
  SmallString<256> real;
  if (llvm::sys::fs::real_path(path.empty() ? "." : path, real))
    return "";
  if (!real.ends_with("/"))
    real += '/';
  return real.str().str();
}

ExternalData::ExternalData(StringRef modelPath, ArrayRef<std::string> allowed,
                           StringRef written)
    : modelFolder(llvm::sys::path::parent_path(modelPath)), written(written),
      allowsMore(!allowed.empty()) {
  folders.push_back(resolveFolder(modelFolder));
  // Caches keep a model as a folder of links into another.
  SmallString<256> real;
  if (!llvm::sys::fs::real_path(modelPath, real))
    folders.push_back(resolveFolder(llvm::sys::path::parent_path(real)));
  for (const std::string &folder : allowed)
    folders.push_back(resolveFolder(folder));
}

bool ExternalData::isAllowed(StringRef realPath) const {
  return llvm::any_of(folders, [&](const std::string &folder) {
    return !folder.empty() && realPath.starts_with(folder);
  });
}

/// True when a path names something inside of the folder it starts from.
static bool staysInside(StringRef location) {
  if (llvm::sys::path::is_absolute(location))
    return false;
  return llvm::none_of(llvm::make_range(llvm::sys::path::begin(location),
                                        llvm::sys::path::end(location)),
                       [](StringRef part) { return part == ".."; });
}

ExternalData::File *ExternalData::open(StringRef location, StringRef path,
                                       Location loc) {
  // Files elsewhere are not even looked for.
  if (location.empty() || location.contains('\0') ||
      (!allowsMore && !staysInside(location))) {
    emitError(loc) << "external data '" << location
                   << "' is not inside of the model's folder; "
                      "'--external-data-dir DIR' allows another";
    return nullptr;
  }
  llvm::Expected<InputFile> input = InputFile::openRegular(path);
  if (!input) {
    emitError(loc) << "cannot read external data '" << path
                   << "': " << llvm::toString(input.takeError());
    return nullptr;
  }
  std::string real = input->realPath();
  if (!isAllowed(real)) {
    emitError(loc) << "external data '" << location << "' is '" << real
                   << "', which is not inside of the model's folder; "
                      "'--external-data-dir DIR' allows another";
    return nullptr;
  }
  bool isWritten = false;
  if (!written.empty() &&
      !llvm::sys::fs::equivalent(written, real, isWritten) && isWritten) {
    emitError(loc) << "the output '" << written << "' would replace '" << path
                   << "', which holds weights of the model";
    return nullptr;
  }
  std::unique_ptr<File> &file = files[path.str()];
  file.reset(new File{std::move(*input), {}, 0, std::nullopt});
  return file.get();
}

FailureOr<SharedBytes> ExternalData::readPart(const File &file, StringRef path,
                                              int64_t offset, int64_t length,
                                              Location loc) {
  std::shared_ptr<llvm::WritableMemoryBuffer> buffer =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(length);
  if (!buffer)
    return emitError(loc) << "external data '" << path << "': no memory for "
                          << length << " bytes";
  if (llvm::Error error = file.input.read(buffer->getBuffer(), offset))
    return emitError(loc) << "cannot read external data '" << path
                          << "': " << llvm::toString(std::move(error));
  return SharedBytes{buffer->getBuffer(), buffer};
}

FailureOr<SharedBytes> ExternalData::read(StringRef location, int64_t offset,
                                          int64_t length, Location loc) {
  SmallString<256> path;
  if (!llvm::sys::path::is_absolute(location))
    path = modelFolder;
  llvm::sys::path::append(path, location);
  auto found = files.find(path.str().str());
  File *file =
      found == files.end() ? open(location, path, loc) : found->second.get();
  if (!file)
    return failure();
  int64_t size = file->input.size();
  if (offset < 0 || offset > size || length > size - offset)
    return emitError(loc) << "external data '" << path.str() << "' has " << size
                          << " bytes, expected " << length << " from offset "
                          << offset << " on";
  if (file->whole)
    return SharedBytes{file->whole->bytes.slice(offset, length),
                       file->whole->owner};
  auto [part, isNew] = file->parts.try_emplace({offset, length});
  if (!isNew)
    return part->second;
  // Parts that overlap may be many: then they share one copy.
  file->partBytes += length;
  bool all = file->partBytes > size;
  FailureOr<SharedBytes> bytes =
      all ? readPart(*file, path, 0, size, loc)
          : readPart(*file, path, offset, length, loc);
  if (failed(bytes)) {
    file->parts.erase(part);
    return failure();
  }
  if (!all)
    return part->second = *bytes;
  file->parts.erase(part);
  file->whole = *bytes;
  return SharedBytes{bytes->bytes.slice(offset, length), bytes->owner};
}
