// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scaled dot-product attention (Vaswani et al., Attention Is All You Need,
// 2017), with grouped heads, caches and masks.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_ATTENTION_H
#define AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_ATTENTION_H

#include "../../ValueBuilder.h"
#include <optional>

namespace ambit::compose {

/// [batch, sequence, heads * size] as [batch, heads, sequence, size].
Value splitHeads(ValueBuilder &b, Value x, int64_t heads);
/// The reverse.
Value joinHeads(ValueBuilder &b, Value x);

/// Queries [batch, heads, rows, size], keys [batch, groups, columns, size],
/// values [batch, groups, columns, value size]; `heads` is a multiple of
/// `groups`, and that many heads in a row share one of the groups. All but
/// these three may be null.
struct AttentionInputs {
  Value queries, keys, values;
  /// What is added to the scores, or as bools, which keys take part. It
  /// broadcasts to [batch, heads, rows, columns], but for its columns: when it
  /// has fewer than there are keys, be it one, the others take no part.
  Value mask;
  /// Keys and values [batch, groups, past, ...] that stand before the new ones.
  Value pastKeys, pastValues;
  /// [batch]: how many keys of each batch count. The rest is padding.
  Value lengths;
};

struct AttentionSpec {
  /// Factor of the scores; 1 / sqrt(size) when there is none.
  std::optional<double> scale;
  /// Scores become cap * tanh(score / cap), unless it is 0.
  double softcap = 0;
  /// Query i sees keys up to i + offset: the number of past keys, or
  /// lengths - rows.
  bool isCausal = false;
  /// How many keys before and after its own place a query sees; all when
  /// negative.
  int64_t keysBefore = -1, keysAfter = -1;
  /// The type of the softmax; that of the queries when null.
  mlir::Type softmaxType;
};

/// The result [batch, heads, rows, value size], what past and new keys and
/// values are together, and the scores at each step: scaled, capped, masked,
/// and the weights. A row without any key has weights of 0.
struct Attention {
  Value result, keys, values;
  Value scaled, capped, masked, weights;
};
Attention attend(ValueBuilder &b, AttentionInputs inputs,
                 const AttentionSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ATTENTION_ATTENTION_H
