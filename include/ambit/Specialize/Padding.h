// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What padding may be asked for.

#ifndef AMBIT_SPECIALIZE_PADDING_H
#define AMBIT_SPECIALIZE_PADDING_H

namespace ambit {

/// What the padding of a padded variant holds where no op needs anything of it.
/// Results must not depend on it: NaN and huge numbers are for tests of that.
enum class FreePadding { Zero, NaN, Huge };

} // namespace ambit

#endif // AMBIT_SPECIALIZE_PADDING_H
