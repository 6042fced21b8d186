#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# build-twice.sh CC SOURCE OUT: links twice.c with the runtime's sources.
set -euo pipefail
runtime=$2/lib/Runtime
# The compiler's arithmetic helpers are for compiled models only.
mapfile -t sources < <(ls "$runtime"/*.c | grep -v /builtins.c)
"$1" -std=c11 -O1 -shared -fPIC -fvisibility=hidden -I"$2/include" -I"$runtime" \
  "$(dirname "$0")/twice.c" "${sources[@]}" -o "$3"
