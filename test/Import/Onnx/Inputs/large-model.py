# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a model in ONNX's textual syntax that is large in one way.

  large-model.py rank N        an input of rank N, unsqueezed once
  large-model.py weight N      an initializer of rank N
  large-model.py name N        a value whose name has N bytes
  large-model.py calls D W N   functions D deep that call the next one W times,
                               and whose names have about N bytes
  large-model.py ifs D         an If D deep
  large-model.py inputs N D    N inputs of D dims without a name
  large-model.py outputs N     N outputs
"""

import sys


def header(imports=""):
    return f'<ir_version: 8, opset_import: ["" : 17{imports}]>\n'


def rank(n):
    dims = ",".join(["1"] * n)
    return header() + (
        f"g (float[{dims}] x) => (float[n] y) <int64[1] axes = {{0}}>"
        " { y = Unsqueeze (x, axes) }"
    )


def weight(n):
    dims = ",".join(["1"] * n)
    return header() + (
        f"g (float[n] x) => (float[n] y) <float[{dims}] w = {{1}}>"
        " { y = Add (x, w) }"
    )


def name(n):
    return header() + (
        f"g (float[n] x) => (float[n] y) {{ {'a' * n} = Abs (x) y = Abs ({'a' * n}) }}"
    )


def calls(depth, width, n):
    names = [f"f{level}" + "a" * n for level in range(depth)]
    text = header(', "local" : 1')
    text += f"g (float[n] x) => (float[n] y) {{ y = local.{names[0]} (x) }}\n"
    for level in range(depth):
        operator = f"local.{names[level + 1]}" if level + 1 < depth else "Abs"
        values = ["x"] + [f"v{i}" for i in range(width - 1)] + ["y"]
        nodes = [f"{b} = {operator} ({a})" for a, b in zip(values, values[1:])]
        text += '<opset_import: ["" : 17, "local" : 1], domain: "local">\n'
        text += f"{names[level]} (x) => (y) {{ {' '.join(nodes)} }}\n"
    return text


def ifs(depth):
    nodes = "r = Abs (x)"
    for level in range(depth):
        branch = f"(float[n] r{level}) {{ {nodes} }}".replace(" r =", f" r{level} =")
        other = f"(float[n] s{level}) {{ s{level} = Neg (x) }}"
        nodes = (
            f"r = If (k) <then_branch = t{level} () => {branch},"
            f" else_branch = e{level} () => {other}>"
        )
    nodes = nodes.replace("r =", "y =", 1)
    return header() + f"g (float[n] x, bool k) => (float[n] y) {{ {nodes} }}"


def inputs(n, dims):
    arguments = ", ".join(f"float[{','.join(['?'] * dims)}] x{i}" for i in range(n))
    return header() + f"g ({arguments}) => (float[n] y) {{ y = Abs (x0) }}"


def outputs(n):
    results = ", ".join(f"float[n] y{i}" for i in range(n))
    nodes = " ".join(f"y{i} = Abs (x)" for i in range(n))
    return header() + f"g (float[n] x) => ({results}) {{ {nodes} }}"


kind, *numbers = sys.argv[1:]
print(globals()[kind](*map(int, numbers)))
