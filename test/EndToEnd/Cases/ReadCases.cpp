// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the runs of a model.

#include "Cases.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace ambit;
using llvm::StringRef;

void ambit::fail(unsigned line, const llvm::Twine &message) {
  llvm::errs() << "line " << line << ": " << message << '\n';
  exit(1);
}

static NamedValues readTensor(StringRef text, unsigned line) {
  NamedValues tensor;
  auto [head, values] = text.trim().split("]=");
  auto [name, dims] = head.split('[');
  tensor.name = name.str();
  int64_t count = 1;
  while (!dims.empty()) {
    StringRef dim;
    std::tie(dim, dims) = dims.split(',');
    int64_t size = 0;
    if (dim.trim().getAsInteger(10, size))
      fail(line, "'" + dim + "' is no size");
    tensor.dims.push_back(size);
    count *= size;
  }
  values = values.trim();
  for (int64_t i = 0; i < count; ++i) {
    double value = 0;
    if (values == "random") {
      // Quarters from -8 to 8, each many times.
      value = ((i * 2654435761u + count * 40503u) >> 7) % 65 / 4.0 - 8;
    } else if (values == "zeros" || values == "ones") {
      value = values == "ones";
    } else if (values == "iota" || values == "iota/8") {
      value = values == "iota" ? i : i / 8.0;
    } else {
      StringRef rest = values, first;
      std::tie(first, values) = rest.split(',');
      if (first.trim() == "inf" || first.trim() == "-inf")
        value = first.trim()[0] == '-' ? -INFINITY : INFINITY;
      else if (first.trim().getAsDouble(value))
        fail(line, "too few values for '" + tensor.name + "'");
    }
    tensor.values.push_back(value);
  }
  return tensor;
}

static std::vector<NamedValues> readTensors(StringRef text, unsigned line) {
  std::vector<NamedValues> tensors;
  while (!text.empty()) {
    StringRef first;
    std::tie(first, text) = text.split(';');
    tensors.push_back(readTensor(first, line));
  }
  return tensors;
}

/// Reads "n=1..8: x[n,3]=random": a run for each value of n.
static void readSweep(StringRef text, unsigned line, std::vector<Run> &runs) {
  auto [range, inputs] = text.split(": ");
  auto [name, sizes] = range.split('=');
  auto [from, to] = sizes.split("..");
  int64_t low, high;
  if (from.getAsInteger(10, low) || to.getAsInteger(10, high))
    fail(line, "'" + sizes + "' is no range");
  for (int64_t size = low; size <= high; ++size) {
    std::string bound = inputs.str();
    for (std::string before : {"[", ","})
      for (std::string after : {"]", ","})
        for (size_t at; (at = bound.find(before + name.str() + after)) !=
                        std::string::npos;)
          bound.replace(at, name.size() + 2,
                        before + std::to_string(size) + after);
    runs.push_back({line, readTensors(bound, line), {}, ""});
  }
}

Cases ambit::readCases(StringRef text) {
  Cases cases;
  for (unsigned line = 1; !text.empty(); ++line) {
    StringRef first;
    std::tie(first, text) = text.split('\n');
    first = first.trim();
    if (first.consume_front("options ")) {
      llvm::SmallVector<StringRef> words;
      first.split(words, ' ', -1, /*KeepEmpty=*/false);
      for (StringRef word : words)
        cases.options.push_back(word.str());
      continue;
    }
    if (first.empty() || first.starts_with("#"))
      continue;
    if (first.consume_front("statics ")) {
      if (first.getAsInteger(10, cases.statics) || cases.statics == 0)
        fail(line, "'" + first + "' is no number of runs");
      continue;
    }
    if (first.consume_front("near ")) {
      if (first.getAsDouble(cases.near) || !(cases.near >= 0))
        fail(line, "'" + first + "' is no difference");
      continue;
    }
    if (first.consume_front("padded ")) {
      auto [name, sizes] = first.split('=');
      for (StringRef rest = sizes, size; !rest.empty();) {
        std::tie(size, rest) = rest.split(',');
        if (size.getAsInteger(10,
                              cases.padded[name.str()].sizes.emplace_back()))
          fail(line, "'" + size + "' is no size");
      }
      continue;
    }
    if (first.consume_front("sweep ")) {
      readSweep(first, line, cases.sweeps);
      continue;
    }
    auto [inputs, outputs] = first.split("->");
    Run run{line, readTensors(inputs, line), {}, "", cases.near};
    outputs = outputs.trim();
    if (outputs.consume_front("error:"))
      run.error = outputs.trim().str();
    else
      run.outputs = readTensors(outputs, line);
    cases.runs.push_back(std::move(run));
  }
  return cases;
}
