// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program `ambit`.

#include "ambit/Driver/CommandLine.h"

int main(int argc, char **argv) { return ambit::ambitMain(argc, argv); }
