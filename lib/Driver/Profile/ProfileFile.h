// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: profiles as objects write them (lib/Runtime/profile.c): a line of
// JSON for each context that counted.

#ifndef AMBIT_LIB_DRIVER_PROFILE_PROFILEFILE_H
#define AMBIT_LIB_DRIVER_PROFILE_PROFILEFILE_H

#include "ambit/Specialize/Traffic.h"
#include "llvm/Support/Error.h"
#include <map>

namespace ambit {

struct Profile {
  struct Input {
    std::string name;
    int64_t dtype, rank;
    bool operator==(const Input &other) const {
      return name == other.name && dtype == other.dtype && rank == other.rank;
    }
  };
  /// What it is a profile of.
  std::string model;
  std::vector<Input> inputs;
  std::vector<std::string> symbols;
  /// How often each shape occurred, by the values of the symbols.
  std::map<std::vector<int64_t>, int64_t> shapes;
  /// Calls of shapes that found no place, and calls that guards refused.
  int64_t other = 0, refused = 0;
};

/// Reads a file with one profile or several of one model, which are added up.
/// Errors name the line, and call the file "it".
llvm::Expected<Profile> readProfile(llvm::StringRef path);

/// Adds what `from` counted. An error, which calls it "it", when it is of
/// another model, by its name, inputs or symbols.
llvm::Error addProfile(Profile &to, const Profile &from);

/// The profile as a line of JSON.
std::string writeProfile(const Profile &profile);

/// The shapes as the planner takes them.
Traffic makeTraffic(const Profile &profile);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PROFILE_PROFILEFILE_H
