// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tiny module goes all the way to a shared object that is loaded and run.

#include "TinyModel.h"
#include "ambit/Emit/Link.h"
#include "ambit/Files/OutputFile.h"
#include "ambit/runtime.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <catch2/catch.hpp>
#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace ambit;

namespace {
/// A fresh folder that goes away with the test.
struct Folder {
  llvm::SmallString<128> path;
  Folder() { llvm::sys::fs::createUniqueDirectory("ambit-emit", path); }
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

struct Weights {
  float values[2] = {2, 1};
  WeightSection section;
  Weights() {
    section.size = sizeof values;
    auto *bytes = reinterpret_cast<const char *>(values);
    section.chunks = {{0, {bytes, 4}}, {4, {bytes + 4, 4}}};
  }
};
} // namespace

static std::string emitTiny(const std::string &path, EmitOptions options = {},
                            std::string extra = "") {
  llvm::LLVMContext context;
  auto module = makeTinyModel(context, std::move(extra));
  REQUIRE(module);
  Weights weights;
  return llvm::toString(
      emitSharedObject(*module, weights.section, path, options));
}

static std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  REQUIRE(buffer);
  return (*buffer)->getBuffer().str();
}

/// Runs the model on 0, 1, 2, ... and returns the last output.
static float runLast(const ambit_library &library, int64_t n, float first = 0) {
  ambit_context *context = nullptr;
  char why[256];
  CHECK(library.api->context_create(library.model, nullptr, &context, why,
                                    sizeof why) == AMBIT_OK);
  INFO(why);
  REQUIRE(context);
  std::vector<float> x(n), y(n);
  for (int64_t i = 0; i < n; ++i)
    x[i] = float(i);
  x[0] += first;
  int64_t dims[1] = {n}, outDims[1];
  ambit_tensor input{x.data(), n * 4, AMBIT_FLOAT32, 1, dims};
  ambit_tensor output{y.data(), n * 4, 0, 1, outDims};
  int32_t status = library.api->run(context, &input, 1, &output, 1);
  std::string error = library.api->last_error(context);
  if (first < 0) {
    CHECK(status == AMBIT_DATA_ERROR);
    CHECK(error == "node 'Mul_0': first element is no size: found -5");
  } else {
    CHECK(error == "");
    CHECK(status == AMBIT_OK);
    CHECK(outDims[0] == n);
  }
  library.api->context_destroy(context);
  return y[n - 1];
}

static void loadAndRun(const std::string &path) {
  ambit_library library;
  char why[512] = "";
  int32_t status = ambit_open(path.c_str(), &library, why, sizeof why);
  INFO(why);
  REQUIRE(status == AMBIT_OK);
  CHECK(std::string(library.api->model_name(library.model)) == "tiny");
  CHECK(runLast(library, 37) == 73.0f);
  CHECK(runLast(library, 1) == 1.0f);
  runLast(library, 4, -5);
  ambit_close(&library);
}

TEST_CASE("compiled functions may be called like the runtime's", "[emit]") {
  Folder folder;
  std::string path = folder.file("libtiny.so");
  llvm::LLVMContext context;
  auto module = makeTinyModel(context);
  REQUIRE(module);
  module->getFunction("body")->setName("ambit_run");
  module->getFunction("select")->setName("ambit_choose");
  module->getFunction("admits")->setName("__extendhfsf2");
  module->getGlobalVariable("generic")->setName("ambit_query_v1");
  Weights weights;
  REQUIRE(llvm::toString(
              emitSharedObject(*module, weights.section, path, {})) == "");
  loadAndRun(path);
}

TEST_CASE("a module becomes an object that runs", "[emit]") {
  Folder folder;
  for (unsigned units : {1u, 4u})
    for (int level : {0, 2, 3}) {
      EmitOptions options;
      options.units = units;
      options.optLevel = level;
      std::string path = folder.file("tiny.so");
      REQUIRE(emitTiny(path, options) == "");
      CHECK(folder.count() == 1);
      loadAndRun(path);
    }
}

TEST_CASE("an object exports one symbol and is hardened", "[emit]") {
  Folder folder;
  std::string path = folder.file("tiny.so");
  REQUIRE(emitTiny(path) == "");
  auto binary = llvm::object::ObjectFile::createObjectFile(path);
  REQUIRE(bool(binary));
  auto *elf =
      llvm::dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary());
  REQUIRE(elf);

  std::vector<std::string> exported;
  for (const auto &symbol : elf->getDynamicSymbolIterators())
    if (!(llvm::cantFail(symbol.getFlags()) &
          llvm::object::SymbolRef::SF_Undefined))
      exported.push_back(llvm::cantFail(symbol.getName()).str());
  CHECK(exported == std::vector<std::string>{AMBIT_QUERY_SYMBOL});

  std::vector<uint64_t> needed;
  bool now = false, textRelocations = false;
  for (const auto &entry : llvm::cantFail(elf->getELFFile().dynamicEntries())) {
    if (entry.getTag() == llvm::ELF::DT_NEEDED)
      needed.push_back(entry.getVal());
    now |= entry.getTag() == llvm::ELF::DT_FLAGS &&
           (entry.getVal() & llvm::ELF::DF_BIND_NOW);
    textRelocations |= entry.getTag() == llvm::ELF::DT_TEXTREL;
  }
  CHECK(needed.size() == 1); // libc; nothing here calls libm
  CHECK(now);
  CHECK(!textRelocations);

  bool relro = false, executableStack = true;
  for (const auto &header :
       llvm::cantFail(elf->getELFFile().program_headers())) {
    relro |= header.p_type == llvm::ELF::PT_GNU_RELRO;
    if (header.p_type == llvm::ELF::PT_GNU_STACK)
      executableStack = header.p_flags & llvm::ELF::PF_X;
  }
  CHECK(relro);
  CHECK(!executableStack);
}

TEST_CASE("the same module gives the same bytes anywhere", "[emit]") {
  Folder here, there;
  REQUIRE(emitTiny(here.file("tiny.so")) == "");
  REQUIRE(emitTiny(there.file("tiny.so")) == "");
  std::string bytes = readFile(here.file("tiny.so"));
  CHECK(bytes == readFile(there.file("tiny.so")));
  CHECK(bytes.find(here.path.str().str()) == std::string::npos);
}

TEST_CASE("objects may be emitted from several threads", "[emit]") {
  Folder folder;
  std::string errors[3];
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      // Catch2's macros are for one thread.
      llvm::LLVMContext context;
      auto module = makeTinyModel(context);
      Weights weights;
      std::string path = folder.file(std::to_string(i) + ".so");
      errors[i] =
          llvm::toString(emitSharedObject(*module, weights.section, path, {}));
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 3; ++i) {
    CHECK(errors[i] == "");
    loadAndRun(folder.file(std::to_string(i) + ".so"));
  }
}

TEST_CASE("libm is linked when it is used", "[emit]") {
  Folder folder;
  std::string path = folder.file("tiny.so");
  REQUIRE(emitTiny(path, {},
                   "define float @extra(float %v) {\n"
                   "  %r = call float @cbrtf(float %v)\n"
                   "  %c = fmul float %r, 0.0\n"
                   "  %s = fadd float %c, %v\n"
                   "  ret float %s\n}\n"
                   "declare float @cbrtf(float)\n") == "");
  CHECK(readFile(path).find("libm.so.6") != std::string::npos);
  loadAndRun(path);
}

TEST_CASE("conversions without an instruction are in the object", "[emit]") {
  Folder folder;
  std::string path = folder.file("tiny.so");
  EmitOptions options;
  for (unsigned units : {1u, 3u}) {
    options.units = units;
    REQUIRE(emitTiny(path, options,
                     "define float @extra(float %v) {\n"
                     "  %w = fpext float %v to double\n"
                     "  %h = fptrunc double %w to half\n"
                     "  %b = fptrunc float %v to bfloat\n"
                     "  %x = fpext half %h to float\n"
                     "  %y = fpext bfloat %b to float\n"
                     "  %d = fsub float %x, %y\n"
                     "  %s = fadd float %d, %v\n"
                     "  ret float %s\n}\n") == "");
    loadAndRun(path);
  }
}

TEST_CASE("a forbidden call is an internal error that names it", "[emit]") {
  Folder folder;
  llvm::LLVMContext context;
  auto module = makeTinyModel(context, "declare float @extra(float)\n");
  REQUIRE(module);
  Weights weights;
  llvm::Error error =
      emitSharedObject(*module, weights.section, folder.file("tiny.so"), {});
  CHECK(error.isA<InternalError>());
  CHECK(llvm::toString(std::move(error)) ==
        "compiled code calls 'extra', which is neither in the runtime nor in "
        "the part of libc and libm that a model may use");
  CHECK(folder.count() == 0);
  // The linker works again afterwards.
  CHECK(emitTiny(folder.file("tiny.so")) == "");
}

TEST_CASE("compiled code may not allocate", "[emit]") {
  Folder folder;
  CHECK(emitTiny(folder.file("tiny.so"), {},
                 "define float @extra(float %v) {\n"
                 "  %p = call ptr @malloc(i64 8)\n"
                 "  store float %v, ptr %p\n"
                 "  ret float %v\n}\n"
                 "declare ptr @malloc(i64)\n") ==
        "compiled code calls 'malloc', but a run must not allocate");
}

TEST_CASE("a path that cannot be written is reported with the reason",
          "[emit]") {
  Folder folder;
  CHECK(emitTiny(folder.file("missing/tiny.so")) ==
        "cannot write '" + folder.file("missing/tiny.so") +
            "': No such file or directory");
  CHECK(emitTiny(folder.path.str().str()) ==
        "cannot write '" + folder.path.str().str() + "': it is a directory");
  CHECK(emitTiny("/dev/null") == "");
  CHECK(llvm::toString(writeFile(folder.file("missing/a.o"), "x")) ==
        "cannot write '" + folder.file("missing/a.o") +
            "': No such file or directory");
  if (geteuid() != 0) {
    chmod(folder.path.c_str(), 0500);
    CHECK(emitTiny(folder.file("tiny.so")) ==
          "cannot write '" + folder.file("tiny.so") + "': Permission denied");
    chmod(folder.path.c_str(), 0700);
  }
  CHECK(folder.count() == 0);
}

TEST_CASE("a file that does not fit is reported and leaves nothing", "[emit]") {
  Folder folder;
  rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  auto old = signal(SIGXFSZ, SIG_IGN);
  rlimit small = {4096, before.rlim_max};
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string object = emitTiny(folder.file("tiny.so"));
  std::string file =
      llvm::toString(writeFile(folder.file("a.o"), std::string(1 << 20, 'x')));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old);
  CHECK(object ==
        "cannot write '" + folder.file("tiny.so") + "': File too large");
  CHECK(file == "cannot write '" + folder.file("a.o") + "': File too large");
  CHECK(folder.count() == 0);
}

TEST_CASE("a folder that takes no files is reported", "[emit]") {
  CHECK_THAT(llvm::toString(writeFile("/proc/ambit-model.so", "x")),
             Catch::StartsWith("cannot write '/proc/ambit-model.so': "));
}

TEST_CASE("weights may have gaps and be addressed with 64 bits", "[emit]") {
  Folder folder;
  llvm::LLVMContext context;
  auto module = makeTinyModel(context);
  EmitOptions options;
  options.weightBytes = uint64_t(1) << 31;
  Weights weights;
  weights.section.size = 1 << 20;
  std::string path = folder.file("tiny.so");
  REQUIRE(llvm::toString(
              emitSharedObject(*module, weights.section, path, options)) == "");
  loadAndRun(path);
}

TEST_CASE("assembly, object and LLVM text come from a linked module",
          "[emit]") {
  llvm::LLVMContext context;
  auto module = makeTinyModel(context);
  EmitOptions options;
  REQUIRE(llvm::toString(linkRuntime(*module, options)) == "");
  REQUIRE(llvm::toString(optimize(*module, options)) == "");
  CHECK_THAT(emitLLVM(*module), Catch::Contains("i32 @body("));
  auto text = emitAssembly(*module, options);
  REQUIRE(bool(text));
  CHECK_THAT(*text, Catch::Contains("ambit_query_v1:"));
}

TEST_CASE("the runtime keeps the baseline, compiled code gets the CPU",
          "[emit]") {
  llvm::LLVMContext context;
  auto module = makeTinyModel(context);
  EmitOptions options;
  REQUIRE(llvm::toString(linkRuntime(*module, options)) == "");
  REQUIRE(llvm::toString(optimize(*module, options)) == "");
  auto cpuOf = [&](llvm::StringRef name) {
    llvm::Function *function = module->getFunction(name);
    REQUIRE(function);
    return function->getFnAttribute("target-cpu").getValueAsString().str();
  };
  CHECK(cpuOf("body") == "x86-64-v3");
  CHECK(cpuOf("ambit_query_v1") == "x86-64");
  CHECK(cpuOf("ambit_context_create") == "x86-64");
}

TEST_CASE("a module without descriptor is an internal error", "[emit]") {
  llvm::LLVMContext context;
  llvm::Module module("empty", context);
  llvm::Error error = linkRuntime(module, {});
  CHECK(error.isA<InternalError>());
  CHECK(llvm::toString(std::move(error)) ==
        "compiled module does not define 'ambit_descriptor_instance'");
}
