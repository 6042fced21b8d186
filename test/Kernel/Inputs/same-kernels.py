# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-kernels.py ALONE BESIDE: each kernel of ALONE is in BESIDE, text for text."""

import re
import sys


def kernels(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", file.read())
    found = re.findall(r"^  func\.func private @(kernel_\w+)(.*?)^  }$", text, re.M | re.S)
    return dict(found)


alone, beside = (kernels(path) for path in sys.argv[1:3])
if len(alone) < 3 or len(beside) <= len(alone):
    sys.exit(f"{len(alone)} and {len(beside)} kernels: nothing to compare")
for name, body in alone.items():
    if name not in beside:
        sys.exit(f"{name} is missing beside other variants")
    if beside[name] != body:
        sys.exit(f"{name} differs beside other variants")
