// HostFormulas: what a kernel of the host leaves in memory, as formulas of what stood there before.
#pragma once

#include "ir/kernel/Program.h"

#include <map>

namespace stencilc::mutation {

/// An element of an array argument.
using Element = std::pair<unsigned, std::vector<int64_t>>;
/// By element that a launch stores, the hash of a formula over literals, uniforms and elements as
/// they were before the launch.
using HostFormulas = std::map<Element, uint64_t>;

/// Nothing if the kernel holds what loops on the host have no use for.
std::optional<HostFormulas> formulasOf(const Program &program, const Launch &launch,
                                       const RunNumbers &numbers);

} // namespace stencilc::mutation
