// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and shapes of a model's values.

#include "ModelShapes.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "ambit/Dialect/Sym/IR/AttributeNames.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ambit;

NamedShape ambit::describeShape(StringRef name, Type type) {
  NamedShape shape;
  shape.name = name.str();
  llvm::raw_string_ostream(shape.elementType)
      << cast<RankedTensorType>(type).getElementType();
  shape.dims = sym::getDims(type);
  return shape;
}

std::string ambit::getNodeName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().str();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    if (!fused.getLocations().empty())
      return getNodeName(fused.getLocations().front());
  return "";
}

/// `name` of argument or result attributes.
static StringRef ioName(DictionaryAttr attributes) {
  auto name = attributes ? attributes.getAs<StringAttr>(attributes::kName)
                         : StringAttr();
  return name ? name.getValue() : StringRef("?");
}

std::vector<NamedShape> ambit::getInputShapes(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    shapes.push_back(describeShape(ioName(main.getArgAttrDict(i)),
                                   main.getArgumentTypes()[i]));
  return shapes;
}

std::vector<NamedShape> ambit::getOutputShapes(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    shapes.push_back(describeShape(ioName(main.getResultAttrDict(i)),
                                   main.getResultTypes()[i]));
  return shapes;
}

std::vector<NamedShape> ambit::getNodeShapes(func::FuncOp main) {
  std::vector<NamedShape> shapes;
  for (Operation &op : main.front().without_terminator()) {
    std::string name = getNodeName(op.getLoc());
    if (name.empty() || isa<graph::ConstantOp>(op) || op.getNumResults() == 0)
      continue;
    if (!shapes.empty() && shapes.back().name == name)
      shapes.pop_back();
    shapes.push_back(describeShape(name, op.getResult(0).getType()));
  }
  return shapes;
}

std::string ambit::getDimsText(ArrayRef<Expr> dims,
                               const std::map<std::string, Expr> &values) {
  std::string text = "[";
  for (Expr dim : dims)
    text += (text.size() > 1 ? ", " : "") + dim.substitute(values).str();
  return text + "]";
}

Json ambit::toJson(const std::vector<NamedShape> &shapes,
                   const std::map<std::string, Expr> &values) {
  Json list = Json::array();
  for (const NamedShape &shape : shapes) {
    Json dims = Json::array();
    for (Expr dim : shape.dims) {
      Expr put = dim.substitute(values);
      if (put.constant())
        dims.push_back(*put.constant());
      else
        dims.push_back(put.str());
    }
    list.push_back(
        {{"name", shape.name}, {"dtype", shape.elementType}, {"dims", dims}});
  }
  return list;
}

void ambit::printShapes(StringRef title, const std::vector<NamedShape> &shapes,
                        const std::map<std::string, Expr> &values,
                        llvm::raw_ostream &out) {
  out << title << ":\n";
  for (const NamedShape &shape : shapes)
    out << "  " << llvm::left_justify(shape.name, 20) << ' '
        << shape.elementType << getDimsText(shape.dims, values) << '\n';
}

void ambit::printJson(const Json &json, llvm::raw_ostream &out) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}
