// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private: the picture on the page about a plan.

#ifndef AMBIT_LIB_DRIVER_PLAN_PLANMAP_H
#define AMBIT_LIB_DRIVER_PLAN_PLANMAP_H

#include "PlanTable.h"
#include "llvm/Support/raw_ostream.h"

namespace ambit {

/// Text for elements and attributes; what is no UTF-8 or no character of XML is
/// replaced.
std::string escapeXml(llvm::StringRef text);

/// Up to two symbols by which the variants differ most.
std::vector<std::string> choosePlanAxes(const PlanTable &table);

/// An <svg> element: of one symbol expected times over sizes, of two the boxes
/// of variants; the traffic in both.
void drawPlanMap(const PlanTable &table, llvm::ArrayRef<std::string> axes,
                 llvm::raw_ostream &out);

/// The variant whose box holds a shape; the first by priority.
std::optional<size_t> findVariant(const Plan &plan, const Shape &shape);

} // namespace ambit

#endif // AMBIT_LIB_DRIVER_PLAN_PLANMAP_H
