// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the inputs of `ambit run` come from: files and random values.

#ifndef AMBIT_LIB_DRIVER_RUNINPUTS_H
#define AMBIT_LIB_DRIVER_RUNINPUTS_H

#include "ambit/Driver/LoadedModel.h"
#include "ambit/Driver/Options.h"

namespace ambit {

/// Fails when an option names an input or a symbol that the model lacks, or
/// when an input has neither a file nor a size for each of its symbols.
llvm::Error checkRunNames(const LoadedModel &loaded, const RunOptions &options);

/// Every input in the model's order. Random floats lie in [-1, 1); random
/// integers and booleans are 0 or 1, valid as indices, masks and flags.
llvm::Expected<std::vector<TensorData>> gatherInputs(const LoadedModel &loaded,
                                                     const RunOptions &options);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_RUNINPUTS_H
