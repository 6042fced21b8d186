# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-kernels.py ALONE BESIDE: each kernel of ALONE is in BESIDE, text for text,
and its weights lie where they lie in BESIDE."""

import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def offsets(text):
    return re.search(r"ambit\.weight_offsets = array<i64: ([^>]*)>", text).group(1).split(", ")


def kernels(text):
    text = re.sub(r" loc\((?:[^()]|\([^()]*\))*\)", "", text)
    found = re.findall(r"^  func\.func private @(kernel_\w+)(.*?)^  }$", text, re.M | re.S)
    return dict(found)


texts = [read(path) for path in sys.argv[1:3]]
alone, beside = (kernels(text) for text in texts)
if len(alone) < 3 or len(beside) <= len(alone):
    sys.exit(f"{len(alone)} and {len(beside)} kernels: nothing to compare")
for name, body in alone.items():
    if name not in beside:
        sys.exit(f"{name} is missing beside other variants")
    if beside[name] != body:
        sys.exit(f"{name} differs beside other variants")
alone, beside = (offsets(text) for text in texts)
if len(alone) < 3 or beside[: len(alone)] != alone:
    sys.exit(f"weights at {alone} lie at {beside} beside other variants")
