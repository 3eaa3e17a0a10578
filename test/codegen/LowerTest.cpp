// What comes of lowering is audited before it is written.
#include "codegen/lower/Lower.h"
#include "ir/stencil/StencilVerifier.h"
#include "ir/walk/KernelWalk.h"
#include "test/Examples.h"
#include "test/ir/StencilSource.h"
#include "test/ir/UncheckedProgramFactory.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

TEST(Lower, MakesProgramsThatPassTheAudit) {
  for (const std::string &name : exampleNames()) {
    const Stencil stencil = example(name);
    for (const Variant *variant : variantsFor(stencil)) {
      SCOPED_TRACE(name + " " + variant->name.str());
      const VerifiedProgram program =
          llvm::cantFail(lower(stencil, variant->defaultSchedule(stencil)));
      EXPECT_EQ(toString(auditLowered(program)), "");
    }
  }
}

TEST(Lower, AuditsNoGridThatTakesTheMachine) {
  // No point is updated on fewer than 4991 x 4991 x 4991.
  const Stencil stencil = stencilOf("stencil far(z, y, x) { field f32 u; boundary u: fixed;"
                                    "  u' = u[z-4990] + u[y-4990] + u[x-4990]; }");
  for (const Variant *variant : variantsFor(stencil)) {
    const VerifiedProgram program =
        llvm::cantFail(lower(stencil, variant->defaultSchedule(stencil)));
    EXPECT_EQ(toString(auditLowered(program)), "") << variant->name.str();
  }
}

TEST(Lower, TakesAFaultThatTheAuditFindsForOurs) {
  const Stencil stencil = example("heat.stn");
  Program program = *llvm::cantFail(lower(stencil, defaultSchedule(stencil)));
  for (Action &action : program.plan.passes.back().actions)
    if (auto *when = std::get_if<When>(&action.node))
      when->then.pop_back();
  llvm::Error error = auditLowered(UncheckedProgramFactory::make(program));
  EXPECT_TRUE(error.isA<VerifierFailure>());
  EXPECT_TRUE(llvm::StringRef(toString(std::move(error))).starts_with("no launch writes u["));
}

/// On a grid of the longest axis that launchers accept, and few points along the others.
void checkLongAxis(const Program &program, unsigned axis) {
  constexpr int64_t kMaxExtent = 2000000000;
  std::vector<int64_t> extents(program.signature.rank(), 40);
  extents[axis] = kMaxExtent;
  const std::vector<ArrayLayout> layouts = recommendedLayouts(program, extents);
  const auto check = [&](const Launch &launch) {
    const PlacedLaunch placed = place(program, launch, extents, layouts);
    if (placed.cover.isEmpty())
      return;
    // All coordinates of the last block, and what is added to them, fit in 32 bits.
    const int64_t end =
        placed.cover.first[axis] + placed.cover.blocks[axis] * launch.cover.points[axis];
    EXPECT_GE(end, placed.cover.end[axis]);
    EXPECT_LT(end, INT32_MAX - kMaxOffset);
    uint64_t stores = 0;
    KernelWalk walk(placed);
    walk.walk({placed.blocks[0] - 1, placed.blocks[1] - 1, placed.blocks[2] - 1},
              [&](const WarpRequest &request) {
                const ArrayArgument &array = placed.kernel->arrays[request.array];
                const ArrayLayout &layout = placed.layouts[request.array];
                int64_t first = layout.origin, last = layout.origin;
                if (array.isOverTime)
                  last += program.plan.passes.front().steps - 1;
                for (auto [own, stride] : llvm::zip_first(array.axes, layout.stride)) {
                  first -= array.ghost[own][Low] * stride;
                  last += (extents[own] + array.ghost[own][High] - 1) * stride;
                }
                for (const LaneRun &run : request.runs) {
                  const int64_t other = run.element + (run.count - 1) * run.stride;
                  EXPECT_GE(std::min(run.element, other), first);
                  EXPECT_LE(std::max(run.element, other), last);
                  stores += request.isStore ? run.count : 0;
                }
              });
    EXPECT_GT(stores, 0u);
  };
  // Of a run's end, the last block of a reduction would walk through the whole axis.
  forEachLaunch(program.plan.prologue, check);
  for (const Pass &pass : program.plan.passes)
    forEachLaunch(pass.actions, check);
}

TEST(Lower, MakesBlocksForTheLongestAxis) {
  for (const std::string &name : exampleNames()) {
    const Stencil stencil = example(name);
    for (const Variant *variant : variantsFor(stencil)) {
      Schedule schedule = variant->defaultSchedule(stencil);
      if (!variant->candidates)
        continue;
      const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
      for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
        SCOPED_TRACE(name + " " + variant->name.str() + " " + stencil.axes[axis]);
        checkLongAxis(*program, axis);
      }
    }
  }
}

} // namespace
