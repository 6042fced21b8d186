# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Concats and reductions at sizes around the edges of their units of work.

  unit_edges.py FOLDER TYPE [option of 'ambit compile' ...]

Like tile_edges.py, with other operations.
"""

import sys

import tile_edges


class Concat:
    def __init__(self, lhs, rhs, dim):
        self.inputs, self.dim = [lhs, rhs], dim
        extent = f"{lhs[dim]} + {rhs[dim]}"
        self.result = lhs[:dim] + [extent] + lhs[dim + 1:]

    def text(self, types, result):
        return f"graph.concat %x, %w along {self.dim} : ({', '.join(types)}) -> {result}"

    def expected(self, x, w, result):
        for index in tile_edges.indices(result.shape):
            at = list(index)
            at[self.dim] -= x.shape[self.dim]
            result[index] = x[index] if at[self.dim] < 0 else w[tuple(at)]


class Reduce:
    def __init__(self, dims, reduced):
        self.inputs, self.reduced = [dims], reduced
        self.result = [d for i, d in enumerate(dims) if i not in reduced]

    def text(self, types, result):
        dims = ", ".join(map(str, self.reduced))
        return f"graph.reduce %x <sum> [{dims}] : ({types[0]}) -> {result}"

    def expected(self, x, result):
        for index in tile_edges.indices(x.shape):
            kept = tuple(i for d, i in enumerate(index) if d not in self.reduced)
            result[kept] += x[index]


WIDE = {"n": [0, 2], "p": [0, 3], "q": [0, 1, 256, 257, 520]}
PIECES = {"n": [1, 2], "p": [0, 1, 5], "r": [0, 2], "q": [1, 9]}
tile_edges.CASES = {
    "first": (Concat(["p", "n", "q"], ["r", "n", "q"], 0), PIECES),
    "middle": (Concat(["n", "p", "q"], ["n", "r", "q"], 1), PIECES),
    "deep": (Concat(["n", "p", 3, "q"], ["n", "r", 3, "q"], 1), PIECES),
    "last": (Concat(["n", "q", "p"], ["n", "q", "r"], 2), PIECES),
    "columns": (Reduce(["n", "p", "q"], [1]), WIDE),
    "both": (Reduce(["n", "p", "q"], [0, 1]), WIDE),
    "fixed": (Reduce(["n", "p", 300], [1]), {"n": [1, 2], "p": [0, 3]}),
    "one": (Reduce(["n", "p", 1], [1]), {"n": [1, 2], "p": [0, 3]}),
    "row": (Reduce(["n", "p", "q"], [2]), WIDE),
}

if __name__ == "__main__":
    sys.exit(tile_edges.main(sys.argv[1], sys.argv[2], sys.argv[3:]))
