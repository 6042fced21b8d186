// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of failures, written into a fixed buffer of the context.

#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int32_t ambit_fail(struct ambit_context *context, int32_t status,
                   const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(context->error, sizeof context->error, format, arguments);
  va_end(arguments);
  return status;
}

void ambit_append(char *text, size_t text_bytes, const char *format, ...) {
  size_t used = strlen(text);
  if (used + 1 >= text_bytes)
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, text_bytes - used, format, arguments);
  va_end(arguments);
}

static int is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '[';
}

static int names_symbol(const char *rule, const char *symbol) {
  size_t length = strlen(symbol);
  if (!length)
    return 0;
  for (const char *at = strstr(rule, symbol); at; at = strstr(at + 1, symbol))
    if ((at == rule || !is_name_char(at[-1])) && !is_name_char(at[length]))
      return 1;
  return 0;
}

void ambit_append_values(char *text, size_t text_bytes,
                         const struct ambit_context *context, const char *rule,
                         const char *lead) {
  const struct ambit_descriptor *descriptor = context->descriptor;
  for (int32_t i = 0; i < descriptor->symbol_count; ++i) {
    if (!names_symbol(rule, descriptor->symbols[i].name))
      continue;
    ambit_append(text, text_bytes, "%s%s = %lld", lead,
                 descriptor->symbols[i].name, (long long)context->symbols[i]);
    lead = ", ";
  }
}

const char *ambit_dtype_name(int32_t dtype) {
  static const char names[][16] = {
      "undefined",      "float32",    "uint8",
      "int8",           "uint16",     "int16",
      "int32",          "int64",      "string",
      "bool",           "float16",    "float64",
      "uint32",         "uint64",     "complex64",
      "complex128",     "bfloat16",   "float8e4m3fn",
      "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz",
      "uint4",          "int4",       "float4e2m1",
      "float8e8m0",     "uint2",      "int2"};
  if (dtype < 0 || dtype > AMBIT_INT2)
    return "unknown";
  return names[dtype];
}
