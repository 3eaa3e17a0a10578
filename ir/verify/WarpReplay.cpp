#include "ir/verify/WarpReplay.h"

#include "llvm/ADT/STLExtras.h"

#include "llvm/Support/xxhash.h"

#include <fmt/ranges.h>

#include <bit>

using namespace stencilc;

WarpReplay::WarpReplay(const Kernel &kernel)
    : kernel(kernel), ofBlock(kernel.warps()), warps(kernel.cluster * ofBlock),
      copies(warps.size() * kLanesPerWarp), mails(kernel.cluster), sent(kernel.cluster, 1),
      allowed(kernel.cluster, 1) {
  for (int member = 0; member < kernel.cluster; ++member) {
    meetings.push_back({"the block", member * ofBlock, ofBlock});
    for (const WarpGroup &group : kernel.groups)
      meetings.push_back({"`" + group.name + "`", member * ofBlock + group.firstWarp, group.warps});
  }
  told.awaited.resize(kernel.cluster);
  shared.beginBlock(kernel);
  if (kernel.cluster > 1)
    for (const std::vector<SharedAudit::Content> &tile : shared.contents())
      lastAccess.emplace_back(tile.size(), 0);
  numberOfState();
}

uint32_t WarpReplay::lanesOf(unsigned warp) const {
  return laneMask(
      0, std::min<unsigned>(kLanesPerWarp, kernel.threads() - warp % ofBlock * kLanesPerWarp));
}

void WarpReplay::report(std::string seen) {
  if (!fault.empty())
    return;
  fault = std::move(seen);
  statementAtFault = statement;
}

// ---- what is told -----------------------------------------------------------------------------

void WarpReplay::execute(const Statement &executed, unsigned number, const WarpLanes &lanes) {
  told.statement = number;
  told.stores = Event::Store;
  const unsigned first = told.member * ofBlock, meeting = told.member * (1 + kernel.groups.size());
  const auto keep = [&](Event::Kind kind, unsigned of, bool endsPart = false) {
    for (auto [warp, own] : llvm::enumerate(lanes.byWarp()))
      if (own != 0) {
        Warp &teller = warps[first + warp];
        teller.events.push_back({.kind = kind, .statement = number, .number = of, .lanes = own});
        if (endsPart)
          teller.ends.push_back(teller.events.size());
      }
  };
  std::visit(llvm::makeVisitor(
                 [&](const CommitCopies &) { keep(Event::Commit, 0); },
                 [&](const WaitCopies &node) { keep(Event::Wait, node.pending); },
                 [&](const Barrier &node) {
                   keep(Event::Arrive, meeting + (node.group ? *node.group + 1 : kWholeBlock),
                        /*endsPart=*/!node.group);
                 },
                 [&](const CopyAsync &) { told.stores = Event::StartCopy; },
                 [&](const SendVector &) { told.stores = Event::Send; },
                 // What these do to tiles is told as requests, or as a message.
                 [](const AwaitMessage &) {}, [](const Let &) {}, [](const LetMutable &) {},
                 [](const Assign &) {}, [](const AssignSlot &) {}, [](const AssignElement &) {},
                 [](const StoreGlobal &) {}, [](const StoreShared &) {}, [](const LoadVector &) {},
                 [](const StoreVector &) {}, [](const LoadSharedVector &) {},
                 [](const StoreSharedVector &) {},
                 // These do nothing to them.
                 [](const LetIndex &) {}, [](const LetPointer &) {}, [](const Rotate &) {},
                 [](const ShiftPatch &) {}, [](const If &) {}, [](const ReturnUnless &) {},
                 [](const For &) {}, [](const Roles &) {}, [](const Phase &) {}),
             executed.node);
}

void WarpReplay::take(const WarpRequest &request) {
  const auto kind = request.isStore ? told.stores : Event::Load;
  for (const LaneRun &run : request.runs)
    warps[told.member * ofBlock + request.warp].events.push_back(
        {.kind = kind,
         .statement = told.statement,
         .number = request.array,
         .width = request.width,
         .run = run,
         .ahead = kind == Event::Send ? told.ahead : 0});
}

// Messages are counted from the next one on, so that turns of a march tell the same.
void WarpReplay::message(const Statement &of, int64_t number, const WarpLanes &lanes) {
  int64_t &awaited = told.awaited[told.member];
  told.ahead = std::clamp<int64_t>(number - awaited, -1, 1);
  const auto *await = std::get_if<AwaitMessage>(&of.node);
  if (!await)
    return;
  ++awaited;
  for (auto [warp, own] : llvm::enumerate(lanes.byWarp()))
    if (own != 0)
      warps[told.member * ofBlock + warp].events.push_back({.kind = Event::Await,
                                                            .statement = told.statement,
                                                            .number = await->bytes,
                                                            .lanes = own,
                                                            .ahead = told.ahead});
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
  for (unsigned member = 0; kernel.cluster > 1 && member < mails.size(); ++member) {
    Mail &mail = mails[member];
    mail.before.clear();
    mail.since.clear();
    for (unsigned tile = 0; tile < kernel.tiles.size(); ++tile)
      for (auto [element, last] : llvm::enumerate(lastAccess[tileOf(member, tile)]))
        if (last >= allowed[member])
          (last == sent[member] ? mail.since : mail.before).push_back({tile, uint32_t(element)});
    mail.hasSent = sent[member] > allowed[member];
    append(mail.before);
    append(mail.since);
    for (const uint32_t number : {mail.warp, uint32_t(mail.behind), mail.hasSent})
      bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
    for (const Mail::Letter &letter : mail.letters) {
      bytes.append(reinterpret_cast<const char *>(&letter.bytes), sizeof letter.bytes);
      bytes.append(reinterpret_cast<const char *>(letter.elements.data()),
                   letter.elements.size() * sizeof(Mail::Element));
    }
  }
  const auto [entry, isNew] = numbers.try_emplace(std::move(bytes), states.size());
  if (isNew)
    states.push_back({shared.contents(), copies, mails});
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
  told.awaited.assign(kernel.cluster, 0);
}

// ---- in an order of warps ---------------------------------------------------------------------

void WarpReplay::perform(const State &begin, std::optional<size_t> part) {
  copies = begin.copies;
  mails = begin.mails;
  for (unsigned member = 0; kernel.cluster > 1 && member < mails.size(); ++member) {
    const Mail &mail = mails[member];
    allowed[member] = sent[member] += 1;
    for (const Copy &element : mail.before)
      noteAccess(member, element.tile, element.element);
    sent[member] += mail.hasSent;
    for (const Copy &element : mail.since)
      noteAccess(member, element.tile, element.element);
  }
  shared.resume(begin.contents);
  bool isLast = true;
  for (Warp &warp : warps) {
    const llvm::ArrayRef<Event> events = part ? eventsOf(warp, *part) : llvm::ArrayRef(warp.events);
    warp.next = events.data() - warp.events.data();
    warp.end = warp.next + events.size();
    isLast = isLast && warp.end == warp.events.size();
  }
  for (bool goesOn = true; goesOn && fault.empty();) {
    goesOn = false;
    for (unsigned warp = 0; warp < warps.size(); ++warp)
      goesOn |= advance(warp);
  }
  if (fault.empty() &&
      llvm::any_of(warps, [](const Warp &warp) { return warp.waitsAt || warp.next < warp.end; }))
    reportDeadlock();
  if (fault.empty() && isLast && llvm::any_of(mails, [](const Mail &mail) {
        return mail.letters[0].bytes != 0 || mail.letters[1].bytes != 0;
      }))
    report("a message is never awaited");
}

/// False if the warp waits, or has nothing more to do.
bool WarpReplay::advance(unsigned number) {
  Warp &warp = warps[number];
  bool moved = false;
  while (!warp.waitsAt && warp.next < warp.end && fault.empty()) {
    const Event &event = warp.events[warp.next];
    statement = event.statement;
    if (event.kind == Event::Await && !takeMessage(event, number))
      return moved;
    ++warp.next;
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
    case Event::Send:
      send(event, number);
      break;
    case Event::Await: // taken
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
  const unsigned member = memberOf(warp), tile = tileOf(member, event.number);
  for (unsigned lane = 0; lane < event.run.count; ++lane)
    for (unsigned part = 0; part < event.width; ++part) {
      const unsigned thread = warp * kLanesPerWarp + event.run.lane + lane;
      const size_t element = event.run.element + event.run.stride * lane + part;
      SharedAudit::Fault seen = SharedAudit::None;
      if (event.kind == Event::Load) {
        seen = shared.load(tile, element, thread);
      } else if (event.kind == Event::Store) {
        seen = shared.store(tile, element, thread);
      } else {
        seen = shared.startCopy(tile, element, thread);
        copies[thread].open.push_back({event.number, uint32_t(element)});
      }
      if (seen != SharedAudit::None)
        return report(SharedAudit::textOf(seen, element, kernel.tiles[event.number].name));
      noteAccess(member, event.number, element);
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
        if (const SharedAudit::Fault seen =
                shared.endCopy(tileOf(memberOf(warp), copy.tile), copy.element, thread);
            seen != SharedAudit::None)
          report(SharedAudit::textOf(seen, copy.element, kernel.tiles[copy.tile].name));
    batches.erase(batches.begin(), batches.begin() + arriving);
  });
}

// ---- messages ---------------------------------------------------------------------------------

void WarpReplay::noteAccess(unsigned member, unsigned tile, size_t element) {
  if (kernel.cluster > 1)
    lastAccess[tileOf(member, tile)][element] = sent[member];
}

bool WarpReplay::isInTurn(const Event &event, unsigned warp) {
  Mail &own = mails[memberOf(warp)];
  if (event.ahead != 0)
    report("it has not the number of the message that comes next");
  if (own.warp == Mail::kNobody)
    own.warp = warp;
  if (own.warp != warp)
    report(fmt::format("warps {} and {} of one block send or await", own.warp, warp));
  return fault.empty();
}

void WarpReplay::send(const Event &event, unsigned warp) {
  const unsigned member = memberOf(warp), partner = 1 - member;
  if (!isInTurn(event, warp))
    return;
  ++sent[member];
  const SharedTile &tile = kernel.tiles[event.number];
  const int32_t next = mails[partner].behind;
  if (next < 0)
    return report("more of a message comes than is awaited");
  Mail::Letter &letter = mails[partner].letters[next];
  for (unsigned lane = 0; lane < event.run.count; ++lane)
    for (unsigned part = 0; part < event.width; ++part) {
      const size_t element = event.run.element + event.run.stride * lane + part;
      if (element >= shared.contents()[tileOf(partner, event.number)].size())
        return report(SharedAudit::textOf(SharedAudit::Outside, element, tile.name));
      letter.elements.push_back({event.number, uint32_t(element), event.run.lane + lane});
      letter.bytes += sizeInBytes(tile.type);
    }
}

/// False while it has not come.
bool WarpReplay::takeMessage(const Event &event, unsigned warp) {
  const unsigned member = memberOf(warp);
  Mail &mail = mails[member];
  Mail::Letter &letter = mail.letters.front();
  if (!isInTurn(event, warp) || letter.bytes < event.number)
    return false;
  if (letter.bytes > event.number)
    report(
        fmt::format("{} bytes of a message come, and {} are awaited", letter.bytes, event.number));
  if (event.lanes != lanesOf(warp))
    report(fmt::format("{} of {} threads of warp {} await a message", std::popcount(event.lanes),
                       std::popcount(lanesOf(warp)), warp % ofBlock));
  for (const auto &[tile, element, lane] : letter.elements) {
    if (lastAccess[tileOf(member, tile)][element] >= allowed[member])
      report(fmt::format("element {} of tile `{}` is accessed while the partner may send to it",
                         element, kernel.tiles[tile].name));
    if (const SharedAudit::Fault seen =
            shared.store(tileOf(member, tile), element, warp * kLanesPerWarp + lane);
        seen != SharedAudit::None)
      report(SharedAudit::textOf(seen, element, kernel.tiles[tile].name));
  }
  letter = std::exchange(mail.letters.back(), {});
  --mail.behind;
  ++mails[1 - member].behind;
  allowed[member] = sent[member];
  return fault.empty();
}

// ---- meetings ---------------------------------------------------------------------------------

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
  for (const auto &[number, warp] : llvm::enumerate(warps))
    if (!warp.waitsAt && warp.next < warp.end) {
      const Event &event = warp.events[warp.next];
      statement = event.statement;
      return report(fmt::format("warp {} awaits {} bytes of a message, of which {} come",
                                number % ofBlock, event.number,
                                mails[memberOf(number)].letters.front().bytes));
    }
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
