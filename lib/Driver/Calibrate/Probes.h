// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: small models whose times tell the rates of a processor.

#ifndef AMBIT_LIB_DRIVER_CALIBRATE_PROBES_H
#define AMBIT_LIB_DRIVER_CALIBRATE_PROBES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ambit {

/// A model with one symbol 'n' and one input, and sizes to time it at.
struct Probe {
  std::string name;
  /// Ops of `graph` as a .mlir file has them.
  std::string text;
  std::vector<int64_t> sizes;
};

/// Products of few and many rows, windows and pointwise convolutions, elements,
/// launches of almost nothing: each leans on other rates.
std::vector<Probe> makeProbes();

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_CALIBRATE_PROBES_H
