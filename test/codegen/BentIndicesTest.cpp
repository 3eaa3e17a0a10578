// What boundaries make of neighbouring indices: when one rule does for all of them.
#include "codegen/print/BentIndices.h"

#include "gtest/gtest.h"

using namespace stencilc;

namespace {

Index here(int64_t offset) { return add(coordinate(CoordinateKind::Local, 0), offset); }
BentIndex plain(int64_t offset) { return {here(offset), {}}; }
BentIndex low(int64_t offset) { return {here(offset), {constant(0), {}, {}}}; }
BentIndex high(int64_t offset) { return {here(offset), {{}, add(extent(0), -1), {}}}; }
BentIndex mapped(int64_t offset, BoundaryKind kind) {
  return {here(offset), {{}, {}, IndexMap{kind, 0, here(offset)}}};
}

} // namespace

TEST(BentIndices, OfAClampAreClampedAtBothEnds) {
  const std::optional<Bend> bend = commonBend({low(-1), plain(0), high(1)});
  ASSERT_TRUE(bend);
  EXPECT_TRUE(equal(bend->of(here(1)), minimum(maximum(here(1), constant(0)), add(extent(0), -1))));
}

// At the other end there may be ghost points.
TEST(BentIndices, KeepAnEndThatBendsNothing) {
  const std::optional<Bend> bend = commonBend({low(-1), plain(0), plain(1)});
  ASSERT_TRUE(bend);
  EXPECT_TRUE(equal(bend->of(here(1)), maximum(here(1), constant(0))));
}

TEST(BentIndices, AreMappedWhereAllAre) {
  const BoundaryKind periodic = BoundaryKind::Periodic, reflect = BoundaryKind::Reflect;
  EXPECT_TRUE(commonBend({mapped(-1, periodic), plain(0), mapped(1, periodic)}));
  EXPECT_FALSE(commonBend({mapped(-1, reflect), plain(0), plain(1)}));
  EXPECT_FALSE(commonBend({mapped(-1, reflect), plain(0), mapped(1, periodic)}));
  EXPECT_FALSE(commonBend({mapped(-1, reflect), plain(0), high(1)}));
}

TEST(BentIndices, AreTakenFromTheirNames) {
  const NamedIndices named = {{1, maximum(here(-1), constant(0))}, {2, here(2)}};
  const BentIndex bent = straightened(coordinate(CoordinateKind::Local, 1), named);
  EXPECT_TRUE(equal(bent.straight, here(-1)));
  EXPECT_TRUE(bent.bend.least && !bent.bend.most && !bent.bend.both);
  const Index other = coordinate(CoordinateKind::Local, 2);
  EXPECT_TRUE(equal(straightened(other, named).straight, other));
}
