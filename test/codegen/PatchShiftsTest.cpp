// Which rows of a patch a march moves: those that are read below the slice that they are set in.
#include "codegen/print/PatchShifts.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace patch_shifts {
namespace {

constexpr ScalarType f32 = ScalarType::F32;
constexpr unsigned kRow = 0, kPlane = 1;

Index local(unsigned number) { return coordinate(CoordinateKind::Local, number); }
Statement set(Index slice, Index row) {
  return AssignElement{0, {slice, row, constant(0)}, makeValue(f32, LiteralValue{1})};
}
Statement read(Index slice, Index row) {
  return StoreGlobal{0, {}, makeValue(f32, PatchElement{0, {slice, row, constant(0)}})};
}
Statement unrolled(unsigned number, int64_t begin, int64_t end, Body body) {
  return For{LoopKind::Unroll, number, constant(begin), constant(end), 1, std::move(body)};
}

/// The rows that move in a patch of 3 slices of 5 rows of 2 elements: first and last; none: all.
std::vector<int> moved(Body body) {
  Kernel kernel;
  kernel.axes = {"z", "y", "x"};
  kernel.locals = {"row", "plane"};
  kernel.patches = {{"near", f32, {3, 5, 2}}};
  kernel.body = std::move(body);
  const std::optional<PatchShifts::Rows> rows = PatchShifts(kernel).rowsToMove(0);
  return rows ? std::vector<int>{rows->first, rows->end - 1} : std::vector<int>();
}

TEST(PatchShifts, OfAStarAreThoseOfTheColumnsAlone) {
  // Rows 2 and 3 come in above; one more to each side is read in slice 1 alone. Loops share a
  // local.
  EXPECT_EQ(
      moved({unrolled(kRow, 0, 2, {set(constant(2), add(local(kRow), 2))}),
             unrolled(kRow, -2, 0, {set(constant(1), add(local(kRow), 3))}),
             set(constant(1), constant(4)),
             unrolled(kPlane, 0, 3, {unrolled(kRow, 2, 4, {read(local(kPlane), local(kRow))})}),
             unrolled(kRow, 1, 5, {read(constant(1), local(kRow))}), ShiftPatch{0}}),
      (std::vector<int>{2, 3}));
}

TEST(PatchShifts, AreThoseBetweenTwoThatMove) {
  EXPECT_EQ(moved({set(constant(2), constant(1)), set(constant(1), constant(3)),
                   read(constant(0), constant(1)), read(constant(0), constant(3))}),
            (std::vector<int>{1, 3}));
}

TEST(PatchShifts, AreAllWhereARowIsNotKnown) {
  EXPECT_TRUE(moved({set(constant(2), constant(1)), read(constant(0), local(kRow)),
                     set(constant(2), local(kRow))})
                  .empty());
}

} // namespace
} // namespace patch_shifts
