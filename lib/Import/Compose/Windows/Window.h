// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What convolutions and pools share: windows that slide over the spatial dims
// of [N, C, spatial...].

#ifndef AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_WINDOW_H
#define AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_WINDOW_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// Whether windows are padded so that the result has ceil(size / stride)
/// positions, and on which side an odd element goes.
enum class AutoPad { NotSet, SameUpper, SameLower, Valid };

/// How a window slides, with an entry for each spatial dim.
struct WindowSpec {
  SmallVector<int64_t> strides, dilations, low, high;
  AutoPad autoPad = AutoPad::NotSet;

  /// Whether the padding follows from the sizes.
  bool isSame() const {
    return autoPad == AutoPad::SameUpper || autoPad == AutoPad::SameLower;
  }
};

/// Replaces padding that follows from the sizes by amounts: as constants in
/// `spec` where they are known, else by padding the spatial dims of `input`
/// with `fill`, whose result is returned. `window` holds the sizes of the
/// window.
Value applyAutoPad(ValueBuilder &b, Value input, ArrayRef<int64_t> window,
                   double fill, WindowSpec &spec);

/// Whether input and filter have the same rank, 3 or more; else an error.
bool haveSpatialDims(ValueBuilder &b, Value input, Value filter);

/// The window of a filter [., ., window...] for such an input; an error when it
/// is not constant.
std::optional<SmallVector<int64_t>> filterWindow(ValueBuilder &b, Value input,
                                                 Value filter);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_WINDOWS_WINDOW_H
