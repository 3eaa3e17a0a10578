// Footprints of blocks, of neighbouring blocks and of whole grids, against every read of every
// point: here a footprint is a set of elements that follows from the stencil's offsets and
// boundaries alone, without kernel or walk.
#include "codegen/lower/Lower.h"
#include "costmodel/count/BlockFootprint.h"
#include "costmodel/count/Counts.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/walk/WalkRequest.h"
#include "test/fuzz/Random.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/StencilSource.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

using namespace stencilc;

namespace {

using Point = std::array<int64_t, kMaxRank>;

/// One field that is read at these offsets.
Stencil stencilReading(unsigned rank, llvm::ArrayRef<Offset> offsets, llvm::StringRef type,
                       llvm::StringRef boundary) {
  const std::array<std::string, kMaxRank> axes = {"z", "y", "x"};
  const std::vector<std::string> names(axes.end() - rank, axes.end());
  std::vector<std::string> reads;
  for (const Offset &offset : offsets) {
    std::vector<std::string> shifts;
    for (unsigned axis = 0; axis < rank; ++axis)
      shifts.push_back(fmt::format("{}{:+}", names[axis], offset[axis]));
    reads.push_back(fmt::format("u[{}]", fmt::join(shifts, ", ")));
  }
  return stencilOf(fmt::format("stencil s({}) {{ field {} u; boundary u: {}; u' = {}; }}",
                               fmt::join(names, ", "), type.str(), boundary.str(),
                               fmt::join(reads, " + ")));
}

/// All offsets with `low <= offset <= high` along every axis; of a star at most one is not 0.
std::vector<Offset> offsetsOf(unsigned rank, int low, int high, bool isStar) {
  std::vector<Offset> offsets;
  const std::vector<int64_t> begin(rank, low), end(rank, high + 1);
  forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> index) {
    Offset offset = {};
    llvm::copy(index, offset.begin());
    if (!isStar || llvm::count_if(index, [](int64_t step) { return step != 0; }) <= 1)
      offsets.push_back(offset);
  });
  return offsets;
}

struct Shape {
  const char *name;
  std::vector<Offset> offsets;
};

/// Without gaps along the slowest axis, where a march loads what lies between two reads too.
std::vector<Shape> shapesOf(unsigned rank) {
  std::vector<Shape> shapes = {
      {"star 1", offsetsOf(rank, -1, 1, true)},      {"star 3", offsetsOf(rank, -3, 3, true)},
      {"box 1", offsetsOf(rank, -1, 1, false)},      {"star after", offsetsOf(rank, 0, 2, true)},
      {"box before", offsetsOf(rank, -2, 0, false)}, {"box apart", offsetsOf(rank, 2, 3, false)}};
  Offset corner = {};
  std::fill_n(corner.begin(), rank, 1);
  shapes.push_back({"corner", {Offset{}, corner}});
  return shapes;
}

std::vector<std::string> schedulesOf(unsigned rank) {
  if (rank == 1)
    return {"baseline/64", "baseline/40"};
  if (rank == 2)
    return {"baseline/32x3", "baseline/20x4", "zblock/32x1/c4"};
  return {"baseline/32x3x2", "baseline/20x2x3", "zblock/32x2x1/c5"};
}

/// The points where the step is made, block by block, and the elements that they read and write.
class Enumeration {
public:
  Enumeration(const Stencil &stencil, const VerifiedProgram &program, std::vector<int64_t> extents)
      : stencil(stencil), extents(std::move(extents)),
        layouts(recommendedLayouts(*program, this->extents)), launch(placedMain(*program)),
        cover(coverOf(*program)) {}

  /// Of `u`: elements of the points of some blocks, given per axis.
  std::set<int64_t> elements(const Point &firstBlock, const Point &blocks, bool isStore) const {
    std::vector<int64_t> begin, end;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      const int64_t start = launch.cover.first[axis] + firstBlock[axis] * cover[axis];
      begin.push_back(std::max(start, launch.cover.begin[axis]));
      end.push_back(std::min(start + blocks[axis] * cover[axis], launch.cover.end[axis]));
    }
    std::set<int64_t> elements;
    forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> point) {
      if (isStore)
        elements.insert(elementOf(point));
      else
        for (const Expr &expr : stencil.stages[0].updates[0].formula.exprs)
          if (const auto *read = std::get_if<Read>(&expr.node))
            if (const auto where = moved(point, read->offset))
              elements.insert(elementOf(*where));
    });
    return elements;
  }

  uint64_t pieces(const Point &firstBlock, const Point &blocks, bool isStore,
                  unsigned pieceBytes) const {
    std::set<int64_t> touched;
    for (int64_t element : elements(firstBlock, blocks, isStore))
      touched.insert(euclideanQuotient(
          (element + layouts[0].origin) * sizeInBytes(stencil.arrays[0].type), pieceBytes));
    return touched.size();
  }

  /// Distinct sectors of each block, summed.
  uint64_t sectorsOfBlocks(bool isStore) const {
    uint64_t sum = 0;
    for (int64_t z = 0; z < blocksAlong(0); ++z)
      for (int64_t y = 0; y < blocksAlong(1); ++y)
        for (int64_t x = 0; x < blocksAlong(2); ++x)
          sum += pieces({z, y, x}, {1, 1, 1}, isStore, kSectorBytes);
    return sum;
  }

  int64_t blocksAlong(unsigned axis) const {
    return axis < stencil.rank() ? launch.blocks[dimensionOf(axis, stencil.rank())] : 1;
  }

private:
  PlacedLaunch placedMain(const Program &program) const {
    return place(program, firstLaunch(program), extents, layouts);
  }
  static Point coverOf(const Program &program) {
    Point cover;
    llvm::copy(firstLaunch(program).cover.points, cover.begin());
    return cover;
  }

  /// Where a read at this offset finds its value; none if no element holds it.
  std::optional<std::vector<int64_t>> moved(llvm::ArrayRef<int64_t> point,
                                            const Offset &offset) const {
    std::vector<int64_t> index;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      const int64_t at = point[axis] + offset[axis], extent = extents[axis];
      index.push_back(at);
      if (0 <= at && at < extent)
        continue;
      switch (stencil.arrays[0].boundary[axis][at < 0 ? Low : High].kind) {
      case BoundaryKind::Clamp:
        index.back() = std::clamp<int64_t>(at, 0, extent - 1);
        break;
      case BoundaryKind::Periodic:
        index.back() = euclideanRemainder(at, extent);
        break;
      case BoundaryKind::Halo:
        break;
      default:
        return std::nullopt;
      }
    }
    return index;
  }

  int64_t elementOf(llvm::ArrayRef<int64_t> point) const {
    int64_t element = 0;
    for (auto [index, stride] : llvm::zip_first(point, layouts[0].stride))
      element += index * stride;
    return element;
  }

  const Stencil &stencil;
  const std::vector<int64_t> extents;
  const std::vector<ArrayLayout> layouts;
  const PlacedLaunch launch;
  const Point cover;
};

/// One stencil under one schedule.
struct Footprint {
  Footprint(const Stencil &stencil, const std::string &schedule, std::vector<int64_t> extents)
      : program(llvm::cantFail(
            lower(stencil, llvm::cantFail(parseSchedule(schedule, stencil.rank()))))),
        launch(llvm::cantFail(countProgram(program, extents)).launches.at(0)),
        every(stencil, program, extents) {}

  const VerifiedProgram program;
  const LaunchCounts launch;
  const Enumeration every;
};

/// Grids that no block divides. Some are narrower than a block, unless a block and its reach must
/// fit in.
std::vector<std::vector<int64_t>> gridsOf(unsigned rank, bool isRoomy) {
  if (rank == 1)
    return {{31}, {203}};
  if (rank == 2)
    return isRoomy ? std::vector<std::vector<int64_t>>{{15, 75}}
                   : std::vector<std::vector<int64_t>>{{10, 75}, {9, 21}};
  return isRoomy ? std::vector<std::vector<int64_t>>{{13, 10, 45}}
                 : std::vector<std::vector<int64_t>>{{11, 8, 75}, {7, 7, 21}};
}

} // namespace

TEST(Footprints, SectorsOfTheBlocksOfAGridAddUp) {
  for (unsigned rank : {1, 2, 3})
    for (const Shape &shape : shapesOf(rank))
      for (const char *boundary :
           {"halo", "fixed", "clamp", "value(0.5)", "x value(1), clamp", "x halo, periodic"})
        for (const char *type : {"f64", "f32"}) {
          // Around a periodic axis a block must not come to points of its own; along x its sectors
          // there would be others than beyond the end, where they are counted.
          const bool isPeriodic = llvm::StringRef(boundary).ends_with("periodic");
          if (isPeriodic && rank == 1)
            continue;
          const Stencil stencil = stencilReading(rank, shape.offsets, type, boundary);
          for (const std::string &schedule : schedulesOf(rank))
            for (const std::vector<int64_t> &extents : gridsOf(rank, isPeriodic)) {
              SCOPED_TRACE(
                  fmt::format("{} {} {} {} on {}", shape.name, type, boundary, schedule, extents));
              const Footprint footprint(stencil, schedule, extents);
              for (const ArrayCounts &array : footprint.launch.arrays)
                EXPECT_EQ(array.launchSectors, footprint.every.sectorsOfBlocks(array.isStore))
                    << (array.isStore ? "stored" : "loaded");
            }
        }
}

TEST(Footprints, OfNeighbouringBlocksAreTheUnionOfTheirBoxes) {
  for (unsigned rank : {1, 2, 3})
    for (const Shape &shape : shapesOf(rank))
      for (const char *boundary : {"halo", "periodic"})
        for (const std::string &schedule : schedulesOf(rank)) {
          // Five blocks along every axis: those in the middle reach no end.
          const Stencil stencil = stencilReading(rank, shape.offsets, "f64", boundary);
          const Schedule parsed = llvm::cantFail(parseSchedule(schedule, rank));
          std::vector<int64_t> extents;
          for (unsigned axis = 0; axis < rank; ++axis)
            extents.push_back(5 * parsed.block[dimensionOf(axis, rank)]);
          extents[0] *= parsed.chunk;
          const Footprint footprint(stencil, schedule, extents);
          const LaunchCounts &launch = footprint.launch;
          ASSERT_EQ(footprint.every.blocksAlong(rank - 1), 5);

          const int64_t line = kLineBytes / 8, startX = 2 * launch.cover[rank - 1];
          for (Point group : {Point{1, 1, 1}, {1, 1, 2}, {1, 2, 1}, {2, 1, 1}, {2, 2, 2}}) {
            Point firstBlock = {};
            std::fill_n(firstBlock.begin(), rank, 2);
            std::fill(group.begin() + rank, group.end(), 1);
            SCOPED_TRACE(fmt::format("{} {} {}, {} blocks", shape.name, boundary, schedule, group));
            for (const ArrayCounts &array : launch.arrays) {
              std::vector<GridBox> boxes = boxesOfGroup(array.boxes, launch.cover, group);
              EXPECT_EQ(unionSize(boxes, rank),
                        footprint.every.elements(firstBlock, group, array.isStore).size());
              for (GridBox &box : boxes)
                box[rank - 1] = {box[rank - 1].first + startX, box[rank - 1].last + startX};
              for (unsigned bytes : {kSectorBytes, kLineBytes})
                EXPECT_EQ(unionPieces(boxes, rank - 1, bytes / 8),
                          footprint.every.pieces(firstBlock, group, array.isStore, bytes));
              // The block that stands for all starts a line, where every block does.
              if (group != Point{1, 1, 1} || launch.cover[rank - 1] % line != 0)
                continue;
              EXPECT_EQ(array.blockSectors,
                        footprint.every.pieces(firstBlock, group, array.isStore, kSectorBytes));
              EXPECT_EQ(array.blockLines,
                        footprint.every.pieces(firstBlock, group, array.isStore, kLineBytes));
            }
          }
        }
}

TEST(Footprints, UnionsOfBoxesAreThoseOfTheirPoints) {
  fuzz::Random random(20261120);
  for (int round = 0; round < 2000; ++round) {
    const unsigned rank = random.between(1, kMaxRank);
    const int64_t piece = random.pick({1, 4, 8, 16});
    std::vector<GridBox> boxes(random.between(1, 6));
    std::set<Point> points, pieces;
    for (GridBox &box : boxes) {
      box.fill({0, 0});
      for (unsigned axis = 0; axis < rank; ++axis) {
        const int first = random.between(-6, 6);
        box[axis] = {first, first + random.between(0, axis + 1 == rank ? 20 : 3)};
      }
      for (int64_t i = box[0].first; i <= box[0].last; ++i)
        for (int64_t j = box[1].first; j <= box[1].last; ++j)
          for (int64_t k = box[2].first; k <= box[2].last; ++k) {
            Point point = {i, j, k};
            points.insert(point);
            point[rank - 1] = euclideanQuotient(point[rank - 1], piece);
            pieces.insert(point);
          }
    }
    SCOPED_TRACE(fmt::format("round {}, rank {}, {} boxes", round, rank, boxes.size()));
    EXPECT_EQ(unionSize(boxes, rank), points.size());
    EXPECT_EQ(unionPieces(boxes, rank - 1, piece), pieces.size());
    const size_t before = boxes.size();
    joinBoxes(boxes);
    EXPECT_LE(boxes.size(), before);
    EXPECT_EQ(unionSize(boxes, rank), points.size());
    EXPECT_EQ(unionPieces(boxes, rank - 1, piece), pieces.size());
  }
}
