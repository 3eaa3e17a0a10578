#include "ir/run/BlockExecutor.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

#include <numeric>

using namespace stencilc;

BlockExecutor::BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer,
                             const WarpOrder &order)
    : block{kernel, std::move(arguments), observer}, order(order), random(order.seed) {
  for (const SharedTile &tile : kernel.tiles) {
    size_t elements = 1;
    for (int size : tile.shape)
      elements *= size;
    block.tiles.push_back(
        {std::vector<double>(elements), std::vector<TileState::Content>(elements)});
  }
  const unsigned count = kernel.warps();
  for (unsigned warp = 0; warp < count; ++warp)
    warps.emplace_back(block, warp);
  meetings.push_back({"the block", 0, count});
  for (const WarpGroup &group : kernel.groups)
    meetings.push_back({"group `" + group.name + "`", group.firstWarp, group.warps});
  turns.resize(count);
  std::iota(turns.begin(), turns.end(), 0);
  if (order.kind == WarpOrder::Descending)
    std::ranges::reverse(turns);
}

void BlockExecutor::forget() {
  for (TileState &tile : block.tiles)
    std::ranges::fill(tile.contents, TileState::Nothing);
  for (Meeting &meeting : meetings)
    meeting.waiting = 0;
  for (WarpExecutor &warp : warps)
    warp.start();
}

void BlockExecutor::drawOrder() {
  if (order.kind == WarpOrder::Shuffled)
    for (size_t left = turns.size(); left > 1; --left)
      std::swap(turns[left - 1], turns[random() % left]);
}

bool BlockExecutor::run(std::array<int64_t, 3> number) {
  block.number = number;
  forget();
  if (block.observer)
    block.observer->beginBlock();
  auto hasEnded = [](const WarpExecutor &warp) { return warp.hasEnded(); };
  while (block.fault.empty() && !llvm::all_of(warps, hasEnded)) {
    drawOrder();
    bool moved = false;
    for (unsigned turn : turns) {
      if (warps[turn].hasEnded() || warps[turn].waitsAt)
        continue;
      advance(warps[turn]);
      moved = true;
      if (!block.fault.empty())
        break;
    }
    if (!moved)
      reportDeadlock();
  }
  if (block.fault.empty() && block.observer)
    block.fault = block.observer->fault;
  return block.fault.empty();
}

void BlockExecutor::advance(WarpExecutor &warp) {
  warp.run();
  if (!warp.waitsAt || !block.fault.empty())
    return;
  Meeting &meeting = meetings[*warp.waitsAt];
  if (warp.number() < meeting.firstWarp || warp.number() >= meeting.firstWarp + meeting.warps)
    return block.report("warp {} reaches a barrier of {}, which it is not in", warp.number(),
                        meeting.name);
  if (++meeting.waiting < meeting.warps)
    return;
  meeting.waiting = 0;
  for (unsigned other = 0; other < meeting.warps; ++other)
    warps[meeting.firstWarp + other].waitsAt.reset();
  if (block.observer)
    block.observer->barrier(meeting.firstWarp, meeting.warps);
}

void BlockExecutor::reportDeadlock() {
  std::string seen;
  for (auto [number, meeting] : llvm::enumerate(meetings)) {
    std::vector<unsigned> waiting, missing;
    for (unsigned warp = meeting.firstWarp; warp < meeting.firstWarp + meeting.warps; ++warp)
      (warps[warp].waitsAt == number ? waiting : missing).push_back(warp);
    if (meeting.waiting != 0 && seen.empty())
      seen = fmt::format("warps {} wait at a barrier of {}, which warps {} do not reach", waiting,
                         meeting.name, missing);
  }
  block.report("{}", seen);
}
