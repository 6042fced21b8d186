/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How an application uses a model that Ambit compiled: load the shared object,
 * ask what it is, create one context per calling thread, run. C11 and C++17.
 *
 *   struct ambit_library lib;
 *   char why[256];
 *   if (ambit_open("libmodel.so", &lib, why, sizeof why) != AMBIT_OK) ...
 *   struct ambit_context *context;
 *   lib.api->context_create(lib.model, NULL, &context, why, sizeof why);
 *   if (lib.api->run(context, inputs, 1, outputs, 1) != AMBIT_OK)
 *     puts(lib.api->last_error(context));
 *
 * A model is immutable and shared by all threads. A context serves one thread
 * at a time. Strings belong to the model and live until ambit_close. */

#ifndef AMBIT_RUNTIME_H
#define AMBIT_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows only when an older program could no longer use a newer object; tables
 * and option structs grow at their end without it (see `table_bytes`). */
#define AMBIT_ABI_VERSION 1

/* Element types; the values are those of ONNX's TensorProto.DataType. */
enum ambit_dtype {
  AMBIT_FLOAT32 = 1,
  AMBIT_UINT8 = 2,
  AMBIT_INT8 = 3,
  AMBIT_UINT16 = 4,
  AMBIT_INT16 = 5,
  AMBIT_INT32 = 6,
  AMBIT_INT64 = 7,
  AMBIT_STRING = 8, /* named, never supported */
  AMBIT_BOOL = 9,   /* one byte, 0 or 1 */
  AMBIT_FLOAT16 = 10,
  AMBIT_FLOAT64 = 11,
  AMBIT_UINT32 = 12,
  AMBIT_UINT64 = 13,
  AMBIT_COMPLEX64 = 14,
  AMBIT_COMPLEX128 = 15,
  AMBIT_BFLOAT16 = 16,
  AMBIT_FLOAT8E4M3FN = 17,
  AMBIT_FLOAT8E4M3FNUZ = 18,
  AMBIT_FLOAT8E5M2 = 19,
  AMBIT_FLOAT8E5M2FNUZ = 20,
  AMBIT_UINT4 = 21, /* two elements a byte, the first in the low half */
  AMBIT_INT4 = 22,
  AMBIT_UINT2 = 25, /* four elements a byte, the first in the lowest bits */
  AMBIT_INT2 = 26
};

enum ambit_status {
  AMBIT_OK = 0,
  AMBIT_INVALID_ARGUMENT = 1, /* count, dtype, rank, negative dim, null data */
  AMBIT_GUARD_FAILED = 2,     /* shapes outside what the model is proven for */
  AMBIT_BUFFER_TOO_SMALL = 3,
  AMBIT_OVERFLOW = 4, /* a size does not fit 63 bits */
  AMBIT_OUT_OF_MEMORY = 5,
  AMBIT_UNSUPPORTED_CPU = 6,
  AMBIT_DATA_ERROR = 7, /* the input's contents: an index, a count */
  AMBIT_BAD_OBJECT = 8, /* the file is no Ambit object, or of another ABI */
  AMBIT_INTERNAL_ERROR = 9
};

/* A dense row-major tensor in the caller's memory. `dims` holds `rank` extents;
 * null for rank 0. `data` is aligned to its element type and may be null when
 * the tensor has no elements. `bytes` is the capacity of `data`. */
struct ambit_tensor {
  void *data;
  int64_t bytes;
  int32_t dtype; /* enum ambit_dtype */
  int32_t rank;
  int64_t *dims;
};

struct ambit_counts {
  int32_t inputs, outputs, symbols, guards, variants;
};

struct ambit_tensor_info {
  const char *name;
  int32_t dtype; /* enum ambit_dtype */
  int32_t rank;
};

/* `expr` is the dim as text ("2*seq+1"); `value` its static extent, or -1;
 * `symbol` the index of the symbol that it is, or -1. */
struct ambit_dim_info {
  const char *expr;
  int64_t value;
  int32_t symbol;
};

/* A size known at run time. Dim `dim` of input `input` gives its value: that
 * dim is the symbol or a linear form of it ("2*n + 1"). Or the symbol is a
 * number that the input holds ("shape[0]"): its element `element`, and `dim` is
 * -1. Or it is computed at entry from other symbols, by `definition`; then all
 * of them are -1. Without `definition` too, the size depends on data, such as
 * the number of elements that are not 0: only a run finds its value. */
struct ambit_symbol_info {
  const char *name;
  int64_t min, max; /* INT64_MAX: no upper bound */
  int64_t divisor;
  int32_t input, dim;
  int64_t element;        /* in row-major order, or -1 */
  const char *definition; /* or null */
};

enum ambit_guard_class {
  AMBIT_GUARD_RANGE = 0,
  AMBIT_GUARD_EQUALITY = 1,
  AMBIT_GUARD_DIVISIBILITY = 2,
  AMBIT_GUARD_RELATION = 3
};

/* A condition checked at every entry: "seq <= 512", "node 'Expand_12'". */
struct ambit_guard_info {
  const char *text;
  const char *origin;
  int32_t guard_class; /* enum ambit_guard_class */
};

/* One compiled body; `domain` is the text of the shapes that it runs for. */
struct ambit_variant_info {
  const char *name;
  const char *kind; /* "exact", "range", "padded", "divisible", "generic" */
  const char *domain;
};

struct ambit_model;
struct ambit_context;

/* Zero-initialize, set `struct_bytes` to sizeof, then what matters to you. */
struct ambit_context_options {
  size_t struct_bytes;
  /* Threads of a run, its caller's among them, at most 1024; 0 means 1. They
   * live as long as the context. Results do not depend on the number. After
   * fork() a child may go on with a context that was not running: without the
   * threads. */
  int32_t threads;
  /* Both or neither. `allocate` returns null on failure; `alignment` is a power
   * of two and divides `bytes`. */
  void *(*allocate)(void *user, size_t alignment, size_t bytes);
  void (*release)(void *user, void *data, size_t bytes);
  void *user;
  /* The host's own threads instead: runs task(arg, begin, end) on pieces that
   * cover [0, count) once, in any order, and returns when all are done. Pieces
   * below `grain` are not worth a thread. All must round as the caller's does.
   */
  void (*parallel_for)(void *parallel_user, int64_t count, int64_t grain,
                       void (*task)(void *arg, int64_t begin, int64_t end),
                       void *arg);
  void *parallel_user;
};

/* What a model object exports. Functions return an ambit_status unless said
 * otherwise. Those that take a context leave a text in last_error on failure.
 *
 * "Shapes" are the model's inputs in order, of which only dtype, rank and dims
 * are read, and the data of those whose elements are symbols; every such
 * function makes the checks of `run` on them first. */
struct ambit_api {
  int32_t abi;         /* AMBIT_ABI_VERSION */
  int32_t table_bytes; /* of this struct as the object knows it */
  const struct ambit_model *model;

  /* The model. An index out of range is AMBIT_INVALID_ARGUMENT. */
  const char *(*model_name)(const struct ambit_model *);
  const char *(*manifest)(const struct ambit_model *); /* JSON */
  void (*counts)(const struct ambit_model *, struct ambit_counts *out);
  int32_t (*input)(const struct ambit_model *, int32_t input,
                   struct ambit_tensor_info *out);
  int32_t (*output)(const struct ambit_model *, int32_t output,
                    struct ambit_tensor_info *out);
  int32_t (*input_dim)(const struct ambit_model *, int32_t input, int32_t dim,
                       struct ambit_dim_info *out);
  int32_t (*output_dim)(const struct ambit_model *, int32_t output, int32_t dim,
                        struct ambit_dim_info *out);
  int32_t (*symbol)(const struct ambit_model *, int32_t symbol,
                    struct ambit_symbol_info *out);
  int32_t (*guard)(const struct ambit_model *, int32_t guard,
                   struct ambit_guard_info *out);
  int32_t (*variant)(const struct ambit_model *, int32_t variant,
                     struct ambit_variant_info *out);
  /* The first CPU feature that the code needs and this machine lacks, or null.
   * No compiled code runs on such a machine: context_create refuses. */
  const char *(*missing_isa)(const struct ambit_model *);

  /* A context: workspace and last error. `options` may be null. When it fails
   * the reason is written to `error` (which may be null). */
  int32_t (*context_create)(const struct ambit_model *,
                            const struct ambit_context_options *options,
                            struct ambit_context **out, char *error,
                            size_t error_bytes);
  void (*context_destroy)(struct ambit_context *); /* null is fine */
  /* Text of the last failure of this context, "" after a success. Never null;
   * valid until the next call on the context. */
  const char *(*last_error)(const struct ambit_context *);
  /* Index of the variant that the last successful run took, or -1. */
  int32_t (*last_variant)(const struct ambit_context *);

  /* Questions about shapes. A symbol that depends on data has the value -1. */
  int32_t (*symbol_values)(struct ambit_context *, const struct ambit_tensor *,
                           int32_t input_count, int64_t *values);
  /* 1 when the guard holds, 0 when not; other guards may fail meanwhile. */
  int32_t (*guard_holds)(struct ambit_context *, const struct ambit_tensor *,
                         int32_t input_count, int32_t guard, int32_t *holds);
  int32_t (*select)(struct ambit_context *, const struct ambit_tensor *,
                    int32_t input_count, int32_t *variant);
  /* Whether the shapes lie in the domain of one variant. */
  int32_t (*admits)(struct ambit_context *, const struct ambit_tensor *,
                    int32_t input_count, int32_t variant, int32_t *admits);
  /* The choice in words, a line per variant up to the chosen one; cut to
   * `text_bytes`, always terminated. */
  int32_t (*explain)(struct ambit_context *, const struct ambit_tensor *,
                     int32_t input_count, char *text, size_t text_bytes);
  /* Sets dtype, rank, dims and bytes (needed) of every output; data is left
   * alone. A dim that depends on data is given as what it can be at most, and
   * buffers must have room for that. On entry `rank` is the room in `dims`;
   * when `dims` is null it is set to an array of the context, valid until the
   * context is used again. */
  int32_t (*output_shapes)(struct ambit_context *, const struct ambit_tensor *,
                           int32_t input_count, struct ambit_tensor *outputs,
                           int32_t output_count);
  int32_t (*workspace_bytes)(struct ambit_context *,
                             const struct ambit_tensor *, int32_t input_count,
                             int64_t *bytes);

  /* Grows the workspace now, so that a later run does not. */
  int32_t (*reserve)(struct ambit_context *, const struct ambit_tensor *,
                     int32_t input_count);
  int32_t (*reserve_bytes)(struct ambit_context *, int64_t bytes);

  /* Runs the model into the caller's buffers: `data` and `bytes` of outputs are
   * read; dtype, rank and dims are set as by output_shapes, but dims that
   * depend on data to what they are, after the run, and the elements of such an
   * output stand densely in these dims at the start of its buffer. Inputs and
   * outputs must not overlap. Nothing is allocated once the workspace is large
   * enough. Nothing is written when a check of types, shapes, guards or buffers
   * fails; an error in data (AMBIT_DATA_ERROR: an index out of range, a size
   * that a guard forbids) is found on the way, and leaves outputs and their
   * dims as they happen to be. */
  int32_t (*run)(struct ambit_context *, const struct ambit_tensor *inputs,
                 int32_t input_count, struct ambit_tensor *outputs,
                 int32_t output_count);
  /* The same into memory of the context, which grows like the workspace: sets
   * data and bytes too. Valid until the next run_owned or context_destroy. */
  int32_t (*run_owned)(struct ambit_context *,
                       const struct ambit_tensor *inputs, int32_t input_count,
                       struct ambit_tensor *outputs, int32_t output_count);

  /* Counting the shapes of runs, for `ambit compile --profile`: 1 begins anew,
   * 0 ends it and forgets. Takes at most 1 MiB, and a few ns of a run. A
   * context counts from the start when the environment has AMBIT_PROFILE, the
   * path of a file to which context_destroy adds a line; context_create fails
   * when it cannot be written. */
  int32_t (*profile)(struct ambit_context *, int32_t on);
  /* What was counted so far, as a line of JSON; cut to `text_bytes`, always
   * terminated. `needed` is set to the bytes of the whole; `text` may be null.
   */
  int32_t (*profile_json)(struct ambit_context *, char *text, size_t text_bytes,
                          size_t *needed);
};

/* The one symbol that a model object exports, and its name. */
const struct ambit_api *ambit_query_v1(void);
#define AMBIT_QUERY_SYMBOL "ambit_query_v1"

/* Bits of one element; 0 for a type that no model takes. */
static inline int32_t ambit_dtype_bits(int32_t dtype) {
  static const unsigned char bits[] = {0, 32, 8,  8,  16, 16, 32,  64, 0,
                                       8, 16, 64, 32, 64, 64, 128, 16, 8,
                                       8, 8,  8,  4,  4,  0,  0,   2,  2};
  return dtype < 0 || dtype > AMBIT_INT2 ? 0 : bits[dtype];
}

#ifdef __cplusplus
}
#endif

/* ambit_open and ambit_close; a host that loads objects in its own way leaves
 * them out. */
#ifndef AMBIT_NO_LOADER
#include "ambit/loader.h"
#endif

#endif /* AMBIT_RUNTIME_H */
