// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catch2's main, compiled once for every unit test.

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
