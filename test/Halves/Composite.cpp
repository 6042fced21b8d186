// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the two models of a formula.

#include "Composite.h"
#include "ambit/runtime.h"
#include <cstring>

using namespace ambit;
using namespace ambit::halves;
using llvm::APFloat;
using llvm::StringRef;

static APFloat convert(const llvm::fltSemantics &type, double value) {
  APFloat number(value);
  bool losesInfo;
  number.convert(type, APFloat::rmNearestTiesToEven, &losesInfo);
  return number;
}

double ambit::halves::roundTo(const llvm::fltSemantics &type, double value) {
  return convert(APFloat::IEEEdouble(), convert(type, value).convertToDouble())
      .convertToDouble();
}

static void setUp(onnx::ModelProto &model, int64_t opset) {
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  model.mutable_graph()->set_name("composite");
}

Composite::Composite(uint64_t seed) : engine(seed) {
  isBfloat = below(5) == 0;
  for (onnx::ModelProto *model : {&narrow, &single})
    setUp(*model, 17);
  finish(addFormula(*this));
}

std::vector<double> Composite::randomNumbers(ArrayRef<int64_t> dims,
                                             double scale, double offset) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= dim;
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) {
    double unit = double(engine() >> 11) / double(uint64_t(1) << 52) - 1;
    numbers.push_back(roundTo(semantics(), offset + scale * unit));
  }
  return numbers;
}

std::string Composite::addInput(ArrayRef<int64_t> dims, double scale,
                                double offset, bool isStatic) {
  std::string name = newName();
  for (onnx::ModelProto *model : {&narrow, &single}) {
    bool isNarrow = model == &narrow;
    onnx::ValueInfoProto *info = model->mutable_graph()->add_input();
    info->set_name(isNarrow ? name : name + "_narrow");
    auto *type = info->mutable_type()->mutable_tensor_type();
    type->set_elem_type(isBfloat ? onnx::TensorProto::BFLOAT16
                                 : onnx::TensorProto::FLOAT16);
    for (auto [index, dim] : llvm::enumerate(dims)) {
      auto *declared = type->mutable_shape()->add_dim();
      if (isNarrow && !isStatic)
        declared->set_dim_param(name + "_" + std::to_string(index));
      else
        declared->set_dim_value(dim);
    }
    if (isNarrow)
      continue;
    onnx::NodeProto *cast = model->mutable_graph()->add_node();
    cast->set_op_type("Cast");
    cast->add_input(info->name());
    cast->add_output(name);
    onnx::AttributeProto *to = cast->add_attribute();
    to->set_name("to");
    to->set_type(onnx::AttributeProto::INT);
    to->set_i(onnx::TensorProto::FLOAT);
  }
  TensorData data;
  data.name = name;
  data.dtype = isBfloat ? AMBIT_BFLOAT16 : AMBIT_FLOAT16;
  data.dims.assign(dims.begin(), dims.end());
  for (double number : randomNumbers(dims, scale, offset)) {
    uint16_t bits =
        convert(semantics(), number).bitcastToAPInt().getZExtValue();
    data.bytes.insert(data.bytes.end(), reinterpret_cast<char *>(&bits),
                      reinterpret_cast<char *>(&bits) + sizeof(bits));
  }
  inputs.push_back(std::move(data));
  return name;
}

std::string Composite::addConstant(ArrayRef<int64_t> dims, double scale,
                                   double offset) {
  std::string name = newName();
  std::vector<double> numbers = randomNumbers(dims, scale, offset);
  for (onnx::ModelProto *model : {&narrow, &single}) {
    onnx::TensorProto *tensor = model->mutable_graph()->add_initializer();
    tensor->set_name(name);
    for (int64_t dim : dims)
      tensor->add_dims(dim);
    if (model == &single) {
      tensor->set_data_type(onnx::TensorProto::FLOAT);
      for (double number : numbers)
        tensor->add_float_data(float(number));
      continue;
    }
    tensor->set_data_type(isBfloat ? onnx::TensorProto::BFLOAT16
                                   : onnx::TensorProto::FLOAT16);
    for (double number : numbers)
      tensor->add_int32_data(
          convert(semantics(), number).bitcastToAPInt().getZExtValue());
  }
  return name;
}

std::string Composite::addIntegers(ArrayRef<int64_t> values) {
  std::string name = newName();
  for (onnx::ModelProto *model : {&narrow, &single}) {
    onnx::TensorProto *tensor = model->mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::INT64);
    tensor->add_dims(values.size());
    for (int64_t value : values)
      tensor->add_int64_data(value);
  }
  return name;
}

Composite::Node::Node(Composite &owner, StringRef opType,
                      ArrayRef<std::string> inputs)
    : node(*owner.nodes.add_node()), output(owner.newName()) {
  node.set_op_type(opType.str());
  for (const std::string &input : inputs)
    node.add_input(input);
  node.add_output(output);
}

onnx::AttributeProto &Composite::Node::attribute(StringRef name) {
  onnx::AttributeProto *attribute = node.add_attribute();
  attribute->set_name(name.str());
  return *attribute;
}

Composite::Node &Composite::Node::set(StringRef name, int64_t value) {
  onnx::AttributeProto &made = attribute(name);
  made.set_type(onnx::AttributeProto::INT);
  made.set_i(value);
  return *this;
}

Composite::Node &Composite::Node::setInts(StringRef name,
                                          ArrayRef<int64_t> values) {
  onnx::AttributeProto &made = attribute(name);
  made.set_type(onnx::AttributeProto::INTS);
  for (int64_t value : values)
    made.add_ints(value);
  return *this;
}

Composite::Node &Composite::Node::setFloat(StringRef name, float value) {
  onnx::AttributeProto &made = attribute(name);
  made.set_type(onnx::AttributeProto::FLOAT);
  made.set_f(value);
  return *this;
}

Composite::Node &Composite::Node::setString(StringRef name, StringRef value) {
  onnx::AttributeProto &made = attribute(name);
  made.set_type(onnx::AttributeProto::STRING);
  made.set_s(value.str());
  return *this;
}

void Composite::finish(const std::string &result) {
  for (onnx::ModelProto *model : {&narrow, &single}) {
    for (const onnx::NodeProto &node : nodes.node())
      *model->mutable_graph()->add_node() = node;
    onnx::ValueInfoProto *info = model->mutable_graph()->add_output();
    info->set_name(result);
    auto *type = info->mutable_type()->mutable_tensor_type();
    type->set_elem_type(model == &single ? onnx::TensorProto::FLOAT
                        : isBfloat       ? onnx::TensorProto::BFLOAT16
                                         : onnx::TensorProto::FLOAT16);
  }
}

std::string Composite::text() const {
  std::string text = isBfloat ? "bf16" : "f16";
  for (const onnx::NodeProto &node : nodes.node())
    text += " " + node.op_type();
  for (const TensorData &input : inputs) {
    text += " [";
    for (auto [index, dim] : llvm::enumerate(input.dims))
      text += (index ? "," : "") + std::to_string(dim);
    text += "]";
  }
  return text;
}
