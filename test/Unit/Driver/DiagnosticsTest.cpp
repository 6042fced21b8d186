// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of diagnostics for every kind of location.

#include "ambit/Driver/Diagnostics.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include <catch2/catch.hpp>

using namespace ambit;

namespace {
struct Fixture {
  mlir::MLIRContext context;

  mlir::Location file(unsigned line = 0, unsigned column = 0) {
    return mlir::FileLineColLoc::get(&context, "m.onnx", line, column);
  }
  mlir::Location node(llvm::StringRef name) {
    return mlir::NameLoc::get(mlir::StringAttr::get(&context, name), file());
  }
  std::string textOf(mlir::Location location) {
    std::string text;
    llvm::raw_string_ostream out(text);
    DiagnosticPrinter printer(&context, out);
    mlir::emitError(location) << "bad";
    CHECK(printer.errorCount() == 1);
    return text;
  }
};
} // namespace

TEST_CASE_METHOD(Fixture, "a node is named and its file comes first") {
  CHECK(textOf(node("/enc/Add_4")) ==
        "m.onnx: error: node '/enc/Add_4': bad\n");
}

TEST_CASE_METHOD(Fixture, "files with lines") {
  CHECK(textOf(file(3, 4)) == "m.onnx:3:4: error: bad\n");
  CHECK(textOf(file()) == "m.onnx: error: bad\n");
}

TEST_CASE_METHOD(Fixture, "every node of a fused location is named once") {
  mlir::Location fused = mlir::FusedLoc::get(
      &context, {node("a"), node("b"), node("a"), node("c")});
  CHECK(textOf(fused) ==
        "m.onnx: error: node 'a' (fused with 'b', 'c'): bad\n");
  mlir::Location many =
      mlir::FusedLoc::get(&context, {node("a"), node("b"), node("c"), node("d"),
                                     node("e"), node("f")});
  CHECK(textOf(many) == "m.onnx: error: node 'a' (fused with 'b', 'c', 'd' and "
                        "2 more): bad\n");
}

TEST_CASE_METHOD(Fixture, "no place at all") {
  CHECK(textOf(mlir::UnknownLoc::get(&context)) == "ambit: error: bad\n");
}

TEST_CASE_METHOD(Fixture, "an option at fault is named and remembered") {
  std::string text;
  llvm::raw_string_ostream out(text);
  DiagnosticPrinter printer(&context, out);
  mlir::emitError(optionLocation(&context, "--dim")) << "no symbol 'sq'";
  CHECK(text == "ambit: error: --dim: no symbol 'sq'\n");
  CHECK(printer.blamedOption());
}

TEST_CASE_METHOD(Fixture, "our own fault is remembered") {
  std::string text;
  llvm::raw_string_ostream out(text);
  DiagnosticPrinter printer(&context, out);
  mlir::emitError(file()) << "unknown operator";
  CHECK_FALSE(printer.blamedAmbit());
  mlir::emitError(file()) << "internal error: only looks like one";
  CHECK_FALSE(printer.blamedAmbit());
  emitInternalError(file()) << "no such symbol";
  CHECK(printer.blamedAmbit());
}

TEST_CASE_METHOD(Fixture, "notes repeat their place only when it differs") {
  std::string text;
  llvm::raw_string_ostream out(text);
  DiagnosticPrinter printer(&context, out);
  mlir::InFlightDiagnostic error = mlir::emitError(node("a")) << "bad";
  error.attachNote() << "same place";
  error.attachNote(node("b")) << "elsewhere";
  error.report();
  CHECK(text == "m.onnx: error: node 'a': bad\n"
                "note: same place\n"
                "m.onnx: note: node 'b': elsewhere\n");
  CHECK_FALSE(printer.blamedOption());
}
