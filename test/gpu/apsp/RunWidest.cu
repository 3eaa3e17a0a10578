#include "Runner.cuh"

template stencilc::apsp::bench::Outcome
stencilc::apsp::bench::runCase<stencilc::apsp::MaxMin, int32_t>(const Case &);
