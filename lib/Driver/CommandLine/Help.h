// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Help texts, printed from the declared options so that they cannot drift.

#ifndef AMBIT_LIB_DRIVER_COMMANDLINE_HELP_H
#define AMBIT_LIB_DRIVER_COMMANDLINE_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <CLI/App.hpp>

namespace ambit {

/// What the help of a verb says besides its options.
struct VerbText {
  llvm::StringLiteral name, arguments, summary, examples;
};

/// The verbs in the order of the help.
llvm::ArrayRef<VerbText> allVerbs();

/// Options of this group appear only with --help-all.
inline constexpr llvm::StringLiteral kAdvancedGroup = "Advanced";

/// `ambit --help`, at most 60 lines; `all` adds every verb's options.
void printMainHelp(const CLI::App &app, bool all, llvm::raw_ostream &out);

/// `ambit VERB --help`, at most 60 lines; `all` adds the advanced group.
void printVerbHelp(const CLI::App &verb, bool all, llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_COMMANDLINE_HELP_H
