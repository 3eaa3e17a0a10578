#include "Runner.cuh"

template stencilc::apsp::bench::Outcome
stencilc::apsp::bench::runCase<stencilc::apsp::MinPlus, uint16_t>(const Case &);
