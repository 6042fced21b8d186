// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of help: examples first, then options by group, two columns.

#include "Help.h"
#include "ambit/Driver/Phase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace ambit;
using llvm::raw_ostream;
using llvm::StringRef;

static constexpr unsigned kTextColumn = 28, kWidth = 80;

llvm::ArrayRef<VerbText> ambit::allVerbs() {
  static constexpr VerbText verbs[] = {
      {"compile", "MODEL [options]", "compile a model into one shared object",
       "  ambit compile model.onnx -o libmodel.so --dim batch=1..64 \\\n"
       "    --dim seq=1..512 --bucket seq=16,64,128,512 --exact batch=1\n"
       "  ambit compile model.onnx --emit=graph --stop-after=infer\n"},
      {"inspect", "MODEL|LIBRARY [options]",
       "show signature, symbols, guards and variants",
       "  ambit inspect libmodel.so\n"
       "  ambit inspect model.onnx --json\n"},
      {"plan", "MODEL [options]",
       "show the variants and what they are expected to be worth",
       "  ambit plan model.onnx --dim seq=1..512 --bucket seq=pow2 \\\n"
       "    --bucket-kind auto\n"
       "  ambit plan model.onnx --profile traffic.json --html plan.html\n"},
      {"profile", "merge FILE... | suggest LIBRARY FILE",
       "add up counts of shapes, or say what they ask for",
       "  AMBIT_PROFILE=traffic.json ./server\n"
       "  ambit profile merge monday.json tuesday.json -o traffic.json\n"
       "  ambit profile suggest libmodel.so traffic.json\n"
       "  ambit compile model.onnx --profile traffic.json --max-variants 8\n"},
      {"calibrate", "[options]",
       "measure this processor for the times that plan expects",
       "  ambit calibrate\n"
       "  ambit calibrate -o server.json\n"
       "  ambit compile model.onnx --profile traffic.json \\\n"
       "    --calibration server.json\n"},
      {"shapes", "MODEL [options]",
       "show the shape of every value, without running anything",
       "  ambit shapes model.onnx\n"
       "  ambit shapes model.onnx --set batch=2,seq=37\n"},
      {"run", "LIBRARY [options]", "run a compiled model",
       "  ambit run libmodel.so --random --set batch=2,seq=37\n"
       "  ambit run libmodel.so --input ids=ids.npy --output-dir=out\n"},
  };
  return verbs;
}

/// Prints `left` and, from the text column on, `text` wrapped at word ends.
static void printRow(StringRef left, StringRef text, raw_ostream &out) {
  out << "  " << left;
  unsigned column = 2 + left.size();
  if (column + 2 > kTextColumn) {
    out << '\n';
    column = 0;
  }
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  bool first = true;
  for (StringRef word : words) {
    if (!first && column + 1 + word.size() > kWidth) {
      out << '\n';
      column = 0;
      first = true;
    }
    if (column < kTextColumn)
      column += (out.indent(kTextColumn - column), kTextColumn - column);
    out << (first ? "" : " ") << word;
    column += word.size() + !first;
    first = false;
  }
  out << '\n';
}

static void printOption(const CLI::Option &option, raw_ostream &out) {
  std::string left;
  for (const std::string &name : option.get_snames())
    left += (left.empty() ? "-" : ", -") + name;
  for (const std::string &name : option.get_lnames())
    left += (left.empty() ? "--" : ", --") + name;
  if (!option.get_option_text().empty())
    left += " " + option.get_option_text();
  std::string text = option.get_description();
  if (!option.get_default_str().empty())
    text += " (default " + option.get_default_str() + ")";
  printRow(left, text, out);
}

static void printOptions(const CLI::App &app, bool all, raw_ostream &out) {
  llvm::SmallVector<std::string> groups;
  for (const CLI::Option *option : app.get_options())
    if (!llvm::is_contained(groups, option->get_group()))
      groups.push_back(option->get_group());
  for (const std::string &group : groups) {
    if (group.empty() || (group == kAdvancedGroup && !all))
      continue;
    out << '\n' << group << ":\n";
    for (const CLI::Option *option : app.get_options())
      if (option->get_group() == group && !option->get_positional())
        printOption(*option, out);
  }
}

void ambit::printMainHelp(const CLI::App &app, bool all, raw_ostream &out) {
  out << "Compiles models with symbolic sizes into one self-contained shared "
         "object.\n\nExamples:\n"
         "  ambit compile model.onnx -o libmodel.so --dim seq=1..512 "
         "--bucket seq=64,512\n"
         "  ambit run libmodel.so --random --set seq=37\n\n"
         "Usage: ambit VERB [options]\n\nVerbs:\n";
  for (const VerbText &verb : allVerbs())
    printRow(verb.name, verb.summary, out);
  printOptions(app, all, out);
  out << "\nExit codes: 0 success, 1 model or environment at fault, 2 wrong "
         "usage,\n70 a bug in ambit, 128 + N ended by signal N.\n";
  if (!all) {
    out << "\n'ambit VERB --help' describes a verb, 'ambit --help-all' all of "
           "them.\n";
    return;
  }
  for (const VerbText &verb : allVerbs()) {
    out << "\n----\n";
    printVerbHelp(*app.get_subcommand(verb.name.str()), /*all=*/true, out);
  }
}

void ambit::printVerbHelp(const CLI::App &verb, bool all, raw_ostream &out) {
  const VerbText *text = llvm::find_if(allVerbs(), [&](const VerbText &entry) {
    return entry.name == verb.get_name();
  });
  out << "ambit " << text->name << ": " << text->summary << "\n\nExamples:\n"
      << text->examples << "\nUsage: ambit " << text->name << ' '
      << text->arguments << '\n';
  printOptions(verb, all, out);
  if (all && text->name == "compile") {
    out << "\nPhases, in order:\n";
    for (Phase phase : allPhases())
      printRow(phaseName(phase), phaseSummary(phase), out);
  }
  bool hidden = llvm::any_of(verb.get_options(), [](const CLI::Option *option) {
    return option->get_group() == kAdvancedGroup;
  });
  if (!all && hidden)
    out << "\n'ambit " << text->name
        << " --help-all' lists the advanced options too.\n";
}
