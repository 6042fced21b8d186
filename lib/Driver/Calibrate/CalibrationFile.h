// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: measured rates of a processor, as `ambit calibrate` stores them.

#ifndef AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATIONFILE_H
#define AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATIONFILE_H

#include "ambit/Cost/Rates.h"
#include "ambit/Driver/ModelOptions.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LogicalResult.h"

namespace ambit {

/// A processor's name in words, as the system gives it.
std::string getProcessorName();

/// Where the rates of this processor are stored: a file in the user's cache
/// folder ($XDG_CACHE_HOME or ~/.cache); "" when there is none.
std::string getStoredCalibration();

/// One JSON object; `processor` is for readers.
std::string writeCalibration(const cost::Rates &rates,
                             llvm::StringRef processor);

/// The rates that the options ask for: those of a file, or the built-in ones. A
/// damaged file is a warning and counts as none; one that cannot be read is an
/// error.
mlir::FailureOr<cost::Rates> getRates(const VariantOptions &options,
                                      mlir::MLIRContext *context);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_CALIBRATE_CALIBRATIONFILE_H
