// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emitted expressions and conditions against their evaluation, at ordinary and
// at extreme values.

#include "../Symbolic/RandomTree.h"
#include "JitModel.h"
#include <catch2/catch.hpp>

using namespace ambit;
using namespace ambit::test;

static int64_t pickValue(Random &random) {
  static const int64_t values[] = {
      0,        1,        2, 3, 7, 8, 64, 1 << 20, 1l << 31, (1l << 32) + 1,
      1l << 61, INT64_MAX};
  return values[random.range(0, std::size(values) - 1)];
}

TEST_CASE("emitted expressions compute what evaluation computes") {
  Random random(11);
  unsigned wrong = 0, right = 0;
  for (unsigned round = 0; round < 40; ++round) {
    Expr expr = randomTree(random, 4)->build();
    if (!expr.isValid() || expr.constant())
      continue;
    std::set<std::string> names;
    expr.collectSymbols(names);
    std::string symbols, inputs;
    for (const std::string &name : names) {
      symbols += "sym.symbol \"" + name + "\" min 0 max 9223372036854775807\n";
      inputs += "dispatch.input \"in_" + name +
                "\" : tensor<?xf32, #sym.shape<[" + name + "]>>\n";
    }
    JitModel model(symbols + "sym.guard \"" + expr.str() +
                       " >= 5\"\ndispatch.model \"m\" {\n" + inputs +
                       "dispatch.output \"y\" : tensor<?xf32, #sym.shape<[\"" +
                       expr.str() +
                       "\"]>>\ndispatch.variant @v kind generic workspace "
                       "<[\"" +
                       expr.str() + "\"]>\n}\n",
                   {"v"});
    for (unsigned trial = 0; trial < 100; ++trial) {
      std::map<std::string, int64_t> values;
      for (const std::string &name : names)
        values[name] = pickValue(random);
      std::vector<int64_t> array = model.symbols(values);
      std::optional<int64_t> expected = expr.evaluate(values);
      int64_t dim = 0;
      int32_t status = model->output_dims(array.data(), &dim);
      // The order of operations may differ, and with it what overflows.
      if (status == 0 && expected) {
        if (dim != *expected)
          FAIL(expr.str() << " is " << dim << ", expected " << *expected);
        ++right;
        int32_t holds =
            model->guard_holds(model->guard_count - 1, array.data());
        REQUIRE(holds == (*expected >= 5));
        int64_t bytes = model->variants[0].workspace(array.data());
        REQUIRE(bytes == (*expected < 0 ? -1 : *expected));
      } else if (status != 0) {
        ++wrong;
        REQUIRE(model->guard_holds(model->guard_count - 1, array.data()) == 0);
        REQUIRE(model->variants[0].workspace(array.data()) == -1);
      }
    }
  }
  // Both kinds were seen.
  CHECK(right > 500);
  CHECK(wrong > 100);
}
