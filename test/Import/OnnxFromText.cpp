// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// onnx-from-text [--unnamed] [--external NAME KEY=VALUE...] < TEXT > MODEL:
// makes a model from ONNX's textual syntax, so that tests keep their models as
// text. The syntax has no names for nodes; they are named as exporters do,
// `Add_3`, unless told otherwise. --external moves the data of an initializer
// to a file, by entries like location=FILE, offset=16, length=8; it writes no
// such file.

#include <cstring>
#include <iostream>
#include <iterator>
#include <onnx/defs/parser.h>

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
  return model.SerializeToOstream(&std::cout) ? 0 : 1;
}
