// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the attributes that convolutions and pools share.

#ifndef AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_WINDOWATTRS_H
#define AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_WINDOWATTRS_H

#include "../../../Compose/Windows/Conv.h"
#include "../../Converters.h"

namespace ambit::onnx_import {

/// Reads strides, dilations, pads and auto_pad for `spatial` dims; nothing
/// after an error.
std::optional<compose::WindowSpec> readWindow(NodeContext &c, size_t spatial);

/// The window of a filter, which must be what `kernel_shape` says if that is
/// given.
std::optional<SmallVector<int64_t>> readFilterWindow(NodeContext &c, Value x,
                                                     Value filter);

/// The attributes of Conv and its relatives; nothing after an error.
std::optional<compose::ConvSpec> readConv(NodeContext &c, Value x,
                                          Value filter);

} // namespace ambit::onnx_import

#endif // AMBIT_LIB_IMPORT_ONNX_OPS_LAYERS_WINDOWATTRS_H
