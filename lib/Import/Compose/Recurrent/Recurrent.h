// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recurrent layers: a cell that runs over the steps of a sequence.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_RECURRENT_H
#define AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_RECURRENT_H

#include "../Elements/Activation.h"

namespace ambit::compose {

/// What one step computes. Gates are stacked in the rows of the weights, here
/// in this order; h is the state before the step and x its input, f, g and h()
/// the activation functions of the cell.
enum class CellKind {
  /// h' = f(x W + h R)
  Simple,
  /// Gates z, r, n: h' = (1 - z) n + z h, where z and r are f(x W + h R), and
  /// n = g(x W + (r h) R), or g(x W + r (h R + bias)) with `resetsAfter`.
  Gru,
  /// Gates i, o, f, n: c' = f c + i n and h' = o h(c'), where i and f are
  /// f(x W + h R + p c), o is f(x W + h R + p c'), and n = g(x W + h R).
  Lstm,
};

/// The number of gates, and of activation functions.
unsigned countGates(CellKind kind);
unsigned countActivations(CellKind kind);

struct RecurrentSpec {
  CellKind kind = CellKind::Simple;
  /// The number of elements of a state.
  int64_t hidden = 1;
  /// One or two directions: whether each runs from the last step to the first.
  SmallVector<bool> isReversed = {false};
  /// Those of the first direction, then those of the second.
  SmallVector<Activation> activations;
  /// Bounds what goes into an activation function, from both sides.
  std::optional<double> clip;
  /// The batch, not the sequence, is the first dim of inputs and results.
  bool isBatchFirst = false;
  /// For Gru: the reset gate acts on h R instead of on h.
  bool resetsAfter = false;
  /// For Lstm: the forget gate is 1 - i.
  bool couplesForget = false;
  /// Whether the states of all steps are asked for.
  bool wantsAll = true;
};

/// T steps of B sequences of I elements, D directions, G gates, H hidden
/// elements. All but the first three may be null.
struct RecurrentInputs {
  /// [T, B, I], [D, G * H, I], [D, G * H, H]
  Value x, weights, recurrent;
  /// [D, 2 * G * H]: of x W, then of h R.
  Value bias;
  /// [B], integers: after so many steps a sequence keeps its state, and gives
  /// 0.
  Value lengths;
  /// [D, B, H] each; 0 when absent. The second is for Lstm.
  Value state, cell;
  /// [D, 3 * H], of i, o and f, for Lstm.
  Value peepholes;
};

struct RecurrentResults {
  /// [T, D, B, H]: h after each step.
  Value all;
  /// [D, B, H]: h and, for Lstm, c after the last step.
  Value state, cell;
};

/// With `isBatchFirst` the dims are [B, T, I], [B, D, H] and [B, T, D, H]. All
/// floats have the type of x; 16-bit floats are computed in f32. Steps may be
/// of any number, 0 included. An error when shapes do not go together.
RecurrentResults recurrent(ValueBuilder &b, RecurrentInputs inputs,
                           const RecurrentSpec &spec);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_RECURRENT_RECURRENT_H
