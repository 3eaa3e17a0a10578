#include "costmodel/count/SeparateFootprint.h"

#include "costmodel/count/AccessReach.h"
#include "ir/walk/WalkRequest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace stencilc;

namespace {

/// Blocks that access the same along one axis, but for where it begins.
struct BlockKind {
  uint64_t blocks = 1;
  std::vector<Interval> along; ///< of each access; empty where it is left out
};

/// Some of the accesses of one array, as bits.
using AccessSet = llvm::SmallVector<uint64_t, 1>;

class SeparateFootprint {
public:
  explicit SeparateFootprint(const PlacedLaunch &launch)
      : launch(launch), kernel(*launch.kernel), rank(kernel.rank()) {}

  std::optional<GridFootprint> find() {
    for (unsigned dimension = rank; dimension < 3; ++dimension)
      if (launch.blocks[dimension] != 1)
        return std::nullopt;
    for (unsigned axis = 0; axis < rank; ++axis)
      findKinds(axis);
    if (!isSeparate)
      return std::nullopt;
    GridFootprint sum;
    for (unsigned array = 0; array < kernel.arrays.size(); ++array) {
      sum.loads.push_back(ofArray(array, false));
      sum.stores.push_back(ofArray(array, true));
    }
    return sum;
  }

private:
  // ---- kinds of blocks ----

  void findKinds(unsigned axis) {
    const unsigned dimension = dimensionOf(axis, rank);
    std::vector<BlockKind> &own = kinds[axis];
    std::array<Bound, 3> block;
    for (unsigned other = 0; other < 3; ++other)
      block[other].dependsOn = 1 << other;
    size_t begun = 0;
    runInRounds(
        horizon, launch.blocks[dimension], 0, [&] { begun = own.size(); },
        [&](int64_t number, int64_t ofRound) {
          if (number >= launch.blocks[dimension] || !isSeparate)
            return false;
          block[dimension].value = number;
          block[dimension].drift[0] = ofRound;
          addKind(axis, block);
          return true;
        },
        [&](int64_t rounds) {
          for (BlockKind &kind : llvm::drop_begin(own, begun))
            kind.blocks *= rounds;
        });
  }

  void addKind(unsigned axis, const std::array<Bound, 3> &block) {
    BlockKind &kind = kinds[axis].emplace_back();
    const bool isFirst = accesses.empty();
    starts.assign(2 * kernel.arrays.size(), std::nullopt);
    const auto add = [&](const AccessReach &access) {
      if (isFirst)
        addAccess(access);
      isSeparate &= access.isSeparate;
      const Reach &reach = access.along[axis];
      Interval &along = kind.along.emplace_back();
      if (access.leftOut & dimensionsOf(axis))
        return;
      along = {reach.first.value, reach.last.value};
      if (along.size() > 0)
        noteShift(access, axis);
    };
    visitAccesses(launch, block, horizon, add, isFirst ? std::nullopt : std::optional(axis));
  }

  /// What an access depends on is the same in all blocks.
  void addAccess(const AccessReach &access) {
    accesses.push_back({access.array, access.isStore});
    for (unsigned axis = 0; axis < rank; ++axis)
      isSeparate &= (access.along[axis].dependsOn() & ~dimensionsOf(axis)) == 0;
  }

  GridDimensions dimensionsOf(unsigned axis) const { return 1 << dimensionOf(axis, rank); }

  /// The next block is of the same kind if all accesses of an array are moved alike, and by whole
  /// sectors.
  void noteShift(const AccessReach &access, unsigned axis) {
    const ArrayArgument &argument = kernel.arrays[access.array];
    const Reach &reach = access.along[axis];
    const int64_t drift = reach.first.drift[0];
    std::optional<int64_t> &start = starts[2 * access.array + access.isStore];
    if (!start)
      start = drift;
    if (drift != reach.last.drift[0] || drift != *start)
      horizon.endHere(0);
    if (axis != argument.contiguousAxis(rank))
      return;
    if (const int64_t part = euclideanRemainder(drift * sizeInBytes(argument.type), kSectorBytes)) {
      horizon.endHere(0);
      horizon.wantLongerRounds(0, kSectorBytes / std::gcd(part, int64_t(kSectorBytes)));
    }
  }

  // ---- sums ----

  /// How many places along an axis lie in the intervals of just these accesses, summed over blocks.
  using Places = std::map<AccessSet, uint64_t>;

  GridFootprint::OfArray ofArray(unsigned array, bool isStore) {
    own.clear();
    for (unsigned number = 0; number < accesses.size(); ++number)
      if (accesses[number] == std::pair(array, isStore))
        own.push_back(number);
    GridFootprint::OfArray sum;
    if (own.empty())
      return sum;
    // One axis after another narrows the sets.
    Places held{{all(), 1}};
    const unsigned contiguous = kernel.arrays[array].contiguousAxis(rank);
    for (unsigned axis = 0; axis < rank; ++axis) {
      if (axis == contiguous)
        continue;
      Places narrower;
      const Places places = placesAlong(axis);
      for (const auto &[set, count] : held)
        for (const auto &[other, times] : places)
          if (AccessSet both = meet(set, other); !both.empty())
            narrower[std::move(both)] += count * times;
      held = std::move(narrower);
    }
    for (const auto &[set, count] : held) {
      const GridFootprint::OfArray rows = alongRows(set, array);
      sum.points += count * rows.points;
      sum.sectors += count * rows.sectors;
    }
    return sum;
  }

  static constexpr unsigned kBits = 64;
  AccessSet all() const {
    AccessSet set(llvm::divideCeil(own.size(), kBits));
    for (unsigned at = 0; at < own.size(); ++at)
      set[at / kBits] |= uint64_t(1) << at % kBits;
    return set;
  }
  /// Empty if there is no access in both.
  static AccessSet meet(AccessSet set, const AccessSet &other) {
    bool isEmpty = true;
    for (auto [word, others] : llvm::zip_equal(set, other)) {
      word &= others;
      isEmpty &= word == 0;
    }
    return isEmpty ? AccessSet() : set;
  }

  Places placesAlong(unsigned axis) const {
    Places places;
    std::vector<std::pair<int64_t, unsigned>> ends; // where an access begins or ends
    for (const BlockKind &kind : kinds[axis]) {
      ends.clear();
      for (unsigned at = 0; at < own.size(); ++at)
        if (const Interval &along = kind.along[own[at]]; along.size() > 0) {
          ends.push_back({along.first, at});
          ends.push_back({along.last + 1, at});
        }
      std::ranges::sort(ends);
      AccessSet set(llvm::divideCeil(own.size(), kBits));
      unsigned holding = 0;
      for (size_t at = 0; at < ends.size(); ++at) {
        const auto [place, access] = ends[at];
        uint64_t &word = set[access / kBits];
        word ^= uint64_t(1) << access % kBits;
        holding += word >> access % kBits & 1 ? 1 : -1;
        if (holding > 0 && ends[at + 1].first > place)
          places[set] += kind.blocks * (ends[at + 1].first - place);
      }
    }
    return places;
  }

  /// What these accesses hold of one row along the contiguous axis, summed over blocks.
  GridFootprint::OfArray alongRows(const AccessSet &set, unsigned array) const {
    const int64_t origin = launch.layouts[array].origin,
                  sector = kSectorBytes / sizeInBytes(kernel.arrays[array].type);
    GridFootprint::OfArray sum;
    std::vector<Interval> along;
    for (const BlockKind &kind : kinds[kernel.arrays[array].contiguousAxis(rank)]) {
      along.clear();
      for (unsigned at = 0; at < own.size(); ++at)
        if (set[at / kBits] >> at % kBits & 1 && kind.along[own[at]].size() > 0)
          along.push_back(kind.along[own[at]]);
      if (along.empty())
        continue;
      sum.points += kind.blocks * covered(along);
      for (Interval &interval : along)
        interval = {euclideanQuotient(interval.first + origin, sector),
                    euclideanQuotient(interval.last + origin, sector)};
      sum.sectors += kind.blocks * covered(along);
    }
    return sum;
  }

  const PlacedLaunch &launch;
  const Kernel &kernel;
  const unsigned rank;
  TurnHorizon horizon;
  bool isSeparate = true;
  std::vector<std::pair<unsigned, bool>> accesses;    ///< array, and whether it is a store
  std::array<std::vector<BlockKind>, kMaxRank> kinds; ///< per axis
  std::vector<std::optional<int64_t>> starts;         ///< drift of the first access of each array
  std::vector<unsigned> own;                          ///< the accesses that are summed up
};

} // namespace

std::optional<GridFootprint> stencilc::separateFootprint(const PlacedLaunch &launch) {
  return SeparateFootprint(launch).find();
}
