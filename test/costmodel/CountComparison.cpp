#include "test/costmodel/CountComparison.h"

#include "costmodel/count/EventCounter.h"
#include "ir/run/ProgramRun.h"
#include "ir/walk/WalkLaunch.h"
#include "ir/walk/WalkRequest.h"
#include "test/ir/KernelPrograms.h"

#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace stencilc;

namespace {

/// What one launch asks for.
struct Requests {
  /// By number in Kernel::arrays, and whether it is stored to.
  std::map<std::pair<unsigned, bool>, RequestCounts> global;
  SharedCounts shared;
  uint64_t blocks = 0, barriers = 0, flops = 0;
};

/// Adds up the requests of every launch. The threads of a warp that make one access together make
/// one request; a copy makes two, of global memory and of the tile.
class RequestObserver final : public AccessObserver {
public:
  RequestObserver(const Program &program, llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<ArrayLayout> layouts)
      : program(program), extents(extents), layouts(layouts) {}

  void beginPass(const Pass &) override {
    finish();
    launches.clear();
  }
  void endPass(const Pass &) override {
    finish();
    ofPass = launches;
  }

  void beginLaunch(const Launch &launch) override {
    finish();
    current = &launch;
    launches.emplace_back();
  }
  void beginBlock() override {
    finish();
    launches.back().blocks += kernel().cluster;
  }
  void barrier(unsigned, unsigned) override {
    finish();
    ++launches.back().barriers;
  }
  void compute(unsigned lanes) override { launches.back().flops += lanes; }
  void beginAccess() override { finish(); }
  void loadGlobal(unsigned argument, size_t element, unsigned thread) override {
    loaded = {argument, false, false};
    access(loaded, thread, addressOf(current->buffers[argument], element));
  }
  void storeGlobal(unsigned argument, size_t element, unsigned thread) override {
    access({argument, true, false}, thread, addressOf(current->buffers[argument], element));
  }
  void loadShared(unsigned tile, size_t element, unsigned thread) override {
    access({tile, false, true}, thread, element * sizeInBytes(kernel().tiles[tile].type));
  }
  void startCopy(unsigned tile, size_t element, unsigned thread) override {
    copied.insert(loaded);
    storeShared(tile, element, thread);
  }
  void storeShared(unsigned tile, size_t element, unsigned thread) override {
    access({tile, true, true}, thread, element * sizeInBytes(kernel().tiles[tile].type));
  }

  /// Ends the requests that are being made.
  void finish() {
    for (const auto &[stream, addresses] : underway)
      if (stream.isShared)
        addShared(stream, addresses);
      else
        addGlobal(stream, addresses);
    underway.clear();
    copied.clear();
  }

  std::vector<Requests> ofPass; ///< of the last one

private:
  struct Stream {
    unsigned number; ///< of the argument, or of the tile
    bool isStore, isShared;
    auto operator<=>(const Stream &) const = default;
  };
  /// The first byte of an element, by lane.
  using Addresses = std::multimap<unsigned, int64_t>;

  const Kernel &kernel() const { return program.kernels[current->kernel]; }

  void access(const Stream &accessed, unsigned thread, int64_t byte) {
    underway[accessed].emplace(thread % kLanesPerWarp, byte);
  }

  static unsigned lanesOf(const Addresses &addresses) {
    std::set<unsigned> lanes;
    for (const auto &[lane, byte] : addresses)
      lanes.insert(lane);
    return lanes.size();
  }

  void addGlobal(const Stream &stream, const Addresses &addresses) {
    // Of so many lanes after so many, each time anew.
    const auto pieces = [&](unsigned bytes, unsigned lanes = kLanesPerWarp) {
      std::set<std::pair<unsigned, int64_t>> touched;
      for (const auto &[lane, byte] : addresses)
        touched.emplace(lane / lanes, euclideanQuotient(byte, bytes));
      return touched.size();
    };
    const unsigned elementBytes = sizeInBytes(kernel().arrays[stream.number].type);
    const bool isPastL1 =
        copied.contains(stream) && elementBytes * addresses.size() == 16 * lanesOf(addresses);
    RequestCounts &sum = launches.back().global[{stream.number, stream.isStore}];
    sum.accesses += lanesOf(addresses);
    sum.elements += addresses.size();
    sum.requests += 1;
    sum.sectors += pieces(kSectorBytes, isPastL1 ? 8 : kLanesPerWarp);
    if (isPastL1)
      sum.sectorsPastL1 += pieces(kSectorBytes, 2);
    sum.lines += pieces(kLineBytes);
    sum.wavefronts += ofBanks(addresses, elementBytes);
  }

  /// A whole warp at a time takes words of 4 bytes, half a warp words of 8, a quarter words of 16;
  /// each takes as many wavefronts as different words of 4 bytes are asked of one of 32 banks.
  static uint64_t ofBanks(const Addresses &addresses, unsigned elementBytes) {
    const unsigned laneBytes = elementBytes * addresses.size() / lanesOf(addresses);
    std::map<unsigned, std::map<int64_t, std::set<int64_t>>> words; // by group, by bank
    for (const auto &[lane, first] : addresses)
      for (int64_t byte = first; byte < first + elementBytes; byte += 4)
        words[lane / (128 / laneBytes)][euclideanRemainder(byte, 128) / 4].insert(
            euclideanQuotient(byte, 4));
    uint64_t wavefronts = 0;
    for (const auto &[group, banks] : words) {
      size_t most = 0;
      for (const auto &[bank, asked] : banks)
        most = std::max(most, asked.size());
      wavefronts += most;
    }
    return wavefronts;
  }

  void addShared(const Stream &stream, const Addresses &addresses) {
    SharedCounts &sum = launches.back().shared;
    ++sum.requests;
    sum.wavefronts += ofBanks(addresses, sizeInBytes(kernel().tiles[stream.number].type));
  }

  /// In bytes, counted from the start of a line.
  int64_t addressOf(unsigned number, size_t element) const {
    const Buffer &buffer = program.buffers[number];
    int64_t address = layouts[number].origin;
    for (size_t position = buffer.axes.size(); position-- > 0;) {
      const unsigned axis = buffer.axes[position];
      const size_t length = buffer.ghost[axis][Low] + extents[axis] + buffer.ghost[axis][High];
      address +=
          (int64_t(element % length) - buffer.ghost[axis][Low]) * layouts[number].stride[position];
      element /= length;
    }
    return address * sizeInBytes(buffer.type);
  }

  const Program &program;
  const llvm::ArrayRef<int64_t> extents;
  const llvm::ArrayRef<ArrayLayout> layouts;
  const Launch *current = nullptr;
  std::vector<Requests> launches;       ///< since the last pass began
  std::map<Stream, Addresses> underway; ///< what is being made
  Stream loaded{};                      ///< last
  std::set<Stream> copied;              ///< of those under way
};

/// Of each launch that a run makes when it is under way, of its last pass: those that have blocks.
std::vector<Requests> interpretedRequests(const Program &program,
                                          const std::vector<int64_t> &extents) {
  State state = stateOf(program, extents, usualParams(program.signature, extents),
                        [](size_t) { return 0.0; });
  const std::vector<ArrayLayout> layouts = recommendedLayouts(program, extents);
  RequestObserver observer(program, extents, layouts);
  InterpretOptions options;
  options.layouts = layouts;
  options.poison = 0;
  constexpr int64_t kUnderWay = 3;
  llvm::cantFail(ProgramRun(program, state, options, &observer)
                     .run(state.extents, kUnderWay * program.plan.passes[0].steps));
  llvm::erase_if(observer.ofPass, [](const Requests &launch) { return launch.blocks == 0; });
  return std::move(observer.ofPass);
}

} // namespace

void stencilc::expectCountsOfInterpreter(const VerifiedProgram &program,
                                         const std::vector<int64_t> &extents) {
  const std::vector<Requests> made = interpretedRequests(*program, extents);
  llvm::Expected<ProgramCounts> counted = countProgram(program, extents);
  if (made.empty()) {
    EXPECT_TRUE(llvm::errorToBool(counted.takeError()));
    return;
  }
  const ProgramCounts counts = llvm::cantFail(std::move(counted));
  ASSERT_EQ(counts.launches.size(), made.size());
  for (auto [counted, launch] : llvm::zip_equal(counts.launches, made)) {
    EXPECT_EQ(counted.together.shared.requests, launch.shared.requests);
    EXPECT_EQ(counted.together.shared.wavefronts, launch.shared.wavefronts);
    EXPECT_EQ(counted.together.meetings, launch.barriers);
    EXPECT_EQ(counted.flops, launch.flops);
    EXPECT_EQ(counted.arrays.size(), launch.global.size());
    for (const ArrayCounts &array : counted.arrays) {
      SCOPED_TRACE(array.name + (array.isStore ? " stored" : " loaded"));
      const auto found = launch.global.find({array.array, array.isStore});
      ASSERT_NE(found, launch.global.end());
      const RequestCounts &own = array.launch, &other = found->second;
      EXPECT_EQ(own.accesses, other.accesses);
      EXPECT_EQ(own.elements, other.elements);
      EXPECT_EQ(own.requests, other.requests);
      EXPECT_EQ(own.sectors, other.sectors);
      EXPECT_EQ(own.lines, other.lines);
      EXPECT_EQ(own.wavefronts, other.wavefronts);
      EXPECT_EQ(own.sectorsPastL1, other.sectorsPastL1);
    }
  }
}
