// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// onnx-from-text [--unnamed] [--external NAME KEY=VALUE...] [--sparse NAME
// DIM,DIM.. INDEX...] < TEXT > MODEL: makes a model from ONNX's textual syntax,
// so that tests keep their models as text. The syntax has no names for nodes;
// they are named as exporters do, `Add_3`, unless told otherwise. --external
// moves the data of an initializer to a file, by entries like location=FILE,
// offset=16, length=8; it writes no such file. --sparse makes the values of an
// initializer those of a sparse tensor, one index or one row of them for each.
// Inputs and outputs of types that the syntax does not know end in their names:
// `int8[n] x_int4`.

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <onnx/defs/parser.h>
#include <sstream>
#include <string>

/// Replaces the values of an initializer by `key=value` entries.
static void makeExternal(onnx::GraphProto &graph, const std::string &name,
                         char **entries, int count) {
  for (onnx::TensorProto &tensor : *graph.mutable_initializer()) {
    if (tensor.name() != name)
      continue;
    tensor.clear_float_data();
    tensor.set_data_location(onnx::TensorProto::EXTERNAL);
    for (int i = 0; i < count; ++i) {
      const char *equals = std::strchr(entries[i], '=');
      onnx::StringStringEntryProto *entry = tensor.add_external_data();
      entry->set_key(std::string(entries[i], equals - entries[i]));
      entry->set_value(equals + 1);
    }
  }
}

/// Replaces a dense initializer by a sparse one.
static void makeSparse(onnx::GraphProto &graph, const std::string &name,
                       const char *dims, char **indices, int count) {
  auto &tensors = *graph.mutable_initializer();
  for (int i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name() != name)
      continue;
    onnx::SparseTensorProto &sparse = *graph.add_sparse_initializer();
    *sparse.mutable_values() = tensors[i];
    tensors.DeleteSubrange(i, 1);
    std::stringstream list(dims);
    for (std::string dim; std::getline(list, dim, ',');)
      sparse.add_dims(std::stoll(dim));
    onnx::TensorProto &places = *sparse.mutable_indices();
    places.set_data_type(onnx::TensorProto::INT64);
    int values = static_cast<int>(sparse.values().dims(0));
    places.add_dims(values);
    if (count > values)
      places.add_dims(count / values);
    for (int k = 0; k < count; ++k)
      places.add_int64_data(std::atoll(indices[k]));
    return;
  }
}

/// Gives inputs or outputs the element type in which their names end.
template <typename Values> static void setYoungTypes(Values &values) {
  static const std::pair<const char *, int> types[] = {
      {"_uint4", 21}, {"_int4", 22}, {"_uint2", 25}, {"_int2", 26}};
  for (onnx::ValueInfoProto &value : values)
    for (auto [ending, type] : types) {
      const std::string &name = value.name();
      size_t length = std::strlen(ending);
      if (name.size() > length &&
          name.compare(name.size() - length, length, ending) == 0)
        value.mutable_type()->mutable_tensor_type()->set_elem_type(type);
    }
}

int main(int argc, char **argv) {
  bool unnamed = argc > 1 && std::strcmp(argv[1], "--unnamed") == 0;
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  onnx::OnnxParser parser(text.c_str());
  onnx::ModelProto model;
  onnx::Common::Status status = parser.Parse(model);
  if (!status.IsOK() || !parser.EndOfInput()) {
    std::cerr << "onnx-from-text: "
              << (status.IsOK() ? "text after the model"
                                : status.ErrorMessage())
              << '\n';
    return 1;
  }
  setYoungTypes(*model.mutable_graph()->mutable_input());
  setYoungTypes(*model.mutable_graph()->mutable_output());
  int index = 0;
  for (onnx::NodeProto &node : *model.mutable_graph()->mutable_node())
    if (!unnamed)
      node.set_name(node.op_type() + "_" + std::to_string(index++));
  if (argc > 2 && std::strcmp(argv[1], "--external") == 0)
    makeExternal(*model.mutable_graph(), argv[2], argv + 3, argc - 3);
  if (argc > 3 && std::strcmp(argv[1], "--sparse") == 0)
    makeSparse(*model.mutable_graph(), argv[2], argv[3], argv + 4, argc - 4);
  return model.SerializeToOstream(&std::cout) ? 0 : 1;
}
