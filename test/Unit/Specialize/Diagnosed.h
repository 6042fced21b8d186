// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context that collects diagnostics as "option: message".

#ifndef AMBIT_TEST_UNIT_SPECIALIZE_DIAGNOSED_H
#define AMBIT_TEST_UNIT_SPECIALIZE_DIAGNOSED_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include <string>
#include <vector>

struct Diagnosed {
  mlir::MLIRContext context;
  std::vector<std::string> errors;

  Diagnosed() {
    context.getDiagEngine().registerHandler([this](mlir::Diagnostic &d) {
      std::string text;
      if (auto named = mlir::dyn_cast<mlir::NameLoc>(d.getLocation()))
        text = named.getName().str() + ": ";
      errors.push_back(text + d.str());
    });
  }
};

#endif // AMBIT_TEST_UNIT_SPECIALIZE_DIAGNOSED_H
