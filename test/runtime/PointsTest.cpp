// Layouts of stand-alone programs: every point has an element of its own inside the allocation.
#include "runtime/standalone/Points.h"

#include <gtest/gtest.h>
#include <set>

namespace {

void expectPointsApart(const Layout &layout) {
  Points<float> points(layout);
  std::set<const float *> elements;
  points.forEachRow(true, [&](float *row, int64_t length) {
    for (int64_t i = 0; i < length; ++i)
      elements.insert(row + i);
  });
  size_t count = 1;
  for (int64_t extent : points.shape(true))
    count *= extent;
  EXPECT_EQ(elements.size(), count);
  EXPECT_GE(*elements.begin(), points.values.data());
  EXPECT_LT(*elements.rbegin(), points.values.data() + layout.elements);
}

TEST(Points, DenseArraysHoldExactlyTheirPoints) {
  const Layout layout = dense({3, 4, 5}, {1, 0, 2}, {0, 1, 1});
  EXPECT_EQ(layout.elements, 4 * 5 * 8);
  EXPECT_EQ(layout.strides, (std::vector<int64_t>{40, 8, 1}));
  EXPECT_EQ(layout.lead, 40 + 2);
  expectPointsApart(layout);
}

TEST(Points, PitchAndPadWidenAnyLayout) {
  for (Layout layout : {dense({7}, {1}, {2}), dense({3, 7}, {1, 1}, {2, 0}),
                        dense({2, 3, 7}, {1, 2, 1}, {2, 0, 1})}) {
    const std::vector<int64_t> strides = layout.strides;
    widen(layout, 5, 3);
    const size_t rank = strides.size();
    if (rank >= 2) {
      EXPECT_EQ(layout.strides[rank - 2], strides[rank - 2] + 5);
    }
    EXPECT_EQ(layout.strides[rank - 1], 1);
    expectPointsApart(layout);
  }
}

TEST(Points, ArraysWithoutPointsStayAsTheyAre) {
  for (std::vector<int64_t> extents :
       {std::vector<int64_t>{0}, {3, 0}, {0, 3}, {0, 0}, {2, 0, 3}, {2, 3, 0}}) {
    const std::vector<int64_t> none(extents.size());
    Layout layout = dense(extents, none, none);
    widen(layout, 5, 3);
    EXPECT_EQ(layout.elements, 0);
    EXPECT_EQ(layout.strides, dense(extents, none, none).strides);
  }
}

TEST(Points, SizesThatWouldOverflowAreRefused) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(checkSizes({1000, 1000, 1000}, {2, 2, 2}, 32, 32));
  EXPECT_TRUE(checkSizes({0, 0}, {0, 0}, 0, 0));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(checkSizes({most}, {0}, 0, 0));
  EXPECT_FALSE(checkSizes({most, 0}, {0, 0}, 0, 0)); // its rows are counted all the same
  EXPECT_FALSE(checkSizes({7, 5}, {0, 0}, most, 0));
  EXPECT_FALSE(checkSizes({7, 5}, {0, 0}, 0, most));
  EXPECT_FALSE(checkSizes({most, most, most}, {0, 0, 0}, most, most));
  EXPECT_NE(testing::internal::GetCapturedStderr(), "");
}

TEST(Points, FilesWithAndWithoutGhostPoints) {
  const std::string path = testing::TempDir() + "stencilc-points-test.npy";
  Points<double> points(dense({2, 2}, {1, 0}, {0, 1}));
  ASSERT_EQ(npy::write(path, {2, 2}, std::vector<double>{1, 2, 3, 4}), "");
  EXPECT_TRUE(load(path, points));
  EXPECT_EQ(points.at({0, 1}), 2.0);
  EXPECT_EQ(points.at({-1, 0}), 0.0);

  ASSERT_EQ(npy::write(path, {3, 3}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9}), "");
  EXPECT_TRUE(load(path, points));
  EXPECT_EQ(points.at({-1, 0}), 1.0);
  EXPECT_EQ(points.at({1, 2}), 9.0);
  EXPECT_TRUE(store(path, points));
  std::vector<int64_t> shape;
  std::vector<double> values;
  ASSERT_EQ(npy::read(path, shape, values), "");
  EXPECT_EQ(values, (std::vector<double>{4, 5, 7, 8}));

  ASSERT_EQ(npy::write(path, {4}, std::vector<double>{1, 2, 3, 4}), "");
  EXPECT_FALSE(load(path, points));
  std::remove(path.c_str());
}

} // namespace
