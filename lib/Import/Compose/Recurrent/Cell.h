// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: one step of a recurrent layer, in one direction.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_CELL_H
#define AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_CELL_H

#include "Recurrent.h"

namespace ambit::compose {

/// What a step uses beside its input and state; absent values are null.
struct CellWeights {
  /// [H, G * H], without the columns that are in `candidate`.
  Value recurrent;
  /// For Gru, unless it resets after: the columns of gate n, [H, H].
  Value candidate;
  /// For Gru that resets after: the bias of gate n in h R, [H].
  Value candidateBias;
  /// For Lstm, [H] each.
  Value inputPeephole, outputPeephole, forgetPeephole;

  /// Replaces each value that is there.
  void forEach(llvm::function_ref<void(Value &)> visit) {
    for (Value *value : {&recurrent, &candidate, &candidateBias, &inputPeephole,
                         &outputPeephole, &forgetPeephole})
      if (*value)
        visit(*value);
  }
};

/// [B, H] each; `cell` is null but for Lstm.
struct CellState {
  Value hidden, cell;
};

/// The state after one step. `input` is x W plus the biases, [B, G * H]; the
/// functions are those of the direction.
CellState stepCell(ValueBuilder &b, const RecurrentSpec &spec,
                   ArrayRef<Activation> functions, const CellWeights &weights,
                   Value input, CellState before);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_CELL_H
