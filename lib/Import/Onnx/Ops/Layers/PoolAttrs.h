// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the attributes of pools.

#ifndef AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_POOLATTRS_H
#define AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_POOLATTRS_H

#include "../../../Compose/Windows/Pool.h"
#include "WindowAttrs.h"

namespace ambit::onnx_import {

/// Reads the window and how it slides over an input of a rank; nothing after an
/// error.
std::optional<compose::PoolSpec> readPool(NodeContext &c, int64_t rank);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_POOLATTRS_H
