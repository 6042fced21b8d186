// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does it cost to enter a model? Compiles a model of 10 inputs and 64
// variants with `ambit`, and prints nanoseconds per call for the checks at
// entry with the choice of a variant, beside one scan over the 64 boxes alone.
//
//   ambit-bench-dispatch path/to/ambit

#include "ambit/runtime.h"
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

static constexpr int kInputs = 10, kBuckets = 8;

/// Ten inputs [batch, seq] that are added up.
static std::string modelText() {
  std::string type = "tensor<?x?xf32, #sym.shape<[batch, seq]>>";
  std::string text = "sym.symbol \"batch\" min 1 max 128\n"
                     "sym.symbol \"seq\" min 1 max 2048\n"
                     "func.func @main(";
  for (int i = 0; i < kInputs; ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + type +
            " {ambit.name = \"x" + std::to_string(i) + "\"}";
  text += ") -> (" + type + " {ambit.name = \"y\"}) {\n  %0 = graph.map ";
  for (int i = 0; i < kInputs; ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i);
  text += " : (";
  for (int i = 0; i < kInputs; ++i)
    text += (i ? ", " : "") + type;
  text += ") -> " + type + " {\n  ^bb0(";
  for (int i = 0; i < kInputs; ++i)
    text += (i ? ", %a" : "%a") + std::to_string(i) + ": f32";
  text += "):\n";
  for (int i = 1; i < kInputs; ++i)
    text += "    %s" + std::to_string(i) + " = arith.addf " +
            (i == 1 ? "%a0" : "%s" + std::to_string(i - 1)) + ", %a" +
            std::to_string(i) + " : f32\n";
  return text + "    graph.yield %s9 : f32\n  }\n  return %0 : " + type +
         "\n}\n";
}

/// The least time per call of many rounds, each short enough to run
/// undisturbed.
template <typename Body> static double measure(Body body) {
  constexpr int kCalls = 10000;
  double best = 1e30;
  for (int round = 0; round < 200; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < kCalls; ++call)
      body(call);
    std::chrono::duration<double, std::nano> spent =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, spent.count() / kCalls);
  }
  return best;
}

struct Box {
  int64_t low[2], high[2];
};

static int scan(const std::vector<Box> &boxes, int64_t batch, int64_t seq) {
  for (size_t index = 0; index < boxes.size(); ++index) {
    const Box &box = boxes[index];
    if (box.low[0] <= batch && batch <= box.high[0] && box.low[1] <= seq &&
        seq <= box.high[1])
      return int(index);
  }
  return -1;
}

static void benchmark(const ambit_library &library) {
  ambit_context *context = nullptr;
  char why[256];
  if (library.api->context_create(library.model, nullptr, &context, why,
                                  sizeof why)) {
    std::fprintf(stderr, "%s\n", why);
    std::exit(1);
  }
  ambit_counts counts;
  library.api->counts(library.model, &counts);
  std::vector<ambit_tensor> inputs(kInputs);
  int64_t dims[2] = {1, 1};
  for (ambit_tensor &input : inputs)
    input = {nullptr, 0, AMBIT_FLOAT32, 2, dims};
  std::vector<Box> boxes;
  for (int64_t b = 0; b < kBuckets; ++b)
    for (int64_t s = 0; s < kBuckets; ++s)
      boxes.push_back(
          {{16 * b + 1, 256 * s + 1}, {16 * b + 16, 256 * s + 256}});

  int64_t sum = 0;
  auto shape = [&](int call) {
    dims[0] = call * 7 % 128 + 1;
    dims[1] = call * 131 % 2048 + 1;
  };
  double empty = measure([&](int call) {
    shape(call);
    sum += dims[0] + dims[1];
  });
  double entry = measure([&](int call) {
    shape(call);
    int32_t variant = -1;
    if (library.api->select(context, inputs.data(), kInputs, &variant))
      std::exit(1);
    sum += variant;
  });
  double linear = measure([&](int call) {
    shape(call);
    sum += scan(boxes, dims[0], dims[1]);
  });
  std::printf("%d inputs, %d symbols, %d guards, %d variants\n", counts.inputs,
              counts.symbols, counts.guards, counts.variants);
  std::printf("%8.1f ns  all checks and the choice of a variant\n",
              entry - empty);
  std::printf("%8.1f ns  a linear scan over the boxes alone\n", linear - empty);
  library.api->context_destroy(context);
  if (sum == 42)
    std::puts("");
}

/// What counting shapes adds to a run, over 256 small shapes.
static void benchmarkProfile(const ambit_library &library) {
  ambit_context *context = nullptr;
  if (library.api->context_create(library.model, nullptr, &context, nullptr, 0))
    std::exit(1);
  std::vector<float> data(4 * 64);
  std::vector<float> result(4 * 64);
  int64_t dims[2], outputDims[2];
  int64_t bytes = int64_t(data.size() * sizeof(float));
  std::vector<ambit_tensor> inputs(
      kInputs, {data.data(), bytes, AMBIT_FLOAT32, 2, dims});
  auto run = [&](int call) {
    dims[0] = call % 4 + 1;
    dims[1] = call / 4 % 64 + 1;
    ambit_tensor output = {result.data(), bytes, AMBIT_FLOAT32, 2, outputDims};
    if (library.api->run(context, inputs.data(), kInputs, &output, 1))
      std::exit(1);
  };
  // In turns, since the machine may be slower for a while.
  double without = 1e30, with = 1e30;
  for (int round = 0; round < 5; ++round) {
    library.api->profile(context, 0);
    without = std::min(without, measure(run));
    library.api->profile(context, 1);
    with = std::min(with, measure(run));
  }
  std::printf("%8.1f ns  a whole run on small tensors\n", without);
  std::printf("%8.1f ns  more when shapes are counted\n", with - without);
  library.api->context_destroy(context);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s path/to/ambit\n", argv[0]);
    return 2;
  }
  char folder[] = "/tmp/ambit-bench-XXXXXX";
  if (!mkdtemp(folder)) {
    std::perror(folder);
    return 1;
  }
  std::string base = folder;
  std::ofstream(base + "/model.mlir") << modelText();
  std::string command = "'" + std::string(argv[1]) + "' compile '" + base +
                        "/model.mlir' -o '" + base +
                        "/model.so' --bucket "
                        "batch=16,32,48,64,80,96,112,128 --bucket "
                        "seq=256,512,768,1024,1280,1536,1792,2048 "
                        "--bucket-kind range --max-variants 65";
  int status = std::system(command.c_str());
  ambit_library library = {};
  char why[256];
  if (status == 0 && ambit_open((base + "/model.so").c_str(), &library, why,
                                sizeof why) != AMBIT_OK) {
    std::fprintf(stderr, "%s\n", why);
    status = 1;
  }
  if (status == 0) {
    benchmark(library);
    benchmarkProfile(library);
  }
  ambit_close(&library);
  (void)std::system(("rm -r '" + base + "'").c_str());
  return status ? 1 : 0;
}
