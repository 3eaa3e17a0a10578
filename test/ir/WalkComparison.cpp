#include "test/ir/WalkComparison.h"

#include "ir/run/ProgramRun.h"
#include "ir/walk/KernelWalk.h"
#include "test/ir/KernelPrograms.h"

using namespace stencilc;

namespace {

struct Access {
  unsigned array;
  bool isStore;
  int64_t element;
  unsigned thread;
  bool operator==(const Access &) const = default;
};

/// What the threads of one block did.
struct BlockAccesses {
  std::vector<Access> accesses;
  uint64_t requests = 0;
};

class Recorder final : public AccessObserver {
public:
  explicit Recorder(const State &state) : state(state) {}

  void beginLaunch(const Launch &launch) override {
    launched.emplace_back(&launch, state.step);
    launches.emplace_back();
  }
  void beginBlock() override { launches.back().emplace_back(); }
  void barrier(unsigned, unsigned) override {}
  void beginAccess() override { warp.reset(); }
  void loadGlobal(unsigned array, size_t element, unsigned thread) override {
    record({array, false, int64_t(element), thread});
  }
  void storeGlobal(unsigned array, size_t element, unsigned thread) override {
    record({array, true, int64_t(element), thread});
  }
  void loadShared(unsigned, size_t, unsigned) override {}
  void storeShared(unsigned, size_t, unsigned) override {}

  std::vector<std::pair<const Launch *, int64_t>> launched; ///< and the step that they began at
  std::vector<std::vector<BlockAccesses>> launches;         ///< of each, per block

private:
  const State &state;

  /// The threads of one warp that make one access together make one request.
  void record(const Access &access) {
    BlockAccesses &block = launches.back().back();
    block.accesses.push_back(access);
    block.requests += warp != access.thread / kLanesPerWarp;
    warp = access.thread / kLanesPerWarp;
  }
  std::optional<unsigned> warp; ///< of the request being made
};

/// Rows without padding; point 0 is `phase` elements after a line.
std::vector<ArrayLayout> layoutsOf(const Program &program, const std::vector<int64_t> &extents,
                                   int phase) {
  std::vector<ArrayLayout> layouts;
  for (const Buffer &array : program.buffers) {
    layouts.push_back(denseLayout(array, extents));
    layouts.back().origin = phase;
  }
  return layouts;
}

/// Elements from the first ghost point to the start of a line before it.
int64_t beforeGhosts(const Buffer &array, const ArrayLayout &layout) {
  int64_t element = layout.origin;
  for (auto [axis, stride] : llvm::zip_first(array.axes, layout.stride))
    element -= array.ghost[axis][Low] * stride;
  return element;
}

/// Elements are counted from the first ghost point, as in a Grid.
std::vector<BlockAccesses> walkLaunch(const Program &program, const Launch &launch,
                                      const RunNumbers &numbers,
                                      llvm::ArrayRef<ArrayLayout> layouts) {
  const PlacedLaunch placed = place(program, launch, numbers, layouts);
  KernelWalk kernel(placed);
  std::vector<BlockAccesses> walked;
  const int cluster = placed.kernel->cluster; // the interpreter tells of its blocks together
  for (int64_t z = 0; z < placed.blocks[2]; ++z)
    for (int64_t first = 0; first < placed.blocks[1]; first += cluster)
      for (int64_t x = 0; x < placed.blocks[0]; ++x) {
        BlockAccesses &block = walked.emplace_back();
        unsigned firstThread = 0;
        const auto record = [&](const WarpRequest &request) {
          ++block.requests;
          const unsigned buffer = launch.buffers[request.array];
          const int64_t before = beforeGhosts(program.buffers[buffer], layouts[buffer]);
          for (const LaneRun &run : request.runs)
            for (unsigned lane = 0; lane < run.count; ++lane)
              for (unsigned part = 0; part < request.width; ++part)
                block.accesses.push_back(
                    {request.array, request.isStore,
                     run.element + run.stride * lane + part - before,
                     firstThread + request.warp * kLanesPerWarp + run.lane + lane});
        };
        for (int64_t y = first; y < first + cluster; ++y) {
          kernel.walk({x, y, z}, record);
          firstThread += placed.kernel->threads();
        }
      }
  return walked;
}

/// The walker takes all warps through each statement, the interpreter takes each warp through all.
void sortByWarp(BlockAccesses &block) {
  llvm::stable_sort(block.accesses, [](const Access &left, const Access &right) {
    return left.thread / kLanesPerWarp < right.thread / kLanesPerWarp;
  });
}

std::string firstDifference(const BlockAccesses &walked, const BlockAccesses &made) {
  auto text = [](const BlockAccesses &block, size_t at) {
    if (at >= block.accesses.size())
      return std::string("nothing");
    const Access &access = block.accesses[at];
    return fmt::format("thread {} {} element {} of argument {}", access.thread,
                       access.isStore ? "stores" : "loads", access.element, access.array);
  };
  auto [left, right] = std::ranges::mismatch(walked.accesses, made.accesses);
  if (left != walked.accesses.end() || right != made.accesses.end()) {
    const size_t at = left - walked.accesses.begin();
    return fmt::format("access {}: walked: {}; made: {}", at, text(walked, at), text(made, at));
  }
  if (walked.requests != made.requests)
    return fmt::format("{} requests walked, {} made", walked.requests, made.requests);
  return "";
}

} // namespace

/// A run of so many steps, added to `result`.
static void compareRun(const Program &program, const std::vector<int64_t> &extents, int phase,
                       int64_t steps, WalkedStep &result) {
  State state = stateOf(program, extents, usualParams(program.signature, extents),
                        [](size_t) { return 0.0; });
  Recorder recorder(state);
  InterpretOptions options;
  options.layouts = layoutsOf(program, extents, phase);
  ProgramRun run(program, state, options, &recorder);
  if (llvm::Error error = run.run(extents, steps)) {
    result.difference = toString(std::move(error));
    return;
  }
  auto differ = [&](const Launch &launch, std::string what) {
    if (result.difference.empty())
      result.difference = program.kernels[launch.kernel].name + ": " + what;
  };
  for (auto [launched, made] : llvm::zip_equal(recorder.launched, recorder.launches)) {
    const auto &[launch, step] = launched;
    std::vector<BlockAccesses> walked =
        walkLaunch(program, *launch, {extents, state.params, step}, options.layouts);
    llvm::for_each(walked, sortByWarp);
    llvm::for_each(made, sortByWarp);
    if (walked.size() != made.size()) {
      differ(*launch, fmt::format("{} blocks walked, {} run", walked.size(), made.size()));
      continue;
    }
    for (auto [number, block] : llvm::enumerate(made)) {
      result.accesses += block.accesses.size();
      result.requests += block.requests;
      if (std::string text = firstDifference(walked[number], block); !text.empty())
        differ(*launch, fmt::format("block {}: {}", number, text));
    }
  }
}

WalkedStep stencilc::compareWalk(const Program &program, const std::vector<int64_t> &extents,
                                 int phase) {
  WalkedStep result;
  for (const Pass &pass : program.plan.passes)
    compareRun(program, extents, phase, pass.steps, result);
  return result;
}
