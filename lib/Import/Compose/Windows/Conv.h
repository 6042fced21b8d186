// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of [N, C, spatial...].

#ifndef AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CONV_H
#define AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CONV_H

#include "Window.h"

namespace ambit::compose {

struct ConvSpec {
  WindowSpec window;
  int64_t groups = 1;
};

/// x by a filter [M, C / groups, window...], plus a bias [M] or null.
Value conv(ValueBuilder &b, Value x, Value filter, Value bias,
           const ConvSpec &spec);

struct ConvTransposeSpec {
  /// Its pads are taken from the result.
  WindowSpec window;
  int64_t groups = 1;
  /// Elements more at the end of each spatial dim.
  SmallVector<int64_t> extra;
  /// The spatial sizes of the result, which then decide the pads; or empty.
  SmallVector<int64_t> sizes;
};

/// The transposed convolution by a filter [C, M / groups, window...], plus a
/// bias [M] or null.
Value convTranspose(ValueBuilder &b, Value x, Value filter, Value bias,
                    const ConvTransposeSpec &spec);

/// x by a filter at places that `offsets` [N, og * window * 2, h, w] move, one
/// row and one column for each element of the window and group of channels, by
/// linear interpolation; what is outside is 0. `mask` [N, og * window, h, w]
/// weighs each, and may be null as the bias may.
struct DeformInputs {
  Value x, filter, offsets, bias, mask;
};
Value deformConv(ValueBuilder &b, const DeformInputs &inputs,
                 const ConvSpec &spec, int64_t offsetGroups);

/// Adds a bias [C] to dim 1; null stands for none.
Value addBias(ValueBuilder &b, Value x, Value bias);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CONV_H
