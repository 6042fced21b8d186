// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// onnx-from-text [--unnamed] [--external NAME KEY=VALUE...] [--sparse NAME
// DIM,DIM.. INDEX...] < TEXT > MODEL: makes a model from ONNX's textual syntax,
// so that tests keep their models as text. The syntax has no names for nodes;
// they are named as exporters do, `Add_3`, unless told otherwise. --external
// moves the data of an initializer to a file, by entries like location=FILE,
// offset=16, length=8; it writes no such file. --sparse makes the values of an
// initializer those of a sparse tensor, one index or one row of them for each.

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
