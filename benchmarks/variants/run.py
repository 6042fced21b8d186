#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is a variant worth? Times each kind of it beside the generic variant.

`gains` compiles each model for single sizes, for padded, range and divisible
buckets and for those that the cost model chooses, and runs each at the tops of
buckets, at a size below the middle of one, and at the least one that the last
pad. A cell is the generic variant's
time divided by the variant's; in parentheses where no variant takes the size,
so that the generic one runs. `many` compiles a model for 1 and for 64 padded
buckets, and for one more with what these left in a cache.

  python3 benchmarks/variants/run.py --ambit build/bin/ambit --models ../shared/models
  python3 benchmarks/variants/run.py many
"""

import argparse
import pathlib
import re
import sys
import tempfile
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measure import (PADDLE_DIM, add_options, call, find_model, least_times,
                     parse, positive, processor_seconds, run)



class Case(NamedTuple):
    """Symbols of one size, and those that have buckets, by the ends of these."""
    fixed: dict
    ends: dict
    divisor: int
    """Of the divisible buckets."""
    tops: list
    """Sizes of the symbols with buckets."""
    below: list
    """The same, below the middle of a bucket; for bert_toy also next to a top."""
    multiple: int = 1
    """Of which the model's rules want every size to be one."""


P = PADDLE_DIM
CASES = {
    "fsmn_vad_offline": Case(
        {}, {"feats_length": (1, 5, 20)}, 5, [(1,), (5,), (20,)], [(2,), (12,)]),
    "bert_toy": Case(
        {"batch": 4}, {"max_seq_len_in_batch": (16, 32)}, 8, [(32,)],
        [(31,), (23,)]),
    "yunet_n_dynamic": Case(
        {"batch": 1}, {"height": (128, 160), "width": (128, 160)}, 32,
        [(160, 160)], [(134, 134)]),
    "ppocrv4_det": Case(
        {P + "0": 1}, {P + "1": (96, 160), P + "2": (96, 160)}, 32, [(160, 160)],
        [(128, 128)], multiple=32),
    "ppocr_cls": Case(
        {P + "0": 1, P + "1": 48}, {P + "2": (96, 192)}, 32, [(192,)], [(143,)]),
    "ppocrv4_rec": Case(
        {P + "0": 1}, {P + "1": (160, 320)}, 32, [(320,)], [(239,)]),
}
WAYS = ("exact", "padded", "range", "divisible", "auto")

# The model of `many`, its symbol and the end of its last bucket.
MANY_MODEL, MANY_SYMBOL, MANY_TOP = "bert_toy", "max_seq_len_in_batch", 512


def join(values):
    return ",".join(map(str, values))


def choose_flags(way, case):
    """Options that ask for the variants of a way."""
    flags = [f"--exact={symbol}={size}" for symbol, size in case.fixed.items()]
    if way == "exact":
        columns = zip(*(case.tops + case.below))
        return flags + [f"--exact={symbol}={join(sorted(set(sizes)))}"
                        for symbol, sizes in zip(case.ends, columns)]
    flags += [f"--bucket={symbol}={join(sizes)}"
              for symbol, sizes in case.ends.items()]
    return flags + ["--bucket-kind", f"divisible:{case.divisor}"
                    if way == "divisible" else way]


def compile_ways(options, name, folder):
    """A library for each way, that with the generic variant alone first."""
    libraries = [f"{folder}/{name}-{way}.so" for way in ("generic", *WAYS)]
    for library, way in zip(libraries, ("generic", *WAYS)):
        flags = [] if way == "generic" else choose_flags(way, CASES[name])
        call(options.ambit, "compile", find_model(options, name), "-o", library,
             *flags)
    return libraries


def find_bottoms(options, case, library):
    """The least sizes that a library pads in the buckets of the tops, which is
    where padding pays least."""
    bottoms = []
    for top in case.tops:
        chosen = dict(zip(case.ends, top))
        variant, _ = run(options, library, {**case.fixed, **chosen})
        if variant["kind"] != "padded":
            continue
        least = dict(re.findall(r"(\S+) >= (\d+)", variant["domain"]))
        sizes = tuple(-(-int(least.get(symbol, 1)) // case.multiple) *
                      case.multiple for symbol in case.ends)
        if sizes != top:
            bottoms.append(sizes)
    return bottoms


def describe(way, kind, gain):
    if kind == "generic":
        return f"({gain:.2f})"
    return f"{gain:.2f}" + (f" {kind}" if way == "auto" else "")


class Verdicts:
    """Counts the rows in which what is wanted holds, and names the others."""

    def __init__(self):
        self.held, self.missed = {}, {}

    def add(self, text, holds, row):
        self.held[text] = self.held.get(text, 0) + holds
        self.missed.setdefault(text, [])
        if not holds:
            self.missed[text].append(row)

    def print(self):
        for text, rows in self.missed.items():
            count = self.held[text] + len(rows)
            more = ": not " + "; ".join(rows) if rows else ""
            print(f"- {text}: {self.held[text]} of {count}{more}")


def judge(verdicts, gains, auto_kind, is_top, noise, row):
    exact, padded, range_, _, auto = gains
    if is_top:
        verdicts.add("auto within 10 % of exact at tops", auto >= exact / 1.1, row)
    if auto_kind != "generic":
        verdicts.add(f"auto not slower than generic (noise {noise} %)",
                     auto >= 1 - noise / 100, row)
    if is_top and exact >= 1.3:
        verdicts.add("padded or range 1.2 where exact is 1.3",
                     max(padded, range_) >= 1.2, row)


def compare_gains(options, folder):
    verdicts = Verdicts()
    print("| model | sizes | threads | generic us | " + " | ".join(WAYS) +
          " |\n" + "|---" * (4 + len(WAYS)) + "|")
    for name in options.only:
        libraries = compile_ways(options, name, folder)
        case = CASES[name]
        bottoms = find_bottoms(options, case, libraries[-1])
        for sizes in case.tops + case.below + bottoms:
            chosen = {**case.fixed, **dict(zip(case.ends, sizes))}
            kinds = [run(options, library, chosen)[0]["kind"]
                     for library in libraries]
            for threads in options.threads:
                times = least_times(options, libraries, chosen, threads)
                gains = [times[0] / time for time in times[1:]]
                cells = [name, "x".join(map(str, chosen.values())), str(threads),
                         f"{times[0]:.1f}"]
                judge(verdicts, gains, kinds[-1], sizes in case.tops,
                      options.noise, " ".join([*cells[:2], "by", cells[2]]))
                cells += map(describe, WAYS, kinds[1:], gains)
                print("| " + " | ".join(cells) + " |", flush=True)
    print()
    verdicts.print()


def compile_buckets(options, folder, ends, *flags):
    """The CPU seconds that it takes, and the bytes of the library."""
    library = f"{folder}/many.so"
    begin = processor_seconds()
    call(options.ambit, "compile", find_model(options, MANY_MODEL), "-o",
         library, f"--dim={MANY_SYMBOL}=1..{MANY_TOP}",
         f"--bucket={MANY_SYMBOL}={join(ends)}", "--bucket-kind=padded",
         f"--max-variants={len(ends) + 1}", *flags)
    return (processor_seconds() - begin, pathlib.Path(library).stat().st_size)


def compare_many(options, folder):
    """One bucket beside 64, and beside one more when these are in a cache."""
    print("| buckets | CPU seconds | bytes | of one, time | bytes |\n"
          "|---|---|---|---|---|")
    step = MANY_TOP // 64
    many = list(range(step, MANY_TOP + 1, step))
    # Not the least sizes, whose bucket gains enough for code of its own.
    more = sorted([*many, MANY_TOP - step // 2])
    cache = f"--cache-dir={folder}/cache"
    one = None
    for name, ends, flags in [
            ("1", [MANY_TOP], []), ("64", many, []),
            ("64, filling a cache", many, [cache]),
            ("64, all in the cache", many, [cache]),
            ("65, 64 of them in the cache", more, [cache]),
            ("8, bodies of their own", many[7::8], ["--share-bodies=never"])]:
        row = compile_buckets(options, folder, ends, *flags)
        one = one or row
        print(f"| {name} | {row[0]:.2f} | {row[1]} | {row[0] / one[0]:.2f} "
              f"| {row[1] / one[1]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="gains",
                        choices=["gains", "many"])
    add_options(parser, CASES)
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2])
    parser.add_argument("--noise", type=positive, default=3, metavar="PERCENT",
                        help="a difference that means nothing (default 3)")
    options = parse(parser)
    with tempfile.TemporaryDirectory() as folder:
        if options.what == "gains":
            compare_gains(options, folder)
        else:
            compare_many(options, folder)


if __name__ == "__main__":
    main()
