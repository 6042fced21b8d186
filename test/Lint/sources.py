# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules about files: heads, sizes, and words that have no place in them."""

import collections
import os
import re
import shutil
import subprocess

CPP = (".cpp", ".h", ".c", ".inc", ".def")
LICENSE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# The examples of bad code lie here.
LINT = "test/Lint/"


def _search(tree, paths, pattern, message):
    for path in paths:
        if path.startswith(LINT):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = re.search(pattern, line)
            if match:
                yield path, number, message.format(match.group(0))


def file_head(tree):
    """Each source starts with the licence; code also says its purpose."""
    suffixes = CPP + (".td", ".py", ".sh", ".cmake", ".cmake.in", "CMakeLists.txt")
    for path in tree.select(suffixes):
        head = tree.lines(path)[:3]
        if not any(LICENSE in line for line in head):
            yield path, 1, f"does not start with '{LICENSE}'"
        elif path.endswith(CPP + (".td",)) and not re.match(
            r"\s*(//|/?\*)\s*\S", (head + [""])[1]
        ):
            yield path, 2, "does not say its purpose after the licence"


def _cap(path):
    if path == "include/ambit/runtime.h":
        return 320
    if path.startswith("include/") and path.endswith(".h"):
        return 150
    if path.endswith(".td"):
        return 400
    if path.startswith("test/") and path.endswith((".mlir", ".test")):
        return 150
    return 800


def file_cap(tree):
    """No file is longer than one sitting."""
    for path in tree.select(CPP + (".td", ".py", ".mlir", ".test", ".sh")):
        count, cap = len(tree.lines(path)), _cap(path)
        if count > cap:
            yield path, count, f"has {count} lines, at most {cap} are allowed"


CONTROL = ("if ", "for ", "while ", "switch ", "do ", "else", "}", "#", "//", "/*")
TYPE = ("namespace", "struct", "class", "enum", "union", "extern", "typedef")


def function_length(tree):
    """No function is longer than 60 lines, as clang-format lays them out."""
    for path in tree.select((".cpp", ".c", ".h"), ("lib/", "tools/", "include/")):
        lines = tree.lines(path)
        # In formatted code a body ends at a brace in the column of its start;
        # members of classes are indented once.
        for indent in ("", "  "):
            start = None
            for number, line in enumerate(lines, 1):
                if not line.startswith(indent) or line[len(indent):][:1] in ("", " "):
                    continue
                rest = line[len(indent):]
                if rest.rstrip(";") == "}" and start is not None:
                    length = number - start + 1
                    head = lines[start - 1].strip()
                    isBody = "(" in head.split("=")[0] and not head.startswith(TYPE)
                    if length > 60 and isBody:
                        yield path, start, f"function of {length} lines, at most 60"
                    start = None
                elif not rest.startswith(CONTROL):
                    start = number


def folder_size(tree):
    """A folder with more than 20 files is split."""
    counts = collections.Counter(os.path.dirname(path) for path in tree.paths)
    for folder, count in sorted(counts.items()):
        if count > 20:
            yield folder, 1, f"has {count} files, at most 20 are allowed"


def machine_path(tree):
    """No path of somebody's machine."""
    pattern = r"(?<![\w.>}])/(work|root|home)/"
    paths = [p for p in tree.paths if not p.endswith((".pb", ".onnx", ".npy"))]
    return _search(tree, paths, pattern, "'{}' is a path of one machine")


def llvm_cl(tree):
    """LLVM's own command line library shows only in ambit-opt."""
    paths = [p for p in tree.select(CPP) if not p.startswith("tools/ambit-opt/")]
    pattern = r"\b(llvm::cl|cl::opt|cl::list)\b|llvm/Support/CommandLine\.h"
    return _search(tree, paths, pattern, "'{}' outside of tools/ambit-opt")


def unknown_loc(tree):
    """Importers know where everything comes from."""
    paths = tree.select(CPP, ("lib/Import/",))
    return _search(tree, paths, r"\b(get)?UnknownLoc\b", "'{}' in an importer")


def compose_format(tree):
    """Composites serve every importer, so they know of no format."""
    paths = tree.select(CPP, ("lib/Import/Compose/",))
    return _search(tree, paths, r"(?i)onnx|torch", "'{}' in a composite")


FORMATTED = (".cpp", ".h", ".c")
UNFORMATTED = re.compile(r"^(.*?):(\d+):\d+: (?:warning|error): code should be")


def clang_format(tree):
    """C and C++ look as clang-format lays them out, each file named once."""
    paths = [p for p in tree.select(FORMATTED) if not p.startswith(LINT)]
    program = shutil.which("clang-format-19")
    if program is None:
        yield ".clang-format", 1, "clang-format-19 is not installed"
        return
    if not paths:
        return
    result = subprocess.run(
        [program, "--style=LLVM", "--dry-run", *paths],
        cwd=tree.root, capture_output=True, text=True,
    )
    seen = set()
    for line in result.stderr.splitlines():
        match = UNFORMATTED.match(line)
        if match and match.group(1) not in seen:
            seen.add(match.group(1))
            yield match.group(1), match.group(2), "is not as clang-format-19 lays it out"
    if result.returncode:
        yield ".clang-format", 1, "clang-format-19 failed: " + result.stderr.strip()


DIRECTIVE = re.compile(
    r"(?://|#|;)\s*([A-Z][A-Z0-9_-]*?)"
    r"(-NEXT|-SAME|-DAG|-NOT|-LABEL|-EMPTY|-COUNT-\d+)?:(?:\s|$)"
)
WORDS = {"RUN", "REQUIRES", "UNSUPPORTED", "XFAIL", "TODO", "NOTE", "DEFINE", "REDEFINE"}


def orphan_prefix(tree):
    """Every CHECK line is read by some FileCheck of the file."""
    for path in tree.select((".mlir", ".test"), ("test/",)):
        if path.startswith(LINT):
            continue
        runs = " ".join(l for l in tree.lines(path) if "RUN:" in l)
        used = set()
        for listed in re.findall(r"check-prefix(?:es)?[= ]([\w,-]+)", runs):
            used.update(listed.split(","))
        for command in re.findall(r"FileCheck[^|&;]*", runs):
            if "check-prefix" not in command:
                used.add("CHECK")
        for number, line in enumerate(tree.lines(path), 1):
            match = DIRECTIVE.search(line)
            if not match or match.group(1) in WORDS | used:
                continue
            if match.group(2) or match.group(1).startswith("CHECK"):
                yield path, number, f"no RUN line reads the prefix '{match.group(1)}'"


RULES = [
    file_head, file_cap, function_length, folder_size, machine_path, llvm_cl,
    unknown_loc, compose_format, clang_format, orphan_prefix,
]
