# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules about what TableGen declares: passes and ops."""

import os
import re

PASS = re.compile(r'^def (\w+)\s*:\s*(?:Interface)?Pass<\s*"([\w-]+)"', re.M)
GRAPH_OP = re.compile(r'^def Graph_(\w+Op)\s*:\s*Graph_\w+<\s*"(\w+)"', re.M)


def _definitions(tree, pattern):
    """(path, line, match, body) of each match; the body ends before the next."""
    for path in tree.select((".td",), ("include/", "lib/")):
        text = tree.text(path)
        for match in pattern.finditer(text):
            end = text.find("\ndef ", match.end())
            body = text[match.end(): len(text) if end < 0 else end]
            yield path, text.count("\n", 0, match.start()) + 1, match, body


def _stem(name):
    """SynthesizeGuardsPass -> synthesize-guards"""
    name = re.sub("Pass$", "", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def pass_description(tree):
    """A pass says what it does, with an example before ==> after."""
    for path, line, match, body in _definitions(tree, PASS):
        description = re.search(r"let description = \[\{(.*?)\}\]", body, re.S)
        if "let summary" not in body or not description:
            yield path, line, f"pass '{match.group(2)}' has no summary or description"
        elif not re.search(r"```\s*==>\s*```mlir", description.group(1)):
            yield path, line, f"pass '{match.group(2)}' has no example before ==> after"


def pass_test(tree):
    """A pass has a test file of its own name."""
    tests = [os.path.basename(p) for p in tree.select((".mlir", ".test"), ("test/",))]
    for path, line, match, _ in _definitions(tree, PASS):
        stem = _stem(match.group(1))
        if not any(name.startswith(stem) for name in tests):
            yield path, line, f"pass '{match.group(2)}' has no test '{stem}.mlir'"


def graph_op_rules(tree):
    """A graph op has a shape, a tail and a kernel rule, and a reference evaluation."""
    dialect = "\n".join(tree.text(p) for p in tree.select((".cpp",), ("lib/Dialect/Graph/",)))
    reference = "\n".join(tree.text(p) for p in tree.select((".cpp",), ("lib/Reference/",)))
    for path, line, match, _ in _definitions(tree, GRAPH_OP):
        name, mnemonic = match.groups()
        if f"{name}::inferTypes" not in dialect:
            yield path, line, f"graph.{mnemonic} has no shape rule '{name}::inferTypes'"
        if f"{name}::getTailRule" not in dialect:
            yield path, line, f"graph.{mnemonic} has no tail rule '{name}::getTailRule'"
        if f"{name}::getKernelRule" not in dialect:
            yield path, line, f"graph.{mnemonic} has no kernel rule '{name}::getKernelRule'"
        if not re.search(rf"\b{name}\b", reference):
            yield path, line, f"graph.{mnemonic} has no reference evaluation"


# Every phase builds these or looks through them: data, elementwise code, and the
# broadcasts around it.
MANY_PLACES = {"ConstantOp", "MapOp", "BroadcastOp"}
MOST_PLACES = 8


def graph_op_places(tree):
    """Few files know one op, beside its rules, its reference and the importers."""
    paths = [
        path for path in tree.select((".cpp", ".h"), ("lib/",))
        if not path.startswith(("lib/Import/", "lib/Reference/", "lib/Dialect/Graph/IR/"))
    ]
    for path, line, match, _ in _definitions(tree, GRAPH_OP):
        name, mnemonic = match.groups()
        pattern = re.compile(rf"(?<![a-z]::)(?:graph::)?\b{name}\b")
        places = [p for p in paths if pattern.search(tree.text(p))]
        if len(places) > MOST_PLACES and name not in MANY_PLACES:
            yield path, line, (
                f"graph.{mnemonic} is named in {len(places)} files, at most "
                f"{MOST_PLACES}: {' '.join(places)}"
            )


RULES = [pass_description, pass_test, graph_op_rules, graph_op_places]
