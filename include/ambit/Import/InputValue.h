// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value that an input has at every call: `--value axes=[0,1]`.

#ifndef AMBIT_IMPORT_INPUTVALUE_H
#define AMBIT_IMPORT_INPUTVALUE_H

#include <string>
#include <vector>

namespace ambit {

/// Elements as the user wrote them: the input's type says how to read them.
struct InputValue {
  /// "[...]": a tensor of rank 1, or of declared dims. Else one element.
  bool isList = false;
  std::vector<std::string> elements;
};

} // namespace ambit

#endif // AMBIT_IMPORT_INPUTVALUE_H
