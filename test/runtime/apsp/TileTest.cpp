// Which tiles a launch makes, and which elements of a tile each thread holds.
#include "runtime/apsp/Tile.h"

#include "test/harness/cuda_runtime.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace stencilc::apsp::device {
namespace {

using Tile = std::pair<int, int>;

/// The tiles that `part` of a region stands for, by their numbers; fails where one comes twice.
std::set<Tile> tilesOf(Region region, Part part) {
  region.part = part;
  std::set<Tile> tiles;
  for (int number = 0; number < region.tiles(); ++number) {
    int row, column;
    region.find(number, row, column);
    EXPECT_TRUE(row >= 0 && row < region.tileRows) << row;
    EXPECT_TRUE(column >= 0 && column < region.tileColumns) << column;
    EXPECT_TRUE(tiles.insert({row, column}).second) << row << ", " << column;
  }
  return tiles;
}

TEST(Region, CrossAndRestAreAllTilesOnce) {
  for (int rows : {1, 2, 5})
    for (int columns : {1, 3, 4})
      for (int crossRow = 0; crossRow < rows; ++crossRow)
        for (int crossColumn = 0; crossColumn < columns; ++crossColumn)
          for (int crossRows = 1; crossRow + crossRows <= rows; ++crossRows)
            for (int crossColumns = 1; crossColumn + crossColumns <= columns; ++crossColumns) {
              const Region region = {Part::All,   rows,         columns, crossRow, crossRows,
                                     crossColumn, crossColumns, 0,       0};
              std::set<Tile> all, cross, rest;
              for (int row = 0; row < rows; ++row)
                for (int column = 0; column < columns; ++column) {
                  const bool isCrossed =
                      (row >= crossRow && row < crossRow + crossRows) ||
                      (column >= crossColumn && column < crossColumn + crossColumns);
                  all.insert({row, column});
                  (isCrossed ? cross : rest).insert({row, column});
                }
              EXPECT_EQ(tilesOf(region, Part::All), all);
              EXPECT_EQ(tilesOf(region, Part::Cross), cross);
              EXPECT_EQ(tilesOf(region, Part::AllButCross), rest);
            }
}

TEST(Region, OnlyWholeTilesOfFinishedColumnsAreClosed) {
  Region region = {};
  region.closedBegin = 64;
  region.closedEnd = 192;
  EXPECT_TRUE(region.isClosed(64, 64));
  EXPECT_TRUE(region.isClosed(64, 128));
  EXPECT_TRUE(region.isClosed(128, 64));
  EXPECT_FALSE(region.isClosed(0, 64));
  EXPECT_FALSE(region.isClosed(0, 128));
  EXPECT_FALSE(region.isClosed(128, 128));
  EXPECT_FALSE(region.isClosed(192, 64));
}

template <class T> using LanesOf = Lanes<MinPlus, T, WeightRange::Any>;

/// A matrix of n vertices whose element (i, j) is i * 256 + j, between rows -1.
template <class T> struct Matrix {
  Matrix(int n, int64_t pitch) : n(n), pitch(pitch), values(n * pitch, T(-1)) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        values[i * pitch + j] = T(i * 256 + j);
    panels.n = n;
    panels.distances = values.data();
    panels.pitch = pitch;
    panels.aligned = pitch % 8 == 0;
  }
  int n;
  int64_t pitch;
  std::vector<T> values;
  Panels<LanesOf<T>> panels = {};
};

/// Each thread of a tile at (0, 0) takes its patch through `use(patch)`.
template <class Shape, class T, class Use> void forEachPatch(Matrix<T> &matrix, Use use) {
  for (unsigned thread = 0; thread < Shape::threads; ++thread) {
    threadIdx = {thread, 0, 0};
    use(TilePatch<LanesOf<T>, PatchLayout<Shape>>(matrix.panels, Shape(), 0, 0));
  }
  threadIdx = {0, 0, 0};
}

template <class Shape, class T> void expectOneThreadAnElement() {
  constexpr int perWord = LanesOf<T>::perWord;
  constexpr int rows = Shape::rows, columns = Shape::columns * perWord;
  for (int n : {17, 64, 130, 200})
    for (int64_t pitch : {n + 3, (n + 7) / 8 * 8}) {
      SCOPED_TRACE(std::to_string(n) + " by " + std::to_string(pitch));
      Matrix<T> matrix(n, pitch);
      std::set<Tile> taken;
      forEachPatch<Shape>(matrix, [&](auto patch) {
        patch.load([&](int quad, const auto &elements) {
          for (int e = 0; e < 4 * perWord; ++e) {
            const int row = patch.row(quad), column = patch.column(quad) + e;
            EXPECT_TRUE(row < rows && column < columns);
            EXPECT_TRUE(taken.insert({row, column}).second) << row << ", " << column;
            const bool isInside = row < n && column < n;
            EXPECT_EQ(elements.at[e], isInside ? T(row * 256 + column) : LanesOf<T>::A::zero());
          }
        });
      });
      EXPECT_EQ(taken.size(), size_t(rows) * columns);

      // What is stored lands there, and nowhere outside of the tile and the matrix.
      forEachPatch<Shape>(matrix, [&](auto patch) {
        patch.store([&](int, auto &elements) {
          for (int e = 0; e < 4 * perWord; ++e)
            elements.at[e] = T(7);
        });
      });
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < pitch; ++j)
          ASSERT_EQ(matrix.values[i * pitch + j], j >= n                    ? T(-1)
                                                  : i < rows && j < columns ? T(7)
                                                                            : T(i * 256 + j))
              << i << ", " << j;
    }
}

TEST(TilePatch, NarrowTilesHaveOneThreadAnElement) {
  expectOneThreadAnElement<TileShape<4, 4, 2, 3>, int32_t>();
}
TEST(TilePatch, WideTilesHaveOneThreadAnElement) {
  expectOneThreadAnElement<TileShape<8, 2, 2, 3>, int32_t>();
}
TEST(TilePatch, HalvesHaveOneThreadAnElement) {
  expectOneThreadAnElement<TileShape<4, 4, 2, 3>, uint16_t>();
}

TEST(TilePatch, KeepsWhatItIsToldTo) {
  Matrix<int32_t> matrix(100, 100);
  forEachPatch<TileShape<4, 4, 2, 3>>(matrix, [&](auto patch) {
    patch.exchange([&](int quad, auto &elements) {
      for (auto &element : elements.at)
        element = 9;
      return quad % 2 == 0;
    });
  });
  forEachPatch<TileShape<4, 4, 2, 3>>(matrix, [&](auto patch) {
    for (int quad = 0; quad < patch.quads; ++quad)
      for (int e = 0; e < 4; ++e) {
        const int row = patch.row(quad), column = patch.column(quad) + e;
        EXPECT_EQ(matrix.values[row * 100 + column], quad % 2 == 0 ? 9 : row * 256 + column);
      }
  });
}

} // namespace
} // namespace stencilc::apsp::device
