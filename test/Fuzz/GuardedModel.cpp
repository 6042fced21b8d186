// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guard pages around everything that a model touches.

#include "GuardedModel.h"
#include <cstring>
#include <sys/mman.h>
#include <utility>

using namespace ambit;
using namespace ambit::fuzz;
using reference::HostTensor;

static constexpr size_t kPage = 4096;

GuardedBuffer::GuardedBuffer(size_t bytes)
    : bytes(bytes), whole((bytes + kPage - 1) / kPage * kPage) {
  void *memory = mmap(nullptr, whole + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  start = static_cast<char *>(memory);
  mprotect(start + whole, kPage, PROT_NONE);
  // Not a number, and no sensible size.
  memset(start, 0xff, whole);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other)
    : bytes(other.bytes), whole(other.whole),
      start(std::exchange(other.start, nullptr)) {}

GuardedBuffer::~GuardedBuffer() {
  if (start)
    munmap(start, whole + kPage);
}

/// The workspace; one buffer at a time, whose owner is leaked on purpose: its
/// address is all that `release` gets.
static void *allocate(void *, size_t, size_t bytes) {
  return (new GuardedBuffer(bytes))->data();
}
static void release(void *, void *, size_t) {}

GuardedModel::~GuardedModel() {
  if (context)
    library.api->context_destroy(context);
  if (library.api)
    ambit_close(&library);
}

std::string GuardedModel::open(const std::string &path) {
  char why[1024] = "";
  if (ambit_open(path.c_str(), &library, why, sizeof why) != AMBIT_OK)
    return why;
  ambit_context_options options = {};
  options.struct_bytes = sizeof options;
  options.allocate = allocate;
  options.release = release;
  if (library.api->context_create(library.model, &options, &context, why,
                                  sizeof why) != AMBIT_OK)
    return why;
  return "";
}

llvm::Error GuardedModel::failure(int32_t status, bool &refused) {
  refused = status == AMBIT_GUARD_FAILED || status == AMBIT_DATA_ERROR ||
            status == AMBIT_OVERFLOW || status == AMBIT_INVALID_ARGUMENT;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "status %d: %s", status,
                                 library.api->last_error(context));
}

llvm::Expected<std::vector<HostTensor>>
GuardedModel::run(const std::vector<HostTensor> &inputs,
                  llvm::ArrayRef<mlir::Type> resultTypes, bool &refused) {
  std::vector<GuardedBuffer> buffers;
  std::vector<std::vector<int64_t>> dims;
  std::vector<ambit_tensor> arguments, results(resultTypes.size());
  for (auto [index, input] : llvm::enumerate(inputs)) {
    ambit_tensor_info info = {};
    library.api->input(library.model, index, &info);
    llvm::ArrayRef<char> bytes = input.getBytes();
    buffers.emplace_back(bytes.size());
    memcpy(buffers.back().data(), bytes.data(), bytes.size());
    dims.push_back(input.getDims().vec());
    arguments.push_back({buffers.back().data(), int64_t(bytes.size()),
                         info.dtype, int32_t(input.getRank()),
                         dims.back().data()});
  }
  if (int32_t status = library.api->output_shapes(
          context, arguments.data(), arguments.size(), results.data(),
          results.size()))
    return failure(status, refused);
  std::vector<std::vector<int64_t>> resultDims;
  for (ambit_tensor &result : results) {
    buffers.emplace_back(result.bytes);
    resultDims.emplace_back(result.dims, result.dims + result.rank);
    result.data = buffers.back().data();
  }
  for (auto [result, sizes] : llvm::zip_equal(results, resultDims))
    result.dims = sizes.data();
  if (int32_t status =
          library.api->run(context, arguments.data(), arguments.size(),
                           results.data(), results.size()))
    return failure(status, refused);
  std::vector<HostTensor> tensors;
  for (auto [result, type] : llvm::zip_equal(results, resultTypes)) {
    HostTensor tensor(type, llvm::ArrayRef<int64_t>(result.dims, result.rank));
    memcpy(tensor.getBytes().data(), result.data, tensor.getBytes().size());
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}
