// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest complete model as LLVM IR: y[i] = x[i] * w[0] + w[1] for a
// symbol `n` in 0..1000, with its weights in `ambit_weights`. Data x[0] < 0 is
// rejected by a check.

#ifndef AMBIT_TEST_UNIT_EMIT_TINYMODEL_H
#define AMBIT_TEST_UNIT_EMIT_TINYMODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <memory>
#include <string>

/// `extra` is IR that the body may call as @extra(float); empty: none.
inline std::unique_ptr<llvm::Module> makeTinyModel(llvm::LLVMContext &context,
                                                   std::string extra = "") {
  std::string text = R"(
%dim = type { ptr, i64, i64 }
%tensor = type { ptr, i32, i32, ptr }
%symbol = type { ptr, i64, i64, i64, i32, i32, i64, i64, i64, i64, ptr }
%guard = type { ptr, ptr, i32 }
%variant = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, i64 }
%descriptor = type { i32, i32, i32, i32, i32, i32, i32, ptr, ptr, ptr, ptr,
                     ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }

@ambit_weights = external constant [2 x float], align 64
@n = constant [2 x i8] c"n\00"
@x = constant [2 x i8] c"x\00"
@y = constant [2 x i8] c"y\00"
@tiny = constant [5 x i8] c"tiny\00"
@json = constant [3 x i8] c"{}\00"
@generic = constant [8 x i8] c"generic\00"
@check = constant [39 x i8] c"node 'Mul_0': first element is no size\00"
@feature = constant [5 x i8] c"avx2\00"
@isa = constant [1 x ptr] [ptr @feature]
@dims = constant [1 x %dim] [%dim { ptr @n, i64 -1, i64 0 }]
@inputs = constant [1 x %tensor] [%tensor { ptr @x, i32 1, i32 1, ptr @dims }]
@outputs = constant [1 x %tensor] [%tensor { ptr @y, i32 1, i32 1, ptr @dims }]
@symbols = constant [1 x %symbol]
  [%symbol { ptr @n, i64 0, i64 1000, i64 1, i32 0, i32 0,
    i64 1, i64 0, i64 -1, i64 0, ptr null }]
@variants = constant [1 x %variant] [%variant { ptr @generic, ptr @generic,
  ptr @n, ptr @body, ptr @workspace, ptr @admits, ptr @checks, i64 1 }]
@checks = constant [1 x ptr] [ptr @check]

@ambit_descriptor_instance = constant %descriptor {
  i32 4, i32 1, i32 1, i32 1, i32 0, i32 1, i32 1,
  ptr @tiny, ptr @json, ptr @inputs, ptr @outputs, ptr @symbols, ptr null,
  ptr @variants, ptr @isa,
  ptr @guards_failed, ptr @select, ptr @output_dims, ptr @output_dims, ptr null,
  ptr null, ptr null }

define i32 @guards_failed(ptr %s) { ret i32 -1 }
define i32 @select(ptr %s) { ret i32 0 }
define i32 @admits(ptr %s) { ret i32 1 }
define i64 @workspace(ptr %s) { ret i64 128 }
define i32 @output_dims(ptr %s, ptr %d) {
  %n = load i64, ptr %s
  store i64 %n, ptr %d
  ret i32 0
}
define i32 @body(ptr %in, ptr %out, ptr %arena, ptr %s, ptr %exec) {
entry:
  %n = load i64, ptr %s
  %x = load ptr, ptr %in
  %y = load ptr, ptr %out
  store i8 1, ptr %arena
  %scale = load float, ptr @ambit_weights
  %second = getelementptr float, ptr @ambit_weights, i64 1
  %shift = load float, ptr %second
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %first, label %done
first:
  %x0 = load float, ptr %x
  %bad = fcmp olt float %x0, 0.0
  br i1 %bad, label %fail, label %loop
fail:
  store i64 0, ptr %exec
  %value = getelementptr i64, ptr %exec, i64 1
  %found = fptosi float %x0 to i64
  store i64 %found, ptr %value
  ret i32 7
loop:
  %i = phi i64 [ 0, %first ], [ %next, %loop ]
  %xp = getelementptr float, ptr %x, i64 %i
  %yp = getelementptr float, ptr %y, i64 %i
  %v = load float, ptr %xp
  %p = fmul float %v, %scale
  %q = fadd float %p, %shift
  %r = call float @extra(float %q)
  store float %r, ptr %yp
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret i32 0
}
)";
  text += extra.empty() ? "define float @extra(float %v) { ret float %v }\n"
                        : extra;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  if (!module)
    problem.print("TinyModel.h", llvm::errs());
  return module;
}

#endif // AMBIT_TEST_UNIT_EMIT_TINYMODEL_H
