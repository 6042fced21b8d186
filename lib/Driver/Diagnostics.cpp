// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints diagnostics with the names of nodes, which MLIR's own handler drops.

#include "ambit/Driver/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstdlib>

using namespace ambit;
using llvm::StringRef;

namespace {
/// What a location says to a person.
struct Place {
  mlir::FileLineColLoc file;
  llvm::SetVector<StringRef> nodes;
};
} // namespace

static void collectPlace(mlir::Location location, Place &place) {
  llvm::TypeSwitch<mlir::LocationAttr>(location)
      .Case([&](mlir::FileLineColLoc file) {
        if (!place.file)
          place.file = file;
      })
      .Case([&](mlir::NameLoc name) {
        place.nodes.insert(name.getName());
        collectPlace(name.getChildLoc(), place);
      })
      .Case([&](mlir::CallSiteLoc call) {
        collectPlace(call.getCallee(), place);
        collectPlace(call.getCaller(), place);
      })
      .Case([&](mlir::FusedLoc fused) {
        for (mlir::Location part : fused.getLocations())
          collectPlace(part, place);
      });
}

/// An option has a name that no node's file stands behind.
static bool blamesOption(const Place &place) {
  return !place.file && place.nodes.size() == 1 &&
         place.nodes.front().starts_with("--");
}

mlir::Location ambit::optionLocation(mlir::MLIRContext *context,
                                     StringRef option) {
  return mlir::NameLoc::get(mlir::StringAttr::get(context, option));
}

/// The mark is the metadata of a fused location.
mlir::InFlightDiagnostic ambit::emitInternalError(mlir::Location location) {
  mlir::MLIRContext *context = location.getContext();
  mlir::Location marked =
      mlir::FusedLoc::get({location}, mlir::UnitAttr::get(context), context);
  return mlir::emitError(marked) << "internal error: ";
}

static bool blamesUs(mlir::Location location) {
  auto fused = mlir::dyn_cast<mlir::FusedLoc>(location);
  return fused && mlir::isa_and_nonnull<mlir::UnitAttr>(fused.getMetadata());
}

void ambit::printColored(llvm::raw_ostream &out,
                         llvm::raw_ostream::Colors color, StringRef text) {
  const char *noColor = std::getenv("NO_COLOR");
  bool colored = out.has_colors() && !(noColor && *noColor);
  if (colored)
    out.changeColor(color, /*Bold=*/true);
  out << text;
  if (colored)
    out.resetColor();
}

void ambit::printError(llvm::raw_ostream &out, const llvm::Twine &message) {
  out << "ambit: ";
  printColored(out, llvm::raw_ostream::RED, "error: ");
  out << message.str() << '\n';
}

static void printSeverity(mlir::DiagnosticSeverity severity,
                          llvm::raw_ostream &out) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return printColored(out, llvm::raw_ostream::RED, "error: ");
  case mlir::DiagnosticSeverity::Warning:
    return printColored(out, llvm::raw_ostream::MAGENTA, "warning: ");
  case mlir::DiagnosticSeverity::Note:
    return printColored(out, llvm::raw_ostream::CYAN, "note: ");
  case mlir::DiagnosticSeverity::Remark:
    return printColored(out, llvm::raw_ostream::BLUE, "remark: ");
  }
}

/// Names that say themselves what they are: `input 'x'`.
static bool namesNoNode(StringRef name) {
  return name.ends_with("'") &&
         (name.starts_with("input '") || name.starts_with("initializer '"));
}

/// `node 'a': `, or `node 'a' (fused with 'b', 'c'): `.
static void printNodes(const Place &place, llvm::raw_ostream &out) {
  constexpr unsigned kMaxNodes = 4;
  if (place.nodes.empty())
    return;
  if (namesNoNode(place.nodes.front()))
    out << place.nodes.front();
  else
    out << "node '" << place.nodes.front() << "'";
  unsigned count = 0;
  for (StringRef node : llvm::drop_begin(place.nodes)) {
    if (++count == kMaxNodes) {
      out << " and " << place.nodes.size() - kMaxNodes << " more";
      break;
    }
    out << (count == 1 ? " (fused with '" : ", '") << node << "'";
  }
  out << (count ? "): " : ": ");
}

static void printDiagnostic(const mlir::Diagnostic &diagnostic,
                            const Place &place, llvm::raw_ostream &out) {
  if (!place.file) {
    out << "ambit";
  } else {
    out << place.file.getFilename().getValue();
    if (place.file.getLine() != 0)
      out << ':' << place.file.getLine() << ':' << place.file.getColumn();
  }
  out << ": ";
  printSeverity(diagnostic.getSeverity(), out);
  if (blamesOption(place))
    out << place.nodes.front() << ": ";
  else
    printNodes(place, out);
  out << diagnostic.str() << '\n';
}

DiagnosticPrinter::DiagnosticPrinter(mlir::MLIRContext *context,
                                     llvm::raw_ostream &out)
    : ScopedDiagnosticHandler(context), out(out) {
  setHandler([this](mlir::Diagnostic &diagnostic) { print(diagnostic); });
}

void DiagnosticPrinter::print(const mlir::Diagnostic &diagnostic) {
  Place place;
  collectPlace(diagnostic.getLocation(), place);
  if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
    ++errors;
    optionErrors += blamesOption(place);
    ownErrors += blamesUs(diagnostic.getLocation());
  }
  printDiagnostic(diagnostic, place, out);
  for (const mlir::Diagnostic &note :
       const_cast<mlir::Diagnostic &>(diagnostic).getNotes()) {
    Place notePlace;
    collectPlace(note.getLocation(), notePlace);
    bool samePlace = note.getLocation() == diagnostic.getLocation();
    if (!samePlace && (notePlace.file || !notePlace.nodes.empty())) {
      printDiagnostic(note, notePlace, out);
      continue;
    }
    printSeverity(note.getSeverity(), out);
    out << note.str() << '\n';
  }
}
