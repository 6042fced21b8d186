// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime as bitcode and as an object file, taken into this library by the
// assembler.

#define AMBIT_EMBED(name, path)                                                \
  __asm__(".pushsection .rodata." name ", \"a\"\n"                             \
          ".balign 16\n"                                                       \
          ".globl " name "\n"                                                  \
          ".hidden " name "\n"                                                 \
          ".globl " name "_end\n"                                              \
          ".hidden " name "_end\n" name ":\n"                                  \
          ".incbin \"" path "\"\n" name "_end:\n"                              \
          ".byte 0\n"                                                          \
          ".popsection\n")

AMBIT_EMBED("ambit_runtime_bitcode", AMBIT_RUNTIME_BITCODE);
AMBIT_EMBED("ambit_runtime_object", AMBIT_RUNTIME_OBJECT);
