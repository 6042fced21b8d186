# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""resize.py FOLDER sizes|OVER/UNDER,OVER/UNDER [exact|floored]: writes m.txt,
one Resize of x[a, b] for each mode, and m.runs, what they give in exact
fractions. With `sizes` the result has those of another tensor, else the scales
are the f32 next to the two fractions. The last word says which resized length
align_corners takes."""

import random
import struct
import sys
from fractions import Fraction
from math import ceil, floor

folder, which = sys.argv[1:3]
length = sys.argv[3] if len(sys.argv) > 3 else "exact"
HALF = Fraction(1, 2)
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"]
ROUNDINGS = {
    "floor": floor,
    "ceil": ceil,
    "round_prefer_floor": lambda x: ceil(x - HALF),
    "round_prefer_ceil": lambda x: floor(x + HALF),
}
CHOSEN = ROUNDINGS if which == "sizes" else ["ceil", "round_prefer_floor"]
MODES = [("nearest", c, r) for c in COORDINATES for r in CHOSEN]
MODES += [("linear", c, "floor") for c in COORDINATES]
scales = None
if which != "sizes":
    scales = []
    for text in which.split(","):
        (rounded,) = struct.unpack("f", struct.pack("f", Fraction(text)))
        scales.append(Fraction(rounded))


def position(i, coordinates, size, count, scale):
    if coordinates == "align_corners":
        resized = count if length == "floored" else size * scale
        return i * Fraction(size - 1) / (resized - 1) if resized > 1 else 0
    if coordinates == "asymmetric":
        return i / scale
    if coordinates == "pytorch_half_pixel" and count == 1:
        return 0
    return (i + HALF) / scale - HALF


def taps(i, mode, size, count, scale):
    """The elements that count, and how much."""
    kind, coordinates, rounding = mode
    x = position(i, coordinates, size, count, scale)
    if kind == "nearest":
        return [(min(max(ROUNDINGS[rounding](x), 0), size - 1), 1)]
    x = min(max(x, 0), size - 1)
    low = floor(x)
    return [(low, 1 - (x - low)), (min(low + 1, size - 1), x - low)]


def resize(mode, sizes, counts):
    ratios = scales or [Fraction(c, s) for c, s in zip(counts, sizes)]
    rows, columns = (
        [taps(i, mode, s, c, r) for i in range(c)]
        for s, c, r in zip(sizes, counts, ratios)
    )
    values = []
    for row in rows:
        for column in columns:
            total = sum(
                u * v * (y * sizes[1] + x) for y, u in row for x, v in column
            )
            values.append(f"{float(total):.9g}")
    return values


random.seed(7)
pairs = [((20, 20), (6, 33)), ((1, 2), (3, 1)), ((5, 1), (1, 7)), ((3, 40), (3, 17))]
pairs += [
    tuple((random.randint(1, 24), random.randint(1, 48)) for _ in range(2))
    for _ in range(36)
]
with open(f"{folder}/m.txt", "w") as file:
    outputs = ", ".join(f"float[?] y{n}" for n in range(len(MODES)))
    tensor = "float[a,b] x" + (", float[c,d] t" if not scales else "")
    file.write('<ir_version: 8, opset_import: ["" : 17]>\n')
    file.write(f"g ({tensor}) => ({outputs})\n")
    if scales:
        numbers = ", ".join(f"{float(s):.9g}" for s in scales)
        file.write(f"<float[2] scales = {{{numbers}}}>\n{{\n")
    else:
        file.write("{\n  sizes = Shape (t)\n")
    for n, (kind, coordinates, rounding) in enumerate(MODES):
        file.write(
            f'  y{n} = Resize <mode = "{kind}", nearest_mode = "{rounding}", '
            f'coordinate_transformation_mode = "{coordinates}"> '
            f'(x, , {"scales" if scales else ", sizes"})\n'
        )
    file.write("}\n")
with open(f"{folder}/m.runs", "w") as file:
    file.write("options --exact a=3 --exact b=40 ")
    file.write(f"--resize-length={length}\nstatics 40\n")
    for sizes, counts in pairs:
        if scales:
            counts = [floor(size * scale) for size, scale in zip(sizes, scales)]
        shape, target = (f"[{p},{q}]=" for p, q in (sizes, counts))
        other = "" if scales else f" ; t{target}ones"
        results = [
            f"y{n}{target}" + ",".join(resize(mode, sizes, counts))
            for n, mode in enumerate(MODES)
        ]
        file.write(f"x{shape}iota{other} -> {' ; '.join(results)}\n")
