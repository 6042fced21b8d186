// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of the small languages in option values. Each returns an empty string
// or what is wrong with the text, ready to be shown to the user.

#ifndef AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H
#define AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H

#include "ambit/Driver/Options.h"

namespace ambit {

/// `NAME=LO..HI`, `NAME=LO..`, `NAME=N`, each with an optional `%DIVISOR`.
/// Appends to `dims`; a name that is already there is an error.
std::string readDim(llvm::StringRef text, std::vector<DimOption> &dims);

/// A condition in the constraint language, such as `kv == past + seq`.
std::string readConstraint(llvm::StringRef text,
                           std::vector<std::string> &constraints);

/// `NAME=a,b,c`. Values of a name that was given before are merged.
std::string readValues(llvm::StringRef text, std::vector<SymbolValues> &values);

/// `a=1,b=2`.
std::string readAssignments(llvm::StringRef text,
                            std::map<std::string, int64_t> &values);

/// `NAME=d0,d1,...`: commas inside parentheses do not separate dims.
std::string
readInputShape(llvm::StringRef text,
               std::map<std::string, std::vector<std::string>> &shapes);

/// `NAME=VALUE` or `NAME=[VALUE,VALUE,...]`.
std::string readInputValue(llvm::StringRef text,
                           std::map<std::string, InputValue> &values);

/// `NAME=PATH`. Either may hold a '=': only the model knows where NAME ends.
std::string readInputFile(llvm::StringRef text,
                          std::vector<std::string> &files);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H
