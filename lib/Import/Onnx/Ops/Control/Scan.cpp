// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scan: a loop over the slices of some inputs. Its state is carried, its other
// outputs are stacked and then brought to their axis and direction.

#include "LoopBody.h"

using namespace mlir;
using namespace ambit;
using namespace ambit::graph;
using namespace ambit::onnx_import;

namespace {
struct ScanConversion {
  ScanConversion(NodeContext &c, const OnnxSubgraph &body) : c(c), body(body) {}
  void run();

  void setOutputsWithoutTrips();
  bool readCounts();
  bool readAxes();
  bool readFlags(StringRef name, size_t count, SmallVector<int64_t> &flags);
  Value sliceInput(LoopBody &loop, unsigned number);
  Value placeOutput(Value stacked, unsigned number);

  Value scanned(unsigned number) { return c.input(states + number); }

  NodeContext &c;
  const OnnxSubgraph &body;
  unsigned states = 0, inputs = 0, outputs = 0;
  SmallVector<int64_t> axes, isReversed, outputAxes, isOutputReversed;
  Expr trips;
};
} // namespace

bool ScanConversion::readCounts() {
  if (c.opset() < 9) {
    c.error() << "the Scan of opset 8, over batches, is not supported";
    return false;
  }
  int64_t given = c.intAttr("num_scan_inputs", 0);
  if (given < 1 || given > int64_t(c.numInputs())) {
    c.error() << "num_scan_inputs is " << given << ", expected 1 to "
              << c.numInputs();
    return false;
  }
  inputs = given;
  states = c.numInputs() - inputs;
  if (body.inputs.size() != c.numInputs() || body.outputs.size() < states ||
      c.node.outputs.size() > body.outputs.size()) {
    c.error() << "body has " << body.inputs.size() << " inputs and "
              << body.outputs.size() << " outputs, expected " << c.numInputs()
              << " and at least "
              << std::max<size_t>(states, c.node.outputs.size());
    return false;
  }
  for (unsigned i = 0; i < c.numInputs(); ++i)
    if (!c.input(i)) {
      c.error() << "input " << i << " is missing";
      return false;
    }
  outputs = body.outputs.size() - states;
  return true;
}

bool ScanConversion::readFlags(StringRef name, size_t count,
                               SmallVector<int64_t> &flags) {
  flags = c.intsAttr(name, SmallVector<int64_t>(count, 0));
  if (flags.size() == count)
    return !c.hasFailed();
  c.error() << name << " has " << flags.size() << " entries, expected "
            << count;
  return false;
}

bool ScanConversion::readAxes() {
  if (!readFlags("scan_input_axes", inputs, axes) ||
      !readFlags("scan_input_directions", inputs, isReversed) ||
      !readFlags("scan_output_axes", outputs, outputAxes) ||
      !readFlags("scan_output_directions", outputs, isOutputReversed))
    return false;
  for (unsigned i = 0; i < inputs; ++i) {
    if (!c.normalizeAxis(axes[i], rankOf(scanned(i))))
      return false;
    Expr size = dimsOf(scanned(i))[axes[i]];
    if (i == 0)
      trips = size;
    else if (!c.requireEqual(trips, size, "lengths of scan inputs differ"))
      return false;
  }
  return true;
}

/// The slice of a scan input for one trip, without the scanned dim.
Value ScanConversion::sliceInput(LoopBody &loop, unsigned number) {
  Value input = loop.inside(scanned(number));
  int64_t axis = axes[number];
  Expr at = isReversed[number] ? trips - 1 - loop.trip() : loop.trip();
  Value slice = c.sliceDim(input, axis, at, 1);
  if (!slice)
    return {};
  SmallVector<Expr> dims = dimsOf(slice);
  dims.erase(dims.begin() + axis);
  return c.reshape(slice, dims);
}

Value ScanConversion::placeOutput(Value stacked, unsigned number) {
  SmallVector<Expr> dims = dimsOf(stacked);
  int64_t axis = outputAxes[number], rank = dims.size();
  if (!c.normalizeAxis(axis, rank))
    return {};
  if (isOutputReversed[number]) {
    SmallVector<Expr> offsets(rank, Expr(0));
    SmallVector<int64_t> strides(rank, 1);
    offsets[0] = dims[0] - 1;
    strides[0] = -1;
    stacked = c.create<SliceOp>(stacked, c.graph.shapeAttr(offsets),
                                c.graph.shapeAttr(dims), strides);
  }
  SmallVector<int64_t> permutation;
  for (int64_t dim = 1; dim < rank; ++dim)
    permutation.push_back(dim);
  permutation.insert(permutation.begin() + axis, 0);
  return c.transpose(stacked, permutation);
}

void ScanConversion::setOutputsWithoutTrips() {
  for (unsigned i = 0; i < c.node.outputs.size(); ++i) {
    if (i < states)
      c.setOutput(i, c.input(i));
    else if (Value stacked = emptyStack(c, body, i))
      c.setOutput(i, placeOutput(stacked, i - states));
  }
}

void ScanConversion::run() {
  if (!readCounts() || !readAxes())
    return;
  if (trips.isConstant(0))
    return setOutputsWithoutTrips();
  LoopBody loop(c, body, trips);
  for (unsigned i = 0; i < states; ++i)
    loop.carry(c.input(i));
  for (unsigned i = 0; i < inputs; ++i)
    loop.capture(scanned(i));
  loop.create(Value());
  bool isFilled = loop.fill([&] {
    SmallVector<Value> values, results;
    for (unsigned i = 0; i < states; ++i)
      values.push_back(loop.carried(i));
    for (unsigned i = 0; i < inputs; ++i)
      values.push_back(sliceInput(loop, i));
    if (c.hasFailed() || !loop.convert(values, results))
      return false;
    loop.next(ArrayRef(results).take_front(states),
              ArrayRef(results).drop_front(states), Value());
    return true;
  });
  if (!isFilled || !loop.finish())
    return;
  for (unsigned i = 0; i < c.node.outputs.size(); ++i) {
    Value result = loop.loop.getResult(i);
    c.setOutput(i, i < states ? result : placeOutput(result, i - states));
  }
}

static void convertScan(NodeContext &c) {
  if (c.opset() < 9) {
    c.error() << "in opset 8 it runs over batches of sequences, which is not "
                 "supported; expected opset 9 or newer";
    return;
  }
  if (const OnnxSubgraph *body = c.graphAttr("body"))
    ScanConversion(c, *body).run();
}

void ambit::onnx_import::addScan(ConverterTable &table) {
  table.add("Scan", convertScan, 0, kAnyNumber).since(8).storedTypes();
}
