#include "costmodel/count/Traffic.h"

#include "costmodel/count/BlockCounter.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>
#include <numeric>

using namespace stencilc;

/// Extents that put the middle block further from every end than an access may reach.
static constexpr int64_t kRoomyExtent = 32768;

uint64_t AccessTraffic::requests() const {
  uint64_t sum = 0;
  for (auto [sectors, count] : requestsBySectors)
    sum += count;
  return sum;
}

uint64_t AccessTraffic::sectors() const {
  uint64_t sum = 0;
  for (auto [sectors, count] : requestsBySectors)
    sum += sectors * count;
  return sum;
}

// ---- counting ---------------------------------------------------------------------------------

namespace {

/// Adds up the requests of one block that access one argument in one way.
class AccessCounter {
public:
  AccessCounter(const Kernel &kernel, unsigned array, bool isStore)
      : kernel(kernel), elementBytes(sizeInBytes(kernel.arrays[array].type)) {
    counted.array = array;
    counted.isStore = isStore;
    counted.name = kernel.arrays[array].name;
  }

  /// `start`: points between the first block of a row and this one.
  void count(const WarpRequest &request, int64_t start) {
    for (const LaneRun &run : request.runs)
      (isAligned(request, run, kernel, start) ? counted.aligned : counted.misaligned) += run.count;
    ofRequest.clear();
    appendPieces(request, elementBytes, kSectorBytes, ofRequest);
    mergePieces(ofRequest);
    ++counted.requestsBySectors[countPieces(ofRequest)];
    ofBlock.append(ofRequest);
  }

  bool isEmpty() const { return counted.requestsBySectors.empty(); }

  AccessTraffic finish() {
    mergePieces(ofBlock);
    counted.distinctSectors = countPieces(ofBlock);
    constexpr unsigned sectorsPerLine = kLineBytes / kSectorBytes;
    for (PieceRange &range : ofBlock)
      range = {euclideanQuotient(range.first, sectorsPerLine),
               euclideanQuotient(range.last, sectorsPerLine)};
    mergePieces(ofBlock);
    counted.distinctLines = countPieces(ofBlock);
    return std::move(counted);
  }

private:
  const Kernel &kernel;
  const unsigned elementBytes;
  AccessTraffic counted;
  llvm::SmallVector<PieceRange, kWarpLanes> ofRequest;
  llvm::SmallVector<PieceRange, 0> ofBlock; ///< sectors
};

} // namespace

static LaunchTraffic countLaunch(const Launch &launch, const PlacedLaunch &placed) {
  const Kernel &kernel = *placed.kernel;
  LaunchTraffic traffic;
  traffic.kernel = kernel.name;
  traffic.shape = kernel.block;
  traffic.threads = kernel.threads();
  traffic.warps = BlockThreads(kernel.block).warps;
  traffic.points = 1;
  for (unsigned axis = 0; axis < kernel.rank(); ++axis)
    traffic.points *= launch.cover[axis];
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    traffic.block[dimension] = placed.blocks[dimension] / 2;

  std::vector<AccessCounter> loads, stores;
  for (unsigned array = 0; array < kernel.arrays.size(); ++array) {
    loads.emplace_back(kernel, array, false);
    stores.emplace_back(kernel, array, true);
  }
  const int64_t start = traffic.block[0] * launch.cover[kernel.rank() - 1];
  KernelWalk(placed).walk(traffic.block, [&](const WarpRequest &request) {
    (request.isStore ? stores : loads)[request.array].count(request, start);
  });
  for (auto &counters : {std::ref(loads), std::ref(stores)})
    for (AccessCounter &counter : counters.get())
      if (!counter.isEmpty())
        traffic.accesses.push_back(counter.finish());
  return traffic;
}

llvm::Expected<Traffic> stencilc::countTraffic(const VerifiedProgram &program,
                                               llvm::ArrayRef<int64_t> extents) {
  if (program->target != Target::Device)
    return llvm::createStringError("traffic is counted for kernels of a GPU; this schedule runs "
                                   "on the CPU");
  Traffic traffic;
  traffic.schedule = program->schedule;
  traffic.axes = program->signature.axes;
  traffic.extents = extents.vec();
  if (extents.empty())
    traffic.extents.assign(program->signature.rank(), kRoomyExtent);
  const std::vector<ArrayLayout> layouts = recommendedLayouts(*program, traffic.extents);
  for (const Launch &launch : program->launches) {
    const PlacedLaunch placed = place(*program, launch, traffic.extents, layouts);
    if (launch.when == LaunchWhen::EveryStep && placed.blocks[0] > 0)
      traffic.launches.push_back(countLaunch(launch, placed));
  }
  return traffic;
}

// ---- text -------------------------------------------------------------------------------------

/// A count shared by all threads, as an integer or an exact fraction.
static std::string perThread(uint64_t count, unsigned threads) {
  const uint64_t common = std::gcd(count, uint64_t(threads));
  return common == threads ? std::to_string(count / threads)
                           : fmt::format("{}/{}", count / common, threads / common);
}

static std::string alignment(uint64_t aligned, uint64_t misaligned, unsigned threads) {
  return fmt::format("{} aligned, {} misaligned a thread", perThread(aligned, threads),
                     perThread(misaligned, threads));
}

static void print(llvm::raw_ostream &out, const LaunchTraffic &launch) {
  out << fmt::format("kernel {}: block ({}) of {} threads, {} warps, updates {} points, {} a "
                     "thread\n",
                     launch.kernel, fmt::join(launch.block, ", "), fmt::join(launch.shape, "x"),
                     launch.warps, launch.points, perThread(launch.points, launch.threads));
  for (bool isStore : {false, true}) {
    const llvm::StringRef kind = isStore ? "store" : "load";
    uint64_t aligned = 0, misaligned = 0;
    for (const AccessTraffic &access : launch.accesses) {
      if (access.isStore != isStore)
        continue;
      aligned += access.aligned;
      misaligned += access.misaligned;
      std::vector<std::string> requests;
      for (auto [sectors, count] : access.requestsBySectors)
        requests.push_back(fmt::format("{} of {}", count, sectors));
      out << fmt::format("  {} {}: {}; {} requests, {} sectors ({}); {} distinct sectors in {} "
                         "lines\n",
                         kind.str(), access.name,
                         alignment(access.aligned, access.misaligned, launch.threads),
                         access.requests(), access.sectors(), fmt::join(requests, ", "),
                         access.distinctSectors, access.distinctLines);
    }
    out << fmt::format("  {}s: {}\n", kind.str(), alignment(aligned, misaligned, launch.threads));
  }
}

void stencilc::print(llvm::raw_ostream &out, const Traffic &traffic) {
  std::vector<std::string> sizes;
  for (auto [axis, extent] : llvm::zip_equal(traffic.axes, traffic.extents))
    sizes.push_back(fmt::format("{}={}", axis, extent));
  out << fmt::format("traffic of an interior block, counted: schedule {}, grid {}\n",
                     traffic.schedule, fmt::join(sizes, ","));
  out << "phase: the first updated point of a row starts a 128-byte line; a sector has 32 bytes\n";
  for (const LaunchTraffic &launch : traffic.launches)
    ::print(out, launch);
}
