// Where the buffers of the workspace lie.
#include "ir/kernel/ArrayLayout.h"

#include "ir/walk/WalkLaunch.h"

#include <gtest/gtest.h>

using namespace stencilc;

namespace {

/// A field u whose first updated point is x = 3; buffers of the workspace are added to it.
Program withWorkspace(std::vector<Buffer> buffers) {
  Program program;
  program.signature.name = "f";
  program.signature.axes = {"z", "y", "x"};
  program.signature.arrays = {{.name = "u", .type = ScalarType::F64, .axes = {0, 1, 2}}};
  program.signature.lineStart = 3;
  program.buffers = callerBuffers(program.signature);
  llvm::append_range(program.buffers, buffers);
  return program;
}

Buffer rows(const char *name, ScalarType type, Widths ghost) {
  return {.name = name,
          .type = type,
          .axes = {0, 1, 2},
          .ghost = ghost,
          .owner = WorkspaceMemory{},
          .layout = Layout::Rows};
}

} // namespace

TEST(WorkspaceLayout, RowsAreWholeLinesOfTheNarrowestType) {
  const Program program = withWorkspace({rows("a", ScalarType::F64, {{{0, 0}, {1, 0}, {1, 0}}}),
                                         rows("b", ScalarType::F32, {{{2, 0}, {0, 1}, {0, 4}}})});
  const LineRows shared = workspaceRows(program);
  EXPECT_EQ(shared.ghost, (Widths{{{2, 0}, {1, 1}, {1, 4}}}));
  EXPECT_EQ(shared.line, 32);
  const std::array<int64_t, 3> strides = stridesOf(shared, {10, 7, 40});
  EXPECT_EQ(strides, (std::array<int64_t, 3>{64 * 9, 64, 1}));

  // x = 3 starts a line, whatever the type.
  for (const Buffer &buffer : llvm::drop_begin(program.buffers)) {
    const ArrayLayout layout = workspaceLayout(program, buffer, {10, 7, 40}, {9000, 100, 1});
    EXPECT_EQ(layout.stride, strides);
    EXPECT_EQ(layout.element({1, 2, 3}) % elementsOfLine(buffer.type), 0);
  }
}

TEST(WorkspaceLayout, TwinsFollowTheCallersStrides) {
  Program program = withWorkspace({});
  program.buffers.push_back(twinOf(program.buffers[0], "twin"));
  const ArrayLayout layout =
      workspaceLayout(program, program.buffers[1], {10, 7, 40}, {9000, 100, 1});
  EXPECT_EQ(layout.stride, (std::array<int64_t, 3>{9000, 100, 1}));
  EXPECT_EQ(layout.origin, 13);
  // As recommended, both lie alike.
  const std::vector<ArrayLayout> recommended = recommendedLayouts(program, {10, 7, 40});
  EXPECT_EQ(recommended[0].stride, recommended[1].stride);
  EXPECT_EQ(recommended[0].origin, recommended[1].origin);
}

TEST(WorkspaceLayout, DenseBuffersStartALine) {
  Buffer plane = rows("plane", ScalarType::F64, {{{1, 0}, {0, 0}, {2, 1}}});
  plane.axes = {0, 2};
  plane.layout = Layout::Dense;
  const Program program = withWorkspace({plane});
  const ArrayLayout layout = workspaceLayout(program, plane, {10, 7, 40}, {9000, 100, 1});
  EXPECT_EQ(layout.element({-1, -2}), 0);
  EXPECT_EQ(layout.element({0, 0}), 43 + 2);
}
