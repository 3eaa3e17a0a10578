// Fused steps on grids that hold whole tiles, which random programs are too small for.
#include "codegen/lower/Lower.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "test/ir/StencilSource.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// Five steps of fused and single passes give what the reference gives.
void expectReference(llvm::StringRef text, llvm::StringRef schedule, std::vector<int64_t> extents) {
  const Stencil stencil = stencilOf(text.str());
  const VerifiedProgram program =
      llvm::cantFail(lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))));
  State expected = llvm::cantFail(initialState(stencil, extents, {})), seen = expected;
  llvm::cantFail(interpret(stencil, expected, 5));
  llvm::cantFail(interpret(program, seen, 5));
  for (unsigned array = 0; array < stencil.arrays.size(); ++array)
    EXPECT_EQ(firstDifference(expected.current[array], seen.current[array]), std::nullopt)
        << stencil.arrays[array].name;
}

TEST(Temporal, MakesTilesInsideTheFrameUnguarded) {
  expectReference("stencil one(y, x) { field f64 u; boundary u: fixed; init u = x*x - 3*y;"
                  "  u' = 0.5*u + 0.25*u[y-1] - 0.125*u[x+1] + u[y+1]; }",
                  "temporal/32x1/c64/t2/v4x1/p1", {9, 300});
}

TEST(Temporal, KeepsTheFrameOfEachFieldInATileInsideThatOfAnother) {
  expectReference("stencil two(y, x) { field f64 u, v; boundary u: x halo; boundary v: fixed;"
                  "  init u = x - y*y; init v = 0.5*x*y + x;"
                  "  u' = 0.5*u[x-1] + v; v' = v[y+1] - 0.5*v[y-1] + 0.25*u; }",
                  "temporal/32x1/c64/t2/v4x1/p1", {9, 300});
}

} // namespace
