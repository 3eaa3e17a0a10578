#include "costmodel/model/GeometricLaunch.h"
#include "ir/kernel/ValueTypes.h"

#include "costmodel/compiled/AddressReuse.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace stencilc;

static double norm(std::initializer_list<double> times, double p) {
  const double most = std::max(times);
  if (most == 0)
    return 0;
  double sum = 0;
  for (double time : times)
    sum += std::pow(time / most, p);
  return most * std::pow(sum, 1 / p);
}

/// Whether loads may move above the stores of earlier turns: those of arrays that are not stored
/// to. Where one cache serves all loads, a compiler makes the same code with and without the
/// promise of the read-only path; elsewhere it takes that promise.
static bool mayMoveLoads(const LaunchCounts &launch, const Caches &caches) {
  const bool takesPromise = caches.plainLoads.value != caches.readOnlyLoads.value;
  return llvm::all_of(launch.arrays, [&](const ArrayCounts &array) {
    return array.isStore || array.readOnlyPath ||
           (!takesPromise && launch.kernel->arrays[array.array].access == Access::Read);
  });
}

/// Fewer blocks than places share the SMs evenly.
static double residentBlocks(const LaunchCounts &launch, const Occupancy &occupancy,
                             const DeviceProfile &device) {
  return std::min<double>(occupancy.blocks, std::ceil(launch.blockCount / double(device.sms)));
}

GeometricLaunch::GeometricLaunch(const LaunchCounts &launch, const Occupancy &occupancy,
                                 const DeviceProfile &device)
    : launch(launch), occupancy(occupancy), device(device), constants(*device.geometric),
      warps(launch.storingWarps), resident(residentBlocks(launch, occupancy, device)) {
  traffic = geometricTraffic(launch, resident, device);
  countWaiting();
  countSpills();
  countInstructions();

  const double sm = ofSm(), memory = ofMemory();
  (*this)[Bound::L2] = traffic.l2Bytes / constants.l2Bandwidth;
  // What goes on to device memory passes the L2 in that time.
  const double l2 = std::max(0.0, traffic.l2Bytes - traffic.dramBytes()) / constants.l2Bandwidth;

  const double places = resident * double(device.sms), waves = launch.blockCount / places;
  traffic.seen.waves = launch.blockCount / (double(occupancy.blocks) * device.sms);
  const double shown =
      std::clamp((constants.tailWaves - waves) / (constants.tailWaves - 1), 0.0, 1.0);
  const double tail = 1 + shown * (std::ceil(waves) / waves - 1);
  // A march may be longer than the mean one: it makes a plane a turn.
  const double turnsOfLongest = double(std::min(launch.cover[0], launch.extent[0]));
  const double longest =
      alonePerWarp() / device.clock * (turns > 0 ? std::max(1.0, turnsOfLongest / turns) : 1);
  (*this)[Bound::Latency] = std::max((*this)[Bound::Latency], longest);
  const double work =
      std::max({tail * norm({sm, l2, memory}, constants.norm), (*this)[Bound::L2], longest});
  // No block starts before the launch before this one has ended; a kernel then enters, whose time
  // is known of a lone thread; and the last block takes its own time after it has started.
  const LaunchTiming &launching = *device.launching;
  const double dispatch = launch.blockCount / launching.blocksPerSecond;
  const double start = launching.streamStart + launching.entry;
  const double running = std::max(work, dispatch + longest);
  total = start + running;
  // Of what goes on together the longest has most to say. Blocks that start too slowly, and the
  // start of a short launch, set the time by themselves.
  bottleneck = Bound(llvm::max_element(seconds) - seconds.begin());
  if (dispatch > work)
    bottleneck = Bound::Dispatch;
  if (start > running)
    bottleneck = Bound::Launch;
  (*this)[Bound::Dispatch] = dispatch;
}

void GeometricLaunch::countWaiting() {
  CodeReader code(device.codeTable());
  for (const StatementCounts &counts : launch.statements)
    if (const For *loop = loopOf(*counts.statement); loop && loop->steady && counts.turns > 0) {
      turns = counts.turns / warps;
      const double unrolled = mayMoveLoads(launch, device.caches)
                                  ? std::min<double>(unrolledTurns(*loop, code), turns)
                                  : 1;
      together = 1 + occupancy.freedom * (unrolled - 1);
    }
}

/// Registers that do not fit go through the SM's storage and back, once a turn.
void GeometricLaunch::countSpills() {
  constexpr double registerBytes = 4;
  spills = 2.0 * occupancy.spilledRegisters * warps * std::max(1.0, turns);
  traffic.smxBytes += spills * registerBytes * device.threadsPerWarp;
}

void GeometricLaunch::countInstructions() {
  const InstructionEstimate estimate(*launch.kernel, device.codeTable());
  instructions.add(estimate.entry(), double(launch.blockCount) * launch.warps);
  for (const StatementCounts &counts : launch.statements) {
    instructions.add(estimate.once(*counts.statement), counts.warps);
    if (counts.turns > 0)
      instructions.add(estimate.turn(*counts.statement), counts.turns);
  }
  instructions[Pipe::LoadStore] += spills;
  traffic.seen.instructionsPerPoint = instructions.all() * device.threadsPerWarp / launch.points;
}

/// Clocks that a warp waits for by itself: its instructions one after another, and each phase of
/// loads, of which device memory's are accounted for by what is on its way.
double GeometricLaunch::alonePerWarp() const {
  const double phases = turns > 0 ? turns / together : 1;
  return constants.dependentClocks * instructions.all() / warps + phases * constants.l2Latency;
}

double GeometricLaunch::ofSm() {
  double requests = spills, wavefronts = spills;
  for (const ArrayCounts &array : launch.arrays) {
    requests += array.launch.requests;
    wavefronts += array.launch.wavefronts;
  }
  const auto storage = [&](double requests, double wavefronts) {
    return requests * constants.requestClocks + wavefronts * constants.wavefrontClocks;
  };
  const auto pipe = [&](Pipe pipe, double lanesPerClock) {
    return instructions[pipe] * device.threadsPerWarp / lanesPerClock;
  };
  const double smx = perSm(storage(requests, wavefronts)),
               shared = perSm(
                   storage(launch.together.shared.requests, launch.together.shared.wavefronts));
  const double issue = perSm(std::max({instructions.all() / constants.issueRate,
                                       pipe(Pipe::Integer, constants.integerRate),
                                       pipe(Pipe::MultiplyAdd, constants.multiplyAddRate),
                                       pipe(Pipe::Special, constants.specialRate)}));
  const double flops =
      perSm(std::max(pipe(Pipe::Fp32, constants.fp32Rate), pipe(Pipe::Fp64, constants.fp64Rate)));

  // Blocks take turns at waiting where they have barriers, else warps.
  const bool hasBarriers = launch.barriers() > 0;
  const double side = hasBarriers ? resident : resident * warps / launch.blockCount;
  const double barriers =
      perSm(launch.barriers() * (constants.barrierLatency + constants.l1Latency));
  const double latency = perSm(alonePerWarp() * (hasBarriers ? launch.blockCount : warps));
  const double busy = norm({issue, smx + shared, flops}, constants.norm);

  (*this)[Bound::Smx] = smx;
  (*this)[Bound::Shared] = shared;
  (*this)[Bound::Issue] = issue;
  (*this)[Bound::Flops] = flops;
  (*this)[Bound::Barrier] = barriers / side;
  (*this)[Bound::Latency] = (latency + barriers) / side;
  return norm({busy, (busy + latency + barriers) / side}, constants.waitNorm);
}

double GeometricLaunch::ofMemory() {
  // Points of one turn of all the threads of a block, on average.
  const double pointsOfTurn = launch.points / (launch.blockCount * std::max(1.0, turns));
  const double mostTurns = device.codeTable()[CodeNumber::MostTurns];
  const double overlapping = 1 + (constants.overlappedTurns - 1) * (together - 1) / (mostTurns - 1);
  double &inFlight = traffic.seen.inFlightBytes;
  inFlight = resident * pointsOfTurn * overlapping * traffic.coldBytes / launch.points;
  const double filled = inFlight / constants.dramInFlightBytes;
  // Blocks that march long are at planes far apart, and device memory serves them less well.
  const double marching = 1 + constants.marchLoss * std::log2(std::max(1.0, turns));
  const double atBest = marching * traffic.dramBytes() / constants.dramBandwidth;
  (*this)[Bound::Dram] = atBest;
  // With little on its way the rate is what is on its way by the time it takes.
  double &latency = (*this)[Bound::Latency];
  latency = std::max(latency, atBest / filled);
  return atBest / (1 - std::exp(-filled));
}
