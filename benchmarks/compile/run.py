#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how the time to compile grows with the size of a model.

Each family of models has one number, n. Models are compiled at doubling n; the
table gives CPU seconds and peak memory of each compilation, and the exponent e
of the power law t = c * n^e that fits the CPU seconds best over the whole row
(least squares of the logarithms). An exponent near 1 means linear. Needs
nothing beyond Python and the tools of the build:

  python3 benchmarks/compile/run.py --build build
  python3 benchmarks/compile/run.py --build build --only relu matmul --phases
"""

import argparse
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# ONNX's textual syntax; `onnx-from-text` makes models of it.
HEADER = '<ir_version: 8, opset_import: ["" : 17]>\n'


def make_model(inputs, outputs, nodes):
    return f"{HEADER}g ({', '.join(inputs)}) => ({', '.join(outputs)}) {{\n" + (
        "".join(f"  {node}\n" for node in nodes) + "}\n"
    )


def make_chain(n, step, inputs=("float[n,16] x",)):
    """n nodes in a row; `step` computes the text of one from its operand."""
    names = ["x"] + [f"t{i}" for i in range(1, n)] + ["y"]
    nodes = [f"{names[i + 1]} = {step(names[i])}" for i in range(n)]
    return make_model(inputs, ["float[n,16] y"], nodes)


def make_relu(n):
    return make_chain(n, lambda x: f"Relu ({x})"), []


def make_sine(n):
    return make_chain(n, lambda x: f"Sin ({x})"), []


def make_softmax(n):
    return make_chain(n, lambda x: f"Softmax ({x})"), []


def make_matmul(n):
    inputs = ("float[n,16] x", "float[16,16] w")
    return make_chain(n, lambda x: f"MatMul ({x}, w)", inputs), []


def make_inputs(n):
    inputs = [f"float[n,4] x{i}" for i in range(n)]
    names = ", ".join(f"x{i}" for i in range(n))
    return make_model(inputs, ["float[n,4] y"], [f"y = Sum ({names})"]), []


def make_outputs(n):
    outputs = [f"float[n,4] y{i}" for i in range(n)]
    nodes = [f"y{i} = Add (x, y{i - 1})" for i in range(1, n)]
    return make_model(["float[n,4] x"], outputs, ["y0 = Relu (x)"] + nodes), []


def make_symbols(n):
    inputs = [f"float[n{i},4] x{i}" for i in range(n)]
    names = ", ".join(f"x{i}" for i in range(n))
    concat = f"y = Concat <axis = 0> ({names})"
    return make_model(inputs, ["float[m,4] y"], [concat]), []


def make_ranks(n):
    """The Concat of n inputs, all four dims of which have names of their own."""
    inputs = [f"float[a{i},b{i},c{i},d{i}] x{i}" for i in range(n)]
    names = ", ".join(f"x{i}" for i in range(n))
    concat = f"y = Concat <axis = 0> ({names})"
    return make_model(inputs, ["float[a,b,c,d] y"], [concat]), []


def make_meetings(n):
    """Every two of n inputs are joined, multiplied, and added as rows."""
    inputs = [f"float[a{i},b{i}] x{i}" for i in range(n)]
    nodes, outputs = ["row = Constant <value = int64[1] {-1}> ()"], []
    for i in range(n):
        for j in range(i + 1, n):
            name = f"{i}_{j}"
            nodes += [
                f"p{name} = Reshape (x{i}, row)",
                f"q{name} = Reshape (x{j}, row)",
                f"c{name} = Concat <axis = 0> (p{name}, q{name})",
                f"m{name} = MatMul (x{i}, x{j})",
                f"r{name} = Reshape (m{name}, row)",
                f"y{name} = Add (c{name}, r{name})",
            ]
            outputs.append(f"float[n{name}] y{name}")
    return make_model(inputs, outputs, nodes), []


def make_variants(n):
    text = make_chain(4, lambda x: f"Softmax ({x})")
    sizes = ",".join(str(i + 1) for i in range(n))
    return text, ["--exact", f"n={sizes}", f"--max-variants={n + 1}"]


# Each family's function and the values of n.
FAMILIES = {
    "relu": (make_relu, "a chain of n Relu", [2000, 4000, 8000, 16000, 32000]),
    "sine": (make_sine, "a chain of n Sin", [500, 1000, 2000, 4000]),
    "softmax": (make_softmax, "a chain of n Softmax", [1000, 2000, 4000, 8000]),
    "matmul": (make_matmul, "a chain of n MatMul", [1000, 2000, 4000, 8000]),
    "inputs": (make_inputs, "the Sum of n inputs", [500, 1000, 2000, 4000]),
    "outputs": (make_outputs, "n outputs, each from the one before", [500, 1000, 2000, 4000]),
    "symbols": (make_symbols, "the Concat of n inputs of n symbols", [50, 100, 200, 400]),
    "ranks": (make_ranks, "the Concat of n inputs of rank 4", [25, 50, 100, 200]),
    "meetings": (make_meetings, "n matrices, every two added", [3, 6, 12]),
    "variants": (make_variants, "n exact variants of 4 Softmax", [8, 16, 32, 64]),
}


def compile_model(options, text, flags, folder):
    """CPU seconds, peak MiB, and the time report."""
    build = pathlib.Path(options.build)
    model = f"{folder}/model.onnx"
    with open(model, "wb") as file:
        tool = build / "bin" / "onnx-from-text"
        subprocess.run([tool], input=text.encode(), stdout=file, check=True)
    command = [str(build / "bin" / "ambit"), "compile", model, "--time-report"]
    command += ["-o", f"{folder}/model.so"] + flags
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        report = errors.read().decode()
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{report}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, report


def fit_exponent(points):
    """The slope of log t over log n."""
    logs = [(math.log(n), math.log(t)) for n, t in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum(
        (x - mean_x) ** 2 for x, _ in logs
    )


def measure(options, name, folder):
    make, what, sizes = FAMILIES[name]
    points, cells = [], []
    for n in sizes:
        seconds, mebibytes, report = compile_model(options, *make(n), folder)
        points.append((n, seconds))
        cells.append(f"{n}: {seconds:.2f} s, {mebibytes:.0f} MiB")
        if options.phases:
            phases = re.findall(r"([\d.]+) s  (\w+)", report)
            print(name, n, ", ".join(f"{p} {t}" for t, p in phases), file=sys.stderr)
    print(f"| {what} | {'; '.join(cells)} | {fit_exponent(points):.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", help="the folder of the build")
    parser.add_argument("--only", nargs="*", choices=FAMILIES, default=FAMILIES)
    parser.add_argument("--phases", action="store_true", help="wall seconds by phase")
    options = parser.parse_args()
    print("| model | n: CPU seconds, peak memory | exponent |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only:
            measure(options, name, folder)


if __name__ == "__main__":
    main()
