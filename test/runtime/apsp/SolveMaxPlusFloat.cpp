#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(MaxPlus, float)

namespace stencilc::apsp::test {
template Matrices<float> makeMatrices<MaxPlus, float>(const Graph &, PathKind, int64_t);
template void solve<MaxPlus, float>(Matrices<float> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
