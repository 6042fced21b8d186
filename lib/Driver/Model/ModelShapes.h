// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the named values of a model and their shapes, as text and as JSON.

#ifndef AMBIT_LIB_DRIVER_MODEL_MODELSHAPES_H
#define AMBIT_LIB_DRIVER_MODEL_MODELSHAPES_H

#include "ambit/Symbolic/Expr.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "nlohmann/json.hpp"
#include "llvm/Support/raw_ostream.h"

namespace ambit {

using Json = nlohmann::ordered_json;

/// A named value of the model.
struct NamedShape {
  std::string name, elementType;
  llvm::SmallVector<Expr> dims;
};

/// Name and shape of a value of tensor type.
NamedShape describeShape(llvm::StringRef name, mlir::Type type);

/// The node that an op comes from; of fused nodes the first; "" for none.
std::string getNodeName(mlir::Location loc);

std::vector<NamedShape> getInputShapes(mlir::func::FuncOp main);
std::vector<NamedShape> getOutputShapes(mlir::func::FuncOp main);
/// One entry per node of the model: of the ops that it became, the last.
std::vector<NamedShape> getNodeShapes(mlir::func::FuncOp main);

/// The dims as text, with values put in where they are given: "[2, 2*seq]".
std::string getDimsText(llvm::ArrayRef<Expr> dims,
                        const std::map<std::string, Expr> &values);
void printShapes(llvm::StringRef title, const std::vector<NamedShape> &shapes,
                 const std::map<std::string, Expr> &values,
                 llvm::raw_ostream &out);
Json toJson(const std::vector<NamedShape> &shapes,
            const std::map<std::string, Expr> &values);

/// Writes JSON; names from models need not be UTF-8.
void printJson(const Json &json, llvm::raw_ostream &out);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_MODEL_MODELSHAPES_H
