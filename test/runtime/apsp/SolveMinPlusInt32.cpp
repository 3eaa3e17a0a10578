#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(MinPlus, int32_t)

namespace stencilc::apsp::test {
template Matrices<int32_t> makeMatrices<MinPlus, int32_t>(const Graph &, PathKind, int64_t);
template void solve<MinPlus, int32_t>(Matrices<int32_t> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
