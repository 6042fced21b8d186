// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks at entry, always made, in this order: count, dtype, rank, negative
// extents, static dims, dims that symbols are computed from, the other dims,
// ranges and divisors of symbols, sizes that overflow, guards. Compiled code
// relies on every one of them.

#include "internal.h"

int64_t ambit_tensor_bytes(int32_t dtype, int32_t rank, const int64_t *dims) {
  int64_t nonzero = 1, count = 1, bound;
  for (int32_t i = 0; i < rank; ++i) {
    if (__builtin_mul_overflow(nonzero, dims[i] ? dims[i] : 1, &nonzero))
      return -1;
    count = dims[i] ? count * dims[i] : 0;
  }
  int64_t bits = ambit_dtype_bits(dtype);
  if (__builtin_mul_overflow(nonzero, (bits + 7) / 8, &bound))
    return -1;
  int64_t each = bits < 8 ? 8 / bits : 1; // elements in a byte
  return bits < 8 ? count / each + (count % each != 0) : count * (bits / 8);
}

// "dim 1 ('seq') of input 'ids'", with the name only when it tells something.
static void append_dim(struct ambit_context *context, int32_t input,
                       int32_t dim) {
  const struct ambit_desc_tensor *tensor = &context->descriptor->inputs[input];
  const struct ambit_desc_dim *info = &tensor->dims[dim];
  ambit_append(context->error, sizeof context->error, "dim %d ", (int)dim);
  if (info->value < 0)
    ambit_append(context->error, sizeof context->error, "('%s') ", info->expr);
  ambit_append(context->error, sizeof context->error, "of input '%s'",
               tensor->name);
}

static void append_found(struct ambit_context *context, int32_t input,
                         int32_t dim, int64_t found) {
  context->error[0] = 0;
  append_dim(context, input, dim);
  ambit_append(context->error, sizeof context->error, " is %lld, expected ",
               (long long)found);
}

static int32_t check_types(struct ambit_context *context,
                           const struct ambit_tensor *inputs, int32_t count) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  if (count != descriptor->input_count || (count && !inputs))
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "%d inputs given, expected %d", inputs ? (int)count : 0,
                      (int)descriptor->input_count);
  for (int32_t i = 0; i < count; ++i) {
    const struct ambit_desc_tensor *want = &descriptor->inputs[i];
    if (inputs[i].dtype != want->dtype)
      return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                        "type of input '%s' is %s, expected %s", want->name,
                        ambit_dtype_name(inputs[i].dtype),
                        ambit_dtype_name(want->dtype));
    if (inputs[i].rank != want->rank)
      return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                        "rank of input '%s' is %d, expected %d", want->name,
                        (int)inputs[i].rank, (int)want->rank);
    if (want->rank && !inputs[i].dims)
      return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                        "dims of input '%s' are null, expected %d of them",
                        want->name, (int)want->rank);
  }
  for (int32_t i = 0; i < count; ++i)
    for (int32_t d = 0; d < inputs[i].rank; ++d)
      if (inputs[i].dims[d] < 0) {
        append_found(context, i, d, inputs[i].dims[d]);
        ambit_append(context->error, sizeof context->error, "at least 0");
        return AMBIT_INVALID_ARGUMENT;
      }
  return AMBIT_OK;
}

static int32_t check_static_dims(struct ambit_context *context,
                                 const struct ambit_tensor *inputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t i = 0; i < descriptor->input_count; ++i)
    for (int32_t d = 0; d < inputs[i].rank; ++d) {
      int64_t expected = descriptor->inputs[i].dims[d].value;
      if (expected < 0 || inputs[i].dims[d] == expected)
        continue;
      append_found(context, i, d, inputs[i].dims[d]);
      ambit_append(context->error, sizeof context->error, "%lld",
                   (long long)expected);
      return AMBIT_GUARD_FAILED;
    }
  return AMBIT_OK;
}

// "2*n for n in 1..64, a multiple of 8": what a dim must be that is no bare
// symbol.
static int32_t fail_form(struct ambit_context *context, int32_t s,
                         int64_t found) {
  const struct ambit_desc_symbol *symbol = &context->descriptor->symbols[s];
  const struct ambit_desc_tensor *input =
      &context->descriptor->inputs[symbol->input];
  char *text = context->error;
  size_t room = sizeof context->error;
  append_found(context, symbol->input, symbol->dim, found);
  ambit_append(text, room, "%s for %s ", input->dims[symbol->dim].expr,
               symbol->name);
  if (symbol->max == INT64_MAX)
    ambit_append(text, room, "at least %lld", (long long)symbol->min);
  else if (symbol->min == symbol->max)
    ambit_append(text, room, "= %lld", (long long)symbol->min);
  else
    ambit_append(text, room, "in %lld..%lld", (long long)symbol->min,
                 (long long)symbol->max);
  if (symbol->divisor > 1)
    ambit_append(text, room, ", a multiple of %lld",
                 (long long)symbol->divisor);
  return AMBIT_GUARD_FAILED;
}

// The input's dims are right, so only its memory can be at fault.
static int32_t fail_element(struct ambit_context *context,
                            const struct ambit_desc_symbol *symbol,
                            const struct ambit_tensor *input) {
  const char *name = context->descriptor->inputs[symbol->input].name;
  if (!input->data)
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "data of input '%s' is null, expected its elements: "
                      "shapes depend on them",
                      name);
  return ambit_fail(
      context, AMBIT_BUFFER_TOO_SMALL,
      "buffer of input '%s' has %lld bytes, expected %lld", name,
      (long long)input->bytes,
      (long long)ambit_tensor_bytes(input->dtype, input->rank, input->dims));
}

static int32_t bind_symbols(struct ambit_context *context,
                            const struct ambit_tensor *inputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    const struct ambit_desc_symbol *symbol = &descriptor->symbols[s];
    context->symbols[s] = -1;
    if (symbol->input < 0)
      continue;
    const struct ambit_tensor *input = &inputs[symbol->input];
    if (ambit_read_symbol(symbol, inputs, &context->symbols[s]))
      continue;
    return symbol->element < 0 ? fail_form(context, s, input->dims[symbol->dim])
                               : fail_element(context, symbol, input);
  }
  int32_t failed = descriptor->define_symbols
                       ? descriptor->define_symbols(context->symbols)
                       : -1;
  if (failed < 0)
    return AMBIT_OK;
  const struct ambit_desc_symbol *symbol = &descriptor->symbols[failed];
  ambit_fail(context, AMBIT_OVERFLOW, "size '%s' overflows 64 bits",
             symbol->name);
  ambit_append_values(context->error, sizeof context->error, context,
                      symbol->definition, " with ");
  return AMBIT_OVERFLOW;
}

static int32_t fail_dim(struct ambit_context *context, int32_t input,
                        int32_t dim, int64_t found, int64_t expected) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  const struct ambit_desc_dim *info = &descriptor->inputs[input].dims[dim];
  char *text = context->error;
  size_t room = sizeof context->error;
  append_found(context, input, dim, found);
  if (expected < 0) {
    ambit_append(text, room, "a size, but '%s' is none", info->expr);
    ambit_append_values(text, room, context, info->expr, " with ");
    return AMBIT_GUARD_FAILED;
  }
  ambit_append(text, room, "%lld", (long long)expected);
  if (info->symbol < 0) {
    ambit_append_values(text, room, context, info->expr, " with ");
    return AMBIT_GUARD_FAILED;
  }
  const struct ambit_desc_symbol *symbol = &descriptor->symbols[info->symbol];
  ambit_append(text, room, " as in dim %d of input '%s'", (int)symbol->dim,
               descriptor->inputs[symbol->input].name);
  return AMBIT_GUARD_FAILED;
}

static int32_t check_dims(struct ambit_context *context,
                          const struct ambit_tensor *inputs) {
  const int64_t *expected = context->input_dims;
  context->descriptor->input_dims(context->symbols, context->input_dims);
  for (int32_t i = 0; i < context->descriptor->input_count; ++i)
    for (int32_t d = 0; d < inputs[i].rank; ++d, ++expected)
      if (inputs[i].dims[d] != *expected)
        return fail_dim(context, i, d, inputs[i].dims[d], *expected);
  return AMBIT_OK;
}

// Where the range or the divisor of a symbol comes from is told by the first
// failing guard of that kind which is about this symbol alone. A range of one
// value is an equality.
static void append_symbol_origin(struct ambit_context *context, int32_t symbol,
                                 int is_divisor) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  char own[160], used[160];
  own[0] = 0;
  ambit_append_values(own, sizeof own, context,
                      descriptor->symbols[symbol].name, "");
  for (int32_t g = 0; g < descriptor->guard_count; ++g) {
    const struct ambit_desc_guard *guard = &descriptor->guards[g];
    if (guard->guard_class == AMBIT_GUARD_RELATION ||
        (guard->guard_class == AMBIT_GUARD_DIVISIBILITY) != is_divisor)
      continue;
    used[0] = 0;
    ambit_append_values(used, sizeof used, context, guard->text, "");
    if (__builtin_strcmp(own, used) ||
        descriptor->guard_holds(g, context->symbols))
      continue;
    ambit_append(context->error, sizeof context->error, " (rule from %s)",
                 guard->origin);
    return;
  }
}

static double number_of_bits(int64_t bits, int32_t dtype) {
  double number;
  float narrow;
  __builtin_memcpy(&number, &bits, sizeof number);
  __builtin_memcpy(&narrow, &bits, sizeof narrow);
  return dtype == AMBIT_FLOAT32 ? (double)narrow : number;
}

// The element of a float input is the one number that it must be.
static int32_t fail_float(struct ambit_context *context,
                          const struct ambit_desc_symbol *symbol, int32_t dtype,
                          int64_t found) {
  ambit_fail(context, AMBIT_GUARD_FAILED,
             "element %lld of input '%s' is %.9g, expected %.9g",
             (long long)symbol->element,
             context->descriptor->inputs[symbol->input].name,
             number_of_bits(found, dtype), number_of_bits(symbol->min, dtype));
  append_symbol_origin(context,
                       (int32_t)(symbol - context->descriptor->symbols), 0);
  return AMBIT_GUARD_FAILED;
}

static int32_t check_ranges(struct ambit_context *context,
                            const struct ambit_tensor *inputs) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    const struct ambit_desc_symbol *symbol = &descriptor->symbols[s];
    int64_t value = context->symbols[s];
    if (symbol->input < 0 && !symbol->definition)
      continue;
    int inside = symbol->min <= value && value <= symbol->max;
    if (inside && (symbol->divisor <= 1 || value % symbol->divisor == 0))
      continue;
    if (symbol->scale != 1 || symbol->offset != 0) {
      fail_form(context, s, inputs[symbol->input].dims[symbol->dim]);
      append_symbol_origin(context, s, inside);
      return AMBIT_GUARD_FAILED;
    }
    if (symbol->definition) {
      ambit_fail(context, AMBIT_GUARD_FAILED, "size '%s' is %lld", symbol->name,
                 (long long)value);
      ambit_append_values(context->error, sizeof context->error, context,
                          symbol->definition, " with ");
      ambit_append(context->error, sizeof context->error, ", expected ");
    } else if (symbol->element < 0)
      append_found(context, symbol->input, symbol->dim, value);
    else if (inputs[symbol->input].dtype == AMBIT_FLOAT32 ||
             inputs[symbol->input].dtype == AMBIT_FLOAT64)
      return fail_float(context, symbol, inputs[symbol->input].dtype, value);
    else
      ambit_fail(context, AMBIT_GUARD_FAILED,
                 "element %lld of input '%s' is %lld, expected ",
                 (long long)symbol->element,
                 descriptor->inputs[symbol->input].name, (long long)value);
    char *text = context->error;
    size_t room = sizeof context->error;
    if (inside)
      ambit_append(text, room, "a multiple of %lld",
                   (long long)symbol->divisor);
    else if (symbol->min == symbol->max)
      ambit_append(text, room, "%lld", (long long)symbol->min);
    else if (symbol->max == INT64_MAX)
      ambit_append(text, room, "at least %lld", (long long)symbol->min);
    else if (symbol->min == INT64_MIN)
      ambit_append(text, room, "at most %lld", (long long)symbol->max);
    else
      ambit_append(text, room, "%lld..%lld", (long long)symbol->min,
                   (long long)symbol->max);
    append_symbol_origin(context, s, inside);
    return AMBIT_GUARD_FAILED;
  }
  return AMBIT_OK;
}

static __attribute__((noinline, cold)) int32_t
diagnose(struct ambit_context *context, const struct ambit_tensor *inputs,
         int32_t input_count) {
  int32_t status = check_types(context, inputs, input_count);
  if (status == AMBIT_OK)
    status = check_static_dims(context, inputs);
  if (status == AMBIT_OK)
    status = bind_symbols(context, inputs);
  if (status == AMBIT_OK)
    status = check_dims(context, inputs);
  if (status == AMBIT_OK)
    status = check_ranges(context, inputs);
  if (status != AMBIT_OK)
    return status;
  for (int32_t i = 0; i < input_count; ++i)
    if (ambit_tensor_bytes(inputs[i].dtype, inputs[i].rank, inputs[i].dims) < 0)
      return ambit_fail(context, AMBIT_OVERFLOW,
                        "size of input '%s' overflows 64 bits",
                        context->descriptor->inputs[i].name);
  return AMBIT_OK;
}

int32_t ambit_bind(struct ambit_context *context,
                   const struct ambit_tensor *inputs, int32_t input_count) {
  context->error[0] = 0;
  if (ambit_accepts(context, inputs, input_count))
    return AMBIT_OK;
  return diagnose(context, inputs, input_count);
}

// Whether a size like this one stands before entry `entry` of the list, or it
// is 1: then it is not at fault.
static int is_repeated(const struct ambit_context *context,
                       const struct ambit_desc_guard *guard, int32_t entry) {
  int64_t symbol = guard->sizes[entry].symbol;
  if (symbol < 0)
    return 0;
  if (context->symbols[symbol] == 1)
    return 1;
  for (int32_t i = 0; i < entry; ++i)
    if (guard->sizes[i].symbol >= 0 &&
        context->symbols[guard->sizes[i].symbol] == context->symbols[symbol])
      return 1;
  return 0;
}

// "sizes that meet in node 'Add_4': a = 2 and b = 3; each must be 1 or the
// same".
static int32_t fail_broadcast(struct ambit_context *context,
                              const struct ambit_desc_guard *guard) {
  char *text = context->error;
  size_t room = sizeof context->error;
  ambit_fail(context, AMBIT_GUARD_FAILED,
             "sizes that meet in %s: ", guard->origin);
  const char *lead = "";
  for (int32_t i = 0; i < guard->size_count; ++i) {
    const struct ambit_desc_size *size = &guard->sizes[i];
    if (is_repeated(context, guard, i))
      continue;
    ambit_append(text, room, size->symbol < 0 ? "%s'%s'" : "%s%s", lead,
                 size->expr);
    if (size->symbol < 0)
      ambit_append_values(text, room, context, size->expr, " with ");
    else
      ambit_append(text, room, " = %lld",
                   (long long)context->symbols[size->symbol]);
    lead = " and ";
  }
  ambit_append(text, room, "; each must be 1 or the same");
  return AMBIT_GUARD_FAILED;
}

static __attribute__((noinline, cold)) int32_t
fail_guard(struct ambit_context *context, int32_t failed) {
  const struct ambit_desc_guard *guard = &context->descriptor->guards[failed];
  if (guard->size_count)
    return fail_broadcast(context, guard);
  ambit_fail(context, AMBIT_GUARD_FAILED, "rule '%s' fails", guard->text);
  ambit_append_values(context->error, sizeof context->error, context,
                      guard->text, " with ");
  ambit_append(context->error, sizeof context->error, " (rule from %s)",
               guard->origin);
  return AMBIT_GUARD_FAILED;
}

int32_t ambit_check(struct ambit_context *context,
                    const struct ambit_tensor *inputs, int32_t input_count) {
  int32_t status = ambit_bind(context, inputs, input_count);
  if (status != AMBIT_OK)
    return status;
  int32_t failed = context->descriptor->guards_failed(context->symbols);
  return failed < 0 ? AMBIT_OK : fail_guard(context, failed);
}

int32_t ambit_choose(struct ambit_context *context,
                     const struct ambit_tensor *inputs, int32_t input_count,
                     int32_t *variant) {
  int32_t status = ambit_check(context, inputs, input_count);
  if (status != AMBIT_OK)
    return status;
  const struct ambit_descriptor *descriptor = context->descriptor;
  *variant = descriptor->select(context->symbols);
  if (*variant >= 0)
    return AMBIT_OK;
  ambit_fail(context, AMBIT_GUARD_FAILED, "no variant covers these shapes");
  const char *lead = ": ";
  for (int32_t s = 0; s < descriptor->symbol_count; ++s) {
    if (descriptor->symbols[s].input < 0)
      continue;
    ambit_append(context->error, sizeof context->error, "%s%s = %lld", lead,
                 descriptor->symbols[s].name, (long long)context->symbols[s]);
    lead = ", ";
  }
  return AMBIT_GUARD_FAILED;
}
