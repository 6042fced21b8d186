// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// onnx-from-text [--unnamed] < TEXT > MODEL: makes a model from ONNX's textual
// syntax, so that tests keep their models as text. The syntax has no names for
// nodes; they are named as exporters do, `Add_3`, unless told otherwise.

#include <cstring>
#include <iostream>
#include <iterator>
#include <onnx/defs/parser.h>

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
  return model.SerializeToOstream(&std::cout) ? 0 : 1;
}
