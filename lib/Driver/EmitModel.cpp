// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From modules to text, objects and shared objects.

#include "EmitModel.h"
#include "ambit/Dialect/Dispatch/IR/DispatchDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Emit/Link.h"
#include "ambit/Emit/ObjectCache.h"
#include "ambit/Files/OutputFile.h"
#include "ambit/Reference/HostTensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ambit;

Phase ambit::lastPhase(EmitKind kind) {
  switch (kind) {
  case EmitKind::Graph:
    return Phase::Simplify;
  case EmitKind::Kernels:
    return Phase::Kernels;
  case EmitKind::Loops:
    return Phase::Lower;
  default:
    return Phase::Emit;
  }
}

/// Reports an error of the emitting library at the output file.
static LogicalResult report(llvm::Error error, StringRef path,
                            MLIRContext *context) {
  bool isInternal = error.isA<InternalError>();
  std::string text = llvm::toString(std::move(error));
  Location loc = FileLineColLoc::get(context, path, 0, 0);
  return (isInternal ? emitInternalError(loc) : emitError(loc)) << text;
}

static EmitOptions getEmitOptions(const CompileOptions &options) {
  EmitOptions emit;
  emit.targetCpu = options.targetCpu;
  emit.strip = options.strip;
  emit.optLevel = options.optLevel;
  return emit;
}

static FailureOr<std::vector<std::string>> getIsa(const CompileOptions &options,
                                                  MLIRContext *context) {
  llvm::Expected<std::vector<std::string>> isa =
      requiredIsa(getEmitOptions(options));
  if (isa)
    return std::move(*isa);
  return emitError(optionLocation(context, "--target-cpu"))
         << llvm::toString(isa.takeError());
}

FailureOr<VectorTarget> ambit::getVectorTarget(const CompileOptions &options,
                                               MLIRContext &context) {
  FailureOr<std::vector<std::string>> isa = getIsa(options, &context);
  if (failed(isa))
    return failure();
  if (llvm::is_contained(*isa, "avx512f") &&
      llvm::is_contained(*isa, "avx512vl"))
    return VectorTarget{64, 32};
  if (llvm::is_contained(*isa, "avx2"))
    return VectorTarget{32, 16};
  return VectorTarget{16, 16};
}

LogicalResult ambit::describeTarget(ModuleOp module,
                                    const CompileOptions &options) {
  FailureOr<std::vector<std::string>> isa =
      getIsa(options, module.getContext());
  if (failed(isa))
    return failure();
  Builder b(module.getContext());
  SmallVector<StringRef> names(isa->begin(), isa->end());
  for (auto model : module.getOps<dispatch::ModelOp>()) {
    model.setIsaAttr(b.getStrArrayAttr(names));
    model.setCpuAttr(b.getStringAttr(options.targetCpu));
  }
  return success();
}

std::string ambit::printModule(ModuleOp module, bool elide) {
  OpPrintingFlags flags;
  flags.enableDebugInfo(true, false);
  if (elide)
    flags.elideLargeElementsAttrs(64).elideLargeResourceString(64);
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, flags);
  return text;
}

LogicalResult ambit::writeText(StringRef path, StringRef text,
                               MLIRContext *context) {
  if (llvm::Error error = writeFile(path, text))
    return report(std::move(error), path, context);
  return success();
}

static LogicalResult writeOutput(StringRef text, const CompileOptions &options,
                                 MLIRContext *context, llvm::raw_ostream &out) {
  if (options.output != "-")
    return writeText(options.output, text, context);
  out << text;
  return success();
}

LogicalResult ambit::writeModule(ModuleOp module, const CompileOptions &options,
                                 llvm::raw_ostream &out) {
  // What is written to a file can be read again; a terminal gets no megabytes.
  return writeOutput(printModule(module, options.output == "-"), options,
                     module.getContext(), out);
}

namespace {
/// The constants of a module as bytes at their offsets.
struct Weights {
  WeightSection section;
  std::vector<reference::HostTensor> unpacked; // owns what had to be converted
};
} // namespace

static Weights collectWeights(ModuleOp module) {
  Weights weights;
  auto values = module->getAttrOfType<ArrayAttr>(attributes::kWeights);
  auto offsets =
      module->getAttrOfType<DenseI64ArrayAttr>(attributes::kWeightOffsets);
  if (!values || !offsets)
    return weights;
  for (auto [attr, offset] : llvm::zip_equal(values, offsets.asArrayRef())) {
    auto elements = cast<ElementsAttr>(attr);
    ArrayRef<char> bytes;
    auto dense = dyn_cast<DenseElementsAttr>(elements);
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
      bytes = resource.getRawHandle().getBlob()->getData();
    } else if (dense && !dense.isSplat() &&
               !elements.getElementType().isInteger(1)) {
      bytes = dense.getRawData();
    } else {
      weights.unpacked.push_back(reference::HostTensor::fromAttr(elements));
      bytes = std::as_const(weights.unpacked.back()).getBytes();
    }
    weights.section.chunks.push_back({uint64_t(offset), bytes});
    weights.section.size = offset + (bytes.size() + 63) / 64 * 64;
  }
  return weights;
}

/// The name of the object for a dynamic linker.
static std::string sonameFor(const CompileOptions &options) {
  StringRef name = llvm::sys::path::filename(options.output);
  if (options.output != "-" && !isDirectOutput(options.output))
    return name.str();
  return ("lib" + llvm::sys::path::stem(options.input) + ".so").str();
}

/// To a file, or to `out` when the output is "-".
static llvm::Error writeSharedObject(llvm::Module &llvmModule,
                                     const WeightSection &weights,
                                     const CompileOptions &options,
                                     const EmitOptions &emit,
                                     llvm::raw_ostream &out) {
  llvm::Expected<OutputFile> file = options.output == "-"
                                        ? OutputFile::createUnnamed()
                                        : OutputFile::create(options.output);
  if (!file)
    return file.takeError();
  if (llvm::Error error = emitSharedObject(llvmModule, weights, *file,
                                           sonameFor(options), emit))
    return error;
  uint64_t bytes = 0;
  if (options.maxBytes &&
      !llvm::sys::fs::file_size(file->scratchPath(), bytes) &&
      bytes > options.maxBytes)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        llvm::formatv("the shared object has {0} bytes, {1} of them weights, "
                      "expected at most {2} (--max-size)",
                      bytes, weights.size, options.maxBytes)
            .str());
  return options.output == "-" ? file->copyTo(out) : file->keep();
}

/// The weights are a file of their own beside the object.
static llvm::Error writeObject(StringRef object, const WeightSection &weights,
                               const CompileOptions &options) {
  SmallString<128> path(options.output);
  llvm::sys::path::replace_extension(path, "weights.o");
  if (llvm::Error error = writeWeightObject(weights, path))
    return error;
  return writeFile(options.output, object);
}

static LogicalResult
emitObjectFiles(llvm::Module &llvmModule, const WeightSection &weights,
                const CompileOptions &options, const EmitOptions &emit,
                MLIRContext *context, llvm::raw_ostream &out) {
  auto done = [&](llvm::Error error) -> LogicalResult {
    return error ? report(std::move(error), options.output, context)
                 : success();
  };
  if (options.emit == EmitKind::So)
    return done(writeSharedObject(llvmModule, weights, options, emit, out));
  if (llvm::Error error = linkRuntime(llvmModule, emit))
    return done(std::move(error));
  if (llvm::Error error = optimize(llvmModule, emit))
    return done(std::move(error));
  if (options.emit == EmitKind::Llvm)
    return writeOutput(emitLLVM(llvmModule), options, context, out);
  bool isText = options.emit == EmitKind::Asm;
  llvm::Expected<std::string> result =
      isText ? emitAssembly(llvmModule, emit) : emitObject(llvmModule, emit);
  if (!result)
    return done(result.takeError());
  if (isText)
    return writeOutput(*result, options, context, out);
  return done(writeObject(*result, weights, options));
}

/// What is wrong with a cache costs time, and nothing else.
static void reportCache(const ObjectCache &cache, const CompileOptions &options,
                        MLIRContext *context) {
  ObjectCache::Counts counts = cache.getCounts();
  Location loc = optionLocation(context, "--cache-dir");
  if (std::string problem = cache.getProblem(); !problem.empty())
    emitWarning(loc) << problem << "; goes on without";
  if (counts.damaged)
    emitWarning(loc) << counts.damaged
                     << " damaged entries were compiled again";
  if (options.timeReport)
    llvm::errs() << counts.found << " parts were in the cache, "
                 << counts.missing + counts.damaged << " were not\n";
}

LogicalResult ambit::emitModel(ModuleOp module, const CompileOptions &options,
                               llvm::raw_ostream &out) {
  MLIRContext *context = module.getContext();
  Weights weights = collectWeights(module);
  EmitOptions emit = getEmitOptions(options);
  emit.weightBytes = weights.section.size;
  std::optional<ObjectCache> cache;
  if (!options.cacheDir.empty())
    emit.cache = &cache.emplace(options.cacheDir);
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, llvmContext, "ambit");
  if (!llvmModule)
    return emitInternalError(module.getLoc())
           << "translation to LLVM IR failed";
  LogicalResult result = emitObjectFiles(*llvmModule, weights.section, options,
                                         emit, context, out);
  if (cache)
    reportCache(*cache, options, context);
  return result;
}
