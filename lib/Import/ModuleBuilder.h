// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module of a model: its function, its symbols, and the guards that come up
// while values are built.

#ifndef AMBIT_LIB_IMPORT_MODULEBUILDER_H
#define AMBIT_LIB_IMPORT_MODULEBUILDER_H

#include "Signature.h"
#include "ambit/Import/ImportOptions.h"
#include "ambit/Shape/GraphBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

namespace ambit::compose {

/// Builds the module in three steps: its signature, then what the caller builds
/// with `graph`, then `finish`.
class ModuleBuilder {
public:
  explicit ModuleBuilder(mlir::MLIRContext &context) : builder(&context) {}

  /// Checks the constraints of the options, and creates `@main` with the
  /// arguments of the signature; `nameLoc` gives the place of an argument.
  /// False after an error.
  bool start(mlir::Location loc, llvm::StringRef name, Signature signature,
             const ImportOptions &options,
             llvm::function_ref<mlir::Location(const Argument &)> nameLoc);
  mlir::Value argument(unsigned index) { return function.getArgument(index); }
  /// Builds in the body of the function.
  GraphBuilder &graph() { return *graphBuilder; }
  mlir::func::FuncOp getFunction() { return function; }
  /// The guards so far, and dropping those that were recorded after.
  size_t countGuards() const { return guards.size(); }
  void dropGuards(size_t first);

  /// Returns these values under these names.
  void setResults(mlir::ValueRange values, llvm::ArrayRef<std::string> names);
  /// Adds the ops of symbols and guards, and verifies. Null after an error.
  mlir::OwningOpRef<mlir::ModuleOp> finish();

private:
  bool checkDerivedDims(
      llvm::function_ref<mlir::Location(const Argument &)> nameLoc);
  void addGuard(const Condition &condition, mlir::Location loc);

  mlir::OpBuilder builder;
  Signature signature;
  std::optional<mlir::Location> symbolLoc, valueLoc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::unique_ptr<ambit::graph::ShapeContext> shapeContext;
  std::unique_ptr<GraphBuilder> graphBuilder;
  std::vector<std::pair<std::string, mlir::Location>> guards;
  llvm::StringSet<> guardTexts;
};

} // namespace ambit::compose

#endif // AMBIT_LIB_IMPORT_MODULEBUILDER_H
