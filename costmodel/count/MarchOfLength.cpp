#include "costmodel/count/MarchOfLength.h"

#include "ir/kernel/ValueTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <set>

using namespace stencilc;

static uint64_t scaled(uint64_t count, double factor) { return std::llround(count * factor); }

static void scale(RequestCounts &counts, double factor) {
  for (uint64_t *count : {&counts.accesses, &counts.elements, &counts.requests, &counts.sectors,
                          &counts.lines, &counts.wavefronts, &counts.sectorsPastL1})
    *count = scaled(*count, factor);
}

static void scale(WarpCounts &counts, double factor) {
  for (uint64_t *count : {&counts.shared.requests, &counts.shared.wavefronts, &counts.shuffles,
                          &counts.meetings, &counts.arrivals})
    *count = scaled(*count, factor);
}

static void scale(StatementCounts &counts, double factor) {
  for (uint64_t *count : {&counts.warps, &counts.lanes, &counts.turns, &counts.divergent})
    *count = scaled(*count, factor);
}

namespace {

/// The march that a launch makes.
struct March {
  explicit March(const LaunchCounts &launch) {
    for (const StatementCounts &counts : launch.statements)
      if (const For *loop = loopOf(*counts.statement); loop && loop->steady && counts.warps > 0) {
        ++loops;
        ofTurn = std::max<int64_t>(1, std::llround(loop->steady->planes));
        planes = double(counts.turns) / double(counts.warps) * double(ofTurn);
        addTurn(loop->body);
      }
  }

  void addTurn(const Body &body) {
    for (const Statement &statement : body) {
      inTurns.insert(&statement);
      forEachBody(statement, [&](const Body &inner) { addTurn(inner); });
    }
  }

  int loops = 0;
  int64_t ofTurn = 1;                  ///< planes
  double planes = 0;                   ///< of a block, in the mean
  std::set<const Statement *> inTurns; ///< statements
};

} // namespace

/// Planes that all layers make, if each makes so many around its own and turns are whole.
static int64_t planesOf(const March &march, int64_t extent, int64_t chunk, int64_t around) {
  const int64_t layers = llvm::divideCeil(extent, chunk), last = extent - (layers - 1) * chunk;
  return (layers - 1) * llvm::alignTo(chunk + around, march.ofTurn) +
         llvm::alignTo(last + around, march.ofTurn);
}

static void setLength(LaunchCounts &launch, const March &march, int64_t chunk) {
  const int64_t layers = launch.blocks[0], longer = chunk - launch.cover[0];
  const double before = march.planes * double(layers);
  int64_t around = 0;
  while (double(planesOf(march, launch.extent[0], launch.cover[0], around + 1)) < before + 0.5)
    ++around;
  launch.cover[0] = chunk;
  launch.blocks[0] = llvm::divideCeil(launch.extent[0], chunk);
  launch.blockCount = launch.blockCount / layers * launch.blocks[0];
  const double ofTurns = double(planesOf(march, launch.extent[0], chunk, around)) / before;
  const double ofBlocks = double(launch.blocks[0]) / double(layers);
  for (StatementCounts &counts : launch.statements) {
    const bool isMarch = loopOf(*counts.statement) && loopOf(*counts.statement)->steady;
    const uint64_t turns = counts.turns;
    scale(counts, march.inTurns.contains(counts.statement) ? ofTurns : ofBlocks);
    if (isMarch)
      counts.turns = scaled(turns, ofTurns);
  }
  for (ArrayCounts &array : launch.arrays) {
    if (!array.isStore) {
      scale(array.launch, ofTurns);
      array.launchSectors = scaled(array.launchSectors, ofTurns);
      array.launchPoints = scaled(array.launchPoints, ofTurns);
    }
    for (GridBox &box : array.boxes)
      box[0].last += longer;
  }
  scale(launch.together, ofTurns);
  launch.storingWarps = scaled(launch.storingWarps, ofBlocks);
  for (uint64_t *count : {&launch.flops, &launch.computed, &launch.loaded})
    *count = scaled(*count, ofTurns);
}

std::optional<ProgramCounts> stencilc::marchOfLength(const ProgramCounts &counts, int chunk) {
  if (counts.launches.size() != 1)
    return std::nullopt;
  const March march(counts.launches.front());
  if (march.loops != 1)
    return std::nullopt;
  ProgramCounts other = counts;
  other.schedule.chunk = chunk;
  setLength(other.launches.front(), march, chunk);
  return other;
}
