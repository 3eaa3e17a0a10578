// Races: pairs of accesses that a log shows and nothing puts in order.
#pragma once

#include "test/trace/AccessLog.h"

#include <utility>

namespace stencilc::trace {

using Race = std::pair<LoggedAccess, LoggedAccess>;

/// Accesses to one element by two threads of one launch, one of them a store, with no barrier
/// between that both pass: threads of a block race within an interval between barriers, those of
/// different blocks always do. One race for each pair of instructions, in the order of memory.
/// Elements of a range have one size.
std::vector<Race> findRaces(const std::vector<LoggedAccess> &accesses);

} // namespace stencilc::trace
