// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The in-process link with LLD. The build machine may have no libc to link
// with, so stand-ins for libc.so.6 and libm.so.6 are written on the fly: shared
// objects that define the names a model may call and nothing else. That makes
// them the allow list as well: any other name stays undefined, which is an
// error.

#include "Internals.h"
#include "ambit/Files/Checksum.h"
#include "ambit/Files/OutputFile.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace ambit {

static constexpr StringLiteral kLibc[] = {"__errno_location",
                                          "aligned_alloc",
                                          "bcmp",
                                          "close",
                                          "free",
                                          "getenv",
                                          "getpid",
                                          "malloc",
                                          "memchr",
                                          "memcmp",
                                          "memcpy",
                                          "memmove",
                                          "memset",
                                          "open",
                                          "prctl",
                                          "pthread_create",
                                          "pthread_join",
                                          "sigdelset",
                                          "sigfillset",
                                          "sigprocmask",
                                          "snprintf",
                                          "strchr",
                                          "strcmp",
                                          "strlen",
                                          "strncmp",
                                          "strstr",
                                          "syscall",
                                          "vsnprintf",
                                          "write"};

/// Each also in its float form, with an f behind.
static constexpr StringLiteral kLibm[] = {
    "acos",  "acosh", "asin",      "asinh", "atan",      "atan2",  "atanh",
    "cbrt",  "ceil",  "cos",       "cosh",  "copysign",  "erf",    "erfc",
    "exp",   "exp2",  "expm1",     "fabs",  "floor",     "fma",    "fmax",
    "fmin",  "fmod",  "frexp",     "hypot", "ldexp",     "lgamma", "log",
    "log10", "log1p", "log2",      "modf",  "nearbyint", "pow",    "remainder",
    "rint",  "round", "roundeven", "sin",   "sincos",    "sinh",   "sqrt",
    "tan",   "tanh",  "tgamma",    "trunc"};

static Error writeStub(StringRef path, StringRef soname,
                       ArrayRef<std::string> names) {
  ifs::IFSStub stub;
  stub.IfsVersion = VersionTuple(3, 0);
  stub.SoName = soname.str();
  stub.Target.Arch = ELF::EM_X86_64;
  stub.Target.BitWidth = ifs::IFSBitWidthType::IFS64;
  stub.Target.Endianness = ifs::IFSEndiannessType::Little;
  stub.Target.ObjectFormat = "ELF";
  for (const std::string &name : names) {
    ifs::IFSSymbol symbol(name);
    symbol.Type = ifs::IFSSymbolType::Func;
    stub.Symbols.push_back(symbol);
  }
  return ifs::writeBinaryStub(path, stub);
}

/// What LLD said, with the blame that it deserves: for names that it calls
/// undefined ours, for files that it cannot write the host's.
static Error readComplaint(StringRef text) {
  std::string names;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    auto [before, name] = line.split("undefined symbol: ");
    if (!name.empty() && !before.starts_with(">>>"))
      names += (names.empty() ? "'" : ", '") + name.trim().str() + "'";
  }
  if (!names.empty())
    return make_error<InternalError>(
        "compiled code calls " + names +
        ", which is neither in the runtime nor in the part of libc and libm "
        "that a model may use");
  std::string complaint = "the linker failed: " + text.trim().str();
  if (text.contains("cannot open") || text.contains("failed to write"))
    return emit::userError(complaint);
  return make_error<InternalError>(complaint);
}

/// LLD keeps global state: one link at a time, cleared after each.
static Error runLinker(ArrayRef<std::string> arguments) {
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!usable)
    return make_error<InternalError>(
        "the linker failed earlier and cannot run again in this process");
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string text;
  raw_string_ostream os(text);
  lld::Result result =
      lld::lldMain(pointers, os, os, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode)
    return readComplaint(os.str());
  return Error::success();
}

/// Writes what is linked beside the output, and names it to the linker.
static Error addInputs(OutputFile &output, ArrayRef<std::string> objects,
                       const WeightSection &weights,
                       std::vector<std::string> &arguments) {
  std::string script =
      "{ global: " + emit::kQuerySymbol.str() + "; local: *; };\n";
  if (Error error =
          output.write("exports", [&](raw_ostream &os) { os << script; }))
    return error;
  arguments.push_back("--version-script=" + output.scratchPath("exports"));
  for (auto [index, object] : enumerate(objects)) {
    std::string name = "unit" + std::to_string(index) + ".o";
    if (Error error =
            output.write(name, [&](raw_ostream &os) { os << object; }))
      return error;
    arguments.push_back(output.scratchPath(name));
  }
  if (Error error = output.write("weights.o", [&](raw_ostream &os) {
        emit::writeWeights(weights, os);
      }))
    return error;
  arguments.push_back(output.scratchPath("weights.o"));

  std::vector<std::string> libc(std::begin(kLibc), std::end(kLibc)), libm;
  for (StringRef name : kLibm) {
    libm.push_back(name.str());
    libm.push_back(name.str() + "f");
  }
  for (auto &[soname, names] :
       {std::pair<StringRef, ArrayRef<std::string>>("libc.so.6", libc),
        {"libm.so.6", libm}}) {
    std::string stub = output.scratchPath(soname);
    if (Error error = writeStub(stub, soname, names))
      return error;
    arguments.push_back(std::move(stub));
  }
  return Error::success();
}

static Error addChecksum(OutputFile &output) {
  auto bytes = MemoryBuffer::getFile(output.scratchPath(), /*IsText=*/false,
                                     /*RequiresNullTerminator=*/false);
  if (!bytes)
    return errorCodeToError(bytes.getError());
  return output.append(makeChecksum((*bytes)->getBuffer()));
}

Error linkSharedObject(ArrayRef<std::string> objects,
                       const WeightSection &weights, OutputFile &output,
                       StringRef soname, bool strip) {
  std::vector<std::string> arguments = {
      "ld.lld", "-shared", "-m", "elf_x86_64", "-soname=" + soname.str(), "-z",
      "relro", "-z", "now", "-z", "noexecstack", "-z", "text", "-z", "defs",
      "--hash-style=gnu", "--build-id=none",
      // LLD 19 keeps a pointer to this symbol from one link to the next, and
      // writes through it unless the symbol is there again.
      "--undefined=_GLOBAL_OFFSET_TABLE_", "--gc-sections", "-Bsymbolic",
      "--as-needed", "-o", output.scratchPath()};
  if (strip)
    arguments.push_back("--strip-all");
  if (Error error = addInputs(output, objects, weights, arguments))
    return error;
  // LLD writes through a mapping, where a full disk is a signal, not an error.
  uint64_t room = weights.size + (1 << 16);
  for (const std::string &object : objects)
    room += object.size();
  if (Error error = output.checkRoom(room))
    return error;
  if (Error error = runLinker(arguments))
    return error;
  return addChecksum(output);
}

Error emitSharedObject(Module &module, const WeightSection &weights,
                       OutputFile &output, StringRef soname,
                       const EmitOptions &options) {
  if (Error error = prepareModule(module, options))
    return error;
  auto objects = emitObjects(module, options);
  if (!objects)
    return objects.takeError();
  objects->push_back(getRuntimeObject().str());
  return linkSharedObject(*objects, weights, output, soname, options.strip);
}

Error emitSharedObject(Module &module, const WeightSection &weights,
                       StringRef path, const EmitOptions &options) {
  Expected<OutputFile> output = OutputFile::create(path);
  if (!output)
    return output.takeError();
  if (Error error = emitSharedObject(module, weights, *output,
                                     sys::path::filename(path), options))
    return error;
  return output->keep();
}

Error writeWeightObject(const WeightSection &weights, StringRef path) {
  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (Error error = file->write(
          [&](raw_ostream &os) { emit::writeWeights(weights, os); }))
    return error;
  return file->keep();
}

} // namespace ambit
