#include "costmodel/model/Su2015Launch.h"

#include "ir/walk/WalkRequest.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace stencilc;

static int64_t product(const Su2015Footprint::Sizes &sizes) {
  return sizes[0] * sizes[1] * sizes[2];
}

void Su2015Launch::Amount::add(int64_t count, unsigned elementBytes) {
  elements += count;
  bytes += double(count) * elementBytes;
}

Su2015Launch::Su2015Launch(const LaunchCounts &launch, const DeviceProfile &device,
                           const Occupancy &occupancy)
    : launch(launch), device(device), constants(*device.su2015), occupancy(occupancy) {
  const Kernel &kernel = *launch.kernel;
  for (unsigned axis = 0; axis < kernel.rank(); ++axis) {
    const unsigned d = dimensionOf(axis, kernel.rank());
    const int64_t perThread = std::max<int64_t>(launch.cover[axis] / kernel.block[d], 1);
    covered *= launch.cover[axis];
    grid[d] = launch.extent[axis];
    block[d] = std::min(launch.cover[axis], grid[d]);
    chunk[d] = std::min(perThread, grid[d]);
    blocks[d] = launch.blocks[axis];
  }
  for (const ArrayCounts &array : launch.arrays)
    if (array.isStore)
      blockStores.add(product(block), array.elementBytes);
    else
      loaded.emplace_back(array, launch, block, grid);
  countThreads();
  countBlocks();
  countGroups();
  time();
}

/// (3) and (4).
void Su2015Launch::countThreads() {
  int64_t aligned = 0, misaligned = 0, stores = 0, bytes = 0;
  for (const ArrayCounts &array : launch.arrays) {
    if (array.isStore) {
      stores += array.aligned + array.misaligned;
    } else {
      aligned += array.aligned;
      misaligned += array.misaligned;
    }
    bytes += (array.aligned + (array.isStore ? 1 : 2) * array.misaligned) * array.elementBytes;
  }
  quantities.alignedLoads = aligned * product(chunk) / covered;
  quantities.misalignedLoads = misaligned * product(chunk) / covered;
  quantities.loads = quantities.alignedLoads + 2 * quantities.misalignedLoads;
  quantities.stores = stores * product(chunk) / covered;
  quantities.threads = 1;
  for (unsigned d = 0; d < 3; ++d)
    quantities.threads *= llvm::divideCeil(grid[d], chunk[d]);
  smxBytes = double(quantities.threads) * bytes * product(chunk) / covered;
}

/// (5) to (8), (16) and (17).
void Su2015Launch::countBlocks() {
  Amount net, uncached;
  int64_t haloWidth = 0;
  for (const Su2015Footprint &loads : loaded) {
    const ArrayCounts &array = loads.array;
    const Caches &caches = device.caches;
    if ((array.readOnlyPath ? caches.readOnlyLoads : caches.plainLoads).value == LoadPath::L2) {
      const int64_t bytes = array.interior.sectors * kSectorBytes;
      uncached.add(bytes / array.elementBytes * product(block) / covered, array.elementBytes);
      continue;
    }
    const int64_t line = constants.lineMode.value == LineMode::Warp
                             ? device.threadsPerWarp * array.elementBytes
                             : constants.smxLineBytes;
    const int64_t faces = loads.faces(line), rows = loads.rows(line);
    net.add(constants.haloMode.value == HaloMode::Paper ? faces : rows, array.elementBytes);
    quantities.edgeNet += double(rows - faces);
    haloWidth = std::max(haloWidth, loads.haloWidth(slowest()));
  }
  double missRatio = occupancy.blocks * net.bytes / constants.storageBytes * constants.delta;
  if (const int64_t points = product(chunk); points > 1) {
    const double warps = double(points) * launch.warps;
    const double warpsAtOnce = double(constants.coresPerSm) / device.threadsPerWarp;
    missRatio = missRatio * (1 + haloWidth) / double(points + haloWidth) +
                std::max(0.0, std::log2(warps / warpsAtOnce)) * constants.eta;
  }
  quantities.blocks = launch.blockCount;
  quantities.blocksPerSmx = occupancy.blocks;
  quantities.blockNet = net.elements + uncached.elements;
  quantities.smxMissRatio = missRatio;
  quantities.blockLoads = net.elements * (1 + missRatio) + uncached.elements;
  quantities.blockStores = blockStores.elements;
  l2Bytes = quantities.blocks * (net.bytes * (1 + missRatio) + uncached.bytes + blockStores.bytes);
}

/// (9) to (15).
void Su2015Launch::countGroups() {
  const int64_t ofGroup = std::min(quantities.blocks, occupancy.blocks * device.sms);
  Su2015Footprint::Sizes width;
  int64_t before = 1; // blocks that a group fills before it grows in this dimension
  for (unsigned d = 0; d < 3; ++d) {
    const int64_t across = llvm::divideCeil(ofGroup, before);
    width[d] = std::min(block[d] * across, grid[d]);
    before *= blocks[d];
  }
  Amount net;
  Su2015Footprint::Sizes haloWidth = {};
  for (const Su2015Footprint &loads : loaded) {
    net.add(loads.group(width, constants.l2LineBytes), loads.array.elementBytes);
    for (unsigned d = 0; d < 3; ++d)
      haloWidth[d] = std::max(haloWidth[d], loads.haloWidth(d));
  }
  const double missRatio = net.bytes / device.caches.l2Bytes * constants.epsilon;
  quantities.blocksPerGroup = ofGroup;
  quantities.groups = llvm::divideCeil(quantities.blocks, ofGroup);
  quantities.widthY = width[1] + haloWidth[1];
  quantities.heightZ = width[2] + haloWidth[2];
  quantities.groupNet = net.elements;
  quantities.l2MissRatio = missRatio;
  quantities.groupLoads = net.elements * (1 + missRatio);
  quantities.groupStores = ofGroup * blockStores.elements;
  dramBytes = quantities.groups * (net.bytes * (1 + missRatio) + ofGroup * blockStores.bytes);
}

/// (2) and (18). The best occupancy is that of any block shape with as many registers.
void Su2015Launch::time() {
  double best = occupancy.fraction;
  for (int threads = 32; threads <= 1024; threads += 32) {
    const BlockResources other{.threads = threads, .registers = occupancy.registers};
    best = std::max(best, occupancyOf(other, device.sm, device.threadsPerWarp).fraction);
  }
  quantities.occupancyEfficiency = occupancy.fraction / best;
  quantities.unadjustedSeconds =
      std::max({smxBytes / constants.smxBandwidth, l2Bytes / constants.l2Bandwidth,
                dramBytes / constants.dramBandwidth});
  quantities.adjustedSeconds =
      quantities.unadjustedSeconds * (1 + 1.0 / quantities.groups) / quantities.occupancyEfficiency;
}

double Su2015Launch::seconds() const {
  return product(chunk) > 1 ? quantities.adjustedSeconds : quantities.unadjustedSeconds;
}
