# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# npy.py FILE DTYPE DIM...: writes a .npy file of zeros, without NumPy.
import sys

path, dtype, dims = sys.argv[1], sys.argv[2], [int(d) for d in sys.argv[3:]]
header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (
    dtype,
    "".join("%d, " % d for d in dims),
)
header += " " * (63 - (10 + len(header)) % 64) + "\n"
size = int(dtype[-1])
for dim in dims:
    size *= dim
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little"))
    file.write(header.encode() + bytes(size))
