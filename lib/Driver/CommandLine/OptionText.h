// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers of the small languages in option values. Each returns an empty string
// or what is wrong with the text, ready to be shown to the user.

#ifndef AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H
#define AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H

#include "ambit/Driver/Options.h"

namespace ambit {

/// Splits `NAME=REST` at the last '='; `form` is what was expected.
std::string splitName(llvm::StringRef text, llvm::StringRef form,
                      llvm::StringRef &name, llvm::StringRef &rest);

/// `a,b,c` of that name; distinct sizes in increasing order, with those that
/// are in `sizes` already.
std::string readSizes(llvm::StringRef name, llvm::StringRef text,
                      std::vector<int64_t> &sizes);

/// `NAME=LO..HI`, `NAME=LO..`, `NAME=N`, each with an optional `%DIVISOR`.
/// Appends to `dims`; a name that is already there is an error.
std::string readDim(llvm::StringRef text, std::vector<DimOption> &dims);

/// A condition in the constraint language, such as `kv == past + seq`.
std::string readConstraint(llvm::StringRef text,
                           std::vector<std::string> &constraints);

/// `NAME=a,b,c`. Values of a name that was given before are merged.
std::string readValues(llvm::StringRef text, std::vector<SymbolValues> &values);

/// `NAME=a,b,c`, `NAME=pow2`, `NAME=step:N` or `NAME=geometric:R`. Sizes of a
/// name that was given before are merged.
std::string readBuckets(llvm::StringRef text,
                        std::map<std::string, BucketEnds> &buckets);

/// `[NAME=]KIND`, where KIND is auto, range, padded or divisible:N; without
/// NAME it is for every symbol that has no kind of its own, and stands under
/// "".
std::string readBucketKind(llvm::StringRef text,
                           std::map<std::string, BucketKind> &kinds);

/// `auto`, `always` or `never`.
std::string readSharing(llvm::StringRef text, Sharing &sharing);

/// A number of bytes, `20MB`: decimal units to GB, binary ones to GiB.
std::string readBytes(llvm::StringRef text, uint64_t &bytes);

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

/// Reads what padding holds.
std::string readPaddingFill(llvm::StringRef text, FreePadding &fill);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_COMMANDLINE_OPTIONTEXT_H
