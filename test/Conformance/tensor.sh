#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# tensor.sh FILE VALUE...: writes a 1-D f32 TensorProto.
set -euo pipefail
file=$1
shift
{
  echo "dims: $# data_type: 1"
  printf 'float_data: %s\n' "$@"
} | protoc -I/usr/include --encode=onnx.TensorProto /usr/include/onnx/onnx.proto > "$file"
