// What a schedule makes of a stencil, held against what the stencil means.
#pragma once

#include "codegen/lower/Lower.h"
#include "ir/run/KernelInterpreter.h"
#include "ir/stencil/StencilInterpreter.h"
#include "test/ir/StencilSource.h"

#include <gtest/gtest.h>

namespace stencilc {

/// Of arrays over time, beyond a run's steps, which may read ahead.
inline constexpr int64_t kMoreValues = 4;

/// The text lowered by the schedule, run for so many steps, leaves what the reference leaves.
inline void expectReference(llvm::StringRef text, llvm::StringRef schedule,
                            std::vector<int64_t> extents, int64_t steps) {
  const Stencil stencil = stencilOf(text.str());
  llvm::Expected<VerifiedProgram> program =
      lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank())));
  ASSERT_TRUE(bool(program)) << toString(program.takeError());
  State expected = llvm::cantFail(initialState(stencil, extents, {}, steps + kMoreValues)),
        seen = expected;
  llvm::cantFail(interpret(stencil, expected, steps));
  llvm::Error error = interpret(*program, seen, steps);
  ASSERT_FALSE(error) << toString(std::move(error));
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    if (array.kind != ArrayKind::Temp) {
      EXPECT_EQ(firstDifference(expected.current[number], seen.current[number]), std::nullopt)
          << array.name;
      if (readsPrevious(stencil, number)) {
        EXPECT_EQ(firstDifference(expected.previous[number], seen.previous[number]), std::nullopt)
            << array.name << "[t-1]";
      }
    }
  EXPECT_EQ(llvm::cantFail(reduce(stencil, expected)), seen.results);
}

} // namespace stencilc
