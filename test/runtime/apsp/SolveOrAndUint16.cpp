#include "SolveImpl.h"
#include "runtime/apsp/Instantiate.h"

STENCILC_APSP_INSTANTIATE(OrAnd, uint16_t)

namespace stencilc::apsp::test {
template Matrices<uint16_t> makeMatrices<OrAnd, uint16_t>(const Graph &, PathKind, int64_t);
template void solve<OrAnd, uint16_t>(Matrices<uint16_t> &, const Plan &, Where, bool);
} // namespace stencilc::apsp::test
