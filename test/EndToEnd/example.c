/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An application in C11: loads a model object, prints what it is, runs it at
 * the shapes given and prints what came out, or the error.
 *
 *   example libmodel.so                     the signature only
 *   example libmodel.so batch=2,seq=7       a run on seeded data
 *   example libmodel.so seq=7 seq=128 ...   several runs with one context
 *
 * `NAME=VALUE` sets a symbol; INPUT.DIM=VALUE ("mask.1=9") one dim of an input,
 * to see a guard fail. Symbols that are not set are 1. The exit code is 1 when
 * a run was refused, 2 for wrong arguments. */

#include <ambit/runtime.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RANK 16

struct app {
  struct ambit_library library;
  struct ambit_context *context;
  struct ambit_counts counts;
  struct ambit_tensor *inputs, *outputs;
  int64_t *values; /* of symbols */
};

static const struct ambit_api *api(const struct app *app) {
  return app->library.api;
}

static void *allocate(size_t count, size_t bytes) {
  void *data = calloc(count ? count : 1, bytes ? bytes : 1);
  if (!data) {
    fputs("out of memory\n", stderr);
    exit(1);
  }
  return data;
}

static const char *type_name(int32_t dtype) {
  switch (dtype) {
  case AMBIT_FLOAT32:
    return "float32";
  case AMBIT_FLOAT64:
    return "float64";
  case AMBIT_INT32:
    return "int32";
  case AMBIT_INT64:
    return "int64";
  case AMBIT_UINT8:
    return "uint8";
  case AMBIT_BOOL:
    return "bool";
  default:
    return "other";
  }
}

static void print_tensor(const struct app *app, int32_t index, int is_output) {
  const struct ambit_model *model = app->library.model;
  struct ambit_tensor_info info;
  struct ambit_dim_info dim;
  if (is_output)
    api(app)->output(model, index, &info);
  else
    api(app)->input(model, index, &info);
  printf("%s %s: %s[", is_output ? "output" : "input", info.name,
         type_name(info.dtype));
  for (int32_t d = 0; d < info.rank; ++d) {
    if (is_output)
      api(app)->output_dim(model, index, d, &dim);
    else
      api(app)->input_dim(model, index, d, &dim);
    printf("%s%s", d ? ", " : "", dim.expr);
  }
  printf("]\n");
}

static void print_model(const struct app *app) {
  const struct ambit_model *model = app->library.model;
  printf("model %s\n", api(app)->model_name(model));
  for (int32_t i = 0; i < app->counts.inputs; ++i)
    print_tensor(app, i, 0);
  for (int32_t i = 0; i < app->counts.outputs; ++i)
    print_tensor(app, i, 1);
  for (int32_t i = 0; i < app->counts.symbols; ++i) {
    struct ambit_symbol_info symbol;
    api(app)->symbol(model, i, &symbol);
    printf("symbol %s: %" PRId64 "..", symbol.name, symbol.min);
    if (symbol.max != INT64_MAX)
      printf("%" PRId64, symbol.max);
    if (symbol.divisor > 1)
      printf(", a multiple of %" PRId64, symbol.divisor);
    printf("\n");
  }
  for (int32_t i = 0; i < app->counts.guards; ++i) {
    struct ambit_guard_info guard;
    api(app)->guard(model, i, &guard);
    printf("guard %s (%s)\n", guard.text, guard.origin);
  }
  for (int32_t i = 0; i < app->counts.variants; ++i) {
    struct ambit_variant_info variant;
    api(app)->variant(model, i, &variant);
    printf("variant %s (%s): %s\n", variant.name, variant.kind, variant.domain);
  }
}

/* Shapes of all inputs from the values of symbols. */
static void shape_inputs(struct app *app) {
  for (int32_t i = 0; i < app->counts.inputs; ++i)
    for (int32_t d = 0; d < app->inputs[i].rank; ++d) {
      struct ambit_dim_info dim;
      api(app)->input_dim(app->library.model, i, d, &dim);
      app->inputs[i].dims[d] =
          dim.symbol < 0 ? dim.value : app->values[dim.symbol];
    }
}

static int set_symbol(struct app *app, const char *name, int64_t value) {
  for (int32_t s = 0; s < app->counts.symbols; ++s) {
    struct ambit_symbol_info symbol;
    api(app)->symbol(app->library.model, s, &symbol);
    if (!strcmp(symbol.name, name)) {
      app->values[s] = value;
      return 1;
    }
  }
  return 0;
}

static int set_dim(struct app *app, const char *name, int64_t value) {
  const char *dot = strrchr(name, '.');
  if (!dot)
    return 0;
  for (int32_t i = 0; i < app->counts.inputs; ++i) {
    struct ambit_tensor_info info;
    int dim = atoi(dot + 1);
    api(app)->input(app->library.model, i, &info);
    if (strlen(info.name) == (size_t)(dot - name) &&
        !strncmp(info.name, name, (size_t)(dot - name)) && dim >= 0 &&
        dim < info.rank) {
      app->inputs[i].dims[dim] = value;
      return 1;
    }
  }
  return 0;
}

/* "batch=2,mask.1=9": all symbols first, then single dims over them. */
static int parse_shapes(struct app *app, const char *text) {
  for (int32_t s = 0; s < app->counts.symbols; ++s)
    app->values[s] = 1;
  for (int pass = 0; pass < 2; ++pass) {
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item = strtok(copy, ","); item; item = strtok(NULL, ",")) {
      char *equals = strchr(item, '=');
      if (!equals)
        return 0;
      *equals = 0;
      int64_t value = strtoll(equals + 1, NULL, 10);
      int is_symbol = set_symbol(app, item, value);
      if (!is_symbol && pass == 1 && !set_dim(app, item, value))
        return 0;
    }
    if (pass == 0)
      shape_inputs(app);
  }
  return 1;
}

/* Small numbers that are the same on every machine: in [0, 1) for floating
 * point, 0 or 1 otherwise, which most models take as indices and masks. */
static void fill(struct ambit_tensor *tensor) {
  uint32_t state = 12345;
  int32_t bits = ambit_dtype_bits(tensor->dtype);
  int64_t count = bits ? tensor->bytes * 8 / bits : 0;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    if (tensor->dtype == AMBIT_FLOAT32)
      ((float *)tensor->data)[i] = (float)(state >> 8) / 16777216.0f;
    else if (tensor->dtype == AMBIT_FLOAT64)
      ((double *)tensor->data)[i] = (double)(state >> 8) / 16777216.0;
    else if (tensor->dtype == AMBIT_INT64)
      ((int64_t *)tensor->data)[i] = state >> 31;
    else if (tensor->dtype == AMBIT_INT32)
      ((int32_t *)tensor->data)[i] = (int32_t)(state >> 31);
    else if (bits == 8)
      ((uint8_t *)tensor->data)[i] = (uint8_t)(state >> 31);
  }
}

/* Bytes for the shape of an input; a shape that is absurd gets none, and the
 * model then says what is wrong with it. */
static void allocate_input(struct ambit_tensor *tensor) {
  int64_t count = 1;
  for (int32_t d = 0; d < tensor->rank; ++d) {
    int64_t dim = tensor->dims[d];
    if (dim < 0 || dim > (1 << 20) || count > (1 << 28))
      return;
    count *= dim;
  }
  tensor->bytes = (count * ambit_dtype_bits(tensor->dtype) + 7) / 8;
  tensor->data = allocate((size_t)tensor->bytes, 1);
  fill(tensor);
}

static void print_output(const struct app *app, int32_t index) {
  const struct ambit_tensor *output = &app->outputs[index];
  struct ambit_tensor_info info;
  api(app)->output(app->library.model, index, &info);
  printf("  %s = %s[", info.name, type_name(output->dtype));
  for (int32_t d = 0; d < output->rank; ++d)
    printf("%s%" PRId64, d ? ", " : "", output->dims[d]);
  printf("]");
  int32_t bits = ambit_dtype_bits(output->dtype);
  int64_t count = bits ? output->bytes * 8 / bits : 0;
  for (int64_t i = 0; i < count && i < 4; ++i) {
    if (output->dtype == AMBIT_FLOAT32)
      printf(" %g", (double)((float *)output->data)[i]);
    else if (output->dtype == AMBIT_INT64)
      printf(" %" PRId64, ((int64_t *)output->data)[i]);
  }
  printf("%s\n", count > 4 ? " ..." : "");
}

/* The calls of an application with its own buffers: ask for the shapes of the
 * outputs, allocate, run. */
static int32_t run_once(struct app *app) {
  struct ambit_counts counts = app->counts;
  int32_t status = api(app)->output_shapes(
      app->context, app->inputs, counts.inputs, app->outputs, counts.outputs);
  if (status != AMBIT_OK)
    return status;
  for (int32_t i = 0; i < counts.inputs; ++i)
    allocate_input(&app->inputs[i]);
  for (int32_t i = 0; i < counts.outputs; ++i)
    app->outputs[i].data = allocate((size_t)app->outputs[i].bytes, 1);
  return api(app)->run(app->context, app->inputs, counts.inputs, app->outputs,
                       counts.outputs);
}

static int run_shapes(struct app *app, const char *text) {
  struct ambit_counts counts = app->counts;
  char why[4096];
  int64_t workspace = 0;
  for (int32_t i = 0; i < counts.outputs; ++i)
    app->outputs[i].rank = MAX_RANK;
  int32_t status = run_once(app);
  if (status == AMBIT_OK) {
    struct ambit_variant_info variant;
    int32_t chosen = api(app)->last_variant(app->context);
    api(app)->variant(app->library.model, chosen, &variant);
    printf("run %s: variant %s\n", text, variant.name);
    for (int32_t i = 0; i < counts.outputs; ++i)
      print_output(app, i);
    api(app)->workspace_bytes(app->context, app->inputs, counts.inputs,
                              &workspace);
    printf("  workspace %" PRId64 " bytes\n", workspace);
    api(app)->explain(app->context, app->inputs, counts.inputs, why,
                      sizeof why);
    for (char *line = strtok(why, "\n"); line; line = strtok(NULL, "\n"))
      printf("  %s\n", line);
  } else {
    printf("run %s: error %d: %s\n", text, (int)status,
           api(app)->last_error(app->context));
  }
  for (int32_t i = 0; i < counts.inputs; ++i) {
    free(app->inputs[i].data);
    app->inputs[i].data = NULL;
  }
  for (int32_t i = 0; i < counts.outputs; ++i) {
    free(app->outputs[i].data);
    app->outputs[i].data = NULL;
  }
  return status == AMBIT_OK ? 0 : 1;
}

static void prepare(struct app *app) {
  app->inputs = allocate((size_t)app->counts.inputs, sizeof *app->inputs);
  app->outputs = allocate((size_t)app->counts.outputs, sizeof *app->outputs);
  app->values = allocate((size_t)app->counts.symbols, sizeof *app->values);
  for (int32_t i = 0; i < app->counts.inputs; ++i) {
    struct ambit_tensor_info info;
    api(app)->input(app->library.model, i, &info);
    app->inputs[i].dtype = info.dtype;
    app->inputs[i].rank = info.rank;
    app->inputs[i].dims = allocate((size_t)info.rank, sizeof(int64_t));
  }
  for (int32_t i = 0; i < app->counts.outputs; ++i)
    app->outputs[i].dims = allocate(MAX_RANK, sizeof(int64_t));
}

static void cleanup(struct app *app) {
  for (int32_t i = 0; i < app->counts.inputs; ++i)
    free(app->inputs[i].dims);
  for (int32_t i = 0; i < app->counts.outputs; ++i)
    free(app->outputs[i].dims);
  free(app->inputs);
  free(app->outputs);
  free(app->values);
  if (app->library.api)
    api(app)->context_destroy(app->context);
  ambit_close(&app->library);
}

int main(int argc, char **argv) {
  struct app app;
  char why[512];
  int exit_code = 0;
  memset(&app, 0, sizeof app);
  if (argc < 2) {
    fputs("usage: example libmodel.so [symbol=value,...]...\n", stderr);
    return 2;
  }
  if (ambit_open(argv[1], &app.library, why, sizeof why) != AMBIT_OK ||
      app.library.api->context_create(app.library.model, NULL, &app.context,
                                      why, sizeof why) != AMBIT_OK) {
    fprintf(stderr, "%s\n", why);
    ambit_close(&app.library);
    return 1;
  }
  api(&app)->counts(app.library.model, &app.counts);
  print_model(&app);
  prepare(&app);
  for (int i = 2; i < argc; ++i) {
    if (!parse_shapes(&app, argv[i])) {
      fprintf(stderr,
              "'%s': expected symbol=value or input.dim=value of this "
              "model\n",
              argv[i]);
      exit_code = 2;
      break;
    }
    exit_code |= run_shapes(&app, argv[i]);
  }
  cleanup(&app);
  return exit_code;
}
