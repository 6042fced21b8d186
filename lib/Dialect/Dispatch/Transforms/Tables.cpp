// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emission of the constant tables, field by field as in the runtime's
// descriptor.h. Rows are written in C's struct order and natural alignment.

#include "../../../Runtime/descriptor.h"
#include "Internals.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::dispatch;
using namespace ambit::dispatch::lowering;

namespace {

/// One field of a row: an integer of some width, or the address of a symbol,
/// which is null when the name is empty.
struct Field {
  Type type;
  int64_t value = 0;
  std::string symbol;
};
using Row = std::vector<Field>;

/// The most parts of one aggregate.
constexpr size_t kFanOut = 32;

/// The rows of all parts but the last, of a table that has more than kFanOut.
size_t partSize(size_t rows) {
  size_t part = kFanOut;
  while (part * kFanOut < rows)
    part *= kFanOut;
  return part;
}

class TableEmitter {
public:
  TableEmitter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc),
        pointer(LLVM::LLVMPointerType::get(builder.getContext())) {}

  Field i32(int64_t value) { return {builder.getI32Type(), value, ""}; }
  Field i64(int64_t value) { return {builder.getI64Type(), value, ""}; }
  Field address(std::string symbol) { return {pointer, 0, std::move(symbol)}; }
  /// The address of a constant C string; equal strings share one.
  Field text(StringRef value);
  /// The address of an array of rows; null when there are none.
  Field table(StringRef name, ArrayRef<Row> rows);
  void descriptor(const Row &row);

private:
  Type rowType(const Row &row);
  /// An array of rows; of many, structs of parts of it, which lie in memory as
  /// the array does. LLVM copies an aggregate for each part that is set, so one
  /// large array would take the square of its length.
  Type tableType(Type rowType, size_t rows);
  Value makeRow(const Row &row);
  Value makeTable(ArrayRef<Row> rows);
  LLVM::GlobalOp define(StringRef name, Type type, LLVM::Linkage linkage,
                        llvm::function_ref<Value()> makeValue);

  OpBuilder &builder;
  Location loc;
  Type pointer;
  std::map<std::string, std::string> texts;
};

} // namespace

Field TableEmitter::text(StringRef value) {
  std::string &name = texts[value.str()];
  if (name.empty()) {
    name = "ambit_text_" + std::to_string(texts.size() - 1);
    std::string bytes = value.str();
    bytes.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    auto global = builder.create<LLVM::GlobalOp>(loc, type, /*isConstant=*/true,
                                                 LLVM::Linkage::Private, name,
                                                 builder.getStringAttr(bytes));
    global.setUnnamedAddr(LLVM::UnnamedAddr::Global);
  }
  return address(name);
}

Type TableEmitter::rowType(const Row &row) {
  SmallVector<Type> types;
  for (const Field &field : row)
    types.push_back(field.type);
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
}

Type TableEmitter::tableType(Type rowType, size_t rows) {
  if (rows <= kFanOut)
    return LLVM::LLVMArrayType::get(rowType, rows);
  SmallVector<Type> parts;
  for (size_t part = partSize(rows); rows > 0; rows -= std::min(part, rows))
    parts.push_back(tableType(rowType, std::min(part, rows)));
  return LLVM::LLVMStructType::getLiteral(builder.getContext(), parts);
}

Value TableEmitter::makeRow(const Row &row) {
  Value result = builder.create<LLVM::UndefOp>(loc, rowType(row));
  for (auto [position, field] : llvm::enumerate(row)) {
    Value value;
    if (!field.symbol.empty())
      value = builder.create<LLVM::AddressOfOp>(loc, pointer, field.symbol);
    else if (field.type == pointer)
      value = builder.create<LLVM::ZeroOp>(loc, pointer);
    else
      value = builder.create<LLVM::ConstantOp>(
          loc, builder.getIntegerAttr(field.type, field.value));
    result = builder.create<LLVM::InsertValueOp>(loc, result, value,
                                                 int64_t(position));
  }
  return result;
}

Value TableEmitter::makeTable(ArrayRef<Row> rows) {
  Value result = builder.create<LLVM::UndefOp>(
      loc, tableType(rowType(rows.front()), rows.size()));
  bool isLeaf = rows.size() <= kFanOut;
  size_t part = isLeaf ? 1 : partSize(rows.size());
  for (int64_t position = 0; !rows.empty(); ++position) {
    size_t taken = std::min(part, rows.size());
    Value value =
        isLeaf ? makeRow(rows.front()) : makeTable(rows.take_front(taken));
    result = builder.create<LLVM::InsertValueOp>(loc, result, value, position);
    rows = rows.drop_front(taken);
  }
  return result;
}

Field TableEmitter::table(StringRef name, ArrayRef<Row> rows) {
  if (rows.empty())
    return address("");
  define(name, tableType(rowType(rows.front()), rows.size()),
         LLVM::Linkage::Internal, [&] { return makeTable(rows); });
  return address(name.str());
}

void TableEmitter::descriptor(const Row &row) {
  define("ambit_descriptor_instance", rowType(row), LLVM::Linkage::External,
         [&] { return makeRow(row); })
      .setVisibility_(LLVM::Visibility::Hidden);
}

LLVM::GlobalOp TableEmitter::define(StringRef name, Type type,
                                    LLVM::Linkage linkage,
                                    llvm::function_ref<Value()> makeValue) {
  auto global = builder.create<LLVM::GlobalOp>(loc, type, /*isConstant=*/true,
                                               linkage, name, Attribute());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  builder.create<LLVM::ReturnOp>(loc, makeValue());
  return global;
}

/// Tensors of equal dims share one table of them.
static Field emitTensors(TableEmitter &emitter, const std::string &name,
                         ArrayRef<ModelTables::Tensor> tensors) {
  std::vector<Row> rows;
  std::map<std::vector<std::pair<const void *, int64_t>>, Field> known;
  for (auto [index, tensor] : llvm::enumerate(tensors)) {
    std::vector<Row> dims;
    std::vector<std::pair<const void *, int64_t>> key;
    for (const ModelTables::Dim &dim : tensor.dims) {
      key.emplace_back(dim.expr.getAsOpaquePointer(), dim.symbol);
      dims.push_back({emitter.text(dim.expr.str()),
                      emitter.i64(dim.expr.constant().value_or(-1)),
                      emitter.i64(dim.symbol)});
    }
    auto [it, isNew] = known.try_emplace(key);
    if (isNew)
      it->second =
          emitter.table(name + "_" + std::to_string(index) + "_dims", dims);
    const Field &table = it->second;
    rows.push_back({emitter.text(tensor.name), emitter.i32(tensor.dataType),
                    emitter.i32(int64_t(tensor.dims.size())), table});
  }
  return emitter.table(name + "s", rows);
}

static Field emitSymbols(TableEmitter &emitter, const ModelTables &tables) {
  std::vector<Row> rows;
  for (const ModelTables::Symbol &symbol : tables.symbols)
    rows.push_back({emitter.text(symbol.name), emitter.i64(symbol.range.min),
                    emitter.i64(symbol.range.max),
                    emitter.i64(symbol.range.divisor),
                    emitter.i32(symbol.input), emitter.i32(symbol.dim),
                    emitter.i64(symbol.scale), emitter.i64(symbol.offset),
                    emitter.i64(symbol.element), emitter.i64(symbol.saturates),
                    symbol.definition ? emitter.text(symbol.definition->str())
                                      : emitter.address("")});
  return emitter.table("ambit_symbols", rows);
}

static Field emitGuards(TableEmitter &emitter, const ModelTables &tables) {
  std::vector<Row> rows;
  auto indexOf = [&](Expr size) -> int64_t {
    for (auto [index, symbol] : llvm::enumerate(tables.symbols))
      if (size == Expr::symbol(symbol.name))
        return int64_t(index);
    return -1;
  };
  for (auto [index, guard] : llvm::enumerate(tables.guards)) {
    std::vector<Row> sizes;
    for (Expr size : guard.meeting)
      sizes.push_back({emitter.text(size.str()), emitter.i64(indexOf(size))});
    Field table =
        emitter.table("ambit_guard_" + std::to_string(index) + "_sizes", sizes);
    rows.push_back({emitter.text(guard.condition.str()),
                    emitter.text(guard.origin),
                    emitter.i32(getGuardClass(guard.condition)),
                    emitter.i32(int64_t(sizes.size())), table});
  }
  return emitter.table("ambit_guards", rows);
}

static Field emitTexts(TableEmitter &emitter, const std::string &name,
                       ArrayRef<std::string> texts, bool endsWithNull) {
  std::vector<Row> rows;
  for (const std::string &text : texts)
    rows.push_back({emitter.text(text)});
  if (endsWithNull)
    rows.push_back({emitter.address("")});
  return emitter.table(name, rows);
}

static Field emitVariants(TableEmitter &emitter, const ModelTables &tables,
                          const FunctionNames &names) {
  std::vector<Row> rows;
  for (auto [index, variant] : llvm::enumerate(tables.variants))
    rows.push_back({emitter.text(variant.name),
                    emitter.text(stringifyVariantKind(variant.kind)),
                    emitter.text(getDomainText(variant.conditions)),
                    emitter.address(variant.name),
                    emitter.address(names.workspace[index]),
                    emitter.address(names.admits[index]),
                    emitTexts(emitter, "ambit_checks_" + variant.name,
                              variant.checks, false),
                    emitter.i64(int64_t(variant.checks.size()))});
  return emitter.table("ambit_variants", rows);
}

void lowering::emitTables(OpBuilder &builder, Location loc,
                          const ModelTables &tables,
                          const FunctionNames &names) {
  TableEmitter emitter(builder, loc);
  auto count = [&](const auto &rows) {
    return emitter.i32(int64_t(rows.size()));
  };
  Field inputs = emitTensors(emitter, "ambit_input", tables.inputs);
  Field outputs = emitTensors(emitter, "ambit_output", tables.outputs);
  emitter.descriptor({emitter.i32(AMBIT_DESCRIPTOR_VERSION),
                      count(tables.inputs),
                      count(tables.outputs),
                      count(tables.symbols),
                      count(tables.guards),
                      count(tables.variants),
                      count(tables.isa),
                      emitter.text(tables.name),
                      emitter.text(makeManifest(tables)),
                      inputs,
                      outputs,
                      emitSymbols(emitter, tables),
                      emitGuards(emitter, tables),
                      emitVariants(emitter, tables, names),
                      emitTexts(emitter, "ambit_isa", tables.isa, true),
                      emitter.address(names.guardsFailed),
                      emitter.address(names.select),
                      emitter.address(names.inputDims),
                      emitter.address(names.outputDims),
                      emitter.address(names.guardHolds),
                      emitter.address(names.outputBounds),
                      emitter.address(names.defineSymbols)});
}
