// Residency: how many blocks of a kernel to promise to an SM, before any model is asked.
#pragma once

#include "costmodel/device/CodeTable.h"
#include "ir/kernel/Schedule.h"

namespace stencilc {

/// As many blocks as fit when a thread needs the registers we expect of it; 0 for a schedule
/// without threads. The promise caps what the compiler may use; it is generous, since a spill costs
/// more than a missing warp.
int usualResidency(const Stencil &stencil, const Schedule &schedule, const CodeTable &table);

} // namespace stencilc
