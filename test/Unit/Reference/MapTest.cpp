// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scalar interpreter, through graph.map.

#include "Evaluation.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
static constexpr double kInf = std::numeric_limits<double>::infinity();

/// Applies one op "name" on scalars of type `from` to the inputs.
static std::vector<double> apply(const std::string &body, const char *from,
                                 const char *to,
                                 std::vector<std::vector<double>> inputs) {
  std::string size = std::to_string(inputs[0].size());
  std::string tensorFrom = "tensor<" + size + "x" + from + ">";
  std::string tensorTo = "tensor<" + size + "x" + to + ">";
  auto signless = [](std::string type) {
    return type[0] == 'u' || type[0] == 's' ? type.substr(1) : type;
  };
  std::string args, names, types, scalars;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string comma = i ? ", " : "", number = std::to_string(i);
    args += comma + "%arg" + number + ": " + tensorFrom;
    names += comma + "%arg" + number;
    types += comma + tensorFrom;
    scalars += comma + "%x" + number + ": " + signless(from);
  }
  Evaluation evaluation("func.func @main(" + args + ") -> " + tensorTo +
                        " {\n %0 = graph.map " + names + " : (" + types +
                        ") -> " + tensorTo + " {\n ^bb0(" + scalars + "):\n" +
                        body + "\n graph.yield %r : " + signless(to) +
                        "\n }\n return %0 : " + tensorTo + "\n}");
  INFO(evaluation.errors);
  std::vector<ambit::reference::HostTensor> tensors;
  for (const std::vector<double> &input : inputs)
    tensors.push_back(evaluation.tensor(tensorFrom, input));
  bool succeeded = evaluation.run(tensors);
  INFO(evaluation.errors);
  REQUIRE(succeeded);
  return evaluation.elements();
}

using Values = std::vector<double>;

TEST_CASE("f32 arithmetic rounds after every op") {
  Values sum = apply("%r = arith.addf %x0, %x1 : f32", "f32", "f32",
                     {{16777216.0, 0.1f}, {1.0, 0.2f}});
  CHECK(sum == Values{16777216.0, 0.1f + 0.2f});
  Values product = apply("%p = arith.mulf %x0, %x0 : f32\n"
                         "%r = arith.subf %p, %x1 : f32",
                         "f32", "f32", {{1.0f + 0x1p-12f}, {1.0f}});
  CHECK(product == Values{0x1p-11});
  Values fused = apply("%m = arith.negf %x1 : f32\n"
                       "%r = math.fma %x0, %x0, %m : f32",
                       "f32", "f32", {{1.0f + 0x1p-12f}, {1.0f}});
  CHECK(fused == Values{0x1p-11 + 0x1p-24});
}

TEST_CASE("f16 and bf16 round to their type") {
  CHECK(apply("%r = arith.addf %x0, %x1 : f16", "f16", "f16",
              {{2048, 65504}, {1, 65504}}) == Values{2048, kInf});
  CHECK(apply("%r = arith.addf %x0, %x1 : bf16", "bf16", "bf16",
              {{256}, {1}}) == Values{256});
}

TEST_CASE("math functions") {
  CHECK(apply("%r = math.exp %x0 : f32", "f32", "f32", {{0, 1, -kInf, 100}}) ==
        Values{1, float(M_E), 0, kInf});
  CHECK(apply("%r = math.erf %x0 : f64", "f64", "f64", {{0.5}}) ==
        Values{std::erf(0.5)});
  CHECK(apply("%r = math.roundeven %x0 : f32", "f32", "f32",
              {{0.5, 1.5, 2.5, -0.5, kInf}}) == Values{0, 2, 2, -0.0, kInf});
  CHECK(apply("%r = math.rsqrt %x0 : f32", "f32", "f32", {{4, 0}}) ==
        Values{0.5, kInf});
  CHECK(apply("%r = math.powf %x0, %x1 : f32", "f32", "f32",
              {{2, -8}, {10, 3}}) == Values{1024, -512});
  CHECK(apply("%r = math.copysign %x0, %x1 : f32", "f32", "f32",
              {{3}, {-0.0}}) == Values{-3});
}

TEST_CASE("maximumf and minimumf let NaN win and order zeros") {
  Values max = apply("%r = arith.maximumf %x0, %x1 : f32", "f32", "f32",
                     {{kNan, 1, -0.0}, {1, kNan, 0.0}});
  CHECK(std::isnan(max[0]));
  CHECK(std::isnan(max[1]));
  CHECK_FALSE(std::signbit(max[2]));
  CHECK(apply("%r = arith.maxnumf %x0, %x1 : f32", "f32", "f32",
              {{kNan}, {1}}) == Values{1});
}

TEST_CASE("comparisons with NaN") {
  CHECK(apply("%r = arith.cmpf olt, %x0, %x1 : f32", "f32", "i1",
              {{1, kNan}, {2, 2}}) == Values{1, 0});
  CHECK(apply("%r = arith.cmpf une, %x0, %x1 : f32", "f32", "i1",
              {{1, kNan}, {1, kNan}}) == Values{0, 1});
}

TEST_CASE("integers wrap around to their width") {
  CHECK(apply("%r = arith.addi %x0, %x1 : i8", "i8", "i8", {{127}, {1}}) ==
        Values{-128});
  CHECK(apply("%r = arith.addi %x0, %x1 : i8", "ui8", "ui8", {{255}, {1}}) ==
        Values{0});
  CHECK(apply("%r = arith.muli %x0, %x1 : i32", "i32", "i32",
              {{65536}, {65536}}) == Values{0});
}

TEST_CASE("signed and unsigned division, shift and order") {
  CHECK(apply("%r = arith.divsi %x0, %x1 : i32", "i32", "i32",
              {{-7, 7}, {2, -2}}) == Values{-3, -3});
  CHECK(apply("%r = arith.floordivsi %x0, %x1 : i32", "i32", "i32",
              {{-7, 7, 6}, {2, 2, 3}}) == Values{-4, 3, 2});
  CHECK(apply("%r = arith.ceildivsi %x0, %x1 : i32", "i32", "i32",
              {{-7, 7}, {2, 2}}) == Values{-3, 4});
  CHECK(apply("%r = arith.divui %x0, %x1 : i8", "ui8", "ui8", {{200}, {3}}) ==
        Values{66});
  CHECK(apply("%r = arith.shrsi %x0, %x1 : i8", "i8", "i8", {{-8}, {1}}) ==
        Values{-4});
  CHECK(apply("%r = arith.shrui %x0, %x1 : i8", "ui8", "ui8", {{248}, {1}}) ==
        Values{124});
  CHECK(apply("%r = arith.cmpi ult, %x0, %x1 : i8", "i8", "i1", {{-1}, {1}}) ==
        Values{0});
  CHECK(apply("%r = arith.cmpi slt, %x0, %x1 : i8", "i8", "i1", {{-1}, {1}}) ==
        Values{1});
}

TEST_CASE("the quotient that is out of range wraps around") {
  CHECK(apply("%r = arith.divsi %x0, %x1 : i8", "i8", "i8",
              {{-128, -128}, {-1, 1}}) == Values{-128, -128});
  CHECK(apply("%r = arith.remsi %x0, %x1 : i8", "i8", "i8",
              {{-128, -128}, {-1, 3}}) == Values{0, -2});
  CHECK(apply("%r = arith.floordivsi %x0, %x1 : i32", "i32", "i32",
              {{INT32_MIN, 7}, {-1, -1}}) == Values{INT32_MIN, -7});
  CHECK(apply("%r = arith.ceildivsi %x0, %x1 : i64", "i64", "i64",
              {{double(INT64_MIN), 7}, {-1, -1}}) ==
        Values{double(INT64_MIN), -7});
}

TEST_CASE("casts from float to integer saturate and take NaN to 0") {
  CHECK(apply("%r = arith.fptosi %x0 : f32 to i8", "f32", "i8",
              {{1.9, -1.9, 300, -300, kNan, kInf}}) ==
        Values{1, -1, 127, -128, 0, 127});
  CHECK(apply("%r = arith.fptoui %x0 : f32 to i8", "f32", "ui8",
              {{255.5, -1, 256, kNan}}) == Values{255, 0, 255, 0});
  CHECK(apply("%r = arith.fptosi %x0 : f64 to i64", "f64", "i64",
              {{9.3e18, -9.3e18}}) ==
        Values{double(INT64_MAX), double(INT64_MIN)});
}

TEST_CASE("other casts") {
  CHECK(apply("%r = arith.sitofp %x0 : i8 to f32", "i8", "f32", {{-5}}) ==
        Values{-5});
  CHECK(apply("%r = arith.uitofp %x0 : i8 to f32", "ui8", "f32", {{251}}) ==
        Values{251});
  CHECK(apply("%r = arith.uitofp %x0 : i1 to f32", "i1", "f32", {{1, 0}}) ==
        Values{1, 0});
  CHECK(apply("%r = arith.extsi %x0 : i8 to i32", "i8", "i32", {{-5}}) ==
        Values{-5});
  CHECK(apply("%r = arith.extui %x0 : i8 to i32", "i8", "i32", {{-5}}) ==
        Values{251});
  CHECK(apply("%r = arith.trunci %x0 : i32 to i8", "i32", "i8", {{384}}) ==
        Values{-128});
  CHECK(apply("%r = arith.bitcast %x0 : f32 to i32", "f32", "i32", {{1.0}}) ==
        Values{0x3f800000});
  CHECK(apply("%r = arith.bitcast %x0 : i32 to f32", "i32", "f32",
              {{0x40490fdb}}) == Values{float(M_PI)});
}

TEST_CASE("select, constants and bool") {
  CHECK(apply("%c = arith.constant 10.0 : f32\n"
              "%b = arith.cmpf ogt, %x0, %c : f32\n"
              "%r = arith.select %b, %c, %x0 : f32",
              "f32", "f32", {{3, 30}}) == Values{3, 10});
  CHECK(apply("%t = arith.constant true\n%r = arith.xori %x0, %t : i1", "i1",
              "i1", {{1, 0}}) == Values{0, 1});
  CHECK(apply("%r = math.ctlz %x0 : i8", "i8", "i8", {{1, 0}}) == Values{7, 8});
}

TEST_CASE("an integer division by zero is an error that names the element") {
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<2xi32>) -> tensor<2xi32> {
      %0 = graph.map %a : (tensor<2xi32>) -> tensor<2xi32> {
      ^bb0(%x: i32):
        %r = arith.divsi %x, %x : i32
        graph.yield %r : i32
      }
      return %0 : tensor<2xi32>
    })");
  CHECK_FALSE(evaluation.run({evaluation.tensor("tensor<2xi32>", {4, 0})}));
  CHECK(evaluation.errors == "'arith.divsi' divides by zero at element 1\n");
}

TEST_CASE("maps of no elements and of rank 0") {
  CHECK(apply("%r = arith.negf %x0 : f32", "f32", "f32", {{}}).empty());
  Evaluation evaluation(R"(
    func.func @main(%a: tensor<f32>) -> tensor<f32> {
      %0 = graph.map %a : (tensor<f32>) -> tensor<f32> {
      ^bb0(%x: f32):
        %r = arith.negf %x : f32
        graph.yield %r : f32
      }
      return %0 : tensor<f32>
    })");
  REQUIRE(evaluation.run({evaluation.tensor("tensor<f32>", {2})}));
  CHECK(evaluation.elements() == Values{-2});
}
