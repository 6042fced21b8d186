# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same-code.py ALONE.o BESIDE.o: each kernel of ALONE is in BESIDE, byte for byte.

Compares every function whose name begins with `kernel_`: its bytes, and where in
it which kind of relocation stands (the bytes there are zero in an object file).
"""

import struct
import sys

SYMTAB, RELA, FUNCTION = 2, 4, 2


def read_kernels(path):
    with open(path, "rb") as file:
        data = file.read()
    (at,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    # name, type, flags, address, offset, size, link, info, alignment, entry size
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + i * size) for i in range(count)]
    relocations = {}
    for section in sections:
        if section[1] == RELA:
            for entry in range(section[4], section[4] + section[5], 24):
                offset, info, _ = struct.unpack_from("<QQq", data, entry)
                relocations.setdefault(section[7], []).append((offset, info & 0xFFFFFFFF))
    kernels = {}
    for table in (s for s in sections if s[1] == SYMTAB):
        names = sections[table[6]][4]
        for entry in range(table[4], table[4] + table[5], 24):
            name, kind, _, home, value, length = struct.unpack_from("<IBBHQQ", data, entry)
            text = data[names + name : data.index(b"\0", names + name)].decode()
            if kind & 15 != FUNCTION or not text.startswith("kernel_"):
                continue
            start = sections[home][4] + value
            places = sorted(
                (offset - value, what)
                for offset, what in relocations.get(home, [])
                if value <= offset < value + length
            )
            kernels[text] = (data[start : start + length], places)
    return kernels


alone, beside = (read_kernels(path) for path in sys.argv[1:3])
if len(alone) < 3 or len(beside) <= len(alone):
    sys.exit(f"{len(alone)} and {len(beside)} functions: nothing to compare")
for name, code in alone.items():
    if name not in beside:
        sys.exit(f"{name} is missing beside other variants")
    if beside[name] != code:
        sys.exit(f"{name} has other code beside other variants")
