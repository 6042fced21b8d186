// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites errors at nodes, and groups them by their text.

#include "NodeDiagnostics.h"
#include "ambit/Symbolic/Parser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::onnx_import;
using llvm::StringRef;

NodeDiagnostics::NodeDiagnostics(MLIRContext *context)
    : ScopedDiagnosticHandler(context), context(context) {
  setHandler([this](Diagnostic &diagnostic) { return handle(diagnostic); });
}

/// Notes for the symbols of the expressions that the message quotes.
void NodeDiagnostics::noteOrigins(StringRef message, Diagnostic &diagnostic) {
  std::set<std::string> symbols;
  SmallVector<StringRef> parts;
  message.split(parts, '\'');
  for (size_t i = 1; i < parts.size(); i += 2) {
    ParseError error;
    if (std::optional<Condition> condition = parseCondition(parts[i], error))
      for (const Relation &relation : condition->anyOf) {
        relation.lhs.collectSymbols(symbols);
        relation.rhs.collectSymbols(symbols);
      }
    else if (std::optional<Expr> expr = parseExpr(parts[i], error))
      expr->collectSymbols(symbols);
  }
  for (const std::string &symbol : symbols)
    if (auto it = origins.find(symbol); it != origins.end())
      diagnostic.attachNote() << "'" << symbol << "' comes from " << it->second;
}

LogicalResult NodeDiagnostics::handle(Diagnostic &diagnostic) {
  if (isFlushing || diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  ++errors;
  std::string text = diagnostic.str();
  StringRef message = text;
  size_t end = message.find("' op ");
  if (message.starts_with("'graph.") && end != StringRef::npos)
    message = message.drop_front(end + 5);
  Diagnostic fresh(diagnostic.getLocation(), DiagnosticSeverity::Error);
  if (!place.opType.empty())
    fresh << place.opType << ": ";
  fresh << message;
  for (Diagnostic &note : diagnostic.getNotes())
    if (!StringRef(note.str()).starts_with("see current operation"))
      fresh.attachNote(note.getLocation()) << note.str();
  if (place.opType.empty()) {
    diagnostic = std::move(fresh);
    return failure();
  }
  noteOrigins(message, fresh);
  hold(place, std::move(fresh));
  return success();
}

void NodeDiagnostics::hold(const Place &at, Location loc,
                           const llvm::Twine &text) {
  ++errors;
  Diagnostic diagnostic(loc, DiagnosticSeverity::Error);
  diagnostic << text;
  hold(at, std::move(diagnostic));
}

void NodeDiagnostics::hold(const Place &at, Diagnostic diagnostic) {
  std::string text = diagnostic.str();
  auto known = llvm::find_if(reasons, [&](const Reason &reason) {
    return reason.fullName == at.fullName && reason.text == text;
  });
  if (known == reasons.end())
    reasons.push_back({at.fullName, text, std::move(diagnostic), {at.node}});
  else if (!llvm::is_contained(known->nodes, at.node))
    known->nodes.push_back(at.node);
}

void NodeDiagnostics::flush() {
  constexpr size_t kNamed = 5;
  isFlushing = true;
  for (Reason &reason : reasons) {
    ArrayRef<std::string> others = ArrayRef(reason.nodes).drop_front();
    if (!others.empty()) {
      Diagnostic &note = reason.diagnostic.attachNote();
      note << "the same at " << others.size() << " more "
           << (others.size() == 1 ? "node" : "nodes") << ": ";
      llvm::interleave(
          others.take_front(kNamed),
          [&](const std::string &name) { note << "'" << name << "'"; },
          [&] { note << ", "; });
      if (others.size() > kNamed)
        note << ", ...";
    }
    context->getDiagEngine().emit(std::move(reason.diagnostic));
  }
  isFlushing = false;
  reasons.clear();
}

void NodeDiagnostics::report(
    std::map<std::string, OperatorSupport> &operators) const {
  for (const Reason &reason : reasons)
    operators[reason.fullName].problems.push_back({reason.text, reason.nodes});
}
