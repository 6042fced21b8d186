#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times compiled models beside ONNX Runtime and prints a Markdown table.

Both run in the same invocation, in turns, on the same machine; a figure is the
median over the rounds of the median time of a run. Ambit's times come from
`ambit run --repeat`, ONNX Runtime's from its Python package, each around the run
call alone.

  python3 -m venv venv && venv/bin/pip install onnxruntime numpy
  venv/bin/python benchmarks/models/run.py --ambit build/bin/ambit \\
      --models ../shared/models
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

# The shapes of each model, as values of its symbols.
SHAPES = {
    "fsmn_vad_offline": ["feats_length=5", "feats_length=64", "feats_length=301"],
    "fsmn_vad_online": ["feats_length=1", "feats_length=17", "feats_length=301"],
    "yunet_n_dynamic": [
        "batch=1,height=160,width=160",
        "batch=1,height=320,width=320",
        "batch=2,height=96,width=128",
    ],
    "ppocr_cls": [
        "p2o.DynamicDimension.0=1,p2o.DynamicDimension.1=48,p2o.DynamicDimension.2=192",
        "p2o.DynamicDimension.0=5,p2o.DynamicDimension.1=48,p2o.DynamicDimension.2=192",
        "p2o.DynamicDimension.0=7,p2o.DynamicDimension.1=48,p2o.DynamicDimension.2=100",
    ],
    "ppocrv4_det": [
        "p2o.DynamicDimension.0=1,p2o.DynamicDimension.1=160,p2o.DynamicDimension.2=160",
        "p2o.DynamicDimension.0=1,p2o.DynamicDimension.1=320,p2o.DynamicDimension.2=320",
    ],
    "bert_toy": [
        "batch=1,max_seq_len_in_batch=7",
        "batch=4,max_seq_len_in_batch=32",
        "batch=8,max_seq_len_in_batch=128",
    ],
    "g2p_arpabet": ["T=5,U=4", "T=9,U=4", "T=23,U=12"],
}

DTYPES = {
    "tensor(float)": numpy.float32,
    "tensor(int32)": numpy.int32,
    "tensor(int64)": numpy.int64,
}


def make_feed(session, symbols):
    """Random inputs of the declared shapes with the symbols put in."""
    random = numpy.random.default_rng(0)
    feed = {}
    for value in session.get_inputs():
        dims = [d if isinstance(d, int) else symbols[d] for d in value.shape]
        dtype = DTYPES[value.type]
        if dtype == numpy.float32:
            feed[value.name] = random.standard_normal(dims, dtype=dtype)
        else:
            feed[value.name] = random.integers(0, 2, dims, dtype=dtype)
    return feed


def time_onnxruntime(session, feed, repeat):
    for _ in range(max(3, repeat // 10)):
        session.run(None, feed)
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        session.run(None, feed)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def time_ambit(ambit, library, shape, threads, repeat):
    command = [ambit, "run", library, "--random", "--set", shape, "--json"]
    command += ["--repeat", str(repeat), "--threads", str(threads)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    times = json.loads(result.stdout)["microseconds"]
    return statistics.median(times[len(times) // 10 :]) / 1e3


def compile_model(ambit, model, cpu, folder):
    library = f"{folder}/{model.parent.name}-{cpu}.so"
    start = time.perf_counter()
    command = [ambit, "compile", model, "-o", library, "--target-cpu", cpu]
    subprocess.run(command, check=True)
    return library, time.perf_counter() - start


def time_model(options, folder, name):
    model = pathlib.Path(options.models) / name / "model.onnx"
    libraries = {
        cpu: compile_model(options.ambit, model, cpu, folder)[0]
        for cpu in options.cpus
    }
    for shape in SHAPES[name]:
        symbols = {k: int(v) for k, v in (s.split("=") for s in shape.split(","))}
        for threads in options.threads:
            config = onnxruntime.SessionOptions()
            config.intra_op_num_threads = threads
            config.inter_op_num_threads = 1
            session = onnxruntime.InferenceSession(
                str(model), config, providers=["CPUExecutionProvider"]
            )
            feed = make_feed(session, symbols)
            rounds = [
                [time_onnxruntime(session, feed, options.repeat)]
                + [
                    time_ambit(options.ambit, lib, shape, threads, options.repeat)
                    for lib in libraries.values()
                ]
                for _ in range(options.rounds)
            ]
            peer, *ours = [statistics.median(column) for column in zip(*rounds)]
            sizes = ", ".join(str(v) for v in symbols.values())
            cells = [name, sizes, str(threads), f"{peer:.3f}"]
            for figure in ours:
                cells += [f"{figure:.3f}", f"{figure / peer:.2f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ambit", default="build/bin/ambit")
    parser.add_argument("--models", default="../shared/models")
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--cpus", nargs="*", default=["x86-64-v3", "native"])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--repeat", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if not pathlib.Path(options.models).is_dir():
        sys.exit(f"{options.models}: no such folder; nothing to time")
    head = ["model", "sizes", "threads", "ONNX Runtime ms"]
    for cpu in options.cpus:
        head += [f"Ambit {cpu} ms", "ratio"]
    print(f"ONNX Runtime {onnxruntime.__version__}, lower ratio is faster\n")
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or SHAPES:
            time_model(options, folder, name)


if __name__ == "__main__":
    main()
