// Warps that hold successive steps, on grids wide enough for their tiles.
#include "test/codegen/Reference.h"

using namespace stencilc;

namespace {

/// Of fused and single passes.
constexpr int64_t kSteps = 9;

/// Terms by row, one and two rows away; the newest row first; values that are used twice; reads
/// behind the point only, and ahead of it only; truth values, which no patch keeps.
const char *const kFormulas[] = {
    "0.25*u[y-1] + 0.125*u[x-1] + 0.5*u - 0.125*u[x+1] + 0.25*u[y+1]",
    "0.25*u[y-1, x-1] - 0.5*u[y-1, x+1] + 0.125*u[x+1] + 0.25*u[y+1, x-1] + 0.5*u[y+1]",
    "0.125*u[y-2] + 0.25*u[y-1] + 0.5*u[x-2] - 0.25*u[x+1] + 0.25*u[y+1] - 0.5*u[y+2]",
    "0.25*u[y+1] + 0.125*u[y-1] - 0.5*u[x-1]",
    "0.5*(u[y+1] - u[y-1])*(u[y+1] + 0.25*u) + 0.125*u[x+1]",
    "0.5*u[y-1] + 0.25*u[y-2, x+1]",
    "0.5*u[y+1, x-1] - 0.25*u[y+2]",
    "where(u[y-1] > 0 && u[x-1] < 9, 0.5*u, 0.25*u[y+1])",
};

class RowPipelineEnds : public ::testing::TestWithParam<const char *> {};

TEST_P(RowPipelineEnds, MakesTheReferencesSteps) {
  const std::pair<const char *, std::vector<int64_t>> runs[] = {
      {"temporal/32x2/c16/t4/v5x2/p1", {45, 321}},
      {"temporal/32x4/c64/t4/v6x1/p3", {70, 250}},
      {"temporal/32x2/c24/t2/v4x3/p2", {7, 389}}};
  for (const char *formula : kFormulas)
    for (const auto &[schedule, extents] : runs) {
      const std::string text = std::string("stencil ends(y, x) { field f64 u; boundary u: ") +
                               GetParam() + "; init u = x*x - 3*y + x*y; u' = " + formula + "; }";
      SCOPED_TRACE(text + " " + schedule + ::testing::PrintToString(extents));
      expectReference(text, schedule, extents, kSteps);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, RowPipelineEnds,
                         ::testing::Values("fixed", "halo", "value(3)", "periodic",
                                           "y- fixed, y+ value(2), x periodic",
                                           "y periodic, x- value(1), x+ halo"));

} // namespace
