# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contractions, convolutions and windows at sizes around the edges of tiles.

  tile_edges.py FOLDER TYPE [option of 'ambit compile' ...]

Compiles one model for every operation with symbolic sizes and an exact variant,
runs it at many sizes, and compares with plain loops. All values are small
integers, so that every result is exact in every type.
"""

import itertools
import os
import struct
import subprocess
import sys

FORMATS = {"f16": "e", "f32": "f", "f64": "d", "i32": "i", "i64": "q"}
DTYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i32": "<i4", "i64": "<i8"}


def count(shape):
    result = 1
    for extent in shape:
        result *= extent
    return result


def indices(shape):
    return itertools.product(*map(range, shape))


class Tensor:
    """Row-major integers."""

    def __init__(self, shape, values=None):
        self.shape = tuple(shape)
        self.values = values or [0] * count(shape)

    @staticmethod
    def pattern(shape, seed):
        return Tensor(shape, [(i * 7 + i // 5 + seed) % 5 - 2 for i in range(count(shape))])

    def at(self, index):
        position = 0
        for i, extent in zip(index, self.shape):
            position = position * extent + i
        return position

    def __getitem__(self, index):
        return self.values[self.at(index)]

    def __setitem__(self, index, value):
        self.values[self.at(index)] = value

    def save(self, path, element):
        extents = "".join(f"{e}, " for e in self.shape)
        header = (f"{{'descr': '{DTYPES[element]}', 'fortran_order': False, "
                  f"'shape': ({extents}), }}").encode()
        header += b" " * (-(len(header) + 11) % 64) + b"\n"
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
            file.write(struct.pack(f"<{len(self.values)}{FORMATS[element]}", *self.values))

    @staticmethod
    def load_values(path, element):
        with open(path, "rb") as file:
            data = file.read()
        (length,) = struct.unpack_from("<H", data, 8)
        body = data[10 + length:]
        size = struct.calcsize(FORMATS[element])
        return list(struct.unpack(f"<{len(body) // size}{FORMATS[element]}", body))


def tensor_type(dims, element):
    extents = "".join(f"{d}x" if isinstance(d, int) else "?x" for d in dims)
    if all(isinstance(d, int) for d in dims):
        return f"tensor<{extents}{element}>"
    names = ", ".join(f'"{d}"' for d in dims)
    return f"tensor<{extents}{element}, #sym.shape<[{names}]>>"


def evaluate(dim, symbols):
    scope = dict(symbols, floordiv=lambda a, b: a // b, max=max, min=min)
    return dim if isinstance(dim, int) else eval(dim, scope)


def array(values):
    return "array<i64: " + ", ".join(map(str, values)) + ">"


class Contract:
    def __init__(self, lhs, rhs):
        self.inputs = [lhs, rhs]
        self.result = lhs[:-1] + rhs[-1:]

    def text(self, types, result):
        return f"graph.contract %x, %w : ({', '.join(types)}) -> {result}"

    def expected(self, x, w, result):
        for index in indices(result.shape):
            *batch, m, n = index
            right = batch if len(w.shape) > 2 else []
            result[index] = sum(
                x[(*batch, m, k)] * w[(*right, k, n)] for k in range(x.shape[-1]))


class Slide:
    """A convolution (with a filter) or a window (without)."""

    def __init__(self, x, w, result, window, strides, low, high, groups=1, kind=None,
                 ceil=False):
        self.inputs = [x, w] if w else [x]
        self.result, self.window, self.strides = result, window, strides
        self.low, self.high, self.groups = low, high, groups
        self.kind, self.ceil = kind, ceil

    def text(self, types, result):
        attributes = (f"strides = {array(self.strides)}, low = {array(self.low)}, "
                      f"high = {array(self.high)}, "
                      f"dilations = {array([1] * len(self.low))}")
        if self.kind:
            ceil = ", ceil" if self.ceil else ""
            return (f"graph.window %x <{self.kind}> {{{attributes}, "
                    f"window = {array(self.window)}{ceil}}} : ({types[0]}) -> {result}")
        return (f"graph.conv %x, %w {{{attributes}, groups = {self.groups} : i64}} "
                f": ({', '.join(types)}) -> {result}")

    def taps(self, outer, x):
        for tap in indices(self.window):
            at = [o * s + t - l for o, s, t, l in zip(outer, self.strides, tap, self.low)]
            if all(0 <= a < e for a, e in zip(at, x.shape[2:])):
                yield tap, at

    def expected(self, *tensors):
        x, result = tensors[0], tensors[-1]
        for index in indices(result.shape):
            image, channel, *outer = index
            if self.kind:
                values = [x[(image, channel, *at)] for _, at in self.taps(outer, x)]
                result[index] = max(values) if self.kind == "max" else sum(values)
                continue
            w, depth = tensors[1], tensors[1].shape[1]
            first = channel // (w.shape[0] // self.groups) * depth
            result[index] = sum(
                x[(image, first + c, *at)] * w[(channel, c, *tap)]
                for tap, at in self.taps(outer, x) for c in range(depth))


HW = ["n", 3, "h", "w"]
CASES = {
    "rows": (Contract(["m", 9], [9, 20]), {"m": [0, 1, 3, 6, 7, 47, 50]}),
    "all": (Contract(["m", "k"], ["k", "p"]),
            {"m": [1, 13], "k": [0, 1, 4], "p": [1, 7, 8, 17, 35, 65]}),
    # Deep and wide enough for copies of the right operand; slow in Python.
    "deep": (Contract(["m", 260], [260, 512]), {"m": [20, 19]}),
    "flat": (Contract(["n", "m", 5], [5, 3]), {"n": [1, 3], "m": [1, 5]}),
    "batched": (Contract(["n", 2, "m", "k"], ["n", 2, "k", "m"]),
                {"n": [1, 2], "m": [1, 7, 18], "k": [3]}),
    "dense": (Slide(HW, [10, 3, 3, 3], ["n", 10, "h", "w"], [3, 3], [1, 1], [1, 1], [1, 1]),
              {"n": [0, 2], "h": [1, 4], "w": [2, 8, 19]}),
    "strided": (Slide(HW, [4, 3, 3, 3],
                      ["n", 4, "floordiv(h + 1, 2)", "floordiv(w + 1, 2)"],
                      [3, 3], [2, 2], [1, 1], [1, 1]),
                {"n": [1], "h": [1, 4], "w": [1, 15, 16, 35]}),
    "depthwise": (Slide(HW, [6, 1, 3, 3], ["n", 6, "h", "w"], [3, 3], [1, 1], [1, 1], [1, 1],
                        groups=3), {"n": [1], "h": [3], "w": [1, 8, 33]}),
    "pointwise": (Slide(HW, [7, 3, 1, 1], ["n", 7, "h", "w"], [1, 1], [1, 1], [0, 0], [0, 0]),
                  {"n": [2], "h": [1, 5], "w": [1, 7]}),
    "line": (Slide(["n", 3, "w"], [5, 3, 2], ["n", 5, "w - 1"], [2], [1], [0], [0]),
             {"n": [1], "w": [2, 9, 40]}),
    "max": (Slide(HW, None, ["n", 3, "floordiv(h + 1, 2)", "floordiv(w + 1, 2)"],
                  [2, 2], [2, 2], [0, 0], [0, 0], kind="max", ceil=True),
            {"n": [1], "h": [2, 5, 6], "w": [2, 17, 64]}),
    "sum": (Slide(HW, None, ["n", 3, "h", "w"], [3, 3], [1, 1], [1, 1], [1, 1], kind="sum"),
            {"n": [1], "h": [2], "w": [1, 16, 33]}),
}


def write_model(path, case, sizes, element):
    types = [tensor_type(dims, element) for dims in case.inputs]
    result = tensor_type(case.result, element)
    names = ["x", "w"]
    arguments = ", ".join(
        f'%{name}: {type} {{ambit.name = "{name}"}}' for name, type in zip(names, types))
    with open(path, "w", encoding="utf-8") as file:
        for symbol, values in sizes.items():
            file.write(f'sym.symbol "{symbol}" min {min(values)} max {max(values)}\n')
        file.write(f'func.func @main({arguments}) -> ({result} {{ambit.name = "y"}}) {{\n'
                   f"  %0 = {case.text(types, result)}\n  return %0 : {result}\n}}\n")


def main(folder, element, options):
    os.makedirs(folder, exist_ok=True)
    runs = 0
    for name, (case, sizes) in CASES.items():
        if name == "deep" and element != "f32":
            continue
        base = os.path.join(folder, name)
        write_model(base + ".mlir", case, sizes, element)
        exact = [f"--exact={symbol}={values[-1]}" for symbol, values in sizes.items()]
        subprocess.run(["ambit", "compile", base + ".mlir", "-o", base + ".so", *exact,
                        *options], check=True)
        for values in itertools.product(*sizes.values()):
            symbols = dict(zip(sizes, values))
            tensors = [Tensor.pattern([evaluate(d, symbols) for d in dims], seed)
                       for seed, dims in enumerate(case.inputs)]
            command = ["ambit", "run", base + ".so", "--output-dir", base]
            for label, tensor in zip("xw", tensors):
                tensor.save(f"{base}.{label}.npy", element)
                command += ["--input", f"{label}={base}.{label}.npy"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            result = Tensor([evaluate(d, symbols) for d in case.result])
            case.expected(*tensors, result)
            if Tensor.load_values(os.path.join(base, "y.npy"), element) != result.values:
                print(f"{name} of {element} differs at {symbols}")
                return 1
            runs += 1
    print(f"{element}: {runs} runs agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
