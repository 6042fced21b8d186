// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks at entry as one pass that only says yes or no: the way of every
// call that is in order. check.c makes the same checks slowly, to say what is
// wrong; what is accepted here must be accepted there.

#include "internal.h"

// The tables of the object itself are constants here, so that the compiler
// makes straight code of the loops over them. Branches are for what differs
// between models, never for what differs between calls: faults are collected
// and looked at once.
int ambit_accepts(struct ambit_context *context,
                  const struct ambit_tensor *inputs, int32_t input_count) {
  const struct ambit_descriptor *descriptor = &ambit_descriptor_instance;
  if (context->descriptor != descriptor)
    return 0;
  if (input_count != descriptor->input_count || (input_count && !inputs))
    return 0;
  const struct ambit_desc_tensor *wanted = descriptor->inputs;
  for (int32_t i = 0; i < input_count; ++i)
    if ((inputs[i].dtype ^ wanted[i].dtype) |
        (inputs[i].rank ^ wanted[i].rank) | (wanted[i].rank && !inputs[i].dims))
      return 0;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    const struct ambit_desc_symbol *symbol = &descriptor->symbols[s];
    context->symbols[s] = -1;
    if (symbol->input >= 0 &&
        !ambit_read_symbol(symbol, inputs, &context->symbols[s]))
      return 0;
  }
  if (descriptor->define_symbols &&
      descriptor->define_symbols(context->symbols) >= 0)
    return 0;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    const struct ambit_desc_symbol *symbol = &descriptor->symbols[s];
    int64_t value = context->symbols[s];
    if (symbol->input < 0 && !symbol->definition)
      continue;
    if (value < symbol->min || value > symbol->max ||
        (symbol->divisor > 1 && value % symbol->divisor))
      return 0;
  }
  const int64_t *expected = context->input_dims;
  descriptor->input_dims(context->symbols, context->input_dims);
  uint64_t differs = 0;
  int overflows = 0;
  for (int32_t i = 0; i < input_count; ++i) {
    const int64_t *dims = inputs[i].dims;
    int64_t bytes = (ambit_dtype_bits(wanted[i].dtype) + 7) / 8;
    for (int32_t d = 0; d < wanted[i].rank; ++d) {
      int64_t dim = dims[d];
      // A negative dim has its sign bit in the sum too.
      differs |= (uint64_t)(dim ^ *expected++) | ((uint64_t)dim >> 63);
      overflows |= __builtin_mul_overflow(bytes, dim + !dim, &bytes);
    }
  }
  return !differs && !overflows;
}
