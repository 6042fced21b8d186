// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a model may ask for. A small file can stand for a huge graph: functions
// that call functions, names that are repeated for every call. Work beyond
// these limits is refused before any of it is done.

#ifndef AMBIT_LIB_IMPORT_ONNX_LIMITS_H
#define AMBIT_LIB_IMPORT_ONNX_LIMITS_H

#include "../OnnxModel.h"

namespace ambit::onnx_import {

/// The nodes that all calls of functions may become together; real models stay
/// far below.
constexpr uint64_t kMaxInlinedNodes = 250000;
/// Calls within calls, and graphs within graphs.
constexpr unsigned kMaxCallDepth = 64;
/// Inputs that are no weights, and outputs; sizes that only a call tells. Each
/// takes code and tables in the object.
constexpr size_t kMaxArguments = 32768;
constexpr size_t kMaxSymbols = 32768;
/// The bytes of one name; of a node in a function, with those of the calls.
constexpr size_t kMaxNameBytes = 64 << 10;
/// The bytes of all names, those of inlined nodes and values as well.
constexpr size_t kMaxAllNameBytes = 256 << 20;

/// A name for a message: cut where it is long.
std::string shorten(llvm::StringRef name);

/// Emits an error for names that are too long, and for functions that become
/// too many nodes. Functions that call themselves are left to `flatten`.
mlir::LogicalResult checkLimits(const OnnxModel &model);

/// What tells a function from others: domain, name and overload.
std::string functionKey(const onnx::FunctionProto &function);
/// The function that a node would call.
std::string functionKey(const onnx::NodeProto &node);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_LIMITS_H
