// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inputs of a model: names, types, and the symbols in their dims.

#ifndef AMBIT_LIB_IMPORT_SIGNATURE_H
#define AMBIT_LIB_IMPORT_SIGNATURE_H

#include "ambit/Symbolic/Domain.h"
#include "mlir/IR/BuiltinTypes.h"

namespace ambit::compose {

struct Argument {
  std::string name;
  mlir::RankedTensorType type;
  /// Its elements as symbols, where shapes depend on them; of a float the bits,
  /// which only `values` gives a meaning.
  llvm::SmallVector<Expr> elements;
  /// What these are at every call, when that is known.
  std::optional<llvm::SmallVector<int64_t>> values;
};

struct Symbol {
  std::string name;
  SymbolRange range;
  /// The range was given with the options.
  bool isDeclared = false;
  /// It is an element of an input whose value was given with the options.
  bool isFixed = false;
  /// Values outside of the range count as its nearest end.
  bool saturates = false;
};

struct Signature {
  std::vector<Argument> arguments;
  /// In the order of their first appearance.
  std::vector<Symbol> symbols;
  /// What to warn of: texts that read like expressions and are taken for names.
  std::vector<std::string> warnings;

  Domain domain() const {
    Domain domain;
    for (const Symbol &symbol : symbols)
      domain.setRange(symbol.name, symbol.range);
    return domain;
  }
};

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_SIGNATURE_H
