// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear expressions of one symbol, and their solution.

#include "ambit/Symbolic/LinearForm.h"

using namespace ambit;

std::optional<LinearForm> ambit::asLinear(Expr expr) {
  if (!expr.isValid())
    return std::nullopt;
  llvm::ArrayRef<Term> terms = expr.terms();
  if (terms.empty() || terms.size() > 2 || terms[0].factors.size() != 1 ||
      terms[0].factors[0]->kind != Atom::Kind::Symbol ||
      (terms.size() == 2 && !terms[1].factors.empty()))
    return std::nullopt;
  return LinearForm{terms[0].factors[0]->name, terms[0].coefficient,
                    terms.size() == 2 ? terms[1].coefficient : 0};
}

std::optional<int64_t> LinearForm::solve(int64_t value) const {
  int64_t multiple;
  if (__builtin_sub_overflow(value, offset, &multiple) ||
      (scale == -1 && multiple == INT64_MIN) || multiple % scale != 0)
    return std::nullopt;
  return multiple / scale;
}
