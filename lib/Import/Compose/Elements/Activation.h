// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activation functions: what a layer applies to each element.

#ifndef AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ACTIVATION_H
#define AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ACTIVATION_H

#include "../../ValueBuilder.h"

namespace ambit::compose {

/// A function of one float, with parameters where it has some.
struct Activation {
  enum class Kind {
    Relu,            // max(0, x)
    Tanh,            // tanh(x)
    Sigmoid,         // 1 / (1 + exp(-x))
    Affine,          // alpha * x + beta
    LeakyRelu,       // x < 0 ? alpha * x : x
    ThresholdedRelu, // x > alpha ? x : 0
    ScaledTanh,      // alpha * tanh(beta * x)
    HardSigmoid,     // min(max(alpha * x + beta, 0), 1)
    Elu,             // x > 0 ? x : alpha * (exp(x) - 1)
    Selu,            // beta * (x > 0 ? x : alpha * (exp(x) - 1))
    Celu,            // max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
    Softsign,        // x / (1 + |x|)
    Softplus,        // log(1 + exp(x))
    HardSwish,       // x * min(max(x / 6 + 0.5, 0), 1)
    Mish,            // x * tanh(log(1 + exp(x)))
    Swish,           // x / (1 + exp(-alpha * x))
    Gelu,            // x * (1 + erf(x / sqrt(2))) / 2
    TanhGelu,        // the same with an approximation of erf by tanh
  };
  Kind kind;
  double alpha = 1, beta = 0;
};

/// The function of a scalar.
Value activate(ScalarBuilder &s, Value x, const Activation &activation);
/// The function of each element; only Relu takes integers.
Value activate(ValueBuilder &b, Value x, const Activation &activation);

/// x where it is not below 0, else slope * x; both broadcast.
Value parametricRelu(ValueBuilder &b, Value x, Value slope);
/// x - bias above lambda, x + bias below -lambda, else 0.
Value shrink(ValueBuilder &b, Value x, double bias, double lambda);
/// min(max(x, low), high); the bounds, scalars of the type of x, may be null.
Value clip(ValueBuilder &b, Value x, Value low, Value high);

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_COMPOSE_ELEMENTS_ACTIVATION_H
