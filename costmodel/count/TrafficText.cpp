#include "costmodel/count/TrafficText.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/ranges.h>
#include <numeric>

using namespace stencilc;

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

static void print(llvm::raw_ostream &out, const WarpCounts &together) {
  if (together.shared.requests > 0)
    out << fmt::format("  shared: {} requests, {} wavefronts\n", together.shared.requests,
                       together.shared.wavefronts);
  if (together.meetings > 0)
    out << fmt::format("  barriers: {}, {} arrivals of warps\n", together.meetings,
                       together.arrivals);
  if (together.shuffles > 0)
    out << fmt::format("  shuffles: {} of warps\n", together.shuffles);
}

/// Elements of accesses, where these are vectors.
static std::string elementsOf(const RequestCounts &requests, unsigned threads) {
  return requests.elements == requests.accesses
             ? ""
             : fmt::format(" of {} elements", perThread(requests.elements, threads));
}

static void print(llvm::raw_ostream &out, const LaunchCounts &launch) {
  uint64_t points = 1; // of an interior block
  for (int64_t ofAxis : launch.cover)
    points *= ofAxis;
  out << fmt::format("kernel {}: a block of {} threads, {} warps, updates {} points, {} a "
                     "thread\n",
                     launch.kernel->name, fmt::join(launch.kernel->block, "x"), launch.warps,
                     points, perThread(points, launch.threads));
  for (bool isStore : {false, true}) {
    const llvm::StringRef kind = isStore ? "store" : "load";
    uint64_t aligned = 0, misaligned = 0;
    for (const ArrayCounts &array : launch.arrays) {
      if (array.isStore != isStore)
        continue;
      aligned += array.aligned;
      misaligned += array.misaligned;
      std::vector<std::string> requests;
      for (auto [sectors, count] : array.requestsBySectors)
        requests.push_back(fmt::format("{} of {}", count, sectors));
      out << fmt::format(
          "  {} {}: {}{}; {} requests, {} sectors ({}); {} distinct sectors in {} "
          "lines\n",
          kind.str(), array.name, alignment(array.aligned, array.misaligned, launch.threads),
          elementsOf(array.interior, launch.threads), array.interior.requests,
          array.interior.sectors, fmt::join(requests, ", "), array.blockSectors, array.blockLines);
    }
    out << fmt::format("  {}s: {}\n", kind.str(), alignment(aligned, misaligned, launch.threads));
  }
  print(out, launch.interior);
}

void stencilc::printTraffic(llvm::raw_ostream &out, const ProgramCounts &counts) {
  out << fmt::format("traffic of an interior block, counted: schedule {}\n",
                     toString(counts.schedule));
  out << "phase: the first updated point of a row starts a 128-byte line; a sector has 32 bytes\n";
  for (const LaunchCounts &launch : counts.launches)
    ::print(out, launch);
}
