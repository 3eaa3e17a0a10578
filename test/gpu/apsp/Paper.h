#pragma once

#include "runtime/apsp/Apsp.h"

namespace stencilc::apsp::bench {

/// Median seconds of RacyInPlaceMinPlus or PivotByPivot without Init, f32 with paths, all launches
/// in one CUDA graph or one after another on a stream.
double timePaper(Algorithm algorithm, int width, int64_t n, bool asGraph, int repeats);

} // namespace stencilc::apsp::bench
