// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the command line. CLI11 throws, so the files of this folder are
// compiled with exceptions; none leaves parseCommandLine.

#include "ambit/Driver/CommandLine.h"
#include "Help.h"
#include "Verbs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace ambit;
using llvm::StringRef;

/// Ends a usage error: the message, then where to read more.
static ExitCode usageError(llvm::raw_ostream &err, const llvm::Twine &message,
                           StringRef verb = "") {
  err << "ambit: error: " << message.str() << "\nsee 'ambit " << verb
      << (verb.empty() ? "" : " ") << "--help'\n";
  return ExitUsage;
}

static std::string didYouMean(StringRef word,
                              llvm::ArrayRef<std::string> candidates) {
  StringRef name = closestName(word, candidates);
  return name.empty() ? "" : ("; did you mean '" + name + "'?").str();
}

/// The names of a verb's options, as typed.
static std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options()) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

/// Reports the first word that no option and no argument took.
static ExitCode reportUnknown(const CLI::App &app, StringRef word,
                              StringRef verb, llvm::raw_ostream &err) {
  if (word.starts_with("-") && word.size() > 1) {
    StringRef name = word.split('=').first;
    return usageError(err,
                      "unknown option '" + name + "'" +
                          didYouMean(name, optionNames(app)),
                      verb);
  }
  if (!verb.empty())
    return usageError(err, "unexpected argument '" + word + "'", verb);
  std::vector<std::string> verbs;
  for (const VerbText &entry : allVerbs())
    verbs.push_back(entry.name.str());
  return usageError(err,
                    "unknown verb '" + word + "'" + didYouMean(word, verbs));
}

/// Puts one of CLI11's own errors into our words.
static std::string rephrase(const CLI::ParseError &error) {
  StringRef text = error.what();
  if (error.get_name() == "ArgumentMismatch")
    return "option '" + text.split(':').first.str() + "' needs a value";
  return text.str();
}

/// Options about variants that exclude each other, or "".
static std::string checkVariants(const VariantOptions &options) {
  if (options.buckets.empty() && !options.bucketKinds.empty())
    return "--bucket-kind: no symbol has buckets; give --bucket";
  if (!options.profile.empty() &&
      (!options.exact.empty() || !options.buckets.empty()))
    return "--profile: chooses the variants, without --exact and --bucket";
  return "";
}

/// `profile ACTION FILE...`, once it is complete.
static Command finishProfile(Parsed &parsed, llvm::raw_ostream &err) {
  std::vector<std::string> &words = parsed.profileWords;
  ProfileOptions &options = parsed.profile;
  auto fail = [&](const llvm::Twine &message) {
    return usageError(err, message, "profile");
  };
  if (words.empty())
    return fail("no action is given, expected merge or suggest");
  bool merges = words.front() == "merge";
  if (!merges && words.front() != "suggest")
    return fail("unknown action '" + words.front() +
                "', expected merge or suggest");
  options.action =
      merges ? ProfileOptions::Action::Merge : ProfileOptions::Action::Suggest;
  options.files.assign(words.begin() + 1, words.end());
  if (merges && options.json)
    return fail("--json: is for 'suggest'");
  if (!merges && options.output != "-")
    return fail("--output: is for 'merge'");
  if (merges && options.files.empty())
    return fail("no profile is given");
  if (!merges && options.files.size() != 2)
    return fail("expected a library and a profile, found " +
                llvm::Twine(options.files.size()) + " files");
  return std::move(options);
}

/// An option about shared objects, given where none is written; or "".
static StringRef findObjectOption(const CompileOptions &options) {
  if (options.emit == EmitKind::So &&
      options.stopAfter.value_or(Phase::Emit) == Phase::Emit)
    return "";
  if (options.maxBytes)
    return "--max-size";
  return options.cacheDir.empty() ? "" : "--cache-dir";
}

/// The verb's options, once they are complete.
static Command finish(const CLI::App &verb, Parsed &parsed,
                      llvm::raw_ostream &err) {
  StringRef name = verb.get_name();
  auto complete = [&](auto &options, StringRef what) -> Command {
    if (options.input.empty())
      return usageError(err, "no " + what + " is given", name);
    using Options = std::decay_t<decltype(options)>;
    if constexpr (std::is_base_of_v<ModelOptions, Options>)
      if (options.acceptProposals && options.samples.empty())
        return usageError(
            err, "--accept-proposals: needs samples from --from-samples", name);
    if constexpr (std::is_base_of_v<VariantOptions, Options>)
      if (std::string error = checkVariants(options); !error.empty())
        return usageError(err, error, name);
    if constexpr (std::is_same_v<PlanVerbOptions, Options>)
      if (options.html == "-" && options.json)
        return usageError(err, "--html: stdout is for --json", name);
    if constexpr (std::is_same_v<CompileOptions, Options>)
      if (StringRef option = findObjectOption(options); !option.empty())
        return usageError(
            err, option + ": is for shared objects, which this does not write",
            name);
    return std::move(options);
  };
  if (name == "compile")
    return complete(parsed.compile, "model");
  if (name == "inspect")
    return complete(parsed.inspect, "model or library");
  if (name == "profile")
    return finishProfile(parsed, err);
  if (name == "calibrate")
    return std::move(parsed.calibrate);
  if (name == "plan")
    return complete(parsed.plan, "model");
  if (name == "shapes")
    return complete(parsed.shapes, "model");
  return complete(parsed.run, "library");
}

Command ambit::parseCommandLine(llvm::ArrayRef<const char *> argv,
                                llvm::raw_ostream &out,
                                llvm::raw_ostream &err) {
  Parsed parsed;
  CLI::App app;
  declareAll(app, parsed);
  CLI::App *verb = nullptr;
  std::string badValue;
  try {
    app.parse(static_cast<int>(argv.size()), argv.data());
  } catch (const CLI::ParseError &error) {
    badValue = rephrase(error);
  }
  for (CLI::App *candidate : app.get_subcommands())
    verb = verb ? verb : candidate;
  CLI::App &active = verb ? *verb : app;
  StringRef verbName = verb ? StringRef(verb->get_name()) : "";
  if (active.count("--help") || active.count("--help-all")) {
    bool all = active.count("--help-all");
    verb ? printVerbHelp(*verb, all, out) : printMainHelp(app, all, out);
    return ExitSuccess;
  }
  if (app.count("--version")) {
    out << "ambit " AMBIT_VERSION "\n";
    return ExitSuccess;
  }
  std::vector<std::string> extras = app.remaining();
  if (verb)
    llvm::append_range(extras, verb->remaining());
  if (!extras.empty())
    return reportUnknown(active, extras.front(), verbName, err);
  if (!badValue.empty())
    return usageError(err, badValue, verbName);
  if (!verb)
    return usageError(err, "no verb is given");
  return finish(*verb, parsed, err);
}
