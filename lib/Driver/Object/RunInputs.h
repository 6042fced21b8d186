// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the inputs of `ambit run` come from: files and random values.

#ifndef AMBIT_LIB_DRIVER_OBJECT_RUNINPUTS_H
#define AMBIT_LIB_DRIVER_OBJECT_RUNINPUTS_H

#include "ambit/Driver/Object/LoadedModel.h"
#include "ambit/Driver/Options.h"

namespace ambit {

/// An error that another command line would avoid.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(const llvm::Twine &message) : message(message.str()) {}
  void log(llvm::raw_ostream &out) const override { out << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// Every input in the model's order. Random floats lie in [-1, 1); random
/// integers and booleans are 0 or 1, valid as indices, masks and flags. Names
/// that the model lacks, and missing files or sizes, are UsageErrors.
llvm::Expected<std::vector<TensorData>> gatherInputs(const LoadedModel &loaded,
                                                     const RunOptions &options);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_OBJECT_RUNINPUTS_H
