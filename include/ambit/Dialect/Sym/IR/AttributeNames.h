// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of the attributes that phases leave for each other; the table in
// lib/README.md says what each means. `ambit.elements` is in SymDialect.h.

#ifndef AMBIT_DIALECT_SYM_IR_ATTRIBUTENAMES_H
#define AMBIT_DIALECT_SYM_IR_ATTRIBUTENAMES_H

#include "llvm/ADT/StringRef.h"

namespace ambit::attributes {

/// On the module: the model's name.
inline constexpr llvm::StringLiteral kModel = "ambit.model";
/// On arguments and results of `@main`: the tensor's name in the model.
inline constexpr llvm::StringLiteral kName = "ambit.name";
/// On a function, without a value: it is the body of a variant.
inline constexpr llvm::StringLiteral kVariant = "ambit.variant";
/// On a function of `graph` ops, without a value: it is a kernel.
inline constexpr llvm::StringLiteral kKernel = "ambit.kernel";
/// On a kernel, a `sym.shape`: the expressions that are its parameters.
inline constexpr llvm::StringLiteral kSizes = "ambit.sizes";
/// On a lowered kernel, an integer: how many sizes it takes.
inline constexpr llvm::StringLiteral kLoweredSizes = "ambit.lowered_sizes";
/// On a lowered kernel, a text: what data it may refuse.
inline constexpr llvm::StringLiteral kCheck = "ambit.check";
/// On a lowered body, a `sym.shape` of one: bytes of its arena.
inline constexpr llvm::StringLiteral kWorkspace = "ambit.workspace";
/// On the module: constants behind the symbol `ambit_weights`, and the byte
/// where each begins.
inline constexpr llvm::StringLiteral kWeights = "ambit.weights";
inline constexpr llvm::StringLiteral kWeightOffsets = "ambit.weight_offsets";

} // namespace ambit::attributes

#endif // AMBIT_DIALECT_SYM_IR_ATTRIBUTENAMES_H
