#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds what changed and runs every test; arguments go to ctest.
set -euo pipefail
usage() {
  cat <<'TEXT'
Usage: tools/test.sh [-R REGEX] [-E REGEX] [-L LABEL] [-j JOBS] [-V]

Builds what changed and runs the tests, all of them or those whose names the
options of ctest select, such as '-R Lint'.

  -R REGEX    only tests whose name matches
  -E REGEX    no tests whose name matches
  -L LABEL    only tests whose label matches
  -j JOBS     at most so many at once
  -V          show what the tests print
  -h, --help  show this text
TEXT
}
refuse() {
  printf "test.sh: error: %s\n" "$1" >&2
  usage >&2
  exit 2
}
options=("$@")
while (($#)); do
  case $1 in
    -R | -E | -L | -j)
      (($# > 1)) || refuse "'$1' needs a value"
      shift 2
      ;;
    -j[0-9]* | -V) shift ;;
    -h | --help) usage && exit 0 ;;
    *) refuse "unknown argument '$1'" ;;
  esac
done
cd "$(dirname "$0")/.."

tools/setup.sh --build-only

# ONNX's own node tests: the only package that building can do without.
data=libonnx-testdata
if ! dpkg-query -W -f '${Status}' $data 2>/dev/null | grep -q 'ok installed'; then
  root=()
  ((EUID == 0)) || root=(sudo -n)
  ("${root[@]}" apt-get update -q &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends $data) ||
    echo "test.sh: warning: $data cannot be installed, its tests are skipped"
fi

NINJA_STATUS='[%f of %t, %e s] ' cmake --build build
exec ctest --test-dir build --output-on-failure ${options[@]+"${options[@]}"}
