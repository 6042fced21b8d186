// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main of `ambit`: from a parsed command line to an exit code.

#include "Calibrate/Calibrate.h"
#include "Object/ObjectVerbs.h"
#include "Profile/ProfileVerbs.h"
#include "ambit/Driver/CommandLine.h"
#include "ambit/Driver/CrashHandler.h"
#include "ambit/Driver/Diagnostics.h"
#include "ambit/Driver/Pipeline.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace ambit;

/// Runs a verb that needs the compiler, and turns what it reported into an exit
/// code.
template <typename Body> static ExitCode withContext(Body body) {
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  mlir::MLIRContext context(registry);
  // The user knows the model, not our ops.
  context.printOpOnDiagnostic(false);
  DiagnosticPrinter printer(&context, llvm::errs());
  if (mlir::succeeded(body(context)))
    return ExitSuccess;
  if (printer.blamedOption())
    return ExitUsage;
  if (printer.errorCount() && !printer.blamedAmbit())
    return ExitFailure;
  if (!printer.errorCount())
    printError(llvm::errs(), "internal error: failed without saying why");
  sayHowToReport();
  return ExitBug;
}

static std::string defaultOutput(const CompileOptions &options) {
  llvm::StringRef stem = llvm::sys::path::stem(options.input);
  if (!options.stopAfter && options.emit == EmitKind::So)
    return ("lib" + stem + ".so").str();
  if (!options.stopAfter && options.emit == EmitKind::Obj)
    return (stem + ".o").str();
  return "-";
}

/// What is wrong with the output's path, or "".
static std::string checkOutput(const CompileOptions &options) {
  bool isDirect = options.output == "-" || isDirectOutput(options.output);
  if (options.emit == EmitKind::Obj && !options.stopAfter && isDirect)
    return "--emit=obj writes two files, which '" + options.output +
           "' cannot hold";
  for (const std::string &input :
       {options.input, options.samples, options.profile}) {
    bool isSame = false;
    if (!isDirect && !input.empty() &&
        !llvm::sys::fs::equivalent(options.output, input, isSame) && isSame)
      return "'" + options.output + "' would replace the file that is read";
  }
  return "";
}

static ExitCode run(CompileOptions options) {
  // The last phase is where it stops anyway, with what --emit asks for.
  if (options.stopAfter == Phase::Emit)
    options.stopAfter.reset();
  if (options.output.empty())
    options.output = defaultOutput(options);
  if (std::string error = checkOutput(options); !error.empty()) {
    printError(llvm::errs(), "--output: " + error);
    return ExitUsage;
  }
  if (options.output != "-" && !isDirectOutput(options.output))
    options.written = options.output;
  return withContext([&](mlir::MLIRContext &context) {
    return runCompile(options, context, llvm::outs());
  });
}

static ExitCode run(const PlanVerbOptions &options) {
  return withContext([&](mlir::MLIRContext &context) {
    return runPlan(options, context, llvm::outs());
  });
}

static ExitCode run(const CalibrateOptions &options) {
  return withContext([&](mlir::MLIRContext &context) {
    return runCalibrate(options, context, llvm::outs());
  });
}

static ExitCode run(const ShapesOptions &options) {
  return withContext([&](mlir::MLIRContext &context) {
    return runShapes(options, context, llvm::outs());
  });
}

static ExitCode run(const InspectOptions &options) {
  if (isObjectFile(options.input))
    return inspectObject(options, llvm::outs(), llvm::errs());
  return withContext([&](mlir::MLIRContext &context) {
    return inspectModel(options, context, llvm::outs());
  });
}

static ExitCode run(const RunOptions &options) {
  return runObject(options, llvm::outs(), llvm::errs());
}

static ExitCode run(const ProfileOptions &options) {
  return options.action == ProfileOptions::Action::Merge
             ? mergeProfiles(options, llvm::outs(), llvm::errs())
             : suggestVariants(options, llvm::outs(), llvm::errs());
}

/// The command line was all there was to do.
static ExitCode run(ExitCode code) { return code; }

int ambit::ambitMain(int argc, char **argv) {
  occupyStandardStreams();
  installCrashHandler(argc, argv);
  Command command =
      parseCommandLine(llvm::ArrayRef(argv, argc), llvm::outs(), llvm::errs());
  return finishStandardStreams(
      std::visit([](auto &&options) { return run(options); }, command));
}
