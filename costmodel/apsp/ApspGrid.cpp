#include "costmodel/apsp/ApspGrid.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <map>

using namespace llvm;

namespace stencilc {

int64_t ApspGrid::warps() const {
  int64_t sum = 0;
  for (const BlockGroup &group : groups)
    sum += group.blocks * group.warps;
  return sum;
}

ApspGrid apspGrid(const DeviceProfile &device, int64_t nodes, int blockWidth) {
  const int64_t rest = nodes % blockWidth;
  const int64_t wholes = nodes / blockWidth;
  const int64_t cut = rest != 0; // 1 if there are blocks that stick out
  const auto warps = [&](int64_t columns, int64_t rows) {
    const int64_t perRow = divideCeil(columns, device.threadsPerWarp.value);
    return static_cast<int64_t>(alignTo(perRow * rows, device.apsp->warpGranularity.value));
  };
  ApspGrid grid{nodes, blockWidth, wholes + cut, {}};
  grid.groups[size_t(BlockKind::Full)] = {wholes * wholes, warps(blockWidth, blockWidth)};
  grid.groups[size_t(BlockKind::Right)] = {cut * wholes, warps(rest, blockWidth)};
  grid.groups[size_t(BlockKind::Bottom)] = {cut * wholes, warps(blockWidth, rest)};
  grid.groups[size_t(BlockKind::Last)] = {cut, warps(rest, rest)};
  return grid;
}

StringRef spelling(Mapping mapping) {
  switch (mapping) {
  case Mapping::Min:
    return "Min";
  case Mapping::Sorted:
    return "Sorted";
  case Mapping::Full:
    return "Full";
  case Mapping::Buckets:
    return "Buckets";
  }
  llvm_unreachable("all mappings are handled");
}

namespace {

/// Deals each block to the multiprocessor with least work so far, which the paper describes but
/// gives no formula for. Multiprocessors with equal work are kept together, and once no two differ
/// by more than a block, a round over all of them only shifts everyone, so that the cost does not
/// grow with the grid.
int64_t listSchedule(ArrayRef<BlockGroup> groups, int64_t sms) {
  std::map<int64_t, int64_t> smsByLoad = {{0, sms}};
  for (auto [blocks, warps] : groups) {
    if (warps == 0)
      continue;
    while (blocks > 0) {
      if (blocks >= sms && smsByLoad.rbegin()->first - smsByLoad.begin()->first <= warps) {
        std::map<int64_t, int64_t> shifted;
        for (auto [load, count] : smsByLoad)
          shifted[load + blocks / sms * warps] = count;
        smsByLoad = std::move(shifted);
        blocks %= sms;
        continue;
      }
      auto [load, idle] = *smsByLoad.begin();
      const int64_t dealt = std::min(idle, blocks);
      smsByLoad[load + warps] += dealt;
      if (dealt == idle)
        smsByLoad.erase(load);
      else
        smsByLoad[load] -= dealt;
      blocks -= dealt;
    }
  }
  return smsByLoad.rbegin()->first;
}

} // namespace

int64_t warpsPerSm(Mapping mapping, ArrayRef<BlockGroup> groups, int64_t sms,
                   int64_t residentBlocks) {
  int64_t blocks = 0, warps = 0;
  for (const BlockGroup &group : groups) {
    blocks += group.blocks;
    warps += group.blocks * group.warps;
  }
  const int64_t fullWarps = groups.front().warps;
  switch (mapping) {
  case Mapping::Min:
    return divideCeil(warps, sms); // (14)
  case Mapping::Sorted:
    return listSchedule(groups, sms);
  case Mapping::Full:
    return divideCeil(blocks, sms) * fullWarps; // (15)
  case Mapping::Buckets: {
    const int64_t inRounds = blocks / (residentBlocks * sms) * residentBlocks; // (16)
    const int64_t rest = std::min(blocks - inRounds * sms, residentBlocks);    // (17)
    return (inRounds + rest) * fullWarps;                                      // (18)
  }
  }
  llvm_unreachable("all mappings are handled");
}

int64_t residentBlocks(const DeviceProfile &device, int blockWidth) {
  const auto *width = find(kProfiledBlockWidths, blockWidth);
  assert(width != kProfiledBlockWidths.end() && "only profiled block widths reach the model");
  return device.apsp->residentBlocks[width - kProfiledBlockWidths.begin()];
}

int64_t minPlusLaunches(int64_t nodes) { return nodes < 3 ? 0 : Log2_64_Ceil(nodes - 1); }

} // namespace stencilc
