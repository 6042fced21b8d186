# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recurrent.py FOLDER NAME: writes m.txt, a recurrent layer, and m.runs, what the
text of its operator says that it gives for sequences of several lengths."""

import math
import sys

WIDTH, HIDDEN = 3, 2
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {
    "Relu": lambda x, a, b: max(x, 0.0),
    "Tanh": lambda x, a, b: math.tanh(x),
    "Sigmoid": lambda x, a, b: 1 / (1 + math.exp(-x)),
    "Affine": lambda x, a, b: a * x + b,
    "LeakyRelu": lambda x, a, b: x if x >= 0 else a * x,
    "ThresholdedRelu": lambda x, a, b: x if x > a else 0.0,
    "ScaledTanh": lambda x, a, b: a * math.tanh(b * x),
    "HardSigmoid": lambda x, a, b: min(max(a * x + b, 0.0), 1.0),
    "Elu": lambda x, a, b: x if x > 0 else a * (math.exp(x) - 1),
    "Softsign": lambda x, a, b: x / (1 + abs(x)),
    "Softplus": lambda x, a, b: math.log(1 + math.exp(x)),
}
# By name: the operator, its attributes, and the optional inputs that it has.
CASES = {
    "rnn": ("RNN", {}, "bh"),
    "rnn-functions": (
        "RNN",
        {
            "direction": "bidirectional",
            "activations": ["Affine", "ThresholdedRelu"],
            "activation_alpha": [0.5, 0.125],
            "activation_beta": [0.25],
        },
        "blh",
    ),
    "gru": ("GRU", {"direction": "reverse"}, ""),
    "gru-after": ("GRU", {"linear_before_reset": 1, "clip": 0.375}, "bh"),
    "gru-both": (
        "GRU",
        {
            "direction": "bidirectional",
            "layout": 1,
            "activations": ["HardSigmoid", "Softsign", "Sigmoid", "ScaledTanh"],
            "activation_alpha": [0.25, 1.5],
            "activation_beta": [0.375, 0.75],
        },
        "bl",
    ),
    "lstm": ("LSTM", {}, "bhc"),
    "lstm-coupled": ("LSTM", {"input_forget": 1, "layout": 1}, "hc"),
    "lstm-reverse": ("LSTM", {"direction": "reverse", "clip": 0.5}, "blhcp"),
    "lstm-both": (
        "LSTM",
        {
            "direction": "bidirectional",
            "activations": ["Sigmoid", "Tanh", "LeakyRelu", "Elu", "Relu", "Softplus"],
            "activation_alpha": [0.125, 0.5],
        },
        "bhcp",
    ),
    "lstm-lengths": ("LSTM", {"direction": "bidirectional", "layout": 1}, "bl"),
}


class Numbers:
    """Small fractions that do not repeat."""

    def __init__(self):
        self.at = 1

    def tensor(self, *dims):
        if not dims:
            self.at = self.at * 37 % 101
            return (self.at - 50) / 64
        return [self.tensor(*dims[1:]) for _ in range(dims[0])]


def flat(tensor):
    return [x for part in tensor for x in flat(part)] if isinstance(tensor, list) else [tensor]


def matvec(rows, vector):
    return [sum(w * x for w, x in zip(row, vector)) for row in rows]


class Layer:
    def __init__(self, name):
        self.op, self.attributes, self.has = CASES[name]
        direction = self.attributes.get("direction", "forward")
        self.reversed = {"forward": [0], "reverse": [1], "bidirectional": [0, 1]}[direction]
        count, gates, numbers = len(self.reversed), GATES[self.op], Numbers()
        self.w = numbers.tensor(count, gates * HIDDEN, WIDTH)
        self.r = numbers.tensor(count, gates * HIDDEN, HIDDEN)
        self.b = numbers.tensor(count, 2 * gates * HIDDEN)
        self.p = numbers.tensor(count, 3 * HIDDEN)
        self.read_functions(count)

    def read_functions(self, count):
        each = {"RNN": 1, "GRU": 2, "LSTM": 3}[self.op]
        usual = (["Sigmoid", "Tanh", "Tanh"] if each > 1 else ["Tanh"])[:each]
        names = self.attributes.get("activations", usual * count)
        alphas = iter(self.attributes.get("activation_alpha", []))
        betas = iter(self.attributes.get("activation_beta", []))
        defaults = {"HardSigmoid": (0.2, 0.5), "LeakyRelu": (0.01, 0)}
        self.functions = []
        for name in names:
            a, b = defaults.get(name, (1, 0))
            if name in ("Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu"):
                a = next(alphas, a)
            if name in ("Affine", "ScaledTanh", "HardSigmoid"):
                b = next(betas, b)
            self.functions.append((FUNCTIONS[name], a, b))
        self.each = each

    def apply(self, direction, number, x):
        clip = self.attributes.get("clip", math.inf)
        f, a, b = self.functions[direction * self.each + number]
        return f(min(max(x, -clip), clip), a, b)

    def step(self, d, x, h, c):
        """The states after one step of one sequence."""
        size, gates = HIDDEN, GATES[self.op]
        bias = self.b[d] if "b" in self.has else [0] * (2 * gates * size)
        wb, rb = bias[: gates * size], bias[gates * size :]
        wx = [v + w for v, w in zip(matvec(self.w[d], x), wb)]
        rh = [v + w for v, w in zip(matvec(self.r[d], h), rb)]
        part = lambda values, k: values[k * size : (k + 1) * size]
        f = lambda number, values: [self.apply(d, number, v) for v in values]
        total = [u + v for u, v in zip(wx, rh)]
        if self.op == "RNN":
            return f(0, total), c
        if self.op == "GRU":
            z, r = f(0, part(total, 0)), f(0, part(total, 1))
            if self.attributes.get("linear_before_reset"):
                inner = [u * v for u, v in zip(r, part(rh, 2))]
            else:
                kept = [u * v for u, v in zip(r, h)]
                inner = matvec(part(self.r[d], 2), kept)
                inner = [u + v for u, v in zip(inner, part(rb, 2))]
            n = f(1, [u + v for u, v in zip(part(wx, 2), inner)])
            return [(1 - z) * n + z * h for z, n, h in zip(z, n, h)], c
        p = self.p[d] if "p" in self.has else [0] * (3 * size)
        peep = lambda k, j, c: [v + q * c for v, q, c in zip(part(total, k), part(p, j), c)]
        i, forget = f(0, peep(0, 0, c)), f(0, peep(2, 2, c))
        if self.attributes.get("input_forget"):
            forget = [1 - v for v in i]
        n = f(1, part(total, 3))
        after = [k * c + i * n for k, c, i, n in zip(forget, c, i, n)]
        o = f(0, peep(1, 1, after))
        return [o * v for o, v in zip(o, f(2, after))], after

    def run(self, x, lengths, h0, c0):
        """x[t][b] to y[t][d][b], h[d][b], c[d][b]."""
        steps, batch, count = len(x), len(h0[0]), len(self.reversed)
        y = [[[[0.0] * HIDDEN] * batch for _ in range(count)] for _ in range(steps)]
        h, c = [list(rows) for rows in h0], [list(rows) for rows in c0]
        for d in range(count):
            for k in range(batch):
                order = range(steps if lengths is None else lengths[k])
                for t in reversed(order) if self.reversed[d] else order:
                    h[d][k], c[d][k] = self.step(d, x[t][k], h[d][k], c[d][k])
                    y[t][d][k] = h[d][k]
        return y, h, c


def text(name, dims, values):
    return f"{name}[{','.join(map(str, dims))}]=" + ",".join(f"{v:.17g}" for v in flat(values))


def swap(tensor):
    return [list(row) for row in zip(*tensor)]


def one_run(layer, steps, batch):
    count, numbers = len(layer.reversed), Numbers()
    isBatchFirst = layer.attributes.get("layout") == 1
    x = numbers.tensor(steps, batch, WIDTH)
    lengths = [(3 * k + 1) % (steps + 1) for k in range(batch)] if "l" in layer.has else None
    zeros = [[[0.0] * HIDDEN] * batch] * count
    h = numbers.tensor(count, batch, HIDDEN) if "h" in layer.has else zeros
    c = numbers.tensor(count, batch, HIDDEN) if "c" in layer.has else zeros
    y, last, cell = layer.run(x, lengths, h, c)
    order = lambda dims: [dims[1], dims[0]] + dims[2:] if isBatchFirst else dims
    turn = lambda tensor: swap(tensor) if isBatchFirst else tensor
    inputs = [text("x", order([steps, batch]) + [WIDTH], turn(x))]
    if lengths is not None:
        inputs.append(text("l", [batch], lengths))
    for key, state in (("h", h), ("c", c)):
        if key in layer.has:
            inputs.append(text(key, order([count, batch]) + [HIDDEN], turn(state)))
    if isBatchFirst:  # [t][d][b] to [b][t][d]
        y = [[[y[t][d][k] for d in range(count)] for t in range(steps)] for k in range(batch)]
    dims = [batch, steps, count] if isBatchFirst else [steps, count, batch]
    outputs = [text("y", dims + [HIDDEN], y)]
    outputs.append(text("yh", order([count, batch]) + [HIDDEN], turn(last)))
    if layer.op == "LSTM":
        outputs.append(text("yc", order([count, batch]) + [HIDDEN], turn(cell)))
    return " ; ".join(inputs) + " -> " + " ; ".join(outputs)


def attribute(name, value):
    quote = lambda v: f'"{v}"' if isinstance(v, str) else str(v)
    listed = isinstance(value, list)
    return f"{name} = " + ("[" + ", ".join(map(quote, value)) + "]" if listed else quote(value))


def model(layer):
    count, gates = len(layer.reversed), GATES[layer.op]
    isBatchFirst = layer.attributes.get("layout") == 1
    state = f"double[{'b' if isBatchFirst else count},{count if isBatchFirst else 'b'},{HIDDEN}]"
    inputs = [f"double[{'b,t' if isBatchFirst else 't,b'},{WIDTH}] x"]
    inputs += ["int32[b] l"] * ("l" in layer.has)
    inputs += [f"{state} {key}" for key in "hc" if key in layer.has]
    weights = {"w": (layer.w, (count, gates * HIDDEN, WIDTH)), "r": (layer.r, (count, gates * HIDDEN, HIDDEN))}
    weights["bias"] = (layer.b, (count, 2 * gates * HIDDEN))
    weights["p"] = (layer.p, (count, 3 * HIDDEN))
    used = ["w", "r"] + ["bias"] * ("b" in layer.has) + ["p"] * ("p" in layer.has)
    constants = ", ".join(
        f"double[{','.join(map(str, weights[k][1]))}] {k} = {{{', '.join(map(str, flat(weights[k][0])))}}}"
        for k in used
    )
    names = {"b": "bias", "l": "l", "h": "h", "c": "c", "p": "p"}
    optional = [names[k] if k in layer.has else "" for k in "blhcp"]
    if layer.op != "LSTM":
        optional = optional[:3]
    attributes = ", ".join(
        attribute(*pair) for pair in [("hidden_size", HIDDEN), *layer.attributes.items()]
    )
    outputs = ["y", "yh"] + ["yc"] * (layer.op == "LSTM")
    types = ", ".join(f"double[{'?,?,?,?' if name == 'y' else '?,?,?'}] {name}" for name in outputs)
    return (
        '<ir_version: 8, opset_import: ["" : 17]>\n'
        f"g ({', '.join(inputs)}) => ({types})\n<{constants}>\n{{\n"
        f"  {', '.join(outputs)} = {layer.op} <{attributes}> ({', '.join(['x', 'w', 'r'] + optional)})\n}}\n"
    )


folder, name = sys.argv[1:]
layer = Layer(name)
with open(f"{folder}/m.txt", "w") as file:
    file.write(model(layer))
with open(f"{folder}/m.runs", "w") as file:
    file.write("options --exact t=1\nstatics 3\n")
    for steps, batch in ((4, 2), (1, 2), (0, 1), (2, 3), (5, 1), (1, 1), (3, 0)):
        file.write(one_run(layer, steps, batch) + "\n")
