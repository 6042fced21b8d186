// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks an object's checksum and headers.

#include "CheckObject.h"
#include "ambit/Files/Checksum.h"
#include "ambit/Files/InputFile.h"
#include "llvm/Object/ELF.h"

using namespace ambit;
using llvm::object::ELF64LEFile;

static std::string cutOff(llvm::StringRef bytes) {
  return "it is cut off: a part of it lies beyond its " +
         std::to_string(bytes.size()) + " bytes";
}

/// What is wrong with the headers, or "".
static std::string checkHeaders(llvm::StringRef bytes) {
  llvm::Expected<ELF64LEFile> file = ELF64LEFile::create(bytes);
  if (!file)
    return llvm::toString(file.takeError());
  const ELF64LEFile::Elf_Ehdr &header = file->getHeader();
  if (header.getFileClass() != llvm::ELF::ELFCLASS64 ||
      header.getDataEncoding() != llvm::ELF::ELFDATA2LSB ||
      header.e_machine != llvm::ELF::EM_X86_64)
    return "it is not for this kind of machine";
  if (header.e_type != llvm::ELF::ET_DYN)
    return "it is no shared object";
  auto segments = file->program_headers();
  if (!segments)
    return llvm::toString(segments.takeError());
  bool isDynamic = false;
  for (const ELF64LEFile::Elf_Phdr &segment : *segments) {
    isDynamic |= segment.p_type == llvm::ELF::PT_DYNAMIC;
    if (segment.p_offset > bytes.size() ||
        segment.p_filesz > bytes.size() - segment.p_offset)
      return cutOff(bytes);
  }
  if (!isDynamic)
    return "it is no shared object";
  // Nothing reads it, but it stands at the end: what is cut off loses it first.
  uint64_t tableBytes = uint64_t(header.e_shnum) * header.e_shentsize;
  if (header.e_shoff > bytes.size() ||
      tableBytes > bytes.size() - header.e_shoff)
    return cutOff(bytes);
  return "";
}

llvm::Error ambit::checkObject(llvm::StringRef path) {
  auto fail = [&](const llvm::Twine &reason) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "cannot load '" + path + "': " + reason);
  };
  llvm::Expected<InputFile> regular = InputFile::openRegular(path);
  if (!regular)
    return fail(llvm::toString(regular.takeError()));
  // The dynamic linker maps it too.
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return fail(file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  // Headers first: they tell more than a checksum does.
  if (std::string error = checkHeaders(bytes); !error.empty())
    return fail(error);
  if (checkChecksum(bytes) == ChecksumState::Wrong)
    return fail("it is damaged: its checksum is not that of its bytes");
  return llvm::Error::success();
}
