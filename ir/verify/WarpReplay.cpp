#include "ir/verify/WarpReplay.h"

#include "llvm/ADT/STLExtras.h"

#include "llvm/Support/xxhash.h"

#include <fmt/ranges.h>

#include <bit>

using namespace stencilc;

WarpReplay::WarpReplay(const Kernel &kernel)
    : kernel(kernel), warps(kernel.warps()), copies(kernel.threads()) {
  meetings.push_back({"the block", 0, kernel.warps()});
  for (const WarpGroup &group : kernel.groups)
    meetings.push_back({"`" + group.name + "`", group.firstWarp, group.warps});
  shared.beginBlock(kernel);
  numberOfState();
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
  const auto keep = [&](Event::Kind kind, unsigned of) {
    for (auto [warp, own] : llvm::zip_equal(warps, lanes.byWarp()))
      if (own != 0)
        warp.events.push_back({.kind = kind, .statement = number, .number = of, .lanes = own});
  };
  std::visit(llvm::makeVisitor(
                 [&](const CommitCopies &) { keep(Event::Commit, 0); },
                 [&](const WaitCopies &node) { keep(Event::Wait, node.pending); },
                 [&](const Barrier &node) {
                   keep(Event::Arrive, node.group ? *node.group + 1 : kWholeBlock);
                   if (!node.group)
                     for (auto [warp, own] : llvm::zip_equal(warps, lanes.byWarp()))
                       if (own != 0)
                         warp.ends.push_back(warp.events.size());
                 },
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
  const auto kind = !request.isStore ? Event::Load : startsCopies ? Event::StartCopy : Event::Store;
  for (const LaneRun &run : request.runs)
    warps[request.warp].events.push_back({kind, told, request.array, request.width, run});
}

// ---- part by part -----------------------------------------------------------------------------

std::optional<size_t> WarpReplay::parts() const {
  const size_t barriers = warps.front().ends.size();
  for (auto [number, warp] : llvm::enumerate(warps)) {
    const uint32_t all = lanesOf(number);
    if (warp.ends.size() != barriers ||
        llvm::any_of(warp.ends, [&](size_t end) { return warp.events[end - 1].lanes != all; }))
      return std::nullopt;
  }
  return barriers + 1;
}

llvm::ArrayRef<WarpReplay::Event> WarpReplay::eventsOf(const Warp &warp, size_t part) const {
  const size_t begin = part > 0 ? warp.ends[part - 1] : 0;
  const size_t end = part < warp.ends.size() ? warp.ends[part] : warp.events.size();
  return llvm::ArrayRef(warp.events).slice(begin, end - begin);
}

/// Of the bytes of a list of plain things.
template <class T> static std::pair<uint64_t, uint64_t> digest(llvm::ArrayRef<T> list) {
  static_assert(std::has_unique_object_representations_v<T>);
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      llvm::ArrayRef(reinterpret_cast<const uint8_t *>(list.data()), list.size() * sizeof(T)));
  return {hash.low64, hash.high64};
}

WarpReplay::Digest WarpReplay::digestOf(size_t part) const {
  std::vector<uint64_t> ofWarps;
  for (const Warp &warp : warps) {
    const Digest own = digest(eventsOf(warp, part));
    ofWarps.insert(ofWarps.end(), {own.first, own.second});
  }
  return digest(llvm::ArrayRef(ofWarps));
}

unsigned WarpReplay::numberOfState() {
  std::string bytes;
  for (const std::vector<SharedAudit::Content> &tile : shared.contents())
    bytes.append(tile.begin(), tile.end());
  const auto append = [&](const std::vector<Copy> &list) {
    const uint64_t size = list.size();
    bytes.append(reinterpret_cast<const char *>(&size), sizeof size);
    bytes.append(reinterpret_cast<const char *>(list.data()), size * sizeof(Copy));
  };
  for (const Copies &ofThread : copies) {
    const uint64_t batches = ofThread.batches.size();
    bytes.append(reinterpret_cast<const char *>(&batches), sizeof batches);
    append(ofThread.open);
    llvm::for_each(ofThread.batches, append);
  }
  const auto [entry, isNew] = numbers.try_emplace(std::move(bytes), states.size());
  if (isNew)
    states.push_back({shared.contents(), copies});
  return entry->second;
}

void WarpReplay::run() {
  if (const std::optional<size_t> count = parts()) {
    unsigned state = 0;
    for (size_t part = 0; part < *count && fault.empty(); ++part) {
      const std::pair<unsigned, Digest> key = {state, digestOf(part)};
      auto known = behind.find(key);
      if (known == behind.end()) {
        perform(states[state], part);
        known = behind.try_emplace(key, part + 1 < *count ? numberOfState() : 0).first;
      }
      state = known->second;
    }
  } else {
    perform(states.front(), std::nullopt);
  }
  for (Warp &warp : warps) {
    warp.events.clear();
    warp.ends.clear();
  }
}

// ---- in an order of warps ---------------------------------------------------------------------

void WarpReplay::perform(const State &begin, std::optional<size_t> part) {
  copies = begin.copies;
  shared.resume(begin.contents);
  for (Warp &warp : warps) {
    const llvm::ArrayRef<Event> events = part ? eventsOf(warp, *part) : llvm::ArrayRef(warp.events);
    warp.next = events.data() - warp.events.data();
    warp.end = warp.next + events.size();
  }
  for (bool goesOn = true; goesOn && fault.empty();) {
    goesOn = false;
    for (unsigned warp = 0; warp < warps.size(); ++warp)
      goesOn |= advance(warp);
  }
  if (fault.empty() && llvm::any_of(warps, [](const Warp &warp) { return warp.waitsAt; }))
    reportDeadlock();
}

/// False if the warp waits, or has nothing more to do.
bool WarpReplay::advance(unsigned number) {
  Warp &warp = warps[number];
  bool moved = false;
  while (!warp.waitsAt && warp.next < warp.end && fault.empty()) {
    const Event &event = warp.events[warp.next++];
    statement = event.statement;
    switch (event.kind) {
    case Event::Load:
    case Event::Store:
    case Event::StartCopy:
      access(event, number);
      break;
    case Event::Commit:
      commit(event, number);
      break;
    case Event::Wait:
      wait(event, number);
      break;
    case Event::Arrive:
      arrive(event, number);
      break;
    }
    moved = true;
  }
  return moved;
}

void WarpReplay::access(const Event &event, unsigned warp) {
  for (unsigned lane = 0; lane < event.run.count; ++lane)
    for (unsigned part = 0; part < event.width; ++part) {
      const unsigned thread = warp * kLanesPerWarp + event.run.lane + lane;
      const size_t element = event.run.element + event.run.stride * lane + part;
      SharedAudit::Fault seen = SharedAudit::None;
      if (event.kind == Event::Load) {
        seen = shared.load(event.number, element, thread);
      } else if (event.kind == Event::Store) {
        seen = shared.store(event.number, element, thread);
      } else {
        seen = shared.startCopy(event.number, element, thread);
        copies[thread].open.push_back({event.number, uint32_t(element)});
      }
      if (seen != SharedAudit::None)
        return report(SharedAudit::textOf(seen, element, kernel.tiles[event.number].name));
    }
}

template <class Visit> static void forEachThread(unsigned warp, uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1)
    visit(warp * kLanesPerWarp + std::countr_zero(lanes));
}

void WarpReplay::commit(const Event &event, unsigned warp) {
  forEachThread(warp, event.lanes, [&](unsigned thread) {
    copies[thread].batches.push_back(std::exchange(copies[thread].open, {}));
  });
}

/// A copy stores at any time between its start and its end.
void WarpReplay::wait(const Event &event, unsigned warp) {
  forEachThread(warp, event.lanes, [&](unsigned thread) {
    std::vector<std::vector<Copy>> &batches = copies[thread].batches;
    const size_t arriving = batches.size() - std::min<size_t>(batches.size(), event.number);
    for (const std::vector<Copy> &batch : llvm::ArrayRef(batches).take_front(arriving))
      for (const Copy &copy : batch)
        if (const SharedAudit::Fault seen = shared.endCopy(copy.tile, copy.element, thread);
            seen != SharedAudit::None)
          report(SharedAudit::textOf(seen, copy.element, kernel.tiles[copy.tile].name));
    batches.erase(batches.begin(), batches.begin() + arriving);
  });
}

void WarpReplay::arrive(const Event &event, unsigned number) {
  Meeting &meeting = meetings[event.number];
  if (event.lanes != lanesOf(number))
    return report(fmt::format("{} of {} threads of warp {} reach a barrier",
                              std::popcount(event.lanes), std::popcount(lanesOf(number)), number));
  if (number < meeting.firstWarp || number >= meeting.firstWarp + meeting.warps)
    return report(
        fmt::format("warp {} reaches a barrier of {}, which it is not in", number, meeting.name));
  warps[number].waitsAt = event.number;
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
