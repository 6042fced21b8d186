// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Imports an ONNX model: reads the file, flattens and sorts its nodes, and
// hands each to the converter of its operator.

#include "ambit/Import/Onnx/OnnxImport.h"
#include "../EightBitFloat.h"
#include "../ModuleBuilder.h"
#include "Converters.h"
#include "NodeDiagnostics.h"
#include "Ops/Control/Sequences.h"
#include "ResizeLengths.h"
#include "Signature.h"
#include "TensorData.h"
#include "WideValues.h"
#include "ambit/Dialect/Graph/IR/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::compose;
using namespace ambit::onnx_import;

/// Reasons that nodes are refused for; more would hide the first ones.
constexpr unsigned kMaxReasons = 100;

namespace {

class Importer final : public GraphConverter {
public:
  Importer(std::shared_ptr<OnnxModel> model, const ImportOptions &options,
           MLIRContext &context)
      : model(std::move(model)), options(options), diagnostics(&context),
        module(context) {}
  /// Null after errors, which are emitted unless `operators` is given: then
  /// those at nodes are added there.
  OwningOpRef<ModuleOp>
  run(std::map<std::string, OperatorSupport> *operators = nullptr);

private:
  OwningOpRef<ModuleOp> importAll();
  bool checkOperators(const std::vector<OnnxNode> &nodes);
  void countOperators(const std::vector<OnnxNode> &nodes,
                      std::map<std::string, OperatorSupport> &operators);
  bool startModule(Signature signature);
  void bindFixedInputs(ArrayRef<std::optional<SmallVector<int64_t>>> elements,
                       ArrayRef<ValueId> ids);
  void noteOrigins(const Signature &signature);
  void convertNodes(const std::vector<OnnxNode> &nodes);
  bool convertNode(const OnnxNode &node);
  void noteDefinitions();
  Value valueOf(ValueId id) override;
  void bind(ValueId id, Value value) override { values[id] = value; }
  bool convert(const OnnxSubgraph &subgraph, ArrayRef<Value> inputs,
               SmallVectorImpl<Value> &outputs) override;
  size_t countGuards() override { return module.countGuards(); }
  void dropGuards(size_t first) override { module.dropGuards(first); }
  std::vector<std::string> nameOutputs();
  LogicalResult finishFunction();
  void checkDeclared(const onnx::ValueInfoProto &info);

  std::shared_ptr<OnnxModel> model;
  const ImportOptions &options;
  NodeDiagnostics diagnostics;

  OnnxGraph graph;
  ConverterTable table;
  ModuleBuilder module;
  GraphBuilder *graphBuilder = nullptr;

  /// By value id; null values are not defined (yet).
  std::vector<Value> values;
  std::vector<const onnx::TensorProto *> initializers;
  /// Values that could not be made; what uses them is skipped silently.
  std::vector<bool> isPoisoned;
  std::unique_ptr<WideValues> wideValues;
  /// Nodes that have no converter, or hold some that have none.
  llvm::DenseSet<const OnnxNode *> unsupported;
  SymbolNames newSymbols;
  /// How many of the definitions the diagnostics know.
  size_t notedDefinitions = 0;
};

} // namespace

/// Why there is no converter for a node, to be read after its operator's name;
/// empty where there is one.
static std::string problemOf(const OnnxNode &node,
                             const ConverterTable::Entry *entry) {
  std::string opset = std::to_string(node.opset);
  if (!isDefaultDomain(node.domain))
    return entry ? "" : "is not supported";
  if (node.opset == 0)
    return "needs an opset of the domain 'ai.onnx', the model imports none";
  if (!entry)
    return "(opset " + opset + ") is not supported";
  if (node.opset < entry->firstOpset)
    return "exists from opset " + std::to_string(entry->firstOpset) +
           " on, the model imports opset " + opset;
  if (node.opset < entry->oldestForm)
    return "has another form in opset " + opset +
           ", which is not supported; expected opset " +
           std::to_string(entry->oldestForm) + " or newer";
  return "";
}

static NodeDiagnostics::Place placeOf(const OnnxNode &node) {
  return {node.opType.str(), fullName(node), node.name};
}

/// Whether all nodes have a converter; the others are errors.
bool Importer::checkOperators(const std::vector<OnnxNode> &nodes) {
  bool areAll = true;
  for (const OnnxNode &node : nodes) {
    bool isSupported = true;
    for (const auto &[name, subgraph] : node.graphs)
      isSupported &= checkOperators(subgraph->nodes);
    std::string problem = problemOf(node, table.lookup(node));
    if (!problem.empty())
      diagnostics.hold(placeOf(node), model->locOf(node.name),
                       "operator '" + fullName(node) + "' " + problem);
    if (isSupported && problem.empty())
      continue;
    unsupported.insert(&node);
    areAll = false;
  }
  return areAll;
}

void Importer::countOperators(
    const std::vector<OnnxNode> &nodes,
    std::map<std::string, OperatorSupport> &operators) {
  for (const OnnxNode &node : nodes) {
    OperatorSupport &support = operators[fullName(node)];
    support.opset = isDefaultDomain(node.domain) ? node.opset : 0;
    ++support.nodes;
    for (const auto &[name, subgraph] : node.graphs)
      countOperators(subgraph->nodes, operators);
  }
}

bool Importer::startModule(Signature signature) {
  std::string name = model->graph().name();
  if (name.empty())
    name = llvm::sys::path::stem(
        cast<FileLineColLoc>(model->loc()).getFilename().getValue());
  noteOrigins(signature);
  SmallVector<ValueId> argumentIds;
  SmallVector<std::optional<SmallVector<int64_t>>> fixed;
  for (const Argument &argument : signature.arguments) {
    argumentIds.push_back(graph.ids.lookup(argument.name));
    fixed.push_back(argument.values);
  }
  if (!module.start(model->loc(), name, std::move(signature), options,
                    [&](const Argument &argument) {
                      return model->locOf("input", argument.name);
                    }))
    return false;
  values.resize(graph.valueNames.size());
  initializers.resize(graph.valueNames.size());
  isPoisoned.resize(graph.valueNames.size());
  wideValues = std::make_unique<WideValues>(*model, graph);
  for (auto [index, id] : llvm::enumerate(argumentIds)) {
    Value &value = values[id] = module.argument(index);
    if (!isPackedType(elementTypeOf(value)))
      continue;
    module.graph().setLoc(value.getLoc());
    FailureOr<Value> unpacked = module.graph().create<graph::UnpackOp>(value);
    if (failed(unpacked))
      return false;
    value = *unpacked;
  }
  bindFixedInputs(fixed, argumentIds);
  for (const onnx::TensorProto &tensor : model->graph().initializer())
    if (ValueId id = graph.ids.lookup(tensor.name()))
      initializers[id] = &tensor;
  graphBuilder = &module.graph();
  return true;
}

/// Nodes see constants in place of inputs whose elements the options give; each
/// call checks these.
void Importer::bindFixedInputs(
    ArrayRef<std::optional<SmallVector<int64_t>>> elements,
    ArrayRef<ValueId> ids) {
  for (auto [index, numbers, id] : llvm::enumerate(elements, ids)) {
    if (!numbers)
      continue;
    Value argument = module.argument(index);
    auto type = cast<RankedTensorType>(argument.getType());
    auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
    SmallVector<APInt> words;
    for (int64_t number : *numbers)
      words.push_back(APInt(type.getElementTypeBitWidth(), number,
                            /*isSigned=*/true));
    SmallVector<APFloat> reals;
    if (auto floatType = dyn_cast<FloatType>(type.getElementType()))
      for (const APInt &word : words)
        reals.push_back(APFloat(floatType.getFloatSemantics(), word));
    module.graph().setLoc(argument.getLoc());
    values[id] = module.graph().constant(
        isa<FloatType>(type.getElementType())
            ? DenseElementsAttr::get(plain, ArrayRef<APFloat>(reals))
            : DenseElementsAttr::get(plain, ArrayRef<APInt>(words)));
  }
}

/// Which inputs bind the symbols, for notes.
void Importer::noteOrigins(const Signature &signature) {
  for (const Argument &argument : signature.arguments) {
    for (auto [dim, size] : llvm::enumerate(sym::getDims(argument.type)))
      if (size.isSymbol())
        diagnostics.origins.try_emplace(
            size.symbolName().str(),
            "dim " + std::to_string(dim) + " of input '" + argument.name + "'");
    for (auto [number, element] : llvm::enumerate(argument.elements))
      diagnostics.origins.try_emplace(element.symbolName().str(),
                                      "element " + std::to_string(number) +
                                          " of input '" + argument.name + "'");
  }
}

Value Importer::valueOf(ValueId id) {
  if (values[id] || !initializers[id])
    return values[id];
  const onnx::TensorProto &tensor = *initializers[id];
  Location loc = model->locOf("initializer", tensor.name());
  diagnostics.place = {};
  FailureOr<ElementsAttr> elements = getElements(tensor, *model, loc);
  if (failed(elements)) {
    initializers[id] = nullptr;
    isPoisoned[id] = true;
    return {};
  }
  graphBuilder->setLoc(loc);
  return values[id] = graphBuilder->constant(*elements);
}

/// Nothing is computed with elements that are only stored.
static bool checkStorageTypes(const ConverterTable::Entry &entry,
                              ArrayRef<Value> inputs, Location loc) {
  if (entry.takesStored())
    return true;
  for (auto [index, input] : llvm::enumerate(inputs))
    if (input && isStorageType(elementTypeOf(input))) {
      emitError(loc) << "input " << index << " has element type "
                     << elementTypeOf(input)
                     << ", which is only for storage: expected a Cast or a "
                        "DequantizeLinear before";
      return false;
    }
  return true;
}

/// Whether all inputs are tensors but where the operator takes sequences.
static bool checkSequences(const ConverterTable::Entry &entry,
                           ArrayRef<Value> inputs, Location loc) {
  for (auto [index, input] : llvm::enumerate(inputs))
    if (input && !isTensor(input) &&
        !entry.has(entry.sequenceOperands, index)) {
      emitError(loc) << "input " << index << " is " << kindText(input)
                     << ", expected a tensor";
      return false;
    }
  return true;
}

/// Whether values are tensors, the missing ones aside.
static bool areTensors(ArrayRef<Value> values) {
  return llvm::all_of(values,
                      [](Value value) { return !value || isTensor(value); });
}

bool Importer::convertNode(const OnnxNode &node) {
  // That has been reported.
  if (unsupported.contains(&node))
    return false;
  Location loc = model->locOf(node.name);
  const ConverterTable::Entry &entry = *table.lookup(node);
  SmallVector<Value> inputs;
  for (ValueId id : node.inputs)
    inputs.push_back(valueOf(id));
  // A missing value that was given has been reported where it failed.
  for (auto [id, value] : llvm::zip_equal(node.inputs, inputs))
    if (id != 0 && !value)
      return false;
  for (ValueId id : node.captures)
    if (!valueOf(id))
      return false;

  diagnostics.place = placeOf(node);
  graphBuilder->setLoc(loc);
  for (unsigned i = 0; i < entry.required; ++i)
    if (i >= inputs.size() || !inputs[i]) {
      emitError(loc) << "input " << i << " is missing";
      return false;
    }
  if (inputs.size() > entry.atMost) {
    emitError(loc) << "has " << inputs.size() << " inputs, expected at most "
                   << entry.atMost;
    return false;
  }
  if (!checkSequences(entry, inputs, loc) ||
      !checkStorageTypes(entry, inputs, loc))
    return false;
  unsigned errorsBefore = diagnostics.errors;
  SmallVector<Value> stored(inputs);
  bool isOnTensors = areTensors(inputs);
  if (isOnTensors && !wideValues->widenInputs(node, *graphBuilder, inputs))
    return false;
  NodeContext c(node, inputs, graph.valueNames, *graphBuilder, newSymbols,
                *model, *this);
  entry.convert(c);
  if (c.hasFailed() || diagnostics.errors != errorsBefore)
    return false;
  for (auto [index, id] : llvm::enumerate(node.outputs)) {
    if (id == 0)
      continue;
    if (!c.output(index)) {
      emitError(loc) << "output " << index << " ('" << graph.valueNames[id]
                     << "') is not supported";
      return false;
    }
    values[id] = c.output(index);
    if (isOnTensors && isTensor(values[id]))
      values[id] = wideValues->roundOutput(node, index, stored, *graphBuilder,
                                           values[id]);
    if (!values[id])
      return false;
  }
  return true;
}

/// Names that we gave are no names of the user's.
void Importer::noteDefinitions() {
  ArrayRef<graph::ShapeContext::Definition> made =
      graphBuilder->getContext().getDefinitions();
  for (const auto &definition :
       made.drop_front(std::min(notedDefinitions, made.size())))
    diagnostics.origins[definition.name] = "'" + definition.value.str() + "'";
  notedDefinitions = made.size();
}

void Importer::convertNodes(const std::vector<OnnxNode> &nodes) {
  for (const OnnxNode &node : nodes) {
    noteDefinitions();
    if (!convertNode(node))
      for (ValueId id : node.outputs)
        isPoisoned[id] = true;
    if (diagnostics.countReasons() >= kMaxReasons)
      break;
  }
  diagnostics.place = {};
}

bool Importer::convert(const OnnxSubgraph &subgraph, ArrayRef<Value> inputs,
                       SmallVectorImpl<Value> &outputs) {
  NodeDiagnostics::Place place = diagnostics.place;
  Location loc = graphBuilder->getLoc();
  unsigned errorsBefore = diagnostics.errors;
  for (auto [id, value] : llvm::zip_equal(subgraph.inputs, inputs))
    values[id] = value;
  // Nothing is left of a conversion that was given up.
  for (const OnnxNode &node : subgraph.nodes)
    for (ValueId id : node.outputs)
      values[id] = {};
  for (auto [id, tensor] : subgraph.initializers)
    if (!llvm::is_contained(subgraph.inputs, id)) {
      initializers[id] = tensor;
      values[id] = {};
    }
  convertNodes(subgraph.nodes);
  bool isComplete = diagnostics.errors == errorsBefore;
  for (ValueId id : subgraph.outputs) {
    outputs.push_back(isComplete ? valueOf(id) : Value());
    isComplete &= bool(outputs.back());
  }
  diagnostics.place = place;
  graphBuilder->setLoc(loc);
  return isComplete;
}

/// Declared shapes are hints, and real models have wrong ones: a contradiction
/// is worth a warning and nothing more.
void Importer::checkDeclared(const onnx::ValueInfoProto &info) {
  Value value = values[graph.ids.lookup(info.name())];
  if (!value || !isTensor(value) || !info.type().has_tensor_type() ||
      !info.type().tensor_type().has_shape())
    return;
  const onnx::TensorShapeProto &shape = info.type().tensor_type().shape();
  SmallVector<Expr> dims = dimsOf(value);
  Location loc = model->loc();
  if (shape.dim_size() != int(dims.size())) {
    emitWarning(loc) << "'" << info.name() << "' is declared with rank "
                     << shape.dim_size() << ", found " << dims.size();
    return;
  }
  for (auto [index, dim] : llvm::enumerate(dims)) {
    const onnx::TensorShapeProto::Dimension &declared = shape.dim(index);
    if (!declared.has_dim_value() || declared.dim_value() < 0)
      continue;
    Relation equal{Relation::Kind::EQ, dim,
                   Expr(int64_t(declared.dim_value()))};
    if (graphBuilder->getContext().getProver().prove(equal) == Truth::No)
      emitWarning(loc) << "dim " << index << " of '" << info.name()
                       << "' is declared as " << declared.dim_value()
                       << ", found '" << dim.str() << "'";
  }
}

/// The outputs' names. A value may be listed more than once; whoever asks for
/// an output by its name gets the first.
std::vector<std::string> Importer::nameOutputs() {
  llvm::StringSet<> taken;
  llvm::StringMap<unsigned> listed; // the number that a name would get next
  for (const onnx::ValueInfoProto &output : model->graph().output())
    taken.insert(output.name());
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto &output : model->graph().output()) {
    std::string name = output.name();
    if (auto [next, isFirst] = listed.try_emplace(name, 2); !isFirst) {
      for (unsigned &number = next->second; !taken.insert(name).second;
           ++number)
        name = output.name() + "_" + std::to_string(number);
      emitWarning(model->loc())
          << "output '" << output.name()
          << "' is listed again; this one is named '" << name << "'";
    }
    names.push_back(std::move(name));
  }
  return names;
}

LogicalResult Importer::finishFunction() {
  SmallVector<Value> results;
  for (const onnx::ValueInfoProto &output : model->graph().output()) {
    if (StringRef(output.name()).contains('\0'))
      return emitError(model->loc())
             << "the name of an output holds a zero byte, after '"
             << output.name().c_str() << "'";
    Value value = valueOf(graph.ids.lookup(output.name()));
    if (!value)
      return failure();
    if (!isTensor(value))
      return emitError(model->loc())
             << "output '" << output.name() << "' is " << kindText(value)
             << ", expected a tensor: a compiled model has no other outputs";
    if (isPackedType(elementTypeOf(value))) {
      graphBuilder->setLoc(model->loc());
      FailureOr<Value> packed = graphBuilder->create<graph::PackOp>(value);
      if (failed(packed))
        return failure();
      value = *packed;
    }
    results.push_back(value);
  }
  if (results.empty())
    return emitError(model->loc(), "model has no outputs");
  module.setResults(results, nameOutputs());
  for (const onnx::ValueInfoProto &output : model->graph().output())
    checkDeclared(output);
  for (const onnx::ValueInfoProto &info : model->graph().value_info())
    checkDeclared(info);
  return success();
}

OwningOpRef<ModuleOp> Importer::importAll() {
  if (failed(flatten(*model, graph)) || failed(sortNodes(*model, graph)))
    return nullptr;
  checkOperators(graph.nodes);
  FailureOr<Signature> inputs =
      readSignature(*model, options, findSizeInputs(*model, graph, table));
  if (failed(inputs))
    return nullptr;
  for (const std::string &warning : inputs->warnings)
    emitWarning(model->loc()) << warning;
  if (!startModule(std::move(*inputs)))
    return nullptr;
  convertNodes(graph.nodes);
  if (diagnostics.errors != 0 || failed(finishFunction()))
    return nullptr;
  eraseSequences(module.getFunction());
  decideResizeLengths(module.getFunction(), graphBuilder->getContext(),
                      options.resizeLength);
  return module.finish();
}

OwningOpRef<ModuleOp>
Importer::run(std::map<std::string, OperatorSupport> *operators) {
  OwningOpRef<ModuleOp> result = importAll();
  if (operators) {
    countOperators(graph.nodes, *operators);
    diagnostics.report(*operators);
  } else {
    diagnostics.flush();
  }
  return result;
}

static void loadDialects(MLIRContext &context) {
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, graph::GraphDialect,
                   math::MathDialect, sym::SymDialect>();
}

OwningOpRef<ModuleOp> ambit::importOnnx(StringRef path,
                                        const ImportOptions &options,
                                        MLIRContext &context) {
  loadDialects(context);
  std::shared_ptr<OnnxModel> model =
      OnnxModel::read(path, options.externalDataDirs, options.written, context);
  if (!model)
    return nullptr;
  return Importer(std::move(model), options, context).run();
}

FailureOr<std::map<std::string, OperatorSupport>>
ambit::readOnnxOperators(StringRef path, const ImportOptions &options,
                         MLIRContext &context) {
  loadDialects(context);
  std::shared_ptr<OnnxModel> model =
      OnnxModel::read(path, options.externalDataDirs, options.written, context);
  if (!model)
    return failure();
  std::map<std::string, OperatorSupport> operators;
  OwningOpRef<ModuleOp> module =
      Importer(std::move(model), options, context).run(&operators);
  bool areSupported = llvm::all_of(operators, [](const auto &entry) {
    return entry.second.problems.empty();
  });
  // An error that is at no node has been emitted.
  if (operators.empty() || (!module && areSupported))
    return failure();
  return operators;
}

FailureOr<std::vector<ImportedInput>>
ambit::readOnnxInputs(StringRef path, const ImportOptions &options,
                      MLIRContext &context) {
  context.loadDialect<sym::SymDialect>();
  std::shared_ptr<OnnxModel> model =
      OnnxModel::read(path, options.externalDataDirs, options.written, context);
  if (!model)
    return failure();
  OnnxGraph graph;
  ConverterTable table;
  if (failed(flatten(*model, graph)) || failed(sortNodes(*model, graph)))
    return failure();
  FailureOr<Signature> signature =
      readSignature(*model, options, findSizeInputs(*model, graph, table));
  if (failed(signature))
    return failure();
  std::vector<ImportedInput> inputs;
  for (const Argument &argument : signature->arguments) {
    SmallVector<Expr> dims = sym::getDims(argument.type);
    inputs.push_back(
        {argument.name, std::vector<Expr>(dims.begin(), dims.end())});
  }
  return inputs;
}
