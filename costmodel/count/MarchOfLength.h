// MarchOfLength: what is counted of a march, for one of another length.
//
// Layers of blocks march through the slowest axis. Besides its own planes each makes turns for
// those around them. So of chunks of another length all is known but where a turn of several planes
// ends and what ends of the grid leave out: what is done in turns is done in proportion to them,
// all else in proportion to the blocks, and each point is stored once as before.
// test/costmodel/MarchOfLengthTest.cpp holds forecasts by such counts against those by counts.
#pragma once

#include "costmodel/count/Counts.h"

namespace stencilc {

/// Counts of the same tile in chunks of so many planes. Nothing is there for launches that are no
/// marches, or several.
std::optional<ProgramCounts> marchOfLength(const ProgramCounts &counts, int chunk);

} // namespace stencilc
