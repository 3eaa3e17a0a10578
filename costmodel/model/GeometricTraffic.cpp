#include "costmodel/model/GeometricTraffic.h"

#include "ir/kernel/ValueTypes.h"
#include "ir/walk/WalkRequest.h"

#include <cmath>

using namespace stencilc;

double stencilc::keptReuse(double window, double effective, double softness) {
  // A logistic fall, scaled so that nothing is lost of an empty window.
  const double steepness = 4 / softness;
  return (1 + std::exp(-steepness)) / (1 + std::exp(steepness * (window / effective - 1)));
}

namespace {

/// A launch's arrays seen as footprints of neighbouring blocks. Blocks start along x first, then y,
/// then z; in two dimensions rows take the place of planes.
class Footprints {
public:
  explicit Footprints(const LaunchCounts &launch)
      : launch(launch), rank(launch.kernel->rank()), inLayer(launch.blocks) {
    inLayer[0] = 1; // along the slowest axis, unless it is the only one
    inBand = launch.blocks;
    if (rank == 3)
      inBand[1] = inLayer[1] = launch.inBand();
    inRow.fill(1);
    inRow[rank - 1] = launch.blocks[rank - 1];
    if (rank == 1)
      inLayer = inRow;
  }

  /// Bytes of one array that this group of blocks accesses together, clipped to the grid.
  double bytes(const ArrayCounts &array, const std::array<int64_t, kMaxRank> &group) const {
    const auto &axes = launch.kernel->arrays[array.array].axes;
    std::array<int64_t, kMaxRank> apart; // blocks that access other elements
    apart.fill(1);
    for (unsigned axis : axes)
      apart[axis] = group[axis];
    std::vector<GridBox> boxes = boxesOfGroup(array.boxes, launch.cover, apart);
    for (GridBox &box : boxes)
      for (unsigned axis : axes)
        if (const int64_t over = group[axis] * launch.cover[axis] - launch.extent[axis]; over > 0)
          box[axis].last = std::max(box[axis].first, box[axis].last - over);
    return double(unionSize(boxes, rank)) * array.elementBytes;
  }

  /// Of the planes that a block loads, those that it advances.
  double ownPlanes(const ArrayCounts &array) const {
    int64_t first = 0, last = launch.cover[0] - 1;
    for (const GridBox &box : array.boxes) {
      first = std::min(first, box[0].first);
      last = std::max(last, box[0].last);
    }
    return double(launch.cover[0]) / double(last - first + 1);
  }

  double blocksOf(const std::array<int64_t, kMaxRank> &group) const {
    return double(group[0]) * group[1] * group[2];
  }

  double bytesOfAll(const std::array<int64_t, kMaxRank> &group) const {
    double sum = 0;
    for (const ArrayCounts &array : launch.arrays)
      sum += bytes(array, group);
    return sum;
  }

  const LaunchCounts &launch;
  const unsigned rank;
  /// Blocks of a launch, of a layer of planes in it, of a row.
  std::array<int64_t, kMaxRank> inBand, inLayer, inRow;
};

bool marches(const LaunchCounts &launch) {
  return llvm::any_of(launch.statements, [](const StatementCounts &counts) {
    const For *loop = loopOf(*counts.statement);
    return loop && !loop->carries.empty();
  });
}

/// What passes between the two uses of a plane that neighbouring layers share.
struct Windows {
  double near, far; ///< bytes
  double shareFar;
  double mean() const { return near + shareFar * (far - near); }
};

/// A march loads first what the one below it loads last. Blocks start in waves: so many later, or
/// one more, the next layer's.
Windows betweenMarches(double bytesOfLayer, double wavesOfLayer, double ownPlanes) {
  const double waves = std::floor(wavesOfLayer), ofWave = bytesOfLayer / wavesOfLayer;
  return {ofWave * std::abs(waves - ownPlanes), ofWave * (waves + 1 - ownPlanes),
          wavesOfLayer - waves};
}

LoadPath pathOf(const ArrayCounts &array, const Caches &caches) {
  return array.readOnlyPath ? caches.readOnlyLoads : caches.plainLoads;
}

/// Bytes that requests move to or from the SM, and those of its blocks' distinct pieces: in
/// sectors, or in lines where the device's caches fetch no less.
struct ArrayBytes {
  double asked, least;
};
ArrayBytes bytesOf(const ArrayCounts &array, const Caches &caches) {
  const double sectors = kSectorBytes;
  ArrayBytes bytes{array.launch.sectors * sectors, array.launchSectors * sectors};
  if (!array.isStore && caches.sectorBytes > int64_t(kSectorBytes))
    bytes = {double(array.launch.lines) * kLineBytes,
             bytes.least * array.blockLines * kLineBytes / (array.blockSectors * sectors)};
  return bytes;
}

constexpr double kSectorsOfLine = double(kLineBytes) / kSectorBytes;

/// Rows that end within a line take requests of their own. Of loads, each block's own are counted.
double shortRequests(const ArrayCounts &array, const Caches &caches) {
  if (!array.isStore && caches.sectorBytes > int64_t(kSectorBytes))
    return 0; // whole lines
  const double sectors = double(array.isStore ? array.launch.sectors : array.launchSectors);
  const double requests = array.isStore
                              ? double(array.launch.lines)
                              : sectors * double(array.blockLines) / double(array.blockSectors);
  return std::max(0.0, requests - sectors / kSectorsOfLine);
}

} // namespace

/// Most are of one sector, whose bytes are counted.
double stencilc::bytesOfShortRequest(const GeometricConstants &constants) {
  return std::max(0.0, constants.l2RequestBytes - kSectorBytes) / (1 - 1 / kSectorsOfLine);
}

/// Turns of marches, of all blocks.
static double turnsOfBlocks(const LaunchCounts &launch) {
  double turns = 0;
  for (const StatementCounts &counts : launch.statements)
    if (const For *loop = loopOf(*counts.statement); loop && loop->steady)
      turns += double(counts.turns) / launch.warps;
  return turns;
}

/// Between registers, the SM's storage and the L2. What is loaded once only passes through.
static void countNearSm(GeometricTraffic &traffic, const LaunchCounts &launch,
                        double residentBlocks, const DeviceProfile &device) {
  const Caches &caches = device.caches;
  const GeometricConstants &constants = *device.geometric;
  // An SM's caches are taken to lose reuse as the L2 does, at the same share of their size.
  const double effectiveShare = constants.l2EffectiveBytes / double(caches.l2Bytes);
  struct Storage {
    double capacity, live = 0, ofTurn = 0; // of loads within turns, of all in a turn: bytes
  };
  Storage l1{std::max(0.0, caches.l1Bytes - residentBlocks * launch.sharedBytes)};
  Storage readOnly{double(caches.readOnlyBytes)};
  const auto storageOf = [&](const ArrayCounts &array) -> Storage & {
    return pathOf(array, caches) == LoadPath::ReadOnly ? readOnly : l1;
  };
  const auto kept = [&](const Storage &storage, double window) {
    return storage.capacity > 0
               ? keptReuse(window, storage.capacity * effectiveShare, constants.l2Softness)
               : 0;
  };
  const auto isKept = [&](const ArrayCounts &array) {
    return !array.isStore && pathOf(array, caches) != LoadPath::L2;
  };

  const double turns = turnsOfBlocks(launch);
  for (const ArrayCounts &array : launch.arrays) {
    Storage &storage = storageOf(array);
    if (isKept(array))
      storage.live += residentBlocks * array.linesLoadedAgain * kLineBytes;
    if (turns > 0)
      storage.ofTurn += residentBlocks * kLineBytes *
                        (array.isStore ? double(array.blockLines) * launch.blockCount / turns
                                       : double(array.newLinesOfTurn));
  }
  for (const ArrayCounts &array : launch.arrays) {
    const auto [asked, least] = bytesOf(array, caches);
    traffic.smxBytes += asked;
    // What a thread's loads leave of a sector, its next ones read at once.
    const double loaded = std::max(least, double(array.launch.elements) * array.elementBytes);
    double again = std::max(0.0, std::min(asked, loaded) - least);
    if (isKept(array)) {
      const Storage &storage = storageOf(array);
      // A march loads rows again that it first loaded some turns before, as newest planes; its
      // warps are half a turn apart.
      double ofTurns = 0;
      for (auto [before, sectors] : array.sectorsOfTurnsBefore)
        ofTurns += turns * double(sectors) * kSectorBytes *
                   (1 - kept(storage, (double(before) + 0.5) * storage.ofTurn));
      again = std::max(again * (1 - kept(storage, storage.live)), std::min(again, ofTurns));
    }
    // Copies past the L1 find nothing there, also where they ask for a sector twice.
    traffic.l2Bytes += std::max(least + again, double(array.launch.sectorsPastL1) * kSectorBytes);
    traffic.shortRequests += shortRequests(array, caches);
  }
  const Storage &fuller = readOnly.live > l1.live ? readOnly : l1;
  traffic.seen.l1FootprintBytes = fuller.live;
  traffic.seen.l1Bytes = fuller.capacity;
}

PartedLines stencilc::partedLines(const LaunchCounts &launch) {
  PartedLines found;
  double lines = 0, pieces = 0, parted = 0;
  for (const ArrayCounts &array : launch.arrays) {
    if (!array.isStore || array.blockSectors == 0)
      continue;
    const double sectors = double(array.launchSectors), whole = sectors / kSectorsOfLine,
                 ofBlocks = sectors * double(array.blockLines) / double(array.blockSectors),
                 inParts = std::clamp(ofBlocks - whole, 0.0, whole);
    lines += whole;
    pieces += ofBlocks;
    parted += inParts;
    if (llvm::any_of(launch.arrays, [&](const ArrayCounts &other) {
          return !other.isStore && other.array == array.array;
        }))
      found.rewritten += inParts;
  }
  if (lines > 0) {
    found.share = parted / lines;
    found.pieces = pieces / lines - 1;
  }
  return found;
}

/// Rows of the points that blocks update, those that end within lines.
static double shortOwnRequests(const GeometricTraffic &traffic, const LaunchCounts &launch) {
  double lines = 0;
  for (const ArrayCounts &array : launch.arrays)
    lines += double(array.points) * array.elementBytes / kLineBytes;
  return std::min(traffic.shortRequests, lines * traffic.parted.pieces);
}

/// Between the L2 and device memory. What neighbouring layers share is lost where more than the L2
/// holds passes between its uses, and always what neighbouring bands do; what neighbouring rows
/// share is lost where they run in different waves and a wave outgrows it. Blocks that run side by
/// side keep what they share: one that falls behind finds in the L2 what the others have loaded.
static void countNearMemory(GeometricTraffic &traffic, const LaunchCounts &launch,
                            double residentBlocks, const DeviceProfile &device) {
  const auto kept = [&](double window) {
    return keptReuse(window, device.geometric->l2EffectiveBytes, device.geometric->l2Softness);
  };
  const Footprints footprints(launch);
  const double layers = launch.blockCount / footprints.blocksOf(footprints.inLayer),
               rows = launch.blockCount / footprints.blocksOf(footprints.inRow);
  double onceBytes = 0; // moved if nothing were read twice
  for (const ArrayCounts &array : launch.arrays)
    onceBytes += double(array.points) * array.elementBytes;
  const double wave = residentBlocks * device.sms;
  const double ofWave = std::min(1.0, wave / launch.blockCount) * onceBytes;
  const double ofLayer = footprints.bytesOfAll(footprints.inLayer);
  const double wavesOfLayer =
      footprints.blocksOf(footprints.inLayer) / std::min(wave, double(launch.blockCount));
  const bool isMarch = marches(launch);
  const double rowsApart = std::min(1.0, footprints.blocksOf(footprints.inRow) / wave);

  for (const ArrayCounts &array : launch.arrays) {
    if (array.isStore) {
      traffic.coldBytes += bytesOf(array, device.caches).least;
      continue;
    }
    double once = double(array.points) * array.elementBytes;
    if (launch.bands() > 1) // what bands share is read again
      once = std::max(once, footprints.bytes(array, footprints.inBand) * launch.blocks[1] /
                                double(launch.inBand()));
    const double byLayer = layers * footprints.bytes(array, footprints.inLayer),
                 byRow = rows * footprints.bytes(array, footprints.inRow);
    const double atOnce = std::max(ofLayer, ofWave);
    const Windows windows = isMarch
                                ? betweenMarches(ofLayer, wavesOfLayer, footprints.ownPlanes(array))
                                : Windows{atOnce, atOnce, 0};
    const double keptBetweenLayers =
        layers > 1
            ? kept(windows.near) + windows.shareFar * (kept(windows.far) - kept(windows.near))
            : 1;
    if (windows.mean() > traffic.seen.windowBytes) {
      traffic.seen.windowBytes = windows.mean();
      traffic.seen.reuseKept = keptBetweenLayers;
    }
    const double betweenRows = (1 - kept(ofWave)) * rowsApart * std::max(0.0, byRow - byLayer);
    const double again = (1 - keptBetweenLayers) * std::max(0.0, byLayer - once) + betweenRows;
    // No more than all blocks ask for, each once: those that share chunks lie in no such order.
    const double asked = double(array.launchSectors) * kSectorBytes;
    traffic.coldBytes += once + std::min(again, std::max(0.0, asked - once));
  }
  // A grid that stays in the L2 from one time step to the next need not be read or written again.
  traffic.keptShare = kept(onceBytes);
  traffic.seen.effectiveBytes = device.geometric->l2EffectiveBytes;
}

GeometricTraffic stencilc::geometricTraffic(const LaunchCounts &launch, double residentBlocks,
                                            const DeviceProfile &device) {
  GeometricTraffic traffic;
  countNearSm(traffic, launch, residentBlocks, device);
  traffic.parted = partedLines(launch);
  traffic.shortOwn = shortOwnRequests(traffic, launch);
  countNearMemory(traffic, launch, residentBlocks, device);
  return traffic;
}
