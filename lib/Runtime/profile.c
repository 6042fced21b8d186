// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the shapes that a context is asked for: an open hash table of at most
// 1 MiB from the values of the symbols that inputs give to a number of calls. A
// context belongs to one thread, so there is nothing to lock; what finds no
// place is counted together.

#define _POSIX_C_SOURCE 200809L

#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (1 << 20)
#define MOST_PROBES 32

struct ambit_profile {
  size_t bytes;
  int32_t width;    // symbols that inputs give
  int64_t capacity; // a power of two, or 0
  int64_t room;     // shapes that may still be added
  int64_t calls, other, refused;
  // Rows of a count, 0 for a free one, and a value for each of these symbols.
  int64_t *rows;
};

static int is_counted(const struct ambit_desc_symbol *symbol) {
  return symbol->input >= 0;
}

static int32_t begin(struct ambit_context *context) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  int32_t width = 0;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s)
    width += is_counted(&descriptor->symbols[s]);
  size_t row = sizeof(int64_t) * ((size_t)width + 1);
  size_t head = sizeof(struct ambit_profile);
  size_t capacity = 1;
  while (head + 2 * capacity * row <= MOST_BYTES)
    capacity *= 2;
  if (head + capacity * row > MOST_BYTES)
    capacity = 0;
  size_t bytes = (head + capacity * row + AMBIT_ALIGNMENT - 1) /
                 AMBIT_ALIGNMENT * AMBIT_ALIGNMENT;
  struct ambit_profile *profile =
      context->options.allocate(context->options.user, AMBIT_ALIGNMENT, bytes);
  if (!profile)
    return ambit_fail(context, AMBIT_OUT_OF_MEMORY,
                      "out of memory: the profile needs %lld bytes",
                      (long long)bytes);
  memset(profile, 0, bytes);
  profile->bytes = bytes;
  profile->width = width;
  profile->capacity = (int64_t)capacity;
  profile->room = (int64_t)(capacity - capacity / 4);
  profile->rows = (int64_t *)(profile + 1);
  context->profile = profile;
  return AMBIT_OK;
}

static void end(struct ambit_context *context) {
  if (context->profile)
    context->options.release(context->options.user, context->profile,
                             context->profile->bytes);
  context->profile = NULL;
}

int32_t ambit_profile_switch(struct ambit_context *context, int32_t on) {
  context->error[0] = 0;
  end(context);
  return on ? begin(context) : AMBIT_OK;
}

static uint64_t hash(const struct ambit_descriptor *descriptor,
                     const int64_t *values) {
  uint64_t h = 0;
  for (int32_t s = 0; s < descriptor->symbol_count; ++s)
    if (is_counted(&descriptor->symbols[s]))
      h = (h ^ (uint64_t)values[s]) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
  return h;
}

static int equals(const struct ambit_descriptor *descriptor,
                  const int64_t *values, const int64_t *row) {
  for (int32_t s = 0; s < descriptor->symbol_count; ++s)
    if (is_counted(&descriptor->symbols[s]) && values[s] != *row++)
      return 0;
  return 1;
}

void ambit_profile_count(struct ambit_context *context, int32_t status) {
  struct ambit_profile *profile = context->profile;
  const struct ambit_descriptor *descriptor = context->descriptor;
  const int64_t *values = context->symbols;
  if (status != AMBIT_OK) {
    ++profile->refused;
    return;
  }
  ++profile->calls;
  uint64_t at = profile->capacity ? hash(descriptor, values) : 0;
  for (int probe = 0; probe < MOST_PROBES && profile->capacity; ++probe, ++at) {
    int64_t *row = profile->rows + (int64_t)(at & (profile->capacity - 1)) *
                                       (profile->width + 1);
    if (*row && equals(descriptor, values, row + 1)) {
      ++*row;
      return;
    }
    if (*row)
      continue;
    if (!profile->room)
      break;
    --profile->room;
    int64_t *value = row;
    for (int32_t s = 0; s < descriptor->symbol_count; ++s)
      if (is_counted(&descriptor->symbols[s]))
        *++value = values[s];
    *row = 1;
    return;
  }
  ++profile->other;
}

//===-- As JSON -----------------------------------------------------------===//

// Text that is counted where there is no room for it.
struct writer {
  char *text;
  size_t bytes, used;
};

static void put(struct writer *out, const char *text) {
  for (; *text; ++text, ++out->used)
    if (out->used < out->bytes)
      out->text[out->used] = *text;
}

// A string in which every byte beyond ASCII is the code point of its value:
// names in models need not be UTF-8.
static void put_name(struct writer *out, const char *name) {
  put(out, "\"");
  for (; *name; ++name) {
    unsigned char byte = (unsigned char)*name;
    char text[] = {*name, 0, 0};
    if (byte < 32 || byte > 126) {
      text[0] = "0123456789abcdef"[byte / 16];
      text[1] = "0123456789abcdef"[byte % 16];
      put(out, "\\u00");
    } else if (byte == '"' || byte == '\\') {
      put(out, "\\");
    }
    put(out, text);
  }
  put(out, "\"");
}

static void put_number(struct writer *out, int64_t value) {
  char text[24] = "";
  char *at = text + sizeof text - 1;
  uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
  do
    *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--at = '-';
  put(out, at);
}

static void put_field(struct writer *out, const char *lead, int64_t value) {
  put(out, lead);
  put_number(out, value);
}

static void put_profile(struct writer *out,
                        const struct ambit_context *context) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  const struct ambit_profile *profile = context->profile;
  put_field(out, "{\"ambit_profile\":", 1);
  put(out, ",\"model\":");
  put_name(out, descriptor->model_name);
  put(out, ",\"inputs\":[");
  for (int32_t i = 0; i < descriptor->input_count; ++i) {
    put(out, i ? ",{\"name\":" : "{\"name\":");
    put_name(out, descriptor->inputs[i].name);
    put_field(out, ",\"dtype\":", descriptor->inputs[i].dtype);
    put_field(out, ",\"rank\":", descriptor->inputs[i].rank);
    put(out, "}");
  }
  put(out, "],\"symbols\":[");
  const char *comma = "";
  for (int32_t s = 0; s < descriptor->symbol_count; ++s)
    if (is_counted(&descriptor->symbols[s])) {
      put(out, comma);
      put_name(out, descriptor->symbols[s].name);
      comma = ",";
    }
  put_field(out, "],\"calls\":", profile->calls);
  put_field(out, ",\"other\":", profile->other);
  put_field(out, ",\"refused\":", profile->refused);
  put(out, ",\"shapes\":[");
  comma = "";
  for (int64_t r = 0; r < profile->capacity; ++r) {
    const int64_t *row = profile->rows + r * (profile->width + 1);
    if (!*row)
      continue;
    // The values, then how often.
    put(out, comma);
    put(out, "[");
    for (int32_t v = 1; v <= profile->width; ++v) {
      put_number(out, row[v]);
      put(out, ",");
    }
    put_number(out, *row);
    put(out, "]");
    comma = ",";
  }
  put(out, "]}\n");
}

int32_t ambit_profile_json(struct ambit_context *context, char *text,
                           size_t text_bytes, size_t *needed) {
  context->error[0] = 0;
  if (!context->profile)
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "this context counts no shapes");
  struct writer out = {text, text ? text_bytes : 0, 0};
  put_profile(&out, context);
  if (text && text_bytes)
    text[out.used < text_bytes ? out.used : text_bytes - 1] = 0;
  *needed = out.used + 1;
  return AMBIT_OK;
}

//===-- AMBIT_PROFILE -----------------------------------------------------===//

// A pipe that nobody reads must not hold up the program.
static int open_file(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK,
              0666);
}

// A path that cannot be written is told before the runs whose counts it would
// lose. That a pipe has no reader yet is no such thing.
int32_t ambit_profile_start(struct ambit_context *context) {
  const char *path = getenv("AMBIT_PROFILE");
  if (!path || !*path)
    return AMBIT_OK;
  int file = open_file(path);
  if (file < 0 && errno != ENXIO)
    return ambit_fail(context, AMBIT_INVALID_ARGUMENT,
                      "AMBIT_PROFILE names '%s', which cannot be written "
                      "(error %d of the system)",
                      path, errno);
  if (file >= 0)
    close(file);
  return begin(context);
}

// One write at the end of the file: contexts and processes share it.
static void append(const char *path, const char *text, size_t bytes) {
  int file = open_file(path);
  if (file < 0)
    return;
  while (bytes) {
    ssize_t written = write(file, text, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      break;
    text += written;
    bytes -= (size_t)written;
  }
  close(file);
}

void ambit_profile_finish(struct ambit_context *context) {
  const char *path = getenv("AMBIT_PROFILE");
  struct ambit_context_options *options = &context->options;
  size_t needed = 0;
  if (context->profile && path && *path &&
      context->profile->calls + context->profile->refused > 0) {
    ambit_profile_json(context, NULL, 0, &needed);
    size_t bytes =
        (needed + AMBIT_ALIGNMENT - 1) / AMBIT_ALIGNMENT * AMBIT_ALIGNMENT;
    char *text = options->allocate(options->user, AMBIT_ALIGNMENT, bytes);
    if (text) {
      ambit_profile_json(context, text, bytes, &needed);
      append(path, text, needed - 1);
      options->release(options->user, text, bytes);
    }
  }
  end(context);
}
