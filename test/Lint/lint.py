# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the habits of this project that a compiler does not check.

  lint.py ROOT [--rule=NAME ...]     reports `path:line: rule: message`

Every rule is a function of a Tree, in sources.py and dialects.py; it has one
test of the same name in this folder.
"""

import os
import shutil
import subprocess
import sys

import dialects
import sources


class Tree:
    """The files of one source tree, by path relative to its root."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(self._list())
        self._lines = {}

    def _list(self):
        # What git ignores is no part of the tree. Without git, or in a clone that
        # git does not trust, the folders that .gitignore names are left out.
        if os.path.exists(os.path.join(self.root, ".git")) and shutil.which("git"):
            command = ["git", "-C", self.root, "ls-files", "--cached", "--others"]
            listing = subprocess.run(
                command + ["--exclude-standard"], capture_output=True, text=True
            )
            if listing.returncode == 0:
                return [
                    path for path in listing.stdout.splitlines()
                    if os.path.isfile(os.path.join(self.root, path))
                ]
        found = []
        for folder, folders, files in os.walk(self.root):
            folders[:] = [
                f for f in folders if not f.startswith((".", "build", "__pycache__"))
            ]
            found += [
                os.path.relpath(os.path.join(folder, name), self.root)
                for name in files
            ]
        return found

    def lines(self, path):
        if path not in self._lines:
            name = os.path.join(self.root, path)
            with open(name, encoding="utf-8", errors="replace") as file:
                self._lines[path] = file.read().splitlines()
        return self._lines[path]

    def text(self, path):
        return "\n".join(self.lines(path))

    def select(self, suffixes, folders=("",)):
        """Paths that end in one of `suffixes` and lie below one of `folders`."""
        return [
            path for path in self.paths
            if path.endswith(suffixes) and path.startswith(folders)
        ]


RULES = {
    rule.__name__.replace("_", "-"): rule for rule in sources.RULES + dialects.RULES
}


def main(arguments):
    names = [a[len("--rule="):] for a in arguments if a.startswith("--rule=")]
    roots = [a for a in arguments if not a.startswith("--")]
    unknown = [name for name in names if name not in RULES]
    if len(roots) != 1 or unknown:
        print(__doc__ + "\nrules: " + " ".join(RULES), file=sys.stderr)
        return 2
    tree = Tree(roots[0])
    count = 0
    for name in names or RULES:
        for path, line, message in RULES[name](tree):
            print(f"{path}:{line}: {name}: {message}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
