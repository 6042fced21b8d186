// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares every verb and option with CLI11.

#include "Verbs.h"
#include "Help.h"
#include "OptionText.h"

using namespace ambit;
using llvm::StringRef;

namespace {

/// Reads one value of an option; returns what is wrong with it, or "".
using Reader = std::function<std::string(StringRef)>;

/// Adds options to one verb in one style: every value passes as text through
/// our own readers, so that all messages are ours.
class VerbBuilder {
public:
  VerbBuilder(CLI::App &app) : app(app) {
    app.set_help_flag();
    app.allow_extras();
    app.add_flag("-h,--help", "print this help and exit")->group("");
    app.add_flag("--help-all", "print all options and exit")->group("");
  }

  void group(StringRef name) { current = name.str(); }

  CLI::Option *repeatable(const char *name, const char *placeholder,
                          const char *help, Reader reader) {
    auto apply = [name, reader](const std::vector<std::string> &values) {
      for (const std::string &value : values)
        if (std::string error = reader(value); !error.empty())
          throw CLI::ValidationError(longName(name) + ": " + error);
    };
    return app.add_option_function<std::vector<std::string>>(name, apply, help)
        ->allow_extra_args(false)
        ->option_text(placeholder)
        ->group(current);
  }

  CLI::Option *once(const char *name, const char *placeholder, const char *help,
                    Reader reader) {
    auto seen = std::make_shared<bool>(false);
    return repeatable(name, placeholder, help, [=](StringRef value) {
      if (std::exchange(*seen, true))
        return std::string("is given twice");
      return reader(value);
    });
  }

  void text(const char *name, const char *placeholder, const char *help,
            std::string &target) {
    once(name, placeholder, help, [&target](StringRef value) {
      target = value.str();
      return value.empty() ? "the value is empty" : "";
    })->default_str(target);
  }

  template <typename Int>
  void number(const char *name, const char *placeholder, const char *help,
              Int &target, Int min, Int max) {
    Reader reader = [&target, min, max](StringRef value) -> std::string {
      if (!value.getAsInteger(10, target) && target >= min && target <= max)
        return "";
      return "expected an integer from " + std::to_string(min) + " to " +
             std::to_string(max) + ", found '" + value.str() + "'";
    };
    once(name, placeholder, help, reader)->default_str(std::to_string(target));
  }

  void flag(const char *name, const char *help, bool &target) {
    app.add_flag(name, target, help)->group(current);
  }

  /// The one argument without a name. Its absence is reported by us, after
  /// unknown options.
  void positional(const char *name, std::string &target) {
    app.add_option(name, target)->group("");
  }

  void positionals(const char *name, std::vector<std::string> &target) {
    app.add_option(name, target)->group("");
  }

private:
  static std::string longName(const char *names) {
    return StringRef(names).rsplit(',').second.empty()
               ? names
               : StringRef(names).rsplit(',').second.str();
  }

  CLI::App &app;
  std::string current;
};

} // namespace

static void addModelOptions(VerbBuilder &verb, ModelOptions &options) {
  verb.positional("MODEL", options.input);
  verb.group("Sizes");
  verb.repeatable("--dim", "NAME=LO..HI[%DIV]",
                  "sizes that NAME may have: a range, optionally multiples of "
                  "DIV only; 'NAME=LO..' has no upper bound; 'shape[0]' is "
                  "element 0 of input 'shape'",
                  [&](StringRef text) { return readDim(text, options.dims); });
  verb.repeatable(
      "--constraint", "CONDITION",
      "what sizes always satisfy, such as 'kv == past + seq' or '2*h <= w'; "
      "checked at every run",
      [&](StringRef text) {
        return readConstraint(text, options.constraints);
      });
  verb.repeatable(
      "--input-shape", "NAME=D0,D1,...",
      "replace the declared dims of an input: integers or expressions in "
      "symbols",
      [&](StringRef text) {
        return readInputShape(text, options.inputShapes);
      });
  verb.repeatable(
      "--value", "NAME=VALUE|[V,...]",
      "what an integer or bool input holds at every call, for inputs that "
      "steer the graph (axes, a mode); checked at every run",
      [&](StringRef text) { return readInputValue(text, options.values); });
  verb.flag("--strict-dims",
            "refuse a model whose dims are named by expressions of unknown "
            "sizes, which are taken for labels otherwise",
            options.strictDims);
  verb.text("--from-samples", "FILE",
            "a JSON list of observed input shapes: dims that never varied are "
            "fixed, relations are proposed",
            options.samples);
  verb.flag("--accept-proposals", "make the proposed relations guards",
            options.acceptProposals);
}

/// To be called where the advanced options of a verb are.
static void addAdvancedModelOptions(VerbBuilder &verb, ModelOptions &options) {
  verb.group(kAdvancedGroup);
  verb.repeatable("--external-data-dir", "DIR",
                  "external data of the model may also lie in DIR, where its "
                  "paths or links lead out of its own folder",
                  [&](StringRef text) -> std::string {
                    options.externalDataDirs.push_back(text.str());
                    return text.empty() ? "the value is empty" : "";
                  });
  verb.once("--resize-length", "exact|floored",
            "the resized length that a Resize by scales with align_corners "
            "computes positions from: size * scale, as in the tests of ONNX, "
            "or its floor, as in ONNX Runtime and PyTorch",
            [&](StringRef text) -> std::string {
              options.floorsResizeLength = text == "floored";
              return text == "floored" || text == "exact"
                         ? ""
                         : "expected exact or floored, found '" + text.str() +
                               "'";
            })
      ->default_str("exact");
}

/// Names joined by '|' for a placeholder or a message.
template <typename Range, typename GetName>
static std::string joinNames(const Range &range, GetName getName) {
  std::string text;
  for (const auto &entry : range)
    text += (text.empty() ? "" : "|") + getName(entry).str();
  return text;
}

static void addOutputOptions(VerbBuilder &verb, CompileOptions &options) {
  verb.group("Output");
  verb.text("-o,--output", "FILE", "where to write; '-' is stdout",
            options.output);
  static const std::string kinds =
      joinNames(allEmitKinds(), [](const auto &entry) { return entry.first; });
  verb.once("--emit", kinds.c_str(), "what to write",
            [&](StringRef text) -> std::string {
              for (const auto &[name, kind] : allEmitKinds()) {
                if (name == text) {
                  options.emit = kind;
                  return "";
                }
              }
              return "expected one of " + kinds + ", found '" + text.str() +
                     "'";
            })
      ->default_str(emitKindName(options.emit).str());
  verb.text("--target-cpu", "CPU",
            "processor the code is for; 'native' is this machine",
            options.targetCpu);
  verb.number("-O,--opt-level", "0..3", "effort of the optimizer",
              options.optLevel, 0u, 3u);
}

static void addLookingInside(VerbBuilder &verb, CompileOptions &options) {
  verb.group("Looking inside");
  verb.text("--dump-ir", "DIR", "write the IR after each phase to DIR",
            options.dumpIrDir);
  static const std::string phases = joinNames(allPhases(), phaseName);
  verb.once("--stop-after", "PHASE",
            "stop after a phase and write its IR; --help-all lists phases",
            [&](StringRef text) -> std::string {
              options.stopAfter = parsePhase(text);
              return options.stopAfter ? ""
                                       : "expected one of " + phases +
                                             ", found '" + text.str() + "'";
            });
  verb.flag("--explain", "say which variants exist and why", options.explain);
  verb.flag("--time-report", "print the time of each phase",
            options.timeReport);
}

static void addVariantOptions(VerbBuilder &verb, VariantOptions &options) {
  verb.repeatable(
      "--exact", "NAME=N,N,...", "add a variant for exactly these sizes",
      [&](StringRef text) { return readValues(text, options.exact); });
  verb.repeatable(
      "--bucket", "NAME=N,N,...|RULE",
      "add a variant for each interval that ends at one of these sizes; RULE "
      "is "
      "pow2, step:N or geometric:R, over the sizes that NAME may have",
      [&](StringRef text) { return readBuckets(text, options.buckets); });
  verb.repeatable(
      "--bucket-kind", "[NAME=]KIND",
      "what its variants do: 'range' computes each size as it is, 'padded' as "
      "the greatest of the interval, 'divisible:N' takes multiples of N only, "
      "'auto' pads those sizes for which that is expected to pay (default "
      "auto)",
      [&](StringRef text) {
        return readBucketKind(text, options.bucketKinds);
      });
  verb.text("--profile", "FILE",
            "choose all variants by the shapes that the model was called with "
            "(AMBIT_PROFILE=FILE in the environment of a run counts them)",
            options.profile);
}

static void addAdvancedVariantOptions(VerbBuilder &verb,
                                      VariantOptions &options) {
  verb.once(
          "--fallback", "generic|none",
          "the variant for sizes that no other admits; with 'none' the others "
          "must cover all sizes",
          [&](StringRef text) -> std::string {
            options.fallback = text == "generic";
            return text == "generic" || text == "none"
                       ? ""
                       : "expected generic or none, found '" + text.str() + "'";
          })
      ->default_str("generic");
  verb.once("--share-bodies", "auto|always|never",
            "let padded variants of the same symbols share one body, so that "
            "many cost little more than one; 'auto' if there are more than 8 "
            "for which sizes known in advance are expected to save too little",
            [&](StringRef text) { return readSharing(text, options.sharing); })
      ->default_str("auto");
  verb.text("--calibration", "FILE|cpu",
            "expect times of a processor that 'ambit calibrate' measured; "
            "'cpu' is this one, from the user's cache folder; without it every "
            "machine decides alike",
            options.calibration);
  verb.number("--max-variants", "N",
              "refuse to make more variants than this; with --profile, make "
              "the best so many",
              options.maxVariants, 1u, 4096u);
}

static void addSizeLimit(VerbBuilder &verb, SizeLimit &limit,
                         const char *help) {
  verb.once("--max-size", "BYTES", help,
            [&](StringRef text) { return readBytes(text, limit.maxBytes); });
}

static void addCompile(CLI::App &app, CompileOptions &options) {
  VerbBuilder verb(app);
  addModelOptions(verb, options);
  addVariantOptions(verb, options);
  addOutputOptions(verb, options);
  addLookingInside(verb, options);
  addAdvancedModelOptions(verb, options);
  addAdvancedVariantOptions(verb, options);
  verb.text("--cache-dir", "DIR",
            "keep compiled parts in DIR and use those that are there: a model "
            "that changed a little compiles faster, to the same bytes",
            options.cacheDir);
  addSizeLimit(verb, options,
               "refuse to write a shared object of more bytes: 20MB, 512KiB");
  verb.once("--padding-fill", "zero|nan|huge",
            "what padding holds where no operation needs anything of it; a "
            "test that results do not depend on it",
            [&](StringRef text) {
              return readPaddingFill(text, options.paddingFill);
            })
      ->default_str("zero");
  verb.flag(
      "--strip",
      "leave out the names of kernels, which profilers and debuggers show",
      options.strip);
}

static void addInspect(CLI::App &app, InspectOptions &options) {
  VerbBuilder verb(app);
  addModelOptions(verb, options);
  addVariantOptions(verb, options);
  verb.group("Output");
  verb.flag("--guards", "show the guards only", options.guards);
  verb.flag("--variants", "show the variants only", options.variants);
  verb.flag("--padding",
            "show where padded variants of a model set padding, which "
            "operations keep true sizes, and why",
            options.padding);
  verb.flag("--ops",
            "for each operator of a model: supported, or why not and where; "
            "exit code 1 if some are not",
            options.ops);
  verb.flag("--json", "print JSON", options.json);
  addAdvancedModelOptions(verb, options);
  addAdvancedVariantOptions(verb, options);
}

static void addPlan(CLI::App &app, PlanVerbOptions &options) {
  VerbBuilder verb(app);
  addModelOptions(verb, options);
  addVariantOptions(verb, options);
  verb.group("Output");
  verb.flag("--json", "print JSON", options.json);
  verb.text("--html", "FILE",
            "also write a page: a map of the variants over the sizes, with the "
            "traffic of --profile; '-' is stdout",
            options.html);
  addAdvancedModelOptions(verb, options);
  addAdvancedVariantOptions(verb, options);
  addSizeLimit(verb, options, "say when that is expected to be exceeded");
}

static void addProfile(CLI::App &app, std::vector<std::string> &words,
                       ProfileOptions &options) {
  VerbBuilder verb(app);
  verb.positionals("WORDS", words);
  verb.group("Output");
  verb.text("-o,--output", "FILE", "where 'merge' writes; '-' is stdout",
            options.output);
  verb.flag("--json", "print what 'suggest' finds as JSON", options.json);
}

static void addCalibrate(CLI::App &app, CalibrateOptions &options) {
  VerbBuilder verb(app);
  verb.group("Output");
  verb.text("-o,--output", "FILE",
            "where to write instead of the user's cache folder; '-' is stdout",
            options.output);
}

static void addShapes(CLI::App &app, ShapesOptions &options) {
  VerbBuilder verb(app);
  addModelOptions(verb, options);
  verb.repeatable(
      "--set", "NAME=N,...", "print the shapes for these sizes",
      [&](StringRef text) { return readAssignments(text, options.set); });
  verb.text("--why", "VALUE",
            "say where each dim of an input, node or output comes from",
            options.why);
  verb.group("Output");
  verb.flag("--json", "print JSON", options.json);
  addAdvancedModelOptions(verb, options);
}

static void addRun(CLI::App &app, RunOptions &options) {
  VerbBuilder verb(app);
  verb.positional("LIBRARY", options.input);
  verb.group("Inputs");
  verb.repeatable(
      "--input", "NAME=FILE", "read an input from a .npy or .pb file",
      [&](StringRef text) { return readInputFile(text, options.inputs); });
  verb.flag("--random", "fill the other inputs with random values",
            options.random);
  verb.number<uint64_t>("--seed", "N", "seed of the random values",
                        options.seed, 0, UINT64_MAX);
  verb.repeatable(
      "--set", "NAME=N,...", "sizes of the random inputs",
      [&](StringRef text) { return readAssignments(text, options.set); });
  verb.group("Running");
  verb.number("--repeat", "N", "run N times and report the times",
              options.repeat, 1u, 1000000000u);
  verb.number("--threads", "N", "threads to use; results stay the same",
              options.threads, 1u, 1024u);
  verb.group("Output");
  verb.text("--output-dir", "DIR", "write each output to DIR/NAME.npy",
            options.outputDir);
  verb.flag("--explain", "say which variant runs and why", options.explain);
  verb.flag("--json", "print JSON", options.json);
}

void ambit::declareAll(CLI::App &app, Parsed &parsed) {
  app.set_help_flag();
  app.allow_extras();
  app.add_flag("-h,--help", "print this help and exit")->group("Options");
  app.add_flag("--help-all", "print the help of all verbs and exit")
      ->group("Options");
  app.add_flag("--version", "print the version and exit")->group("Options");
  for (const VerbText &verb : allVerbs())
    app.add_subcommand(verb.name.str(), verb.summary.str());
  addCompile(*app.get_subcommand("compile"), parsed.compile);
  addInspect(*app.get_subcommand("inspect"), parsed.inspect);
  addPlan(*app.get_subcommand("plan"), parsed.plan);
  addProfile(*app.get_subcommand("profile"), parsed.profileWords,
             parsed.profile);
  addCalibrate(*app.get_subcommand("calibrate"), parsed.calibrate);
  addShapes(*app.get_subcommand("shapes"), parsed.shapes);
  addRun(*app.get_subcommand("run"), parsed.run);
}
