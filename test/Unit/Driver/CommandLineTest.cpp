// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From words to option structs, and what is said about bad words.

#include "ambit/Driver/CommandLine.h"
#include <catch2/catch.hpp>

using namespace ambit;

namespace {
struct Result {
  Command command;
  std::string out, err;

  ExitCode code() const { return std::get<ExitCode>(command); }
  const CompileOptions &compile() const {
    return std::get<CompileOptions>(command);
  }
};
} // namespace

static Result parse(std::vector<const char *> words) {
  Result result;
  words.insert(words.begin(), "ambit");
  llvm::raw_string_ostream out(result.out), err(result.err);
  result.command = parseCommandLine(words, out, err);
  return result;
}

/// The first line of stderr for `ambit compile m.onnx WORDS...`.
static std::string compileError(std::vector<const char *> words) {
  words.insert(words.begin(), {"compile", "m.onnx"});
  Result result = parse(words);
  CHECK(result.code() == ExitUsage);
  CHECK(result.out.empty());
  return result.err.substr(0, result.err.find('\n'));
}

TEST_CASE("compile: every option reaches its field") {
  Result result = parse({"compile",
                         "--dim",
                         "batch=1..64",
                         "--dim=h=32..640%32",
                         "--dim",
                         "c=3",
                         "--dim",
                         "w=1..",
                         "m.onnx",
                         "--constraint",
                         "2*h <= w",
                         "--constraint=c == 3 || c == 4",
                         "--bucket",
                         "seq=32,16",
                         "--bucket",
                         "seq=64,16",
                         "--exact=batch=1",
                         "-o",
                         "lib.so",
                         "--emit=obj",
                         "--stop-after",
                         "infer",
                         "-O3",
                         "--target-cpu=native",
                         "--fallback=none",
                         "--dump-ir=d",
                         "--time-report",
                         "--max-variants=8",
                         "--bucket=h=step:64",
                         "--bucket-kind=divisible:8",
                         "--bucket-kind=h=padded",
                         "--share-bodies=always",
                         "--resize-length=floored",
                         "--input-shape",
                         "x=batch,max(h,2),3",
                         "--input-shape",
                         "scalar=",
                         "--external-data-dir=here",
                         "--external-data-dir=there"});
  const CompileOptions &options = result.compile();
  CHECK(options.input == "m.onnx");
  CHECK(options.output == "lib.so");
  REQUIRE(options.dims.size() == 4);
  CHECK(options.dims[1].name == "h");
  CHECK(options.dims[1].min == 32);
  CHECK(options.dims[1].max == 640);
  CHECK(options.dims[1].divisor == 32);
  CHECK(options.dims[2].min == 3);
  CHECK(options.dims[2].max == 3);
  CHECK(options.dims[3].max == INT64_MAX);
  CHECK(options.constraints ==
        std::vector<std::string>{"2*h <= w", "c == 3 || c == 4"});
  REQUIRE(options.buckets.size() == 2);
  CHECK(options.buckets.at("h").rule == BucketEnds::Rule::Steps);
  CHECK(options.buckets.at("h").step == 64);
  CHECK(options.bucketKinds.at("").way == BucketKind::Way::Divisible);
  CHECK(options.bucketKinds.at("").divisor == 8);
  CHECK(options.bucketKinds.at("h").way == BucketKind::Way::Padded);
  CHECK(options.buckets.at("seq").sizes == std::vector<int64_t>{16, 32, 64});
  CHECK(options.sharing == Sharing::Always);
  CHECK(options.exact[0].name == "batch");
  CHECK(options.emit == EmitKind::Obj);
  CHECK(options.stopAfter == Phase::Infer);
  CHECK(options.optLevel == 3);
  CHECK(options.targetCpu == "native");
  CHECK_FALSE(options.fallback);
  CHECK(options.dumpIrDir == "d");
  CHECK(options.externalDataDirs == std::vector<std::string>{"here", "there"});
  CHECK(options.timeReport);
  CHECK(options.maxVariants == 8);
  CHECK(options.floorsResizeLength);
  CHECK(options.inputShapes.at("x") ==
        std::vector<std::string>{"batch", "max(h,2)", "3"});
  CHECK(options.inputShapes.at("scalar").empty());
}

TEST_CASE("compile: rules for buckets, and a limit of the size") {
  CompileOptions options =
      parse({"compile", "m.onnx", "--bucket=a=pow2",
             "--bucket=b=geometric:1.25", "--bucket-kind=range",
             "--fallback=generic", "--max-size=20MB"})
          .compile();
  CHECK(options.buckets.at("a").rule == BucketEnds::Rule::PowersOfTwo);
  CHECK(options.buckets.at("b").rule == BucketEnds::Rule::Geometric);
  CHECK(options.buckets.at("b").ratio == 1.25);
  CHECK(options.bucketKinds.at("").way == BucketKind::Way::Range);
  CHECK(options.fallback);
  CHECK(options.maxBytes == 20000000);
  auto bytes = [](const char *text) {
    return parse({"compile", "m.onnx", "--max-size", text}).compile().maxBytes;
  };
  CHECK(bytes("7") == 7);
  CHECK(bytes("3kB") == 3000);
  CHECK(bytes("3KiB") == 3072);
  CHECK(bytes("2GiB") == uint64_t(2) << 30);
}

static std::string lastError(std::vector<const char *> words) {
  return llvm::StringRef(parse(words).err).split('\n').first.str();
}

TEST_CASE("profile: actions and their files") {
  Result merge =
      parse({"profile", "merge", "a.json", "b.json", "-o", "c.json"});
  const auto &merged = std::get<ProfileOptions>(merge.command);
  CHECK(merged.action == ProfileOptions::Action::Merge);
  CHECK(merged.files == std::vector<std::string>{"a.json", "b.json"});
  CHECK(merged.output == "c.json");
  Result suggest = parse({"profile", "suggest", "m.so", "a.json", "--json"});
  const auto &suggested = std::get<ProfileOptions>(suggest.command);
  CHECK(suggested.action == ProfileOptions::Action::Suggest);
  CHECK(suggested.json);
  CHECK(lastError({"profile"}) ==
        "ambit: error: no action is given, expected merge or suggest");
  CHECK(lastError({"profile", "split", "a"}) ==
        "ambit: error: unknown action 'split', expected merge or suggest");
  CHECK(lastError({"profile", "merge"}) == "ambit: error: no profile is given");
  CHECK(lastError({"profile", "merge", "a", "--json"}) ==
        "ambit: error: --json: is for 'suggest'");
  CHECK(lastError({"profile", "suggest", "a", "b", "-o", "c"}) ==
        "ambit: error: --output: is for 'merge'");
  CHECK(lastError({"profile", "suggest", "a"}) ==
        "ambit: error: expected a library and a profile, found 1 files");
}

TEST_CASE("plan: every option reaches its field") {
  Result result = parse({"plan", "m.onnx", "--profile", "t.json",
                         "--max-variants", "8", "--json"});
  const auto &options = std::get<PlanVerbOptions>(result.command);
  CHECK(options.input == "m.onnx");
  CHECK(options.profile == "t.json");
  CHECK(options.maxVariants == 8);
  CHECK(options.json);
}

TEST_CASE("run: every option reaches its field") {
  Result result =
      parse({"run", "lib.so", "--input", "x=x.npy", "--random", "--seed=7",
             "--set", "n=2,m=3,a=b=4", "--repeat=5", "--threads=4",
             "--output-dir=out", "--explain", "--json"});
  const RunOptions &options = std::get<RunOptions>(result.command);
  CHECK(options.input == "lib.so");
  CHECK(options.inputs == std::vector<std::string>{"x=x.npy"});
  CHECK(options.random);
  CHECK(options.seed == 7);
  CHECK(options.set.at("m") == 3);
  CHECK(options.set.at("a=b") == 4);
  CHECK(options.repeat == 5);
  CHECK(options.threads == 4);
  CHECK(options.outputDir == "out");
  CHECK(options.explain);
  CHECK(options.json);
  Result plain = parse({"run", "lib.so"});
  CHECK(std::get<RunOptions>(plain.command).threads == 1);
}

TEST_CASE("compile: messages of bad values") {
  CHECK(compileError({"--dim", "seq"}) ==
        "ambit: error: --dim: expected NAME=LO..HI, found 'seq'");
  CHECK(compileError({"--dim", "seq=9..3"}) ==
        "ambit: error: --dim: the range of 'seq' is empty: '9..3'");
  CHECK(compileError({"--dim", "seq=33..63%32"}) ==
        "ambit: error: --dim: no multiple of 32 lies in the range of 'seq': "
        "'33..63%32'");
  CHECK(compileError({"--dim", "seq=1..8%0"}) ==
        "ambit: error: --dim: the divisor must be at least 1, found '0'");
  CHECK(compileError({"--dim", "s=1", "--dim", "s=2"}) ==
        "ambit: error: --dim: 's' is given twice");
  CHECK(compileError({"--bucket", "seq=1,,2"}) ==
        "ambit: error: --bucket: expected a size (an integer from 0 to "
        "9223372036854775807), found ''");
  CHECK(compileError({"--bucket", "seq=pow3"}) ==
        "ambit: error: --bucket: expected sizes, pow2, step:N or geometric:R, "
        "found 'pow3'");
  CHECK(compileError({"--bucket", "seq=step:0"}) ==
        "ambit: error: --bucket: expected an integer of at least 1, found '0'");
  for (const char *ratio : {"1", "x", "nan", "inf"})
    CHECK(compileError(
              {"--bucket", ("seq=geometric:" + std::string(ratio)).c_str()}) ==
          "ambit: error: --bucket: expected a number above 1, found '" +
              std::string(ratio) + "'");
  CHECK(compileError({"--bucket", "seq=pow2", "--bucket", "seq=8"}) ==
        "ambit: error: --bucket: 'seq' is given twice, expected one rule or "
        "sizes");
  CHECK(compileError({"--bucket-kind", "seq=exact"}) ==
        "ambit: error: --bucket-kind: expected auto, range, padded or "
        "divisible:N, found 'exact'");
  CHECK(compileError({"--share-bodies", "some"}) ==
        "ambit: error: --share-bodies: expected auto, always or never, found "
        "'some'");
  CHECK(compileError({"--cache-dir", "c", "--emit", "obj"}) ==
        "ambit: error: --cache-dir: is for shared objects, which this does not "
        "write");
  CHECK(compileError({"--bucket-kind", "range"}) ==
        "ambit: error: --bucket-kind: no symbol has buckets; give --bucket");
  for (const char *other : {"--exact", "--bucket"})
    CHECK(compileError({"--profile", "t.json", other, "n=8"}) ==
          "ambit: error: --profile: chooses the variants, without --exact and "
          "--bucket");
  CHECK(compileError({"--bucket-kind", "divisible:0"}) ==
        "ambit: error: --bucket-kind: expected an integer of at least 1, found "
        "'0'");
  CHECK(compileError({"--bucket-kind", "range", "--bucket-kind", "padded"}) ==
        "ambit: error: --bucket-kind: is given twice");
  CHECK(
      compileError({"--bucket-kind", "n=range", "--bucket-kind", "n=range"}) ==
      "ambit: error: --bucket-kind: 'n' is given twice");
  CHECK(compileError({"--fallback", "light"}) ==
        "ambit: error: --fallback: expected generic or none, found 'light'");
  for (const char *size : {"0", "MB", "1TB", "-1", "99999999999GB"})
    CHECK(compileError({"--max-size", size}) ==
          "ambit: error: --max-size: expected a number of bytes such as 20MB "
          "or 512KiB, found '" +
              std::string(size) + "'");
  CHECK(compileError({"--max-size", "1MB", "--emit", "obj"}) ==
        "ambit: error: --max-size: is for shared objects, which this does not "
        "write");
  CHECK(compileError({"--exact", "seq=99999999999999999999"}) ==
        "ambit: error: --exact: expected a size (an integer from 0 to "
        "9223372036854775807), found '99999999999999999999'");
  CHECK(compileError({"--input-shape", "x=1,,2"}) ==
        "ambit: error: --input-shape: a dim of 'x=1,,2' is empty");
  CHECK(compileError({"-O7"}) == "ambit: error: --opt-level: expected an "
                                 "integer from 0 to 3, found '7'");
  CHECK(compileError({"--stop-after", "x"}) ==
        "ambit: error: --stop-after: expected one of import|infer|simplify|"
        "plan|specialize|kernels|lower|dispatch|emit, found 'x'");
  CHECK(compileError({"--resize-length", "x"}) ==
        "ambit: error: --resize-length: expected exact or floored, found 'x'");
  CHECK(compileError({"-o", "a", "-o", "b"}) ==
        "ambit: error: --output: is given twice");
  CHECK(compileError({"--dim"}) ==
        "ambit: error: option '--dim' needs a value");
}

TEST_CASE("a caret points at what is wrong in a small language") {
  auto error = [](std::vector<const char *> words) {
    words.insert(words.begin(), {"compile", "m.onnx"});
    return parse(words).err;
  };
  const std::string more = "\nsee 'ambit compile --help'\n";
  CHECK(error({"--constraint", "2*h <= "}) ==
        "ambit: error: --constraint: expected an operand, found the end\n"
        "2*h <= \n"
        "       ^" +
            more);
  CHECK(error({"--constraint", "kv = past"}) ==
        "ambit: error: --constraint: expected one of == != <= < >= >, found "
        "'='\n"
        "kv = past\n"
        "   ^" +
            more);
  CHECK(error({"--dim", "seq=1..x"}) ==
        "ambit: error: --dim: expected a size (an integer from 0 to "
        "9223372036854775807), found 'x'\n"
        "seq=1..x\n"
        "       ^" +
            more);
  CHECK(error({"--dim", "seq=1..512%"}) ==
        "ambit: error: --dim: expected a size (an integer from 0 to "
        "9223372036854775807), found ''\n"
        "seq=1..512%\n"
        "           ^" +
            more);
  // The spelling of another time.
  CHECK(error({"--dim", "seq=1..512:8"}) ==
        "ambit: error: --dim: expected a size (an integer from 0 to "
        "9223372036854775807), found '512:8'\n"
        "seq=1..512:8\n"
        "       ^" +
            more);
}

TEST_CASE("unknown words are named, with a suggestion when one is close") {
  CHECK(compileError({"--bukcet", "seq=1"}) ==
        "ambit: error: unknown option '--bukcet'; did you mean '--bucket'?");
  CHECK(compileError({"--frobnicate=1"}) ==
        "ambit: error: unknown option '--frobnicate'");
  CHECK(compileError({"other.onnx"}) ==
        "ambit: error: unexpected argument 'other.onnx'");
  CHECK(parse({"compil"}).err == "ambit: error: unknown verb 'compil'; did you "
                                 "mean 'compile'?\nsee 'ambit --help'\n");
  CHECK(parse({}).code() == ExitUsage);
}

TEST_CASE("help is short, on stdout, and a success") {
  for (std::vector<const char *> words :
       std::vector<std::vector<const char *>>{{"--help"},
                                              {"compile", "--help"},
                                              {"inspect", "-h"},
                                              {"shapes", "--help"},
                                              {"run", "--help"}}) {
    Result result = parse(words);
    CHECK(result.code() == ExitSuccess);
    CHECK(result.err.empty());
    CHECK(llvm::StringRef(result.out).count('\n') <= 60);
  }
  CHECK(parse({"--help-all"}).out.find("--max-variants") != std::string::npos);
  CHECK(parse({"compile", "-h"}).out.find("--max-variants") ==
        std::string::npos);
}

TEST_CASE("phases and kinds of output have unique names") {
  for (Phase phase : allPhases())
    CHECK(parsePhase(phaseName(phase)) == phase);
  CHECK_FALSE(parsePhase("link"));
  for (const auto &[name, kind] : allEmitKinds())
    CHECK(emitKindName(kind) == name);
}
