#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds what changed and runs every test; arguments go to ctest.
#   tools/test.sh                all tests
#   tools/test.sh -R Lint        some of them
set -euo pipefail
cd "$(dirname "$0")/.."

tools/setup.sh --build-only
NINJA_STATUS='[%f of %t, %e s] ' cmake --build build
exec ctest --test-dir build --output-on-failure "$@"
