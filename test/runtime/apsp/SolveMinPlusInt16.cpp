#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(MinPlus, int16_t)

namespace stencilc::apsp::test {
template Matrices<int16_t> makeMatrices<MinPlus, int16_t>(const Graph &, PathKind, int64_t);
template void solve<MinPlus, int16_t>(Matrices<int16_t> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
