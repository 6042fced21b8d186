#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are expected times right? Prints what `ambit plan` expects beside what is measured.

`ratios` compiles each model with symbolic sizes and for exact ones, runs both in
turns and compares the least times. `traffic` draws shapes of one symbol, compiles
a model for them in four ways (generic only, padded to powers of two, by the
profile, every shape exact) and runs a sample of the shapes: the order of the
measured means should be that of the expected ones. `code` compiles each model with
one variant of each kind beside the generic one: its bytes and CPU seconds.

  python3 benchmarks/plan/run.py --ambit build/bin/ambit --models ../shared/models
  python3 benchmarks/plan/run.py traffic --draw lognormal
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from measure import (PADDLE_DIM as P, add_options, call, find_model, least_times,
                     parse, positive, processor_seconds)

# The shapes of each model, as values of its symbols.
SHAPES = {
    "fsmn_vad_offline": [{"feats_length": t} for t in (1, 5, 20, 64, 301)],
    "fsmn_vad_online": [{"feats_length": t} for t in (1, 17)],
    "bert_toy": [
        {"batch": b, "max_seq_len_in_batch": s}
        for b, s in ((1, 7), (4, 31), (4, 32), (8, 128))
    ],
    "yunet_n_dynamic": [
        {"batch": b, "height": h, "width": w}
        for b, h, w in ((1, 160, 160), (1, 320, 320), (2, 96, 128))
    ],
    "ppocr_cls": [
        {P + "0": b, P + "1": h, P + "2": w}
        for b, h, w in ((1, 48, 192), (7, 48, 100))
    ],
    "ppocrv4_det": [
        {P + "0": 1, P + "1": h, P + "2": w} for h, w in ((64, 96), (160, 160))
    ],
    "ppocrv4_rec": [{P + "0": 1, P + "1": w} for w in (48, 320)],
}

# Traffic of one symbol of one model.
TRAFFIC_MODEL, TRAFFIC_SYMBOL, TRAFFIC_MOST = "fsmn_vad_offline", "feats_length", 128


def expect(options, model, sizes):
    exact = [f"--exact={name}={size}" for name, size in sizes.items()]
    plan = json.loads(call(options.ambit, "plan", model, "--json", *exact))
    return plan["variants"][0]["generic_us"], plan["variants"][0]["expected_us"]


def compare_ratios(options, folder):
    print("| model | sizes | generic us | expected | exact us | expected "
          "| gain | expected |\n|---|---|---|---|---|---|---|---|")
    for name in options.only:
        model = find_model(options, name)
        generic = f"{folder}/{name}.so"
        call(options.ambit, "compile", model, "-o", generic)
        for sizes in SHAPES[name]:
            exact = f"{folder}/{name}-exact.so"
            dims = [f"--dim={symbol}={size}" for symbol, size in sizes.items()]
            call(options.ambit, "compile", model, "-o", exact, *dims)
            times = least_times(options, (generic, exact), sizes)
            expected = expect(options, model, sizes)
            cells = [name, "x".join(map(str, sizes.values()))]
            for time, other in zip(times, expected):
                cells += [f"{time:.1f}", f"{other:.1f}"]
            cells += [f"{times[0] / times[1]:.2f}", f"{expected[0] / expected[1]:.2f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


def code_ways(sizes):
    """Options that add one variant beside the generic one, by its kind."""
    buckets = [f"--bucket={name}={size}" for name, size in sizes.items()]
    return {
        "generic": [],
        "exact": [f"--exact={name}={size}" for name, size in sizes.items()],
        "padded": [*buckets, "--bucket-kind=padded"],
        "range": [*buckets, "--bucket-kind=range"],
    }


def compare_code(options, folder):
    print("| model | variants | bytes | expected | CPU seconds | expected |\n"
          "|---|---|---|---|---|---|")
    for name in options.only:
        model, library = find_model(options, name), f"{folder}/{name}.so"
        sizes = {symbol: max(size, 32) for symbol, size in SHAPES[name][-1].items()}
        for way, flags in code_ways(sizes).items():
            plan = json.loads(call(options.ambit, "plan", model, "--json", *flags))
            begin = processor_seconds()
            call(options.ambit, "compile", model, "-o", library, *flags)
            seconds = processor_seconds() - begin
            size = pathlib.Path(library).stat().st_size
            row = [name, way if way == "generic" else f"generic, {way}", size,
                   plan["bytes"], f"{seconds:.2f}", f"{plan['compile_seconds']:.2f}"]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


def draw(kind):
    if kind == "uniform":
        size = random.randint(1, TRAFFIC_MOST)
    elif kind == "lognormal":
        size = round(random.lognormvariate(3, 0.8))
    else:
        middle = TRAFFIC_MOST / 8 if random.random() < 0.6 else TRAFFIC_MOST * 0.7
        size = round(random.gauss(middle, TRAFFIC_MOST / 30))
    return min(max(size, 1), TRAFFIC_MOST)


def write_profile(options, library, counts, path):
    """A profile as the library itself writes one, with other counts."""
    chosen = f"{TRAFFIC_SYMBOL}={next(iter(counts))}"
    subprocess.run(
        [options.ambit, "run", library, "--random", "--set", chosen],
        check=True, capture_output=True, env={"AMBIT_PROFILE": str(path)},
    )
    profile = json.loads(path.read_text())
    profile["shapes"] = [[size, count] for size, count in sorted(counts.items())]
    profile["calls"] = sum(counts.values())
    path.write_text(json.dumps(profile) + "\n")


def compare_traffic(options, folder):
    random.seed(options.seed)
    counts = {}
    for _ in range(2000):
        size = draw(options.draw)
        counts[size] = counts.get(size, 0) + 1
    model = find_model(options, TRAFFIC_MODEL)
    profile = pathlib.Path(folder) / "traffic.json"
    dim = f"--dim={TRAFFIC_SYMBOL}=1..{TRAFFIC_MOST}"
    call(options.ambit, "compile", model, "-o", f"{folder}/0.so", dim)
    write_profile(options, f"{folder}/0.so", counts, profile)
    chosen = ["--profile", profile]
    plan = json.loads(call(options.ambit, "plan", model, dim, "--json", *chosen,
                           "--max-variants", str(options.max_variants)))
    ways = {
        "generic only": ([], "generic_us"),
        "powers of two": ([f"--bucket={TRAFFIC_SYMBOL}=pow2",
                           "--bucket-kind=padded"], "powers_of_two_us"),
        f"profile, {options.max_variants} variants": (
            [*chosen, "--max-variants", str(options.max_variants)], "plan_us"),
        "every shape exact": ([*chosen, "--max-variants", "4096"], "optimum_us"),
    }
    libraries = []
    for index, (flags, _) in enumerate(ways.values()):
        libraries.append(f"{folder}/{index}.so")
        call(options.ambit, "compile", model, dim, "-o", libraries[-1], *flags)
    sums = [0.0] * len(ways)
    for size, count in counts.items():
        times = least_times(options, libraries, {TRAFFIC_SYMBOL: size})
        sums = [sum_ + count * time for sum_, time in zip(sums, times)]
    print(f"{TRAFFIC_MODEL}, {options.draw}, {len(counts)} shapes\n")
    print("| variants | us a call | expected |\n|---|---|---|")
    for (way, (_, key)), sum_ in zip(ways.items(), sums):
        expected = plan["traffic"][key]
        print(f"| {way} | {sum_ / sum(counts.values()):.1f} | {expected:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", default="ratios",
                        choices=["ratios", "traffic", "code"])
    add_options(parser, SHAPES)
    parser.add_argument("--draw", default="lognormal",
                        choices=["uniform", "lognormal", "bimodal"])
    parser.add_argument("--max-variants", type=positive, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parse(parser)
    with tempfile.TemporaryDirectory() as folder:
        if options.what == "ratios":
            compare_ratios(options, folder)
        elif options.what == "code":
            compare_code(options, folder)
        else:
            compare_traffic(options, folder)


if __name__ == "__main__":
    main()
