// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A convolution over the past, whose last elements are its state.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CAUSALCONV_H
#define AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CAUSALCONV_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// The result [batch, channels, length], and the last `window - 1` elements of
/// what was convolved.
struct CausalConv {
  Value result, state;
};

/// x [batch, channels, length] behind a state [batch, channels, window - 1] or,
/// if that is null, zeros; each channel by its filter [channels, 1, window],
/// plus a bias [channels] or null.
CausalConv causalConv(ValueBuilder &b, Value x, Value filter, Value bias,
                      Value state);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_CAUSALCONV_H
