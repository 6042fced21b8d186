#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From a fresh Debian 12 to a model that runs: installs the packages, builds the
# compiler, compiles the example model and runs it at several sizes. Tests and
# benchmarks are built by tools/test.sh.
set -euo pipefail
usage() {
  cat <<'TEXT'
Usage: tools/setup.sh [--build-only]

Installs the packages, builds the compiler, and compiles and runs an example.

  --build-only  no example
  -h, --help    show this text
TEXT
}
builds_only=
for option in "$@"; do
  case $option in
    --build-only) builds_only=yes ;;
    -h | --help) usage && exit 0 ;;
    *)
      printf "setup.sh: error: unknown argument '%s'\n" "$option" >&2
      usage >&2
      exit 2
      ;;
  esac
done
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }
run() { echo "+ $*"; "$@"; }

step "1 of 3: packages"
missing=()
for package in $(grep -v '^#' third_party/debian-packages.txt); do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing+=("$package")
done
if ((${#missing[@]})); then
  root=()
  ((EUID == 0)) || root=(sudo)
  "${root[@]}" apt-get update -q
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
else
  echo "all are installed"
fi

step "2 of 3: the compiler"
cmake -G Ninja -S . -B build
# What is done, how much there is, and the seconds so far.
NINJA_STATUS='[%f of %t, %e s] ' cmake --build build --target ambit onnx-from-text
[[ $builds_only ]] && exit 0

step "3 of 3: the example"
export PATH="$PWD/build/bin:$PATH"
example=build/example
mkdir -p "$example"
onnx-from-text < test/EndToEnd/Inputs/encoder.txt > "$example/encoder.onnx"
run ambit compile "$example/encoder.onnx" -o "$example/libencoder.so" \
  --dim batch=1..64 --dim seq=1..512 --exact batch=1 --bucket seq=16,64,512
run ambit inspect "$example/libencoder.so"
for sizes in batch=1,seq=7 batch=1,seq=40 batch=1,seq=300 batch=8,seq=40; do
  run ambit run "$example/libencoder.so" --random --set "$sizes"
done
