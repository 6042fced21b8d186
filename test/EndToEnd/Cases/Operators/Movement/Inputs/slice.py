# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slice.py FOLDER STEP|constants|half: writes m.txt, slices of x[n], and m.runs,
what ONNX says that they give for n from 0 to 4. With a step, the bounds are
inputs of the model; `constants` has one slice for each pair of bounds and some
steps, beside each other; `half` starts at n / 2 - 1."""

import sys

folder, which = sys.argv[1:]
LEAST, MOST = -(2**63), 2**63 - 1
BOUNDS = [LEAST, *range(-6, 7), MOST]


def cut(size, start, end, step):
    """The elements that a slice of 0, 1, ... takes: bounds count from the end
    when negative, then they are clamped; backward, the end may be before 0."""
    if size == 0:
        return []
    low, high = (0, size) if step > 0 else (-1, size - 1)
    start, end = (b + size if b < 0 else b for b in (start, end))
    start = min(max(start, 0), high)
    return list(range(start, min(max(end, low), high), step))


def output(name, values):
    return f"{name}[{len(values)}]={','.join(map(str, values))}"


def write(model, runs, options="options --exact n=3\nstatics 1000\n"):
    with open(f"{folder}/m.txt", "w") as file:
        file.write('<ir_version: 8, opset_import: ["" : 17]>\n' + model)
    with open(f"{folder}/m.runs", "w") as file:
        file.write(options + "\n".join(runs) + "\n")


def by_inputs(step):
    write(
        "g (float[n] x, int64[1] start, int64[1] end) => (float[?] y)\n"
        f"<int64[1] axis = {{0}}, int64[1] step = {{{step}}}>\n"
        "{ y = Slice (x, start, end, axis, step) }\n",
        [
            f"x[{size}]=iota ; start[1]={start} ; end[1]={end} -> "
            + output("y", cut(size, start, end, step))
            for size in range(5)
            for start in BOUNDS
            for end in BOUNDS
        ],
    )


def by_constants():
    cases = [
        (start, end, step)
        for start in (-6, -1, 0, 2, MOST)
        for end in (LEAST, -2, 0, 3, MOST)
        for step in (-2, -1)
    ]
    cases += [(s, e, LEAST) for s in (-1, 2) for e in (LEAST, 0)]
    cases += [(s, e, MOST) for s in (-1, 2) for e in (0, MOST)]
    names = ", ".join(f"float[?] y{k}" for k in range(len(cases)))
    numbers = sorted({number for case in cases for number in case})
    model = f"g (float[n] x) => ({names})\n<int64[1] axis = {{0}}, " + ", ".join(
        f"int64[1] c{k} = {{{number}}}" for k, number in enumerate(numbers)
    )
    model += ">\n{\n"
    for k, (start, end, step) in enumerate(cases):
        of = numbers.index
        model += f"  y{k} = Slice (x, c{of(start)}, c{of(end)}, axis, c{of(step)})\n"
    write(
        model + "}\n",
        [
            f"x[{size}]=iota -> "
            + " ; ".join(
                output(f"y{k}", cut(size, *case)) for k, case in enumerate(cases)
            )
            for size in range(5)
        ],
        "options --exact n=3\nstatics 2\n",
    )


def from_half():
    write(
        "g (float[n] x) => (float[?] y)\n"
        "<int64[1] one = {1}, int64[1] two = {2}, int64[1] axis = {0},"
        f" int64[1] back = {{-1}}, int64[1] least = {{{LEAST}}}>\n"
        "{ size = Shape (x) half = Div (size, two) start = Sub (half, one)\n"
        "  y = Slice (x, start, least, axis, back) }\n",
        [
            f"x[{size}]=iota -> " + output("y", cut(size, size // 2 - 1, LEAST, -1))
            for size in range(40)
        ],
        "options --exact n=3\nstatics 13\n",
    )


if which == "constants":
    by_constants()
elif which == "half":
    from_half()
else:
    by_inputs(int(which))
