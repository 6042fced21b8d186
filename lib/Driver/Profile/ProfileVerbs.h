// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: `ambit profile`.

#ifndef AMBIT_LIB_DRIVER_PROFILE_PROFILEVERBS_H
#define AMBIT_LIB_DRIVER_PROFILE_PROFILEVERBS_H

#include "ambit/Driver/CommandLine.h"

namespace ambit {

/// `ambit profile merge FILE... -o FILE`.
ExitCode mergeProfiles(const ProfileOptions &options, llvm::raw_ostream &out,
                       llvm::raw_ostream &err);

/// `ambit profile suggest LIBRARY FILE`.
ExitCode suggestVariants(const ProfileOptions &options, llvm::raw_ostream &out,
                         llvm::raw_ostream &err);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PROFILE_PROFILEVERBS_H
