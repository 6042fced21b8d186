// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler writes into every model object for the runtime to read:
// constant tables plus a few compiled functions. The lowering of the dispatch
// dialect emits exactly these structs, field by field.

#ifndef AMBIT_LIB_RUNTIME_DESCRIPTOR_H
#define AMBIT_LIB_RUNTIME_DESCRIPTOR_H

#include <stdint.h>

#define AMBIT_DESCRIPTOR_VERSION 4

struct ambit_exec;

// One dimension of a declared tensor. `expr` is its text; `value` is the static
// extent, or -1. For an input, `symbol` is the index of the symbol that the dim
// names when it is a bare symbol, or -1.
struct ambit_desc_dim {
  const char *expr;
  int64_t value;
  int64_t symbol;
};

struct ambit_desc_tensor {
  const char *name;
  int32_t dtype; // enum ambit_dtype of ambit/runtime.h (ONNX numbering)
  int32_t rank;
  const struct ambit_desc_dim *dims;
};

// A size named by the model. Dim `dim` of input `input` gives its value: the
// dim is scale*symbol + offset, where `scale` is not 0. Or it is an element of
// that input, which has static dims and an integer type, and `dim` is -1. Or
// all three are -1: it has a definition in symbols before it, or a body sets it
// while it runs; it is -1 until then, and no function that is called before
// reads it.
struct ambit_desc_symbol {
  const char *name;
  int64_t min, max; // INT64_MIN, INT64_MAX: no bound
  int64_t divisor;
  int32_t input, dim;
  int64_t scale, offset;
  int64_t element;   // its number in row-major order, or -1
  int64_t saturates; // 1: an element out of range counts as the nearest in it
  const char *definition; // or null
};

// A size that meets others in a broadcast: its text, and the index of the
// symbol that it is when it is a bare one, or -1.
struct ambit_desc_size {
  const char *expr;
  int64_t symbol;
};

// guard_class: 0 range, 1 equality, 2 divisibility, 3 relation. A guard that
// says that sizes broadcast lists all of them: its text speaks of a name that
// the compiler gave.
struct ambit_desc_guard {
  const char *text;
  const char *origin; // "node 'Add_4'", "option --dim", "input 'ids' dim 1"
  int32_t guard_class, size_count;
  const struct ambit_desc_size *sizes;
};

// One compiled body. `domain` is its text ("seq == 128 && batch <= 8").
struct ambit_desc_variant {
  const char *name;
  const char *kind; // "exact", "range", "padded", "divisible", "generic"
  const char *domain;
  // 0 or a status; see ambit_exec for errors raised from data. Writes the
  // symbols that no input gives.
  int32_t (*body)(const void *const *inputs, void *const *outputs, void *arena,
                  int64_t *symbols, struct ambit_exec *exec);
  // Bytes of arena for these symbols; -1 when the size overflows 64 bits.
  int64_t (*workspace)(const int64_t *symbols);
  // 1 when the symbols lie in the domain. Used to explain a choice.
  int32_t (*admits)(const int64_t *symbols);
  // Places in the graph that may reject data (an index out of range). The body
  // reports by index; the text says which node and what was wrong.
  const char *const *checks;
  int64_t check_count;
};

struct ambit_descriptor {
  int32_t version;
  int32_t input_count, output_count, symbol_count;
  int32_t guard_count, variant_count, isa_count;
  const char *model_name;
  const char *manifest; // JSON text
  const struct ambit_desc_tensor *inputs, *outputs;
  const struct ambit_desc_symbol *symbols;
  const struct ambit_desc_guard *guards;
  const struct ambit_desc_variant *variants;
  const char *const *isa; // names of CPU features the code needs ("avx2")
  // Index of the first guard that fails, or -1. Runs after the runtime has
  // checked everything else.
  int32_t (*guards_failed)(const int64_t *symbols);
  // Index of the variant to run, or -1 when none admits these symbols.
  int32_t (*select)(const int64_t *symbols);
  // Writes what every input dim must be, input after input; -1 for a dim that
  // overflows. Returns 0.
  int32_t (*input_dims)(const int64_t *symbols, int64_t *dims);
  // Writes every output dim, output after output, row after row; returns 0, or
  // -1 when a product of dims of some tensor overflows.
  int32_t (*output_dims)(const int64_t *symbols, int64_t *dims);
  // The value of one guard, to explain; 1 holds, 0 does not.
  int32_t (*guard_holds)(int32_t guard, const int64_t *symbols);
  // What output_dims are at most, whatever the data; null when they depend on
  // no data. Then output_dims wants the symbols that a run has left.
  int32_t (*output_bounds)(const int64_t *symbols, int64_t *dims);
  // Computes the symbols that have definitions, in order; returns the first
  // that overflows, or -1. Null when there are none.
  int32_t (*define_symbols)(int64_t *symbols);
};

// State of one run that compiled code may touch.
struct ambit_exec {
  // -1, or the index of the variant's check that failed first; with the
  // offending value.
  int64_t failed_check;
  int64_t failed_value;
  // Runs task(arg, begin, end) on pieces of [0, count), of about `grain` at
  // least, on any threads, and returns when all are done. Null: there is only
  // the caller's thread.
  void (*parallel_for)(struct ambit_exec *exec, int64_t count, int64_t grain,
                       void (*task)(void *arg, int64_t begin, int64_t end),
                       void *arg);
  void *pool;
};

#endif // AMBIT_LIB_RUNTIME_DESCRIPTOR_H
