// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of every operator family.

#include "Converters.h"

using namespace ambit::onnx_import;

ConverterTable::ConverterTable() {
  addActivations(*this);
  addArithmetic(*this);
  addAttention(*this);
  addConstants(*this);
  addControlFlow(*this);
  addContrib(*this);
  addContribAttention(*this);
  addConvolutions(*this);
  addEmbeddings(*this);
  addFolds(*this);
  addGathers(*this);
  addGroupQueryAttention(*this);
  addLinearAttention(*this);
  addLogic(*this);
  addLosses(*this);
  addMatrixProducts(*this);
  addMovement(*this);
  addNormalizations(*this);
  addPools(*this);
  addQuantization(*this);
  addQuantizedContrib(*this);
  addRandom(*this);
  addRecurrent(*this);
  addReductions(*this);
  addReshape(*this);
  addResizes(*this);
  addRotary(*this);
  addSamplings(*this);
  addScatters(*this);
  addSearches(*this);
  addSequences(*this);
  addShapes(*this);
  addSignals(*this);
  addSlices(*this);
  addUnaryMath(*this);
}
