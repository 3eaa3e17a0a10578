#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(MinPlus, double)

namespace stencilc::apsp::test {
template Matrices<double> makeMatrices<MinPlus, double>(const Graph &, PathKind, int64_t);
template void solve<MinPlus, double>(Matrices<double> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
