#include "costmodel/count/BlockFootprint.h"

#include "costmodel/count/AccessReach.h"
#include "costmodel/count/SeparateFootprint.h"
#include "ir/walk/WalkRequest.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace stencilc;

namespace {

/// Collects what one block accesses, or adds up what all of a grid do in rounds.
class BoxCollector {
public:
  explicit BoxCollector(const PlacedLaunch &launch)
      : launch(launch), kernel(*launch.kernel),
        lists{std::vector<Boxes>(kernel.arrays.size()), std::vector<Boxes>(kernel.arrays.size())} {}

  std::vector<AccessBoxes> ofBlock(std::array<int64_t, 3> number) {
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      block[dimension] = {number[dimension]};
    return collect();
  }

  GridFootprint ofGrid() {
    GridFootprint sum;
    sum.loads.resize(kernel.arrays.size());
    sum.stores.resize(kernel.arrays.size());
    addBlocksAlong(2, sum);
    return sum;
  }

private:
  /// Of the accesses of one array.
  struct Boxes {
    std::vector<GridBox> boxes;
    std::array<Bound, kMaxRank> start; ///< of the first one, per axis
  };

  std::vector<AccessBoxes> collect() {
    for (auto &list : lists)
      for (Boxes &own : list)
        own.boxes.clear();
    visitAccesses(launch, block, horizon, [&](const AccessReach &access) {
      if (access.isMade)
        add(access);
    });
    std::vector<AccessBoxes> result;
    for (bool isStore : {false, true})
      for (unsigned array = 0; array < kernel.arrays.size(); ++array)
        if (std::vector<GridBox> &boxes = lists[isStore][array].boxes; !boxes.empty()) {
          joinBoxes(boxes);
          result.push_back({array, isStore, std::move(boxes)});
        }
    return result;
  }

  void add(const AccessReach &access) {
    const ArrayArgument &argument = kernel.arrays[access.array];
    Boxes &own = lists[access.isStore][access.array];
    const bool isFirst = own.boxes.empty();
    GridBox &box = own.boxes.emplace_back();
    for (auto [along, reach] : llvm::zip_equal(box, access.along))
      along = {reach.first.value, reach.last.value};
    for (unsigned axis : argument.axes) {
      const Reach &reach = access.along[axis];
      if (isFirst)
        own.start[axis] = reach.first;
      const bool isContiguous = axis == argument.axes.back();
      noteShift(reach, own.start[axis], isContiguous ? sizeInBytes(argument.type) : kSectorBytes);
    }
  }

  /// The next block accesses the same if all boxes of an array are moved alike, and by whole
  /// sectors. `bytes`: of one step along the axis.
  void noteShift(const Reach &reach, const Bound &ofFirst, int64_t bytes) {
    for (unsigned loop = 0; loop < horizon.depth(); ++loop) {
      const int64_t drift = reach.first.drift[loop];
      if (drift != reach.last.drift[loop] || drift != ofFirst.drift[loop])
        horizon.endHere(loop);
      if (const int64_t part = euclideanRemainder(drift * bytes, kSectorBytes)) {
        horizon.endHere(loop);
        horizon.wantLongerRounds(loop, kSectorBytes / std::gcd(part, int64_t(kSectorBytes)));
      }
    }
  }

  /// Adds what the blocks along a dimension, and inside along the faster ones, access.
  void addBlocksAlong(unsigned dimension, GridFootprint &sum) {
    const unsigned loop = horizon.depth();
    GridFootprint before;
    runInRounds(
        horizon, launch.blocks[dimension], 0, [&] { before = sum; },
        [&](int64_t number, int64_t ofRound) {
          if (number >= launch.blocks[dimension])
            return false;
          block[dimension] = {number};
          block[dimension].drift[loop] = ofRound;
          if (dimension > 0)
            addBlocksAlong(dimension - 1, sum);
          else
            addBlock(sum);
          return true;
        },
        [&](int64_t rounds) {
          for (auto member : {&GridFootprint::loads, &GridFootprint::stores})
            for (auto [own, old] : llvm::zip_equal(sum.*member, before.*member)) {
              own.sectors = old.sectors + rounds * (own.sectors - old.sectors);
              own.points = old.points + rounds * (own.points - old.points);
            }
        });
  }

  void addBlock(GridFootprint &sum) {
    for (const AccessBoxes &access : collect()) {
      GridFootprint::OfArray &own = (access.isStore ? sum.stores : sum.loads)[access.array];
      own.sectors += piecesOf(launch, access, kSectorBytes);
      own.points += unionSize(access.boxes, kernel.rank());
    }
  }

  const PlacedLaunch &launch;
  const Kernel &kernel;
  std::array<Bound, 3> block;
  TurnHorizon horizon;                     ///< of blocks along z, y, x, if they are walked
  std::array<std::vector<Boxes>, 2> lists; ///< loads and stores, by array
};

} // namespace

std::vector<AccessBoxes> stencilc::boxesOfBlock(const PlacedLaunch &launch,
                                                std::array<int64_t, 3> block) {
  return BoxCollector(launch).ofBlock(block);
}

GridFootprint stencilc::footprintOfGrid(const PlacedLaunch &launch) {
  if (std::optional<GridFootprint> separate = separateFootprint(launch))
    return *separate;
  return BoxCollector(launch).ofGrid();
}

uint64_t stencilc::piecesOf(const PlacedLaunch &launch, const AccessBoxes &access,
                            int64_t pieceBytes) {
  const ArrayArgument &argument = launch.kernel->arrays[access.array];
  const unsigned contiguous = argument.contiguousAxis(launch.kernel->rank());
  std::vector<GridBox> boxes = access.boxes;
  for (GridBox &box : boxes) {
    Interval &along = box[contiguous];
    along = {along.first + launch.layouts[access.array].origin,
             along.last + launch.layouts[access.array].origin};
  }
  return unionPieces(boxes, contiguous, pieceBytes / sizeInBytes(argument.type));
}
