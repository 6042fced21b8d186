// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a processor is at each kind of work: the constants of the expected
// times. Those that are built in were fitted to seven models on two processors
// (benchmarks/plan); `ambit calibrate`
// measures others.

#ifndef AMBIT_COST_RATES_H
#define AMBIT_COST_RATES_H

namespace ambit::cost {

/// How far the work of a kind is off its count of ticks, and how much more of
/// it symbolic sizes make.
struct WorkRate {
  double exact, extra;
};

struct Rates {
  /// What is done of these ticks.
  double ticksPerMicrosecond = 67000;
  WorkRate product = {1, 0.02};
  WorkRate window = {1.2, 0.28};
  WorkRate elements = {0.72, 0.02};
  /// Ticks of a launch.
  WorkRate launch = {1000, 50};
  /// Ticks of a product as so many more rows, in which its constant operand is
  /// fetched.
  WorkRate fetchRows = {2.25, 0.5};
  /// Ticks of symbolic sizes for each matrix of a batched product, whose tiles
  /// start anew.
  double matrix = 500;
  /// Ticks of padding for an element of an input, which is copied, or of an
  /// output, which is cut; and of what a window or a reduction reads: its tail
  /// is set, or it is cut out where the op is computed on true sizes.
  double copy = 4, tail = 1.5;
};

} // namespace ambit::cost

#endif // AMBIT_COST_RATES_H
