// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ambit-opt: runs passes on textual IR, for tests and for looking inside.

#include "ambit/Driver/Registration.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  ambit::registerAmbitDialects(registry);
  mlir::registerTransformsPasses();
  ambit::registerAmbitPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "ambit-opt: passes of Ambit\n", registry));
}
