// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constraint language shared by the command line, ONNX dim_param text, IR
// and manifests.

#ifndef AMBIT_SYMBOLIC_PARSER_H
#define AMBIT_SYMBOLIC_PARSER_H

#include "ambit/Symbolic/Expr.h"
#include <string>

namespace ambit {

/// Where and why a text could not be read. `column` counts bytes from 0.
struct ParseError {
  size_t column = 0;
  std::string message;
  /// The message, the text, and a caret under the column, on three lines.
  std::string render(llvm::StringRef text) const;
};

/// Reads an expression. Grammar (usual precedence): integers, symbols
/// ([A-Za-z_][A-Za-z0-9_.:]*), `+ - *`, `//` (floor division), `%` (mod),
/// parentheses, floordiv(a,b) ceildiv(a,b) mod(a,b) min(a,...) max(a,...).
/// Returns nothing and fills `error` on failure.
std::optional<Expr> parseExpr(llvm::StringRef text, ParseError &error);

/// Reads `expr REL expr { || expr REL expr }` with REL one of == != <= < >= >.
std::optional<Condition> parseCondition(llvm::StringRef text,
                                        ParseError &error);

/// The text with `_` in place of all but letters and digits, as a part of the
/// name of a symbol, or of a function named after one.
std::string asNamePart(llvm::StringRef text);

} // namespace ambit

#endif // AMBIT_SYMBOLIC_PARSER_H
