// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verbs and options as CLI11 knows them, and what parsing fills.

#ifndef AMBIT_LIB_DRIVER_COMMANDLINE_VERBS_H
#define AMBIT_LIB_DRIVER_COMMANDLINE_VERBS_H

#include "ambit/Driver/CommandLine.h"
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace ambit {

/// Everything that parsing fills.
struct Parsed {
  CompileOptions compile;
  InspectOptions inspect;
  ShapesOptions shapes;
  PlanVerbOptions plan;
  /// Its first word is the action.
  std::vector<std::string> profileWords;
  ProfileOptions profile;
  RunOptions run;
  CalibrateOptions calibrate;
};

/// Declares every verb of the program, with readers that fill `parsed`, which
/// must live as long as `app`.
void declareAll(CLI::App &app, Parsed &parsed);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_COMMANDLINE_VERBS_H
