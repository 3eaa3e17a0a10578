// Two blocks of a cluster: one runs until all its threads wait, some of them for what the other one
// sends. What shared memory holds is then put aside, and that of the other brought back.
#include "test/harness/FibreEngine.h"

#include <algorithm>
#include <cstring>

namespace stencilc::harness {

/// Where the other block's shared memory, which is put aside, has what this one's has at a place;
/// null before it has begun.
char *Engine::aside(void *place) {
  const auto within = [&](char *own, size_t count, std::vector<char> &held) -> char * {
    char *const at = static_cast<char *>(place);
    return at >= own && at < own + count && held.size() == count ? held.data() + (at - own)
                                                                 : nullptr;
  };
  char *const inTiles = within(tiles.data(), tiles.size(), partner.tiles);
  return inTiles ? inTiles
                 : within(reinterpret_cast<char *>(requested), requestedBytes, partner.requested);
}

void Engine::send(void *to, const void *from, size_t bytes, int message) {
  // It may arrive at any time.
  if (char *const there = aside(to))
    poison(there, there + bytes);
  const char *source = static_cast<const char *>(from);
  Message &sent = partner.mail[message];
  sent.parts.push_back({to, {source, source + bytes}});
  sent.bytes += bytes;
}

void Engine::await(int message, size_t bytes, int line) {
  const unsigned warp = current / kLanes;
  awaited[warp] = {message, bytes};
  wait(kMail + warp, std::min<size_t>(kLanes, indices.size() - warp * kLanes), line);
}

/// A message is taken once it has come as a whole.
bool Engine::isOpen(unsigned gate) const {
  if (gate < kMail)
    return true;
  const Awaited &own = awaited[gate - kMail];
  const auto sent = mail.find(own.message);
  return sent != mail.end() && sent->second.bytes == own.bytes;
}

void Engine::takeMail(unsigned warp) {
  const auto sent = mail.find(awaited[warp].message);
  for (const Sent &part : sent->second.parts)
    std::memcpy(part.to, part.bytes.data(), part.bytes.size());
  mail.erase(sent);
}

/// Puts the block that runs aside and brings the other one of the cluster back.
void Engine::changeOver() {
  const auto exchangeBytes = [](char *own, size_t count, std::vector<char> &aside) {
    std::vector<char> held(own, own + count);
    if (aside.size() == count)
      std::memcpy(own, aside.data(), count);
    aside = std::move(held);
  };
  exchangeBytes(tiles.data(), tiles.size(), partner.tiles);
  exchangeBytes(reinterpret_cast<char *>(requested), requestedBytes, partner.requested);
  std::swap(block, partner.block);
  std::swap(blockIdx, partner.index);
  std::swap(interval, partner.interval);
  std::swap(started, partner.started);
  std::swap(ended, partner.ended);
  std::swap(starts, partner.starts);
  std::swap(exchanged, partner.exchanged);
  std::swap(copies, partner.copies);
  std::swap(waiters, partner.waiters);
  std::swap(mail, partner.mail);
  std::swap(awaited, partner.awaited);
}

/// Runs the block that waits, and its partner.
void Engine::runPartners() {
  const unsigned y = blockIdx.y ^ 1;
  if (y >= gridDim.y)
    fail("a message is awaited of a block that is not there, in thread", waiters[0].thread);
  const unsigned other = block + (y - blockIdx.y) * gridDim.x;
  changeOver();
  starts = partner.starts;
  begin(other);
  start();
  for (unsigned idle = 0; !waiters.empty() || !partner.waiters.empty(); changeOver()) {
    idle = goOn() ? 0 : idle + 1;
    if (idle > 1 && !waiters.empty())
      fail("a message never comes that is awaited by thread", waiters[0].thread);
  }
  if (!mail.empty() || !partner.mail.empty())
    fail("a message was sent that nobody awaited; threads of a block:", starts.size());
}

} // namespace stencilc::harness
