// Paths read off path matrices, good ones and broken ones.
#include "runtime/apsp/Paths.h"

#include <gtest/gtest.h>

#include <vector>

namespace stencilc::apsp::test {
namespace {

constexpr int32_t none = noVertex;

// 0 -> 1 -> 2 -> 3, and nothing back.
const int32_t firstHops[] = {none, 1,    1,    1, none, none, 2,    2,
                             none, none, none, 3, none, none, none, none};
const int32_t predecessors[] = {none, 0,    1,    2, none, none, 1,    2,
                                none, none, none, 2, none, none, none, none};

TEST(Paths, OneByEitherKind) {
  for (const PathMatrix &matrix : {PathMatrix{4, PathKind::FirstHop, firstHops, 4},
                                   PathMatrix{4, PathKind::Predecessor, predecessors, 4}}) {
    std::vector<int32_t> vertices(4, -9);
    int64_t length;
    ASSERT_EQ(tracePath(matrix, 0, 3, vertices.data(), 4, length), Status::Ok);
    EXPECT_EQ(length, 4);
    EXPECT_EQ(vertices, (std::vector<int32_t>{0, 1, 2, 3}));
    ASSERT_EQ(tracePath(matrix, 2, 2, vertices.data(), 4, length), Status::Ok);
    EXPECT_EQ(length, 1);
    EXPECT_EQ(vertices[0], 2);
    EXPECT_EQ(tracePath(matrix, 3, 0, vertices.data(), 4, length), Status::NoPath);
    EXPECT_EQ(tracePath(matrix, 0, 4, vertices.data(), 4, length), Status::BadVertex);
    EXPECT_EQ(tracePath(matrix, 0, 3, vertices.data(), 3, length), Status::BufferTooSmall);
    EXPECT_EQ(length, 4);
  }
}

TEST(Paths, ManyAtOnce) {
  const PathMatrix matrix{4, PathKind::FirstHop, firstHops, 4};
  const int32_t pairs[][2] = {{0, 2}, {3, 1}, {1, 1}, {1, 3}};
  std::vector<int64_t> begins(5);
  EXPECT_EQ(tracePaths(matrix, pairs, 4, begins.data(), nullptr, 0), Status::BufferTooSmall);
  EXPECT_EQ(begins, (std::vector<int64_t>{0, 3, 3, 4, 7}));
  std::vector<int32_t> vertices(begins.back());
  ASSERT_EQ(tracePaths(matrix, pairs, 4, begins.data(), vertices.data(), 7), Status::Ok);
  EXPECT_EQ(vertices, (std::vector<int32_t>{0, 1, 2, 1, 1, 2, 3}));
}

TEST(Paths, ACycleEnds) {
  const int32_t cycle[] = {none, 1, 1, 0, none, 0, none, none, none};
  int64_t length;
  EXPECT_EQ(pathLength({3, PathKind::FirstHop, cycle, 3}, 0, 2, length), Status::CyclicPath);
  EXPECT_EQ(pathLength({3, PathKind::None, nullptr, 3}, 0, 2, length), Status::NullPointer);
}

} // namespace
} // namespace stencilc::apsp::test
