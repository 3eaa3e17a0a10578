// What whole launches ask of global and shared memory, and how often their blocks wait, as
// countProgram says, against what the interpreter does in every block, on arrays that lie as the
// emitted layout function recommends.
//
// The interpreter and this test share no code with the walker or the counter: an access is an
// element of a Grid here, and an address follows from its index.
#include "codegen/lower/Lower.h"
#include "costmodel/count/Counts.h"
#include "ir/run/ProgramRun.h"
#include "ir/verify/KernelVerifier.h"
#include "ir/walk/WalkLaunch.h"
#include "ir/walk/WalkRequest.h"
#include "test/Examples.h"
#include "test/Schedules.h"
#include "test/ir/KernelPrograms.h"
#include "test/ir/StencilSource.h"
#include "test/mutation/Subject.h"

#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

using namespace stencilc;

namespace {

/// What one launch asks for.
struct Requests {
  /// By number in Kernel::arrays, and whether it is stored to.
  std::map<std::pair<unsigned, bool>, RequestCounts> global;
  SharedCounts shared;
  uint64_t barriers = 0;
};

/// Adds up the requests of every launch. The threads of a warp that make one access together make
/// one request.
class RequestObserver final : public AccessObserver {
public:
  RequestObserver(const Program &program, llvm::ArrayRef<int64_t> extents,
                  llvm::ArrayRef<ArrayLayout> layouts)
      : program(program), extents(extents), layouts(layouts) {}

  void beginPass(const Pass &) override { launches.clear(); }
  void endPass(const Pass &) override { finish(); }

  void beginLaunch(const Launch &launch) override {
    finish();
    current = &launch;
    launches.emplace_back();
  }
  void beginBlock() override { finish(); }
  void barrier(unsigned, unsigned) override {
    finish();
    ++launches.back().barriers;
  }
  void beginAccess() override { finish(); }
  void loadGlobal(unsigned argument, size_t element, unsigned thread) override {
    access({argument, false, false}, thread, addressOf(current->buffers[argument], element));
  }
  void storeGlobal(unsigned argument, size_t element, unsigned thread) override {
    access({argument, true, false}, thread, addressOf(current->buffers[argument], element));
  }
  void loadShared(unsigned tile, size_t element, unsigned thread) override {
    access({tile, false, true}, thread, element * sizeInBytes(kernel().tiles[tile].type));
  }
  void storeShared(unsigned tile, size_t element, unsigned thread) override {
    access({tile, true, true}, thread, element * sizeInBytes(kernel().tiles[tile].type));
  }

  /// Ends the request that is being made.
  void finish() {
    if (addresses.empty())
      return;
    if (stream.isShared)
      addShared();
    else
      addGlobal();
    addresses.clear();
  }

  std::vector<Requests> launches;

private:
  struct Stream {
    unsigned number; ///< of the argument, or of the tile
    bool isStore, isShared;
    bool operator==(const Stream &) const = default;
  };
  /// One lane's part of a request: its first byte.
  struct LaneAddress {
    unsigned lane;
    int64_t byte;
  };

  const Kernel &kernel() const { return program.kernels[current->kernel]; }

  void access(const Stream &accessed, unsigned thread, int64_t byte) {
    // The threads of one access come in ascending order.
    const unsigned lane = thread % kWarpLanes;
    if (thread / kWarpLanes != warp || accessed != stream ||
        (!addresses.empty() && lane <= addresses.back().lane))
      finish();
    warp = thread / kWarpLanes;
    stream = accessed;
    addresses.push_back({lane, byte});
  }

  void addGlobal() {
    const auto pieces = [&](unsigned bytes) {
      std::set<int64_t> touched;
      for (const LaneAddress &address : addresses)
        touched.insert(euclideanQuotient(address.byte, bytes));
      return touched.size();
    };
    RequestCounts &sum = launches.back().global[{stream.number, stream.isStore}];
    sum.accesses += addresses.size();
    sum.requests += 1;
    sum.sectors += pieces(kSectorBytes);
    sum.lines += pieces(kLineBytes);
    const unsigned elementBytes = sizeInBytes(kernel().arrays[stream.number].type);
    sum.wavefronts += llvm::divideCeil(addresses.size() * elementBytes, kLineBytes);
  }

  /// Half a warp at a time takes words of 8 bytes, a whole one words of 4; each takes as many
  /// wavefronts as different words of 4 bytes are asked of one of 32 banks.
  void addShared() {
    const unsigned elementBytes = sizeInBytes(kernel().tiles[stream.number].type);
    std::map<unsigned, std::map<int64_t, std::set<int64_t>>> words; // by group, by bank
    for (const LaneAddress &address : addresses)
      for (int64_t byte = address.byte; byte < address.byte + elementBytes; byte += 4)
        words[address.lane / (128 / elementBytes)][byte / 4 % 32].insert(byte / 4);
    SharedCounts &sum = launches.back().shared;
    ++sum.requests;
    for (const auto &[group, banks] : words) {
      size_t most = 0;
      for (const auto &[bank, asked] : banks)
        most = std::max(most, asked.size());
      sum.wavefronts += most;
    }
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
  Stream stream = {}; ///< of the request being made
  unsigned warp = 0;
  std::vector<LaneAddress> addresses;
};

/// The interpreter's arrays are dense, so their phase must be chosen such that blocks start where
/// they do on recommended layouts: the first updated point starts a line there.
int phaseFor(const Program &program, llvm::ArrayRef<int64_t> extents) {
  const Launch &launch = firstLaunch(program);
  if (!launch.cover.alignTo)
    return 0;
  const ArrayArgument &array = program.kernels[launch.kernel].arrays[*launch.cover.alignTo];
  int64_t first = 0;
  for (unsigned axis : array.axes)
    first = first * (array.ghost[axis][Low] + extents[axis] + array.ghost[axis][High]) +
            onExtents(launch.cover.begin[axis], extents);
  return euclideanRemainder(-first, kLineBytes / sizeInBytes(array.type));
}

/// Of each launch that a run makes when it is under way: of its last pass.
std::vector<Requests> interpretedRequests(const Program &program,
                                          const std::vector<int64_t> &extents) {
  State state = stateOf(program, extents, std::vector<double>(program.signature.params.size()),
                        [](size_t) { return 0.0; });
  const std::vector<ArrayLayout> layouts = recommendedLayouts(program, extents);
  RequestObserver observer(program, extents, layouts);
  InterpretOptions options;
  options.phase = phaseFor(program, extents);
  options.poison = 0;
  constexpr int64_t kUnderWay = 3;
  llvm::cantFail(
      ProgramRun(program, state, options, &observer).run(kUnderWay * program.plan.passes[0].steps));
  return std::move(observer.launches);
}

/// Schedules that cut rows, warps and chunks.
std::vector<Schedule> schedulesOf(const Variant &variant, const Stencil &stencil) {
  return legalSchedules(variant, stencil, {{32, 4, 1}, {33, 2, 1}, {5, 3, 2}, {64, 1, 1}},
                        {1, 2, 5});
}

std::vector<std::vector<int64_t>> smallGrids(unsigned rank) {
  if (rank == 1)
    return {{37}, {400}};
  if (rank == 2)
    return {{9, 21}, {13, 70}};
  return {{9, 10, 13}, {12, 7, 43}};
}

void testProgram(const VerifiedProgram &program, const std::vector<int64_t> &extents) {
  const ProgramCounts counts = llvm::cantFail(countProgram(program, extents));
  const std::vector<Requests> made = interpretedRequests(*program, extents);
  ASSERT_EQ(counts.launches.size(), made.size());
  for (auto [counted, launch] : llvm::zip_equal(counts.launches, made)) {
    EXPECT_EQ(counted.shared.requests, launch.shared.requests);
    EXPECT_EQ(counted.shared.wavefronts, launch.shared.wavefronts);
    EXPECT_EQ(counted.barriers, launch.barriers);
    EXPECT_EQ(counted.arrays.size(), launch.global.size());
    for (const ArrayCounts &array : counted.arrays) {
      SCOPED_TRACE(array.name + (array.isStore ? " stored" : " loaded"));
      const auto found = launch.global.find({array.array, array.isStore});
      ASSERT_NE(found, launch.global.end());
      const RequestCounts &own = array.launch, &other = found->second;
      EXPECT_EQ(own.accesses, other.accesses);
      EXPECT_EQ(own.requests, other.requests);
      EXPECT_EQ(own.sectors, other.sectors);
      EXPECT_EQ(own.lines, other.lines);
      EXPECT_EQ(own.wavefronts, other.wavefronts);
    }
  }
}

} // namespace

TEST(CountedRequests, AreThoseThatTheInterpreterMakes) {
  for (const std::string &name : exampleNames())
    for (ScalarType real : {ScalarType::F32, ScalarType::F64}) {
      const Stencil stencil = example(name, real);
      for (const Variant *variant : variantsFor(stencil))
        for (const Schedule &schedule : schedulesOf(*variant, stencil)) {
          const VerifiedProgram program = llvm::cantFail(lower(stencil, schedule));
          if (program->target != Target::Device)
            continue;
          for (const std::vector<int64_t> &extents : smallGrids(stencil.rank())) {
            SCOPED_TRACE(name + " " + spelling(real).str() + " " + toString(program->schedule) +
                         " on " + testing::PrintToString(extents));
            testProgram(program, extents);
          }
        }
    }
}

TEST(CountedRequests, AreThoseThatTheInterpreterMakesOfSharedMemory) {
  for (const char *real : {"f32", "f64"}) {
    SCOPED_TRACE(real);
    const Stencil stencil =
        stencilOf(fmt::format("stencil tiled(y, x) {{ field {} u; boundary u: fixed;"
                              "  u' = u[x-1] + 2*u[y+1] + u[x+1, y-1]; }}",
                              real));
    const Variant &tiled = mutation::tiledVariant;
    const VerifiedProgram program = llvm::cantFail(
        KernelVerifier::verify(tiled.lower(stencil, tiled.defaultSchedule(stencil))));
    for (const std::vector<int64_t> &extents : smallGrids(2)) {
      SCOPED_TRACE(testing::PrintToString(extents));
      testProgram(program, extents);
    }
  }
}
