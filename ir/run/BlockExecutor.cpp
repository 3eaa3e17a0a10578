#include "ir/run/BlockExecutor.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

#include <numeric>

using namespace stencilc;

BlockExecutor::BlockExecutor(const Kernel &kernel, Arguments arguments, AccessObserver *observer,
                             const WarpOrder &order)
    : order(order), random(order.seed) {
  for (int number = 0; number < kernel.cluster; ++number)
    addMember(kernel, arguments, observer);
  if (members.size() == 2) {
    members[0].state.partner = &members[1].state;
    members[1].state.partner = &members[0].state;
  }
  turns.resize(members.size() * kernel.warps());
  std::iota(turns.begin(), turns.end(), 0);
  if (order.kind == WarpOrder::Descending)
    std::ranges::reverse(turns);
}

void BlockExecutor::addMember(const Kernel &kernel, Arguments arguments, AccessObserver *observer) {
  const unsigned firstThread = members.size() * kernel.threads();
  Member &member =
      members.emplace_back(BlockState{kernel, std::move(arguments), observer, firstThread});
  for (const SharedTile &tile : kernel.tiles) {
    size_t elements = 1;
    for (int size : tile.shape)
      elements *= size;
    member.state.tiles.push_back(
        {std::vector<double>(elements), std::vector<TileState::Content>(elements)});
  }
  const unsigned count = kernel.warps();
  for (unsigned warp = 0; warp < count; ++warp)
    member.warps.emplace_back(member.state, warp);
  member.meetings.push_back({"the block", 0, count});
  for (const WarpGroup &group : kernel.groups)
    member.meetings.push_back({"group `" + group.name + "`", group.firstWarp, group.warps});
}

std::string BlockExecutor::fault() const {
  for (const Member &member : members)
    if (!member.state.fault.empty())
      return member.state.fault;
  return "";
}

void BlockExecutor::forget() {
  for (Member &member : members) {
    for (TileState &tile : member.state.tiles)
      std::ranges::fill(tile.contents, TileState::Nothing);
    member.state.awaited = 0;
    member.state.messages.clear();
    for (Meeting &meeting : member.meetings)
      meeting.waiting = 0;
    for (WarpExecutor &warp : member.warps)
      warp.start();
  }
}

void BlockExecutor::drawOrder() {
  if (order.kind == WarpOrder::Shuffled)
    for (size_t left = turns.size(); left > 1; --left)
      std::swap(turns[left - 1], turns[random() % left]);
}

bool BlockExecutor::run(std::array<int64_t, 3> number) {
  for (Member &member : members) {
    member.state.number = number;
    ++number[1];
  }
  forget();
  BlockState &first = members.front().state;
  if (first.observer)
    first.observer->beginBlock();
  const unsigned warps = members.front().warps.size();
  const auto haveEnded = [&] {
    return llvm::all_of(members, [](const Member &member) {
      return llvm::all_of(member.warps, [](const WarpExecutor &warp) { return warp.hasEnded(); });
    });
  };
  while (fault().empty() && !haveEnded()) {
    drawOrder();
    bool moved = false;
    for (unsigned turn : turns) {
      Member &member = members[turn / warps];
      WarpExecutor &warp = member.warps[turn % warps];
      if (warp.hasEnded() || warp.waitsAt || (warp.awaits && !warp.takeMessage()))
        continue;
      advance(member, warp);
      moved = true;
      if (!member.state.fault.empty())
        break;
    }
    if (!moved)
      reportDeadlock();
  }
  for (Member &member : members)
    if (!member.state.messages.empty())
      member.state.report("message {} is never awaited", member.state.messages.begin()->first);
  if (fault().empty() && first.observer)
    first.fault = first.observer->fault;
  return fault().empty();
}

void BlockExecutor::advance(Member &member, WarpExecutor &warp) {
  warp.run();
  if (!warp.waitsAt || !member.state.fault.empty())
    return;
  Meeting &meeting = member.meetings[*warp.waitsAt];
  if (warp.number() < meeting.firstWarp || warp.number() >= meeting.firstWarp + meeting.warps)
    return member.state.report("warp {} reaches a barrier of {}, which it is not in", warp.number(),
                               meeting.name);
  if (++meeting.waiting < meeting.warps)
    return;
  meeting.waiting = 0;
  for (unsigned other = 0; other < meeting.warps; ++other)
    member.warps[meeting.firstWarp + other].waitsAt.reset();
  if (member.state.observer)
    member.state.observer->barrier(member.state.firstThread / kLanesPerWarp + meeting.firstWarp,
                                   meeting.warps);
}

void BlockExecutor::reportDeadlock() {
  for (Member &member : members) {
    for (const WarpExecutor &warp : member.warps)
      if (warp.awaits)
        return member.state.report("warp {} awaits message {}, of which the partner sends {} of {} "
                                   "bytes",
                                   warp.number(), member.state.awaited,
                                   member.state.messages[member.state.awaited].bytes,
                                   warp.awaits->bytes);
  }
  for (Member &member : members) {
    for (auto [number, meeting] : llvm::enumerate(member.meetings)) {
      if (meeting.waiting == 0)
        continue;
      std::vector<unsigned> waiting, missing;
      for (unsigned warp = meeting.firstWarp; warp < meeting.firstWarp + meeting.warps; ++warp)
        (member.warps[warp].waitsAt == number ? waiting : missing).push_back(warp);
      return member.state.report("warps {} wait at a barrier of {}, which warps {} do not reach",
                                 waiting, meeting.name, missing);
    }
  }
}
