# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the examples of the generated pages about dialects and passes.

  examples.py PAGE...     prints `kind name: ok` or what is wrong; fails if any is

An op's example is what `ambit-opt` takes: whole functions, symbols and guards, or
statements, whose free values become arguments of a function around them. A
pass's example is two blocks around `==>`: what the first one becomes must hold
each piece of the second, in this order, between its `...`. Names of values,
spaces and the exponent of 1.0 do not count. A first line `// ambit-opt OPTIONS`
says how the pass runs.
"""

import re
import subprocess
import sys

OP = re.compile(r"^### `([\w.]+)` \([\w:]+\)$", re.M)
PASS = re.compile(r"^### `-([\w-]+)`$", re.M)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)
NO_EXAMPLE = {
    "graph.yield": "ends the body of a graph.map",
    "graph.next": "ends the body of a graph.loop",
}


def split_types(text):
    """The types of a list `A, B<[1, 2]>`, by its outer commas."""
    types, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<([{") - (char in ">)]}" and text[at - 1] != "-")
        if char == "," and depth == 0:
            types.append(text[start:at].strip())
            start = at + 1
    return [t for t in types + [text[start:].strip()] if t]


def group_end(text, start):
    """The position after the bracket that closes the one at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "<([{") - (text[at] in ">)]}" and text[at - 1] != "-")
        if depth == 0:
            return at + 1
    raise ValueError("brackets do not match in: " + text)


def statements(block):
    """The lines of a block with what is nested or continued joined."""
    result = []
    for line in block.splitlines():
        depth = sum(s.count("{") - s.count("}") for s in result[-1:])
        if result and (line.startswith((" ", "^", "}")) or depth > 0):
            result[-1] += "\n" + line
        elif line.strip():
            result.append(line)
    return result


def free_values(block):
    """{name: type} of what is used and not defined, and the last value."""
    known, free, last = set(), {}, None
    for statement in statements(block):
        head = re.match(r"(%\w+)(?:, %\w+)* = ", statement)
        body = statement[head.end():] if head else statement
        signature = re.search(r" : \(", " ".join(body.split()))
        if signature:
            flat = " ".join(body.split())
            start = signature.end() - 1
            end = group_end(flat, start)
            names = re.findall(r"%\w+", flat[:start])
            types = split_types(flat[start + 1:end - 1])
            if len(names) != len(types):
                raise ValueError(f"{len(names)} operands, {len(types)} types: {flat}")
            for name, kind in zip(names, types):
                if name not in known:
                    free[name] = kind
        if head:
            defined = re.findall(r"%\w+", statement[:head.end()])
            known.update(defined)
            last = defined[-1]
    return free, last


def result_type(block):
    """The type of what the last statement makes."""
    flat = " ".join(statements(block)[-1].split())
    arrow = re.search(r" : \(", flat)
    if not arrow:
        return flat[flat.rindex(" : ") + 3:]
    rest = flat[group_end(flat, arrow.end() - 1):].strip()
    rest = rest[len("->"):].strip()
    body = re.search(r" \{", rest)
    return rest[:body.start()] if body else rest


def whole(block):
    """A module that holds the block."""
    first = block.lstrip().split(" ")[0].split("\n")[0]
    if re.match(r"dispatch\.(?!model)", first):
        return 'dispatch.model "m" {\n' + block + "}\n"
    if not re.match(r"%|graph\.", first):
        return block
    free, last = free_values(block)
    arguments = ", ".join(f"{name}: {kind}" for name, kind in free.items())
    if "%" + last[1:] != last or "," in statements(block)[-1].split("=")[0]:
        return f"func.func @main({arguments}) {{\n{block}return\n}}\n"
    kind = result_type(block)
    return f"func.func @main({arguments}) -> {kind} {{\n{block}return {last} : {kind}\n}}\n"


def run(source, options):
    done = subprocess.run(["ambit-opt", *options], input=source, text=True,
                          capture_output=True)
    return done.stdout if done.returncode == 0 else None, done.stderr


def squeeze(text):
    """Without comments, names of values, spaces, and exponents of 0."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"(\d\.\d)0*e\+00", r"\1", text)
    return re.sub(r"\s+", "", re.sub(r"[%#]\w+(:\d+|#\d+)?", "%", text))


def missing_piece(expected, found):
    """The first piece of the example that the output does not hold."""
    found, at = squeeze(found), 0
    for piece in expected.split("..."):
        wanted = squeeze(piece)
        place = found.find(wanted, at)
        if place < 0:
            return piece.strip()
        at = place + len(wanted)
    return None


def check_op(name, text):
    blocks = BLOCK.findall(text)
    if not blocks:
        return "no example"
    if not any(name in block for block in blocks):
        return "its example does not use it"
    for block in blocks:
        try:
            output, errors = run(whole(block), [])
        except ValueError as error:
            return str(error)
        if output is None:
            return errors + whole(block)
    return None


def check_pass(name, text):
    pair = re.search(r"```mlir\n(.*?)```\s*==>\s*```mlir\n(.*?)```", text, re.S)
    if not pair:
        return "no example with ==>"
    before, after = pair.groups()
    options = re.match(r"// ambit-opt (.*)\n", before)
    options = options.group(1).split() if options else ["--" + name]
    if not any(option.startswith("--" + name) for option in options):
        return "its example does not run it"
    try:
        source = whole(re.sub(r"//.*\n", "", before))
    except ValueError as error:
        return str(error)
    output, errors = run(source, options)
    if output is None:
        return errors + source
    unchanged, _ = run(source, [])
    if output == unchanged:
        return "the pass does nothing with its example"
    piece = missing_piece(after, output)
    return piece and f"not in the output: {piece}\noutput is:\n{output}"


def entries(page):
    """(kind, name, text) for each op and pass that a page is about."""
    text = open(page, encoding="utf-8").read()
    found = [("op", m) for m in OP.finditer(text)]
    found += [("pass", m) for m in PASS.finditer(text)]
    for kind, match in found:
        end = re.compile(r"^###? ", re.M).search(text, match.end())
        yield kind, match.group(1), text[match.end():end.start() if end else None]


def main(pages):
    failed = False
    for page in pages:
        for kind, name, text in entries(page):
            if name in NO_EXAMPLE:
                continue
            wrong = (check_op if kind == "op" else check_pass)(name, text)
            print(f"{kind} {name}: {wrong or 'ok'}")
            failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
