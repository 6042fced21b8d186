// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowering and compiling of a test's model.

#include "JitModel.h"
#include "ambit/Dialect/Dispatch/Transforms/Passes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"
#include <catch2/catch.hpp>

struct JitModel::Jit {
  std::unique_ptr<llvm::orc::LLJIT> lljit;
};

static mlir::OwningOpRef<mlir::ModuleOp>
lower(mlir::MLIRContext &context, const std::string &text, unsigned maxCells) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  REQUIRE(module);
  mlir::PassManager passes(&context);
  ambit::dispatch::LowerPassOptions options;
  options.maxCells = maxCells;
  passes.addPass(ambit::dispatch::createLowerPass(options));
  REQUIRE(mlir::succeeded(passes.run(*module)));
  return module;
}

JitModel::JitModel(const std::string &text,
                   const std::vector<std::string> &bodies, unsigned maxCells)
    : jit(new Jit) {
  static const bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)once;
  mlir::DialectRegistry registry;
  registry.insert<ambit::dispatch::DispatchDialect, mlir::LLVM::LLVMDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::string source = text;
  for (const std::string &body : bodies)
    source += "llvm.func @" + body +
              "(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr, %d: !llvm.ptr, "
              "%e: !llvm.ptr) -> i32 {\n"
              "  %0 = llvm.mlir.constant(0 : i32) : i32\n"
              "  llvm.return %0 : i32\n}\n";
  mlir::OwningOpRef<mlir::ModuleOp> module = lower(context, source, maxCells);

  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  auto llvmModule = mlir::translateModuleToLLVMIR(*module, *llvmContext);
  REQUIRE(llvmModule);
  jit->lljit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvmModule->setDataLayout(jit->lljit->getDataLayout());
  llvm::cantFail(
      jit->lljit->addIRModule({std::move(llvmModule), std::move(llvmContext)}));
  descriptor = llvm::cantFail(jit->lljit->lookup("ambit_descriptor_instance"))
                   .toPtr<const ambit_descriptor *>();
}

JitModel::~JitModel() = default;

std::vector<int64_t>
JitModel::symbols(const std::map<std::string, int64_t> &values) const {
  std::vector<int64_t> array;
  for (int32_t index = 0; index < descriptor->symbol_count; ++index)
    array.push_back(values.at(descriptor->symbols[index].name));
  return array;
}
