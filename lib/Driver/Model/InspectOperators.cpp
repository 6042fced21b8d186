// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All problems with operators at once, before anything is compiled.

#include "InspectOperators.h"
#include "LoadModel.h"
#include "ModelShapes.h"
#include "ambit/Driver/Diagnostics.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace ambit;
using Operators = std::map<std::string, OperatorSupport>;

static Json operatorsToJson(const Operators &operators) {
  Json list = Json::array();
  for (const auto &[name, support] : operators) {
    Json problems = Json::array();
    for (const OperatorSupport::Problem &problem : support.problems)
      problems.push_back({{"text", problem.text}, {"nodes", problem.nodes}});
    list.push_back({{"name", name},
                    {"opset", support.opset ? Json(support.opset) : Json()},
                    {"nodes", support.nodes},
                    {"supported", support.problems.empty()},
                    {"problems", std::move(problems)}});
  }
  return Json{{"operators", std::move(list)}};
}

static void print(const Operators &operators, llvm::raw_ostream &out) {
  constexpr size_t kNamed = 3;
  for (const auto &[name, support] : operators) {
    out << llvm::left_justify(name, 28) << ' '
        << (support.opset ? "opset " + std::to_string(support.opset)
                          : std::string("-"))
        << ", " << support.nodes << (support.nodes == 1 ? " node" : " nodes")
        << ", " << (support.problems.empty() ? "supported" : "not supported")
        << '\n';
    for (const OperatorSupport::Problem &problem : support.problems) {
      out << "  " << problem.text << "\n    at ";
      ArrayRef<std::string> nodes = problem.nodes;
      llvm::interleave(
          nodes.take_front(kNamed),
          [&](const std::string &node) { out << "'" << node << "'"; },
          [&] { out << ", "; });
      if (nodes.size() > kNamed)
        out << " and " << nodes.size() - kNamed << " more";
      out << '\n';
    }
  }
}

LogicalResult ambit::inspectOperators(const InspectOptions &options,
                                      MLIRContext &context,
                                      llvm::raw_ostream &out) {
  if (!canDeclareShapes(options))
    return emitError(optionLocation(&context, "--ops"))
           << "is for ONNX models; a .mlir file has ops of its own";
  FailureOr<Operators> operators = readOperators(options, context);
  if (failed(operators))
    return failure();
  if (options.json)
    printJson(operatorsToJson(*operators), out);
  else
    print(*operators, out);
  size_t refused = llvm::count_if(*operators, [](const auto &entry) {
    return !entry.second.problems.empty();
  });
  if (refused == 0)
    return success();
  return emitError(FileLineColLoc::get(&context, options.input, 0, 0))
         << refused << " of " << operators->size()
         << " operators are not supported";
}
