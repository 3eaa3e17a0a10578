#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(MinPlus, float)

namespace stencilc::apsp::test {
template Matrices<float> makeMatrices<MinPlus, float>(const Graph &, PathKind, int64_t);
template void solve<MinPlus, float>(Matrices<float> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
