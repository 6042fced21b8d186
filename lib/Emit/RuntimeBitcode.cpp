// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's bitcode, taken into this library by the assembler.

__asm__(".pushsection .rodata.ambit_runtime_bitcode, \"a\"\n"
        ".balign 16\n"
        ".globl ambit_runtime_bitcode\n"
        ".hidden ambit_runtime_bitcode\n"
        ".globl ambit_runtime_bitcode_end\n"
        ".hidden ambit_runtime_bitcode_end\n"
        "ambit_runtime_bitcode:\n"
        ".incbin \"" AMBIT_RUNTIME_BITCODE "\"\n"
        "ambit_runtime_bitcode_end:\n"
        ".byte 0\n"
        ".popsection\n");
