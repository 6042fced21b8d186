// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `ambit profile merge`: one profile from several.

#include "ProfileFile.h"
#include "ProfileVerbs.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Files/OutputFile.h"

using namespace ambit;

ExitCode ambit::mergeProfiles(const ProfileOptions &options,
                              llvm::raw_ostream &out, llvm::raw_ostream &err) {
  std::optional<Profile> all;
  for (const std::string &path : options.files) {
    auto fail = [&](llvm::Error error) {
      printError(err, "'" + path + "': " + llvm::toString(std::move(error)));
      return ExitFailure;
    };
    llvm::Expected<Profile> profile = readProfile(path);
    if (!profile)
      return fail(profile.takeError());
    if (!all)
      all = std::move(*profile);
    else if (llvm::Error error = addProfile(*all, *profile))
      return fail(std::move(error));
  }
  std::string text = writeProfile(*all);
  if (options.output == "-") {
    out << text;
    return ExitSuccess;
  }
  if (llvm::Error error = writeFile(options.output, text)) {
    printError(err, llvm::toString(std::move(error)));
    return ExitFailure;
  }
  return ExitSuccess;
}
