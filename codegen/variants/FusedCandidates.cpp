#include "codegen/variants/FusedCandidates.h"

#include "codegen/variants/FusedLine.h"
#include "codegen/variants/MarchReach.h"
#include "codegen/variants/PipelineShape.h"
#include "ir/kernel/CudaLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

using namespace stencilc;

/// Registers of a thread beside what it has made; of one that hands rows on, whose loads of rows of
/// four bytes a point are under way in more of them. With fewer to spare, four pipelines in f32
/// that were chosen spilled 64 to 840 bytes, and three of them ran at 0.60 to 0.70 of the fastest
/// known (test/gpu/results/h200_fused_images.json, on which the number was chosen).
static constexpr int kBesideKept = 24, kBesideRows = 32, kBesideShortRows = 56;
/// Of a tile's points, those that are right at the last step.
static constexpr double kLeastRight = 0.4;
static constexpr int kVectorBytes = 16;
/// Of a thread of a march on three axes. With 20 in f32, of which nvcc makes 255 registers, three
/// stencils ran at 0.81 to 0.89 of the fastest that was timed with fewer on an H100
/// (test/gpu/results/h100_fused_marches.json); on an H200 one did so, and another at 1.04.
static constexpr int kMostPoints = 16;
/// For each number of steps; those of which most is right. Of marches on three axes more, as some
/// turn out to need more registers than fits() can tell.
static constexpr size_t kTiles = 4, kTilesOfThreeAxes = 9;
/// Of marches on three axes: the usual one, then layers of equal height in 1024 and 512 planes.
static constexpr int kChunks[] = {128, 1024, 512, 342, 256, 205, 171, 147, 114, 103,
                                  94,  86,   79,  74,  69,  64,  61,  57,  54,  52,
                                  49,  47,   45,  43,  40,  37,  35,  32};

namespace {

/// What a field's element takes, over all fields.
struct ElementBytes {
  explicit ElementBytes(const Stencil &stencil) {
    forEachUpdate(stencil, [&](const Update &update) {
      const int bytes = sizeInBytes(stencil.arrays[update.array].type);
      widest = std::max(widest, bytes);
      sum += bytes;
    });
  }
  int widest = 0, sum = 0;
};

struct Tile {
  Schedule schedule;
  double right; ///< share of its points at the last step
};

} // namespace

/// Whether a thread has registers for so many words of what it makes.
static bool fits(const Schedule &tile, int words, int beside = kBesideKept) {
  return words + beside <=
         std::min(cuda::kMaxRegistersPerThread, cuda::kRegistersPerSm / tile.threads());
}

static void append(std::vector<Schedule> &all, std::vector<Tile> tiles, llvm::ArrayRef<int> chunks,
                   size_t most = kTiles) {
  llvm::stable_sort(tiles,
                    [](const Tile &one, const Tile &other) { return one.right > other.right; });
  for (Tile &tile : llvm::MutableArrayRef(tiles).take_front(most))
    for (int chunk : chunks) {
      tile.schedule.chunk = chunk;
      all.push_back(tile.schedule);
    }
}

/// Words that a thread of a march keeps of a point from turn to turn.
static int wordsKept(const Stencil &stencil, const MarchReach &reach, int steps) {
  int bytes = 0;
  const std::vector<Update> &updates = stencil.stages.front().updates;
  for (const auto &[number, made] : llvm::enumerate(reach.made)) {
    // Of one stage, sums take the place of the oldest plane (MarchSums.h). Of the level before,
    // what the level below has of it takes no registers.
    const bool isOne = stencil.stages.size() == 1;
    const int ofLevel =
        isOne && updates[number].text.empty() ? std::max(1, reach.lag) : reach.slots() - 1;
    const int planes = isOne ? ofLevel * (steps + 1) : made.keptPlanes(steps);
    bytes += planes * sizeInBytes(stencil.arrays[made.array].type);
  }
  return bytes / 4;
}

/// Marches of threads that keep planes of every level (FusedMarch.h).
static std::vector<Tile> marchTiles(const Stencil &stencil, Schedule tile) {
  const MarchReach reach(stencil);
  const ElementBytes bytes(stencil);
  const bool isFlat = stencil.rank() == 2;
  std::vector<std::array<int, 3>> blocks = {{32, 1, 1}};
  std::vector<int> points = {2, 4}, rows = {1};
  tile.prefetch = 3;
  if (!isFlat) {
    blocks = {{16, 16, 1}, {16, 24, 1}, {16, 32, 1}, {32, 8, 1}, {32, 12, 1}, {32, 16, 1}};
    points = {std::max(2, kVectorBytes / bytes.widest)};
    rows = {2, 3, 4, 5, 6, 7};
  }
  std::vector<Tile> tiles;
  for (int ofRow : points)
    for (int ofThread : rows)
      for (const std::array<int, 3> &block : blocks) {
        tile.block = block;
        tile.pointsPerThread = {ofRow, ofThread};
        if (!isFlat) {
          tile.prefetch = 2;
          while (tile.prefetch > 0 && sharedBytes(stencil, tile) > cuda::kMaxSharedBytesPerBlock)
            --tile.prefetch;
          if (tile.prefetch == 0)
            continue; // takes no place of those that a block has room for
        }
        const std::array<int, kMaxRank> right = rightPoints(stencil, tile);
        const double ofX = double(right[stencil.rank() - 1]) / (block[0] * ofRow),
                     ofY = isFlat ? 1 : double(right[1]) / (block[1] * ofThread);
        const int kept = wordsKept(stencil, reach, tile.fuse) * ofThread * ofRow;
        if (ofRow * ofThread <= kMostPoints && ofRow >= reach.x && ofThread >= reach.y &&
            fits(tile, kept) && ofX > 0 && ofY > 0 && ofX * ofY >= kLeastRight)
          tiles.push_back({tile, ofX * ofY});
      }
  return tiles;
}

/// Of && and || compilers make branches, which part the instructions of a row's points: with them,
/// warps that hold successive steps took 1.6 times as long as marches of one warp
/// (test/gpu/results/h200_fused_choices.json, life in f64).
static bool joinsConditions(const Stencil &stencil) {
  bool found = false;
  forEachUpdate(stencil, [&](const Update &update) {
    for (const Expr &expr : update.formula.exprs)
      if (const auto *node = std::get_if<BinaryExpr>(&expr.node))
        found |= node->op == BinaryOp::And || node->op == BinaryOp::Or;
  });
  return found;
}

/// True of formulas that divide or call functions, each a chain of instructions. A warp waits for
/// that, and more of them on an SM wait for less: in f32 gradient2d ran 1.73 times as fast with
/// four points a lane, and 32 warps, as with 16 and 12 (test/gpu/results/h200_fused_chosen.json,
/// for which this was added).
static bool hasChains(const Stencil &stencil) {
  bool found = false;
  forEachUpdate(stencil, [&](const Update &update) {
    for (const Expr &expr : update.formula.exprs) {
      const auto *node = std::get_if<BinaryExpr>(&expr.node);
      found |=
          std::holds_alternative<CallExpr>(expr.node) || (node && node->op == BinaryOp::Divide);
    }
  });
  return found;
}

/// Adds tiles whose chunks blocks share (RowPipeline.h), on square grids of some sizes: as many
/// blocks as an H200 holds at once of those that use up its registers, two on an SM.
static void appendShared(std::vector<Schedule> &all, const Stencil &stencil,
                         std::vector<Tile> tiles) {
  constexpr int sharers = 264;
  constexpr double longerAtEnds = 1.3; // a row of a tile there takes, at most
  llvm::stable_sort(tiles,
                    [](const Tile &one, const Tile &other) { return one.right > other.right; });
  for (Tile &tile : llvm::MutableArrayRef(tiles).take_front(kTiles))
    for (int side : {16384, 8192, 4096}) {
      const int across = llvm::divideCeil(side, PipelineShape(stencil, tile.schedule).right());
      const int atEnds = std::lround(longerAtEnds * sharers / across);
      tile.schedule.chunk = side;
      tile.schedule.flags = {isPeriodic(stencil, 1)
                                 ? fmt::format("share{}x{}", sharers, across)
                                 : fmt::format("share{}x{}x{}", sharers, across, atEnds)};
      all.push_back(tile.schedule);
    }
}

/// Warps that hold successive steps (RowPipeline.h), each lane so many points of a row.
static std::vector<Tile> pipelineTiles(const Stencil &stencil, Schedule tile, int steps,
                                       llvm::ArrayRef<int> points) {
  const ElementBytes bytes(stencil);
  const int warps = 4;
  tile.block = {int(kLanesPerWarp), warps, 1};
  tile.fuse = warps * steps;
  tile.prefetch = 3;
  std::vector<Tile> tiles;
  const std::vector<int> handedOn = bytes.widest > 4 ? std::vector{2} : std::vector{2, 4};
  for (int ofLane : points)
    for (int rows : handedOn) {
      tile.pointsPerThread = {ofLane, rows};
      const PipelineShape shape(stencil, tile);
      const int waiting = shape.highest - shape.lowest;
      const int kept = (waiting * steps * ofLane + 2 * (ofLane + shape.x)) * bytes.sum / 4;
      const double right = double(shape.right()) / shape.width;
      const int beside = bytes.widest > 4 ? kBesideRows : kBesideShortRows;
      if (fits(tile, kept, beside) && right >= kLeastRight)
        tiles.push_back({tile, right});
    }
  return tiles;
}

/// Warps that make all steps of a tile (FusedLine.h).
static std::vector<Tile> lineTiles(const Stencil &stencil, Schedule tile) {
  const ElementBytes bytes(stencil);
  std::vector<Tile> tiles;
  for (int ofLane : {8, 16, 4}) {
    tile.pointsPerThread[0] = ofLane;
    const LineShape shape(stencil, tile);
    const double right = double(shape.right()) / shape.width();
    const int kept = 2 * (ofLane + 2 * shape.beside) * bytes.sum / 4;
    if (ofLane >= shape.beside && fits(tile, kept) && right >= kLeastRight)
      tiles.push_back({tile, right});
  }
  return tiles;
}

std::vector<Schedule> stencilc::fusedCandidates(const Stencil &stencil, const Schedule &first) {
  std::vector<Schedule> all = {first};
  const auto withSteps = [&](int steps) {
    Schedule tile = first;
    tile.fuse = steps;
    return tile;
  };
  if (stencil.rank() == 1) {
    for (int steps : {16, 8, 4, 32})
      append(all, lineTiles(stencil, withSteps(steps)), {1});
    return all;
  }
  const bool readsConstants = MarchReach(stencil).readsConstants();
  if (stencil.stages.size() > 1) {
    // On an H100 marches of several stages were up to seven times as fast as single steps on two
    // axes. On three, and with const arrays, forecasts of them were up to three times as wrong as
    // those of single steps (test/gpu/results/h100_fused_stages.json): to be asked for by name.
    if (stencil.rank() == 2 && !readsConstants)
      for (int steps : {6, 4, 3, 2, 1})
        append(all, marchTiles(stencil, withSteps(steps)), {192, 128, 288, 512});
    return all;
  }
  if (stencil.rank() == 3) {
    for (int steps : {2, 3, 4, 6})
      append(all, marchTiles(stencil, withSteps(steps)), kChunks, kTilesOfThreeAxes);
    return all;
  }
  // Nobody has measured warps that read const arrays.
  if (!joinsConditions(stencil) && !readsConstants) {
    // Lanes that read so many elements apart meet all banks in turn, or move whole vectors.
    const bool isLong = ElementBytes(stencil).widest > 4;
    const std::vector<int> points =
        isLong ? std::vector{13, 11, 10, 9} : std::vector{20, 16, 12, 8};
    constexpr int chunks[] = {656, 256, 384, 529, 781, 911, 1024};
    if (hasChains(stencil))
      append(all, pipelineTiles(stencil, first, 2, {isLong ? 5 : 4}), chunks);
    for (int steps : {2, 3, 4, 6, 1})
      if (std::vector<Tile> tiles = pipelineTiles(stencil, first, steps, points); !tiles.empty()) {
        append(all, tiles, chunks);
        appendShared(all, stencil, tiles);
      }
  }
  for (int steps : {6, 4, 8, 3, 12}) // long formulas get but the first few tiles
    append(all, marchTiles(stencil, withSteps(steps)), {192, 128, 288, 512});
  return all;
}
