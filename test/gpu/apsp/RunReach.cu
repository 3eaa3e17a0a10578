#include "Runner.cuh"

template stencilc::apsp::bench::Outcome
stencilc::apsp::bench::runCase<stencilc::apsp::OrAnd, uint16_t>(const Case &);
