// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target CPUs and the features that an object asks for when it is loaded.

#include "ambit/Emit/Emit.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace ambit;

static std::vector<std::string> isaOf(std::string cpu) {
  EmitOptions options;
  options.targetCpu = std::move(cpu);
  auto isa = requiredIsa(options);
  REQUIRE(bool(isa));
  return *isa;
}

static std::string errorOf(EmitOptions options) {
  auto isa = requiredIsa(options);
  return isa ? "" : llvm::toString(isa.takeError());
}

TEST_CASE("the levels of x86-64 ask for their features", "[emit]") {
  CHECK(isaOf("x86-64").empty());
  std::vector<std::string> v3 = isaOf("x86-64-v3");
  for (const char *name : {"avx2", "fma", "bmi", "bmi2", "f16c", "lzcnt",
                           "movbe", "popcnt", "sse4.2"})
    CHECK(llvm::is_contained(v3, name));
  CHECK(!llvm::is_contained(v3, "avx512f"));
  std::vector<std::string> v4 = isaOf("x86-64-v4");
  for (const char *name :
       {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
    CHECK(llvm::is_contained(v4, name));
}

TEST_CASE("native resolves to this machine", "[emit]") {
  CHECK(llvm::is_contained(isaOf("native"), "cx16"));
}

TEST_CASE("an unknown CPU lists the known ones", "[emit]") {
  EmitOptions options;
  options.targetCpu = "pentium9";
  CHECK_THAT(errorOf(options),
             Catch::StartsWith("unknown target CPU 'pentium9', expected "
                               "'native' or one of: ") &&
                 Catch::Contains("x86-64-v3"));
  options.targetCpu = "i486";
  CHECK(errorOf(options) == "target CPU 'i486' is not a 64-bit one");
}

TEST_CASE("another triple is refused", "[emit]") {
  EmitOptions options;
  options.targetTriple = "aarch64-linux-gnu";
  CHECK(errorOf(options) == "target 'aarch64-linux-gnu' is not supported: "
                            "expected x86_64 with ELF objects");
}
