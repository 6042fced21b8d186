// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs that work on a compiled object: inspect and run.

#ifndef AMBIT_LIB_DRIVER_OBJECT_OBJECTVERBS_H
#define AMBIT_LIB_DRIVER_OBJECT_OBJECTVERBS_H

#include "ambit/Driver/CommandLine.h"

namespace ambit {

/// True when the file starts like a compiled object rather than like a model.
bool isObjectFile(llvm::StringRef path);

/// `ambit inspect libmodel.so`.
ExitCode inspectObject(const InspectOptions &options, llvm::raw_ostream &out,
                       llvm::raw_ostream &err);

/// `ambit run libmodel.so`.
ExitCode runObject(const RunOptions &options, llvm::raw_ostream &out,
                   llvm::raw_ostream &err);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_OBJECT_OBJECTVERBS_H
