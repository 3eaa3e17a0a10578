#include "ir/verify/WarpReplay.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>

#include <bit>

using namespace stencilc;

WarpReplay::WarpReplay(const Kernel &kernel)
    : kernel(kernel), warps(kernel.warps()), copies(kernel.threads()) {
  meetings.push_back({"the block", 0, kernel.warps()});
  for (const WarpGroup &group : kernel.groups)
    meetings.push_back({"`" + group.name + "`", group.firstWarp, group.warps});
}

uint32_t WarpReplay::lanesOf(unsigned warp) const {
  return laneMask(0, std::min<unsigned>(kLanesPerWarp, kernel.threads() - warp * kLanesPerWarp));
}

void WarpReplay::report(std::string seen) {
  if (!fault.empty())
    return;
  fault = std::move(seen);
  statementAtFault = statement;
}

// ---- what is told -----------------------------------------------------------------------------

void WarpReplay::execute(const Statement &executed, unsigned number, const WarpLanes &lanes) {
  told = number;
  startsCopies = std::holds_alternative<CopyAsync>(executed.node);
  const auto keep = [&](auto event) {
    for (auto [warp, own] : llvm::zip_equal(warps, lanes.byWarp()))
      if ((event.lanes = own) != 0)
        warp.events.push_back({number, event});
  };
  std::visit(llvm::makeVisitor(
                 [&](const CommitCopies &) { keep(Commit{}); },
                 [&](const WaitCopies &node) { keep(Wait{node.pending, 0}); },
                 [&](const Barrier &node) { keep(Arrive{node.group ? *node.group + 1 : 0, 0}); },
                 // What these do to tiles is told as requests.
                 [](const Let &) {}, [](const LetMutable &) {}, [](const Assign &) {},
                 [](const AssignSlot &) {}, [](const AssignElement &) {},
                 [](const StoreGlobal &) {}, [](const StoreShared &) {}, [](const LoadVector &) {},
                 [](const StoreVector &) {}, [](const LoadSharedVector &) {},
                 [](const StoreSharedVector &) {}, [](const CopyAsync &) {},
                 // These do nothing to them.
                 [](const LetIndex &) {}, [](const LetPointer &) {}, [](const Rotate &) {},
                 [](const ShiftPatch &) {}, [](const If &) {}, [](const ReturnUnless &) {},
                 [](const For &) {}, [](const Roles &) {}, [](const Phase &) {}),
             executed.node);
}

void WarpReplay::take(const WarpRequest &request) {
  const auto kind = !request.isStore ? Access::Load
                    : startsCopies   ? Access::StartCopy
                                     : Access::Store;
  for (const LaneRun &run : request.runs)
    warps[request.warp].events.push_back({told, Access{kind, request.array, request.width, run}});
}

// ---- in an order of warps ---------------------------------------------------------------------

void WarpReplay::run() {
  shared.beginBlock(kernel);
  for (Copies &ofThread : copies) {
    ofThread.open.clear();
    ofThread.batches.clear();
  }
  for (bool goesOn = true; goesOn && fault.empty();) {
    goesOn = false;
    for (unsigned warp = 0; warp < warps.size(); ++warp)
      goesOn |= advance(warp);
  }
  if (fault.empty() && llvm::any_of(warps, [](const Warp &warp) { return warp.waitsAt; }))
    reportDeadlock();
  for (Warp &warp : warps) {
    warp.events.clear();
    warp.next = 0;
    warp.waitsAt.reset();
  }
  for (Meeting &meeting : meetings)
    meeting.waiting = 0;
}

/// False if the warp waits, or has nothing more to do.
bool WarpReplay::advance(unsigned number) {
  Warp &warp = warps[number];
  bool moved = false;
  while (!warp.waitsAt && warp.next < warp.events.size() && fault.empty()) {
    const Event &event = warp.events[warp.next++];
    statement = event.statement;
    std::visit([&](const auto &node) { perform(node, number); }, event.node);
    moved = true;
  }
  return moved;
}

void WarpReplay::perform(const Access &event, unsigned warp) {
  for (unsigned lane = 0; lane < event.run.count; ++lane)
    for (unsigned part = 0; part < event.width; ++part) {
      const unsigned thread = warp * kLanesPerWarp + event.run.lane + lane;
      const size_t element = event.run.element + event.run.stride * lane + part;
      SharedAudit::Fault seen = SharedAudit::None;
      switch (event.kind) {
      case Access::Load:
        seen = shared.load(event.tile, element, thread);
        break;
      case Access::Store:
        seen = shared.store(event.tile, element, thread);
        break;
      case Access::StartCopy:
        seen = shared.startCopy(event.tile, element, thread);
        copies[thread].open.push_back({event.tile, element});
        break;
      }
      if (seen != SharedAudit::None)
        return report(SharedAudit::textOf(seen, element, kernel.tiles[event.tile].name));
    }
}

template <class Visit> static void forEachThread(unsigned warp, uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1)
    visit(warp * kLanesPerWarp + std::countr_zero(lanes));
}

void WarpReplay::perform(const Commit &event, unsigned warp) {
  forEachThread(warp, event.lanes, [&](unsigned thread) {
    copies[thread].batches.push_back(std::exchange(copies[thread].open, {}));
  });
}

/// A copy stores at any time between its start and its end.
void WarpReplay::perform(const Wait &event, unsigned warp) {
  forEachThread(warp, event.lanes, [&](unsigned thread) {
    std::vector<std::vector<Copy>> &batches = copies[thread].batches;
    const size_t arriving = batches.size() - std::min<size_t>(batches.size(), event.pending);
    for (const std::vector<Copy> &batch : llvm::ArrayRef(batches).take_front(arriving))
      for (const Copy &copy : batch)
        if (const SharedAudit::Fault seen = shared.endCopy(copy.tile, copy.element, thread);
            seen != SharedAudit::None)
          report(SharedAudit::textOf(seen, copy.element, kernel.tiles[copy.tile].name));
    batches.erase(batches.begin(), batches.begin() + arriving);
  });
}

void WarpReplay::perform(const Arrive &event, unsigned number) {
  Meeting &meeting = meetings[event.meeting];
  if (event.lanes != lanesOf(number))
    return report(fmt::format("{} of {} threads of warp {} reach a barrier",
                              std::popcount(event.lanes), std::popcount(lanesOf(number)), number));
  if (number < meeting.firstWarp || number >= meeting.firstWarp + meeting.warps)
    return report(
        fmt::format("warp {} reaches a barrier of {}, which it is not in", number, meeting.name));
  warps[number].waitsAt = event.meeting;
  if (++meeting.waiting < meeting.warps)
    return;
  meeting.waiting = 0;
  for (unsigned other = 0; other < meeting.warps; ++other)
    warps[meeting.firstWarp + other].waitsAt.reset();
  shared.barrier(meeting.firstWarp, meeting.warps);
}

void WarpReplay::reportDeadlock() {
  for (auto [number, meeting] : llvm::enumerate(meetings)) {
    std::vector<unsigned> waiting, missing;
    for (unsigned warp = meeting.firstWarp; warp < meeting.firstWarp + meeting.warps; ++warp)
      (warps[warp].waitsAt == number ? waiting : missing).push_back(warp);
    if (waiting.empty())
      continue;
    statement = warps[waiting.front()].events[warps[waiting.front()].next - 1].statement;
    report(fmt::format("warps {} wait at a barrier of {}, which warps {} do not reach", waiting,
                       meeting.name, missing));
  }
}
