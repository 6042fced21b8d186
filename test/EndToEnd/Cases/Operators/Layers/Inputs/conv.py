# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""conv.py FOLDER height|width|both AUTO_PAD STRIDE DILATION: writes m.txt, a
convolution of a 3x3 window with the weights 1 to 9, and m.runs, its values at
sizes from 1 to 40 by plain loops. NOTSET means pads of 1 at all sides."""

import sys

folder, which, mode, stride, dilation = sys.argv[1:]
stride, dilation = int(stride), int(dilation)
FIXED = 5
REACH = 2 * dilation + 1


def slide(size):
    """The padding before, and the number of positions."""
    if mode == "NOTSET":
        return 1, (size + 2 - REACH) // stride + 1
    count = -(-size // stride)
    pad = max((count - 1) * stride + REACH - size, 0)
    return (pad // 2 if mode == "SAME_UPPER" else pad - pad // 2), count


def convolve(height, width):
    (top, rows), (left, columns) = slide(height), slide(width)
    values = []
    for row in range(rows):
        for column in range(columns):
            total = 0
            for k in range(9):
                y = row * stride + k // 3 * dilation - top
                x = column * stride + k % 3 * dilation - left
                if 0 <= y < height and 0 <= x < width:
                    total += (k + 1) * (y * width + x)
            values.append(total)
    return rows, columns, values


height = FIXED if which == "width" else "h"
width = FIXED if which == "height" else "w"
pads = "pads = [1, 1, 1, 1]" if mode == "NOTSET" else f'auto_pad = "{mode}"'
with open(f"{folder}/m.txt", "w") as file:
    file.write(
        f"""<ir_version: 8, opset_import: ["" : 17]>
g (float[1,1,{height},{width}] x) => (float[1,1,p,q] y)
<float[1,1,3,3] w = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}>
{{
  y = Conv <{pads}, strides = [{stride}, {stride}], dilations = [{dilation}, {dilation}]> (x, w)
}}
"""
    )
symbol = "w" if which == "width" else "h"
with open(f"{folder}/m.runs", "w") as file:
    file.write(f"options --exact {symbol}=7\nstatics 8\n")
    for size in range(1, 41):
        h = FIXED if which == "width" else size
        w = FIXED if which == "height" else size if which == "width" else 41 - size
        if mode == "NOTSET" and min(h, w) + 2 < REACH:
            file.write(f"x[1,1,{h},{w}]=iota -> error: rule\n")
            continue
        rows, columns, values = convolve(h, w)
        text = ",".join(map(str, values))
        file.write(f"x[1,1,{h},{w}]=iota -> y[1,1,{rows},{columns}]={text}\n")
