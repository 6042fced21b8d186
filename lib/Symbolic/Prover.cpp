// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ambit/Symbolic/Domain.h"
using namespace ambit;
struct Prover::State {
  Domain domain;
};
Prover::Prover(Domain domain) : state(new State{std::move(domain)}) {}
Prover::~Prover() = default;
const Domain &Prover::domain() const { return state->domain; }
Truth Prover::prove(const Relation &r) {
  std::optional<int64_t> d = (r.lhs - r.rhs).constant();
  if (!d)
    return Truth::Unknown;
  return *Relation{r.kind, *d, Expr()}.evaluate({}) ? Truth::Yes : Truth::No;
}
Truth Prover::prove(const Condition &condition) {
  bool no = true;
  for (const Relation &r : condition.anyOf) {
    Truth t = prove(r);
    if (t == Truth::Yes)
      return t;
    no &= t == Truth::No;
  }
  return no ? Truth::No : Truth::Unknown;
}
Interval Prover::bounds(Expr expr) {
  if (auto c = expr.constant())
    return {*c, *c};
  return {};
}
Expr Prover::simplify(Expr expr) { return expr; }
std::optional<std::map<std::string, int64_t>>
ambit::findUncovered(const Domain &, llvm::ArrayRef<Domain>, bool &decided) {
  decided = false;
  return std::nullopt;
}
