// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast are single contractions and convolutions? Compiles each as a model
// of its own with `ambit`, and prints GFLOP/s on one thread beside OpenBLAS's
// sgemm.
//
//   ambit-bench-kernels path/to/ambit [CPU]
//
// For a convolution the peer is the product of the same size that would follow
// an im2col, without the im2col. OpenBLAS is loaded at run time (on Debian 12:
// libopenblas0); without it its columns are empty. Its kernels are those of
// AVX2 when CPU is the default x86-64-v3. A star marks symbolic sizes.

#include "ambit/runtime.h"
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

using Dims = std::vector<int64_t>;

namespace {
struct Case {
  const char *name;
  /// lhs and rhs of a contraction; input and filter of a convolution.
  Dims left, right;
  /// Convolutions only: stride along every spatial dim, and groups.
  int64_t stride = 0, groups = 1;
  /// Sizes that are symbolic in the compiled model, as dims of `left`.
  std::vector<size_t> symbolic = {};
};
} // namespace

static const std::vector<Case> kCases = {
    {"vector", {1, 768}, {768, 768}},
    {"few rows", {8, 768}, {768, 768}},
    {"linear", {128, 768}, {768, 768}},
    {"linear*", {128, 768}, {768, 768}, 0, 1, {0}},
    {"widen", {128, 768}, {768, 3072}},
    {"narrow", {128, 3072}, {3072, 768}},
    {"square", {256, 256}, {256, 256}},
    {"large", {1024, 1024}, {1024, 1024}},
    {"scores*", {12, 128, 64}, {12, 64, 128}, 0, 1, {1}},
    {"tiny", {4, 16, 8}, {4, 8, 16}},
    {"first layer", {1, 3, 226, 226}, {32, 3, 3, 3}, 2},
    {"3x3", {1, 64, 58, 58}, {64, 64, 3, 3}, 1},
    {"3x3*", {1, 64, 58, 58}, {64, 64, 3, 3}, 1, 1, {2, 3}},
    {"3x3 stride 2", {1, 64, 57, 57}, {128, 64, 3, 3}, 2},
    {"3x3 deep", {1, 256, 16, 16}, {256, 256, 3, 3}, 1},
    {"1x1", {1, 64, 56, 56}, {256, 64, 1, 1}, 1},
    {"1x1*", {1, 64, 56, 56}, {256, 64, 1, 1}, 1, 1, {2, 3}},
    {"1x1 thin", {1, 16, 160, 160}, {16, 16, 1, 1}, 1},
    {"depthwise 3x3", {1, 64, 58, 58}, {64, 1, 3, 3}, 1, 64},
    {"depthwise 3x3*", {1, 64, 58, 58}, {64, 1, 3, 3}, 1, 64, {2, 3}},
    {"depthwise 5x5", {1, 96, 18, 18}, {96, 1, 5, 5}, 1, 96},
};

//===-- Models ------------------------------------------------------------===//

static bool isConv(const Case &c) { return c.stride > 0; }

static Dims resultDims(const Case &c) {
  Dims dims = c.left;
  if (!isConv(c)) {
    dims.back() = c.right.back();
    return dims;
  }
  dims[1] = c.right[0];
  for (size_t i = 2; i < dims.size(); ++i)
    dims[i] = (dims[i] - c.right[i]) / c.stride + 1;
  return dims;
}

static int64_t product(const Dims &dims, size_t first = 0) {
  int64_t result = 1;
  for (size_t i = first; i < dims.size(); ++i)
    result *= dims[i];
  return result;
}

static double flops(const Case &c) {
  int64_t inner = isConv(c) ? product(c.right, 1) : c.left.back();
  return 2.0 * double(product(resultDims(c))) * double(inner);
}

/// A tensor type; `names` has an expression for each dim that is symbolic.
static std::string typeText(const Dims &dims,
                            const std::vector<std::string> &names) {
  std::string extents, encoding;
  bool isSymbolic = false;
  for (size_t i = 0; i < dims.size(); ++i) {
    std::string number = std::to_string(dims[i]);
    extents += (names[i].empty() ? number : "?") + "x";
    encoding +=
        (i ? ", " : "") + (names[i].empty() ? number : "\"" + names[i] + "\"");
    isSymbolic |= !names[i].empty();
  }
  return "tensor<" + extents + "f32" +
         (isSymbolic ? ", #sym.shape<[" + encoding + "]>" : "") + ">";
}

static std::string modelText(const Case &c) {
  std::string text;
  std::vector<std::string> left(c.left.size()), right(c.right.size()),
      result(c.left.size());
  for (size_t dim : c.symbolic) {
    left[dim] = "d" + std::to_string(dim);
    text += "sym.symbol \"" + left[dim] + "\" min 8 max 4096\n";
    if (!isConv(c))
      result[dim] = left[dim];
    else
      result[dim] = "floordiv(" + left[dim] + " - " +
                    std::to_string(c.right[dim]) + ", " +
                    std::to_string(c.stride) + ") + 1";
  }
  std::string x = typeText(c.left, left), w = typeText(c.right, right),
              y = typeText(resultDims(c), result);
  text += "func.func @main(%x: " + x + " {ambit.name = \"x\"}, %w: " + w +
          " {ambit.name = \"w\"}) -> (" + y + " {ambit.name = \"y\"}) {\n";
  if (isConv(c)) {
    auto array = [&](int64_t value) {
      std::string list = std::to_string(value);
      for (size_t i = 3; i < c.left.size(); ++i)
        list += ", " + std::to_string(value);
      return "array<i64: " + list + ">";
    };
    text += "  %0 = graph.conv %x, %w {strides = " + array(c.stride) +
            ", dilations = " + array(1) + ", low = " + array(0) +
            ", high = " + array(0) + ", groups = " + std::to_string(c.groups) +
            " : i64}";
  } else {
    text += "  %0 = graph.contract %x, %w";
  }
  return text + " : (" + x + ", " + w + ") -> " + y + "\n  return %0 : " + y +
         "\n}\n";
}

//===-- Measuring ---------------------------------------------------------===//

/// Seconds of processor time: a busy machine then shows less.
static double now() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// The least seconds per call of several rounds.
template <typename Body> static double measure(double work, Body body) {
  int calls = std::max(1, int(2e8 / work));
  double best = 1e30;
  for (int round = 0; round < 9; ++round) {
    double start = now();
    for (int call = 0; call < calls; ++call)
      body();
    best = std::min(best, (now() - start) / calls);
  }
  return best;
}

using Sgemm = void (*)(int, int, int, int, int, int, float, const float *, int,
                       const float *, int, float, float *, int);

/// Seconds of the products that a case comes down to.
static double measurePeer(Sgemm sgemm, const Case &c) {
  int64_t batch = 1, m, n, k;
  Dims result = resultDims(c);
  if (isConv(c)) {
    batch = c.left[0] * c.groups;
    m = c.right[0] / c.groups;
    k = product(c.right, 1);
    n = product(result, 2);
  } else {
    bool isFlat = c.right.size() == 2;
    m = isFlat ? product(result) / result.back() : result[result.size() - 2];
    n = result.back();
    k = c.left.back();
    batch = product(result) / (m * n);
  }
  constexpr int kRowMajor = 101, kNoTranspose = 111;
  std::vector<float> x(batch * m * k, 1), w(batch * k * n, 1), y(batch * m * n);
  return measure(flops(c), [&] {
    for (int64_t i = 0; i < batch; ++i)
      sgemm(kRowMajor, kNoTranspose, kNoTranspose, int(m), int(n), int(k), 1,
            &x[i * m * k], int(k), &w[i * k * n], int(n), 0, &y[i * m * n],
            int(n));
  });
}

/// Seconds per run of a compiled case, or nothing less than 0 after an error.
static double measureModel(const std::string &path, const Case &c) {
  ambit_library library = {};
  ambit_context *context = nullptr;
  char why[256];
  ambit_context_options options = {};
  options.struct_bytes = sizeof options;
  options.threads = 1;
  if (ambit_open(path.c_str(), &library, why, sizeof why) != AMBIT_OK ||
      library.api->context_create(library.model, &options, &context, why,
                                  sizeof why) != AMBIT_OK) {
    std::fprintf(stderr, "%s\n", why);
    ambit_close(&library);
    return -1;
  }
  Dims left = c.left, right = c.right, result = resultDims(c);
  std::vector<float> x(product(left), 1), w(product(right), 1),
      y(product(result));
  auto tensor = [](std::vector<float> &data, Dims &dims) {
    return ambit_tensor{data.data(), int64_t(data.size() * sizeof(float)),
                        AMBIT_FLOAT32, int32_t(dims.size()), dims.data()};
  };
  ambit_tensor inputs[] = {tensor(x, left), tensor(w, right)};
  ambit_tensor output = tensor(y, result);
  double seconds = -1;
  if (library.api->run(context, inputs, 2, &output, 1) == AMBIT_OK)
    seconds = measure(
        flops(c), [&] { library.api->run(context, inputs, 2, &output, 1); });
  else
    std::fprintf(stderr, "%s\n", library.api->last_error(context));
  library.api->context_destroy(context);
  ambit_close(&library);
  return seconds;
}

static std::string shapeText(const Dims &dims) {
  std::string text;
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? "x" : "") + std::to_string(dims[i]);
  return text;
}

static bool benchmark(const std::string &ambit, const std::string &cpu,
                      const std::string &base, Sgemm sgemm, const Case &c) {
  std::ofstream(base + "/model.mlir") << modelText(c);
  std::string command = "'" + ambit + "' compile '" + base +
                        "/model.mlir' -o '" + base +
                        "/model.so' --target-cpu '" + cpu + "'";
  if (std::system(command.c_str()) != 0)
    return false;
  double own = measureModel(base + "/model.so", c);
  if (own < 0)
    return false;
  std::printf("| %s | %s | %s | %.1f | %.1f |", c.name,
              shapeText(c.left).c_str(), shapeText(c.right).c_str(), own * 1e6,
              flops(c) / own * 1e-9);
  if (sgemm) {
    double peer = measurePeer(sgemm, c);
    std::printf(" %.1f | %.2f |\n", flops(c) / peer * 1e-9, peer / own);
  } else {
    std::puts(" | |");
  }
  std::fflush(stdout);
  return true;
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: %s path/to/ambit [CPU]\n", argv[0]);
    return 2;
  }
  std::string cpu = argc == 3 ? argv[2] : "x86-64-v3";
  // Both settings are read when the library is loaded.
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  if (cpu == "x86-64-v3")
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
  void *peer = dlopen("libopenblas.so.0", RTLD_NOW);
  Sgemm sgemm = peer ? Sgemm(dlsym(peer, "cblas_sgemm")) : nullptr;
  char folder[] = "/tmp/ambit-bench-XXXXXX";
  if (!mkdtemp(folder)) {
    std::perror(folder);
    return 1;
  }
  std::printf("%s, one thread, least processor time of 9 rounds\n\n",
              cpu.c_str());
  std::puts("| case | left | right | us | GFLOP/s | OpenBLAS | ratio |");
  std::puts("|---|---|---|---|---|---|---|");
  bool isGood = true;
  for (const Case &c : kCases)
    isGood = isGood && benchmark(argv[1], cpu, folder, sgemm, c);
  (void)std::system(("rm -r '" + std::string(folder) + "'").c_str());
  return isGood ? 0 : 1;
}
