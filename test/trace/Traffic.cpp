#include "test/trace/Traffic.h"

#include "ir/walk/KernelWalk.h"

#include <fmt/format.h>

#include <set>

namespace stencilc::trace {

std::vector<const Launch *> launchesOfFirstPass(const Program &program,
                                                llvm::ArrayRef<ArrayLayout> layouts) {
  return launchesWhere(program.plan.passes.front().actions, [&](const Condition &condition) {
    if (const auto *aligned = std::get_if<Aligned>(&condition))
      return rowsAreAligned(program, *aligned, layouts);
    return std::holds_alternative<FirstPasses>(condition) ||
           std::holds_alternative<ShortAddresses>(condition); // as grids are small
  });
}

// ---- walked -----------------------------------------------------------------------------------

static void addRequest(BlockTraffic &block, const WarpRequest &request, unsigned buffer,
                       unsigned elementBytes, int64_t origin) {
  for (const LaneRun &run : request.runs)
    for (unsigned lane = 0; lane < run.count; ++lane)
      for (unsigned part = 0; part < request.width; ++part)
        block.threads[request.warp * kLanesPerWarp + run.lane + lane].push_back(
            {buffer, request.isStore, run.element + run.stride * lane + part - origin, part});
  llvm::SmallVector<PieceRange> sectors;
  appendPieces(request, elementBytes, kSectorBytes, sectors);
  mergePieces(sectors);
  RequestCount &count = block.requests[{buffer, request.isStore}];
  ++count.requests;
  count.sectors += countPieces(sectors);
  if (!request.isPastL1)
    return;
  std::set<std::pair<unsigned, int64_t>> asked;
  for (const LaneRun &run : request.runs)
    for (unsigned lane = 0; lane < run.count; ++lane)
      for (unsigned part = 0; part < request.width; ++part)
        asked.emplace((run.lane + lane) / 8,
                      euclideanQuotient((run.element + run.stride * lane + part) * elementBytes,
                                        kSectorBytes));
  block.sectorsAgain[buffer] += asked.size() - countPieces(sectors);
}

StepTraffic walkStep(const Program &program, llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<ArrayLayout> layouts) {
  StepTraffic step;
  unsigned launchNumber = 0;
  for (const Launch *launch : launchesOfFirstPass(program, layouts)) {
    const PlacedLaunch placed = place(program, *launch, extents, layouts);
    const auto [blocksX, blocksY, blocksZ] = placed.blocks;
    if (blocksX * blocksY * blocksZ == 0)
      continue;
    KernelWalk walk(placed);
    for (int64_t number = 0; number < blocksX * blocksY * blocksZ; ++number)
      walk.walk({number % blocksX, number / blocksX % blocksY, number / blocksX / blocksY},
                [&](const WarpRequest &request) {
                  const unsigned array = request.array;
                  addRequest(step[{launchNumber, number}], request, launch->buffers[array],
                             sizeInBytes(placed.kernel->arrays[array].type),
                             placed.layouts[array].origin);
                });
    if (program.target == Target::Device)
      ++launchNumber;
  }
  return step;
}

// ---- logged -----------------------------------------------------------------------------------

namespace {

/// What one warp does together.
struct RequestKey {
  unsigned launch, block, warp;
  uintptr_t instruction;
  unsigned occurrence;
  auto operator<=>(const RequestKey &) const = default;
};
struct LoggedRequest {
  unsigned buffer;
  bool isStore;
  std::set<uintptr_t> sectors;
};

} // namespace

StepTraffic loggedStep(const Program &program, const std::vector<LoggedAccess> &accesses,
                       llvm::ArrayRef<uintptr_t> begin, llvm::ArrayRef<uintptr_t> pointZero) {
  StepTraffic step;
  std::map<RequestKey, LoggedRequest> requests;
  std::map<std::tuple<unsigned, unsigned, unsigned, uintptr_t>, unsigned> occurrences;
  for (const LoggedAccess &access : accesses) {
    if (access.range == kSharedMemory)
      continue;
    const auto &[launch, block, thread, interval] = access.place;
    const uintptr_t address = begin[access.range] + access.offset;
    const int64_t bytes = address - pointZero[access.range];
    const unsigned elementBytes = sizeInBytes(program.buffers[access.range].type);
    assert(bytes % elementBytes == 0 && access.bytes % elementBytes == 0 &&
           "arrays are accessed by whole elements");
    for (size_t part = 0; part < access.bytes / elementBytes; ++part)
      step[{launch, block}].threads[thread].push_back(
          {access.range, access.isStore, bytes / int64_t(elementBytes) + int64_t(part), part,
           access.instruction});

    const unsigned occurrence = occurrences[{launch, block, thread, access.instruction}]++;
    LoggedRequest &request =
        requests[{launch, block, thread / kLanesPerWarp, access.instruction, occurrence}];
    request.buffer = access.range;
    request.isStore = access.isStore;
    for (size_t byte = 0; byte < access.bytes; byte += elementBytes)
      request.sectors.insert((address + byte) / kSectorBytes);
  }
  for (const auto &[key, request] : requests) {
    RequestCount &count = step[{key.launch, key.block}].requests[{request.buffer, request.isStore}];
    ++count.requests;
    count.sectors += request.sectors.size();
  }
  return step;
}

// ---- compared ---------------------------------------------------------------------------------

namespace {

class Comparison {
public:
  Comparison(const Program &program, bool comparesRequests,
             llvm::function_ref<std::string(uintptr_t instruction)> lineOf)
      : program(program), comparesRequests(comparesRequests), lineOf(lineOf) {}

  std::string compare(const BlockTraffic &walked, const BlockTraffic &logged) const;

private:
  const std::string &nameOf(unsigned buffer) const { return program.buffers[buffer].name; }
  std::string textOf(const ThreadAccess *access) const;

  const Program &program;
  const bool comparesRequests;
  llvm::function_ref<std::string(uintptr_t instruction)> lineOf;
};

/// The entry of a map, or an empty one.
template <class Key, class Value> Value at(const std::map<Key, Value> &map, const Key &key) {
  auto found = map.find(key);
  return found == map.end() ? Value() : found->second;
}

/// The keys of both maps.
template <class Key, class Value>
std::set<Key> keysOf(const std::map<Key, Value> &left, const std::map<Key, Value> &right) {
  std::set<Key> keys;
  for (const auto *map : {&left, &right})
    for (const auto &[key, value] : *map)
      keys.insert(key);
  return keys;
}

std::string Comparison::textOf(const ThreadAccess *access) const {
  if (!access)
    return "nothing";
  std::string text = fmt::format("{} of element {} of {}", access->isStore ? "store" : "load",
                                 access->element, nameOf(access->buffer));
  if (access->part)
    text += fmt::format(" as part {} of a vector", access->part);
  if (access->instruction)
    text += " at " + lineOf(access->instruction);
  return text;
}

std::string Comparison::compare(const BlockTraffic &walked, const BlockTraffic &logged) const {
  for (unsigned thread : keysOf(walked.threads, logged.threads)) {
    const std::vector<ThreadAccess> left = at(walked.threads, thread),
                                    right = at(logged.threads, thread);
    for (size_t number = 0; number < std::max(left.size(), right.size()); ++number) {
      const ThreadAccess *counted = number < left.size() ? &left[number] : nullptr;
      const ThreadAccess *made = number < right.size() ? &right[number] : nullptr;
      if (!counted || !made || counted->buffer != made->buffer ||
          counted->isStore != made->isStore || counted->element != made->element ||
          counted->part != made->part)
        return fmt::format("thread {}, access {}: walked: {}; made: {}", thread, number,
                           textOf(counted), textOf(made));
    }
  }
  if (!comparesRequests)
    return "";
  for (const auto &stream : keysOf(walked.requests, logged.requests)) {
    const RequestCount left = at(walked.requests, stream), right = at(logged.requests, stream);
    if (left != right)
      return fmt::format("{} of {}: {} requests for {} sectors walked, {} for {} made",
                         stream.second ? "stores" : "loads", nameOf(stream.first), left.requests,
                         left.sectors, right.requests, right.sectors);
  }
  return "";
}

} // namespace

std::string difference(const Program &program, const StepTraffic &walked, const StepTraffic &logged,
                       bool comparesRequests,
                       llvm::function_ref<std::string(uintptr_t instruction)> lineOf) {
  const Comparison comparison(program, comparesRequests, lineOf);
  for (const auto &place : keysOf(walked, logged))
    if (std::string text = comparison.compare(at(walked, place), at(logged, place)); !text.empty())
      return fmt::format("launch {}, block {}, {}", place.first, place.second, text);
  return "";
}

} // namespace stencilc::trace
