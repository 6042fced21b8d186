// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks the CPU, and the operating system through XCR0, for the features that
// the compiled code needs. Built for baseline x86-64, so it runs anywhere.

#include "internal.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

enum word {
  LEAF1_ECX,
  LEAF7_EBX,
  LEAF7_ECX,
  LEAF7_EDX,
  LEAF7_1_EAX,
  LEAF7_1_EDX,
  EXT1_ECX,
  WORD_COUNT
};

// Bits of XCR0: SSE and AVX state; for ZMM also opmask and both ZMM halves.
enum { OS_ANY = 0x00, OS_YMM = 0x06, OS_ZMM = 0xe6 };

struct cpu {
  unsigned words[WORD_COUNT];
  unsigned saved_state;
};

static struct cpu read_cpu(void) {
  struct cpu cpu;
  unsigned eax, ebx, ecx, edx;
  memset(&cpu, 0, sizeof cpu);
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
    cpu.words[LEAF1_ECX] = ecx;
    const unsigned osxsave = 1u << 27;
    if (ecx & osxsave) {
      unsigned low, high;
      __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
      cpu.saved_state = low;
    }
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    unsigned subleaves = eax;
    cpu.words[LEAF7_EBX] = ebx;
    cpu.words[LEAF7_ECX] = ecx;
    cpu.words[LEAF7_EDX] = edx;
    if (subleaves >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx)) {
      cpu.words[LEAF7_1_EAX] = eax;
      cpu.words[LEAF7_1_EDX] = edx;
    }
  }
  if (__get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx))
    cpu.words[EXT1_ECX] = ecx;
  return cpu;
}

static int has_feature(const struct cpu *cpu, const char *name) {
#define AMBIT_ISA(feature, word, bit, state)                                   \
  if (!strcmp(name, feature))                                                  \
    return (cpu->words[word] >> (bit) & 1) &&                                  \
           (cpu->saved_state & (state)) == (state);
#include "isa.def"
#undef AMBIT_ISA
  return 0;
}
#else
struct cpu {
  int unused;
};
static struct cpu read_cpu(void) { return (struct cpu){0}; }
static int has_feature(const struct cpu *cpu, const char *name) {
  (void)cpu, (void)name;
  return 0;
}
#endif

const char *ambit_missing_isa(const struct ambit_model *model) {
  const struct ambit_descriptor *descriptor = model->descriptor;
  if (!descriptor->isa_count)
    return NULL;
  struct cpu cpu = read_cpu();
  for (int32_t i = 0; i < descriptor->isa_count; ++i)
    if (!has_feature(&cpu, descriptor->isa[i]))
      return descriptor->isa[i];
  return NULL;
}
