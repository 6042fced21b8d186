// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the models of cases again for what they are about, and counts.

#include "Page.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <onnx/onnx_pb.h>
#include <set>

using namespace ambit::conformance;
using Json = nlohmann::json;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

namespace {
/// What a case is about.
struct Subject {
  std::string opType;
  int64_t opset = 0;
  std::string types;
  bool operator<(const Subject &other) const {
    return std::tie(opType, opset, types) <
           std::tie(other.opType, other.opset, other.types);
  }
};

struct Count {
  int passed = 0, all = 0;
};

/// The counts of all runs.
struct Table {
  llvm::Error addRun(const std::string &path);
  void print(std::ostream &page) const;

  /// By folder; nothing for cases that are about no single operator.
  std::map<std::string, std::optional<Subject>> subjects;
  std::vector<std::string> modes;
  std::map<Subject, std::map<std::string, Count>> rows;
};
} // namespace

static std::string dtypeOf(const onnx::ValueInfoProto &info) {
  if (info.type().has_sequence_type())
    return "sequence";
  if (!info.type().has_tensor_type())
    return "optional";
  int type = info.type().tensor_type().elem_type();
  if (onnx::TensorProto::DataType_IsValid(type))
    return llvm::StringRef(onnx::TensorProto::DataType_Name(type)).lower();
  // Younger than the protobuf classes.
  static const std::map<int, std::string> young = {
      {17, "float8e4m3fn"}, {18, "float8e4m3fnuz"},
      {19, "float8e5m2"},   {20, "float8e5m2fnuz"},
      {21, "uint4"},        {22, "int4"},
      {23, "float4e2m1"},   {24, "float8e8m0"},
      {25, "uint2"},        {26, "int2"}};
  auto found = young.find(type);
  return found == young.end() ? "type " + std::to_string(type) : found->second;
}

/// The one operator of a model beside constants, its opset and the types of its
/// inputs; nothing for other models.
static std::optional<Subject> subjectOf(const std::string &folder) {
  std::ifstream stream(folder + "/model.onnx", std::ios::binary);
  onnx::ModelProto model;
  if (!stream || !model.ParseFromIstream(&stream))
    return std::nullopt;
  const onnx::NodeProto *only = nullptr;
  for (const onnx::NodeProto &node : model.graph().node())
    if (node.op_type() != "Constant" && std::exchange(only, &node))
      return std::nullopt;
  if (!only)
    return std::nullopt;
  Subject subject;
  subject.opType =
      (only->domain().empty() ? "" : only->domain() + ".") + only->op_type();
  for (const onnx::OperatorSetIdProto &import : model.opset_import())
    if (import.domain() == only->domain())
      subject.opset = import.version();
  const auto &values = model.graph().input_size() ? model.graph().input()
                                                  : model.graph().output();
  std::set<std::string> types;
  for (const onnx::ValueInfoProto &value : values)
    types.insert(dtypeOf(value));
  subject.types = llvm::join(types, ", ");
  return subject;
}

llvm::Error Table::addRun(const std::string &path) {
  std::ifstream stream(path);
  Json json = Json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("mode") || !json.contains("cases"))
    return makeError(path + ": no summary that --json wrote");
  std::string mode = json["mode"];
  modes.push_back(mode);
  for (const Json &entry : json["cases"]) {
    std::string folder = entry["folder"];
    auto [subject, isNew] = subjects.try_emplace(folder);
    if (isNew)
      subject->second = subjectOf(folder);
    if (!subject->second)
      continue;
    Count &count = rows[*subject->second][mode];
    ++count.all;
    count.passed += entry["status"] == "pass";
  }
  return llvm::Error::success();
}

void Table::print(std::ostream &page) const {
  auto others =
      llvm::count_if(subjects, [](const auto &entry) { return !entry.second; });
  page << "# Operators\n\nTests that pass, of those whose graph is one node of "
          "the operator, by opset and types of inputs. "
       << others << " of " << subjects.size()
       << " tests have other graphs.\n\n| operator | opset | types | "
       << llvm::join(modes, " | ") << " |\n|---|---|---|";
  for (size_t i = 0; i < modes.size(); ++i)
    page << "---|";
  page << '\n';
  for (const auto &[subject, counts] : rows) {
    page << "| " << subject.opType << " | " << subject.opset << " | "
         << subject.types << " |";
    for (const std::string &mode : modes)
      if (auto found = counts.find(mode); found != counts.end())
        page << ' ' << found->second.passed << " of " << found->second.all
             << " |";
      else
        page << " |";
    page << '\n';
  }
}

llvm::Error
ambit::conformance::writePage(llvm::StringRef path,
                              llvm::ArrayRef<std::string> summaries) {
  Table table;
  for (const std::string &summary : summaries)
    if (llvm::Error error = table.addRun(summary))
      return error;
  std::ofstream page(path.str());
  table.print(page);
  page.flush();
  return page ? llvm::Error::success()
              : makeError(path + ": cannot be written");
}
