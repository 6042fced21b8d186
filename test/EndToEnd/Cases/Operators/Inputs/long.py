# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a long model in ONNX's textual syntax, or its runs for ambit-cases.

  long.py KIND model|runs
"""

import sys

# One more than 64 launches, and an odd number.
COUNT = 71

HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'


def chain(step, first, last):
    """COUNT nodes in a row; `step` computes the text of one from its operand."""
    names = [first] + [f"{last}{i}" for i in range(1, COUNT)] + [last]
    return " ".join(f"{b} = {step(a)}" for a, b in zip(names, names[1:]))


def swap(value):
    return f"MatMul ({value}, w)"


def loop():
    """Swaps before, in and after a loop, each an odd number of times."""
    body = (
        "b (int64 i, bool c, float[n,2] v) => (bool d, float[n,2] u, float[n,2] s)"
        f" {{ d = Identity (c) {chain(swap, 'v', 'u')} s = MatMul (u, w) }}"
    )
    return HEADER + (
        "g (float[n,2] x, float[2,2] w, int64 trips) => (float[n,2] y, float[k,n,2] all)"
        f" <bool go = {{1}}> {{ {chain(swap, 'x', 'p')}"
        f" q, all = Loop (trips, go, p) <body = {body}> {chain(swap, 'q', 'y')} }}"
    )


LOOP_RUNS = """
x[1,2]=1,2 ; w[2,2]=0,1,1,0 ; trips[]=0 -> y[1,2]=1,2 ; all[0,1,2]=
x[1,2]=1,2 ; w[2,2]=0,1,1,0 ; trips[]=1 -> y[1,2]=2,1 ; all[1,1,2]=2,1
x[1,2]=1,2 ; w[2,2]=0,1,1,0 ; trips[]=2 -> y[1,2]=1,2 ; all[2,1,2]=2,1,1,2
x[0,2]= ; w[2,2]=0,1,1,0 ; trips[]=2 -> y[0,2]= ; all[2,0,2]=
"""


def found():
    """A size that data decides in one part of the body, used in others."""
    return HEADER + (
        "g (float[n,2] x, float[2,2] w) => (float[k,2] y)"
        f" {{ {chain(swap, 'x', 'p')} z = NonZero (p) t = Transpose (z)"
        f" f = Cast <to = 1> (t) {chain(swap, 'f', 'y')} }}"
    )


FOUND_RUNS = """
x[1,2]=1,2 ; w[2,2]=0,1,1,0 -> y[2,2]=0,0,1,0
x[2,2]=0,2,0,0 ; w[2,2]=0,1,1,0 -> y[1,2]=0,0
x[2,2]=0,0,0,0 ; w[2,2]=0,1,1,0 -> y[0,2]=
"""


def outputs():
    """Many outputs, whose sizes and names fill tables."""
    names = ", ".join(f"float[n,m] y{i}" for i in range(COUNT))
    nodes = " ".join(f"y{i} = Add (x{i}, x0)" for i in range(COUNT))
    inputs = ", ".join(f"float[n,m] x{i}" for i in range(COUNT))
    return HEADER + f"g ({inputs}) => ({names}) {{ {nodes} }}"


def outputs_run(n, m):
    dims = f"[{n},{m}]"

    def values(i):
        return ",".join([str(i)] * (n * m))

    inputs = " ; ".join(f"x{i}{dims}={values(i + 1)}" for i in range(COUNT))
    results = " ; ".join(f"y{i}{dims}={values(i + 2)}" for i in range(COUNT))
    return f"{inputs} -> {results}\n"


OUTPUTS_RUNS = outputs_run(1, 2) + outputs_run(3, 1) + outputs_run(0, 2)


def fused():
    """Elementwise ops: more than one kernel holds, and a sum of many inputs."""
    inputs = ", ".join(f"float[n] x{i}" for i in range(3 * COUNT))
    names = ", ".join(f"x{i}" for i in range(3 * COUNT))
    return HEADER + (
        f"g ({inputs}) => (float[n] y) {{ s = Sum ({names})"
        f" {chain(lambda v: f'Neg ({v})', 's', 'a')}"
        f" {chain(lambda v: f'Abs ({v})', 'a', 'b')}"
        f" {chain(lambda v: f'Relu ({v})', 'b', 'y')} }}"
    )


FUSED_RUNS = "".join(
    " ; ".join(f"x{i}[{n}]={','.join(['1'] * n)}" for i in range(3 * COUNT))
    + f" -> y[{n}]={','.join([str(3 * COUNT)] * n)}\n"
    for n in (1, 2, 19)
)

kind, what = sys.argv[1:]
if what == "model":
    print(globals()[kind]())
else:
    # One compilation for the sizes of a run is enough.
    print("statics 4\n" + globals()[kind.upper() + "_RUNS"])
