# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What benchmarks of compiled variants share: calling ambit, least times of runs
that take turns, CPU seconds, options."""

import argparse
import json
import pathlib
import resource
import subprocess
import sys

# How exporters of Paddle models call a dim; a number follows.
PADDLE_DIM = "p2o.DynamicDimension."


def call(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}")
    return result.stdout


def find_model(options, name):
    return pathlib.Path(options.models) / name / "model.onnx"


def run(options, library, sizes, threads=1):
    """The variant that takes these sizes, and the microseconds of its runs."""
    chosen = ",".join(f"{name}={size}" for name, size in sizes.items())
    first = ["nice", "-n", "-20"] if options.priority else []
    result = json.loads(call(
        *first, options.ambit, "run", library, "--random", "--set", chosen,
        "--repeat", str(options.repeat), "--threads", str(threads), "--json"))
    return result["variant"], result["microseconds"]


def least_times(options, libraries, sizes, threads=1):
    """The least time of each library, in rounds in which they take turns."""
    times = [float("inf")] * len(libraries)
    for _ in range(options.rounds):
        for index, library in enumerate(libraries):
            _, microseconds = run(options, library, sizes, threads)
            times[index] = min(times[index], *microseconds)
    return times


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected at least 1")
    return value


def add_options(parser, models):
    parser.add_argument("--ambit", default="build/bin/ambit")
    parser.add_argument("--models", default="../shared/models")
    parser.add_argument("--only", nargs="+", choices=sorted(models),
                        metavar="MODEL", default=list(models),
                        help="of " + ", ".join(models))
    parser.add_argument("--repeat", type=positive, default=60,
                        help="runs in a turn (default 60)")
    parser.add_argument("--rounds", type=positive, default=5,
                        help="turns of each (default 5)")
    parser.add_argument("--priority", action="store_true",
                        help="run at the highest priority, for a busy machine")


def parse(parser):
    options = parser.parse_args()
    if not pathlib.Path(options.models).is_dir():
        parser.error(f"{options.models}: no such folder; nothing to time")
    if not pathlib.Path(options.ambit).is_file():
        parser.error(f"{options.ambit}: no such program; build it or give --ambit")
    return options
