// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a kernel with numbered values and sizes.

#include "KernelKey.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ambit;

namespace {
class KeyWriter {
public:
  explicit KeyWriter(KernelKey &key) : key(key), os(key.text) {}

  void write(Region &region);

private:
  void write(Operation &op);
  void write(Type type);
  void write(Attribute attribute);
  void write(ArrayRef<Expr> dims);
  void define(Value value) { numbers.try_emplace(value, numbers.size()); }

  KernelKey &key;
  llvm::raw_string_ostream os;
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::DenseMap<const void *, unsigned> sizes;
};
} // namespace

void KeyWriter::write(ArrayRef<Expr> dims) {
  os << '[';
  for (Expr dim : dims) {
    if (std::optional<int64_t> value = dim.constant()) {
      os << *value << ',';
      continue;
    }
    auto [it, isNew] =
        sizes.try_emplace(dim.getAsOpaquePointer(), key.sizes.size());
    if (isNew)
      key.sizes.push_back(dim);
    os << '$' << it->second << ',';
  }
  os << ']';
}

void KeyWriter::write(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    os << type;
    return;
  }
  write(sym::getDims(tensor));
  os << tensor.getElementType();
}

void KeyWriter::write(Attribute attribute) {
  if (auto shape = dyn_cast<sym::ShapeAttr>(attribute))
    write(shape.getDims());
  else
    os << attribute;
}

void KeyWriter::write(Operation &op) {
  for (Value result : op.getResults())
    define(result);
  os << op.getName() << '(';
  for (Value operand : op.getOperands())
    os << numbers.lookup(operand) << ',';
  os << "){";
  for (NamedAttribute attribute : op.getAttrDictionary()) {
    os << attribute.getName() << '=';
    write(attribute.getValue());
    os << ';';
  }
  os << "}:";
  for (Type type : op.getResultTypes())
    write(type);
  for (Region &region : op.getRegions())
    write(region);
  os << '\n';
}

void KeyWriter::write(Region &region) {
  for (Block &block : region) {
    os << "^(";
    for (BlockArgument argument : block.getArguments()) {
      define(argument);
      write(argument.getType());
    }
    os << ")\n";
    for (Operation &op : block)
      write(op);
  }
}

KernelKey ambit::getKernelKey(func::FuncOp kernel) {
  KernelKey key;
  KeyWriter(key).write(kernel.getBody());
  return key;
}
