# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit tests: a test is a file with RUN lines, which bash runs.
#
# RUN lines may use ambit, ambit-opt, ambit-conformance, FileCheck, not,
# split-file and onnx-from-text (makes a model from ONNX's textual syntax, see
# Import/OnnxFromText.cpp) by name, and:
#   %source   the root of the source tree      %models  real models, see below
#   %cc       the C compiler                   %python  the Python interpreter
#   %docs     the pages about dialects and passes
# A test that needs the real models of the folder `shared`, which lies beside
# the source tree on the machines that have it, says `REQUIRES: shared-models`.

import os

import lit.formats

config.name = "ambit"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ambit_build, "test")

tool_folders = [os.path.join(config.ambit_build, "bin"), config.llvm_tools]
config.environment["PATH"] = os.pathsep.join(
    tool_folders + [config.environment.get("PATH", "")]
)
config.environment["NO_COLOR"] = "1"
# A failing CHECK line shows what was found instead.
config.environment["FILECHECK_OPTS"] = "--dump-input-filter=error"

shared = os.path.join(os.path.dirname(config.ambit_source), "shared")
if os.path.isdir(os.path.join(shared, "models")):
    config.available_features.add("shared-models")
if os.path.isdir(os.path.join(shared, "conformance")):
    config.available_features.add("shared-conformance")
# ONNX's node tests, from the Debian package libonnx-testdata.
nodes = "/usr/share/libonnx-testdata/data/node"
if os.path.isdir(nodes):
    config.available_features.add("onnx-testdata")
if config.sanitize != "ON":
    config.available_features.add("no-sanitizer")

config.substitutions += [
    ("%source", config.ambit_source),
    ("%models", os.path.join(shared, "models")),
    ("%shared", shared),
    ("%docs", os.path.join(config.ambit_build, "docs")),
    ("%nodes", nodes),
    ("%cc", config.c_compiler),
    ("%python", config.python),
]
