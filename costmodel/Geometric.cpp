// The geometric model: footprints give the bytes of each level, the kernel its instructions; each
// resource has a time, and a p-norm composes them.
#include "costmodel/GeometricTraffic.h"
#include "costmodel/Instructions.h"
#include "costmodel/Pointers.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace stencilc;

/// Bytes of a wavefront (costmodel/Counts.h).
static constexpr double kWavefrontBytes = 128;
/// Turns of a short loop that the compiler makes one (costmodel/Pointers.h).
static constexpr double kMostUnrolled = 4;
/// Clocks until an instruction's result is there, times the share of instructions that wait for the
/// one before.
static constexpr double kDependentClocks = 4 * 0.5;
/// How sharply a lone block's waiting and the SM's throughput take turns in being the longer.
static constexpr double kWaitNorm = 5;
/// Beyond so many waves the last one is hidden by the others.
static constexpr double kTailWaves = 4;

static double norm(std::initializer_list<double> times, double p) {
  const double most = std::max(times);
  if (most == 0)
    return 0;
  double sum = 0;
  for (double time : times)
    sum += std::pow(time / most, p);
  return most * std::pow(sum, 1 / p);
}

namespace {

/// How the warps of a kernel wait for memory.
struct Waiting {
  double turns = 0;    ///< of the longest loop, per warp that stores; 0: no loop
  double together = 1; ///< turns whose loads are issued before the first is used
  double phases() const { return turns > 0 ? turns / together : 1; }
};

} // namespace

/// Whether turns of a loop can overlap: no barrier, no loop inside, and all loads on the read-only
/// path, so that they may move above the stores of earlier turns.
static bool mayOverlap(const For &loop, const LaunchCounts &launch) {
  if (loop.kind != LoopKind::Serial)
    return false;
  const bool hasBarrier = llvm::any_of(loop.body, [](const Statement &statement) {
    return std::holds_alternative<Barrier>(statement.node) ||
           std::holds_alternative<For>(statement.node);
  });
  return !hasBarrier && llvm::all_of(launch.arrays, [](const ArrayCounts &array) {
    return array.isStore || array.readOnlyPath;
  });
}

static Waiting waitingOf(const LaunchCounts &launch) {
  Waiting waiting;
  const double warps = launch.storingWarps;
  for (const StatementCounts &counts : launch.statements)
    if (auto *loop = std::get_if<For>(&counts.statement->node);
        loop && loop->kind == LoopKind::Serial && counts.turns / warps > waiting.turns) {
      waiting.turns = counts.turns / warps;
      waiting.together =
          mayOverlap(*loop, launch) ? std::min<double>(unrolledTurns(*loop), waiting.turns) : 1;
    }
  return waiting;
}

static InstructionMix instructionsOf(const LaunchCounts &launch) {
  const InstructionEstimate estimate(*launch.kernel);
  InstructionMix sum;
  sum.add(estimate.entry(), double(launch.blockCount) * launch.warps);
  for (const StatementCounts &counts : launch.statements) {
    sum.add(estimate.once(*counts.statement), counts.warps);
    if (counts.turns > 0)
      sum.add(estimate.turn(*counts.statement), counts.turns);
  }
  return sum;
}

namespace {

/// One launch on one device.
struct LaunchTime {
  GeometricTraffic traffic;
  Occupancy occupancy;
  std::array<double, kBounds> seconds = {};
  double total = 0;

  double &operator[](Bound bound) { return seconds[unsigned(bound)]; }
};

} // namespace

static LaunchTime timeOf(const LaunchCounts &launch, const Occupancy &occupancy,
                         const DeviceProfile &device) {
  const GeometricConstants &constants = *device.geometric;
  const double sms = device.sms, clock = device.clock;
  const double warps = launch.storingWarps;
  // Fewer blocks than places share the SMs evenly.
  const double resident = std::min<double>(occupancy.blocks, std::ceil(launch.blockCount / sms));
  const double waves = launch.blockCount / (resident * sms);

  LaunchTime time;
  time.occupancy = occupancy;
  time.traffic = geometricTraffic(launch, resident, device);
  GeometricQuantities &seen = time.traffic.seen;
  seen.waves = launch.blockCount / (double(occupancy.blocks) * sms);

  // Registers that do not fit go through the SM's storage and back, once a turn.
  const Waiting waiting = waitingOf(launch);
  const double spills = 2.0 * occupancy.spilledRegisters * warps * std::max(1.0, waiting.turns);
  const double warpBytes = 4.0 * device.threadsPerWarp;
  time.traffic.smxBytes += spills * warpBytes;

  // The SM: clocks over all SMs of the device.
  double requests = spills, wavefronts = spills;
  for (const ArrayCounts &array : launch.arrays) {
    requests += array.launch.requests;
    wavefronts += array.launch.wavefronts;
  }
  const auto storage = [&](double requests, double wavefronts) {
    return requests * constants.requestClocks + wavefronts * constants.wavefrontClocks;
  };
  const double smxClocks = storage(requests, wavefronts),
               sharedClocks = storage(launch.shared.requests, launch.shared.wavefronts);
  InstructionMix mix = instructionsOf(launch);
  mix[Pipe::LoadStore] += spills;
  const double lanes = device.threadsPerWarp;
  const double issueClocks =
      std::max({mix.all() / constants.issueRate, mix[Pipe::Integer] * lanes / constants.integerRate,
                mix[Pipe::MultiplyAdd] * lanes / constants.multiplyAddRate,
                mix[Pipe::Special] * lanes / constants.specialRate});
  const double flopClocks = std::max(mix[Pipe::Fp32] * lanes / constants.fp32Rate,
                                     mix[Pipe::Fp64] * lanes / constants.fp64Rate);
  seen.instructionsPerPoint = mix.all() * lanes / launch.points;

  // What one block (between barriers) or one warp (without) waits for by itself.
  const double chain = kDependentClocks * mix.all() / warps;
  const double waits = waiting.phases() * constants.l2Latency;
  const bool hasBarriers = launch.barriers > 0;
  const double barrierClocks = launch.barriers * (constants.barrierLatency + constants.l1Latency);
  const double latencyClocks = (chain + waits) * (hasBarriers ? launch.blockCount : warps);
  const double side = hasBarriers ? resident : resident * warps / launch.blockCount;

  const double perSm = 1 / (sms * clock);
  time[Bound::Smx] = smxClocks * perSm;
  time[Bound::Shared] = sharedClocks * perSm;
  time[Bound::Issue] = issueClocks * perSm;
  time[Bound::Flops] = flopClocks * perSm;
  time[Bound::Barrier] = barrierClocks / side * perSm;
  const double busy =
      norm({issueClocks, smxClocks + sharedClocks, flopClocks}, constants.norm) * perSm;
  const double alone = (latencyClocks + barrierClocks) * perSm;
  const double ofSm = norm({busy, (busy + alone) / side}, kWaitNorm);

  time[Bound::L2] = time.traffic.l2Bytes / constants.l2Bandwidth;
  // What goes on to device memory passes the L2 in that time.
  const double dramBytes = time.traffic.dramBytes();
  const double ofL2 = std::max(0.0, time.traffic.l2Bytes - dramBytes) / constants.l2Bandwidth;

  // Device memory: its bandwidth is reached only with enough on its way. Points of one turn of all
  // the threads of a block, on average.
  const double pointsOfTurn = launch.points / (launch.blockCount * std::max(1.0, waiting.turns));
  const double turns =
      1 + (constants.overlappedTurns - 1) * (waiting.together - 1) / (kMostUnrolled - 1);
  seen.inFlightBytes = resident * pointsOfTurn * turns * time.traffic.coldBytes / launch.points;
  const double filled = seen.inFlightBytes / constants.dramInFlightBytes;
  time[Bound::Dram] = dramBytes / constants.dramBandwidth;
  const double ofDram = time[Bound::Dram] / (1 - std::exp(-filled));
  // With little on its way the rate is what is on its way by the time it takes.
  time[Bound::Latency] = std::max(time[Bound::Dram] / filled, alone / side);

  const double hidden = std::clamp((kTailWaves - waves) / (kTailWaves - 1), 0.0, 1.0);
  const double tail = 1 + hidden * (std::ceil(waves) / waves - 1);
  time[Bound::Dispatch] = launch.blockCount / device.launching->blocksPerSecond;
  // No launch ends before its longest march.
  const double turnsOfLongest = std::min<double>(launch.pointsPerThread(), launch.extent[0]);
  const double longest = (chain + waits) / clock *
                         (waiting.turns > 0 ? std::max(1.0, turnsOfLongest / waiting.turns) : 1);
  time.total = std::max({tail * norm({ofDram, ofL2, ofSm}, constants.norm), time[Bound::L2],
                         time[Bound::Dispatch], longest}) +
               device.launching->graphInterval;
  time[Bound::Launch] = device.launching->hostInterval;
  return time;
}

llvm::Expected<Prediction> stencilc::predictGeometric(const ProgramCounts &counts,
                                                      const DeviceProfile &device,
                                                      const PredictOptions &options) {
  if (!device.geometric)
    return missingSection(device, spelling(Model::Geometric), "geometric");
  if (!device.launching)
    return missingSection(device, spelling(Model::Geometric), "launching");

  Prediction prediction;
  prediction.model = spelling(Model::Geometric);
  prediction.schedule = counts.schedule;
  double longest = 0;
  for (const LaunchCounts &launch : counts.launches) {
    llvm::Expected<Occupancy> occupancy = occupancyOf(launch, device, options);
    if (!occupancy)
      return occupancy.takeError();
    LaunchTime time = timeOf(launch, *occupancy, device);
    prediction.bytes.smx += time.traffic.smxBytes;
    prediction.bytes.l2 += time.traffic.l2Bytes;
    prediction.bytes.dram += time.traffic.dramBytes();
    for (auto [sum, seconds] : llvm::zip_equal(prediction.seconds, time.seconds))
      sum += seconds / counts.steps;
    prediction.total += time.total;
    if (time.total > longest) {
      longest = time.total;
      prediction.occupancy = *occupancy;
      prediction.geometric = time.traffic.seen;
    }
  }
  for (double *bytes : {&prediction.bytes.smx, &prediction.bytes.l2, &prediction.bytes.dram})
    *bytes /= counts.steps;
  // Launches of one stream follow each other no faster than the host issues them.
  prediction.total = std::max(prediction.total / counts.steps, prediction[Bound::Launch]);
  prediction.bottleneck = Bound(llvm::max_element(prediction.seconds) - prediction.seconds.begin());

  const GeometricConstants &constants = *device.geometric;
  const double least =
      double(counts.compulsoryReadBytes + counts.compulsoryWriteBytes) / counts.steps;
  const double smxBandwidth =
      kWavefrontBytes / constants.wavefrontClocks * double(device.sms) * device.clock;
  prediction.levels = {{
      {"SM", prediction.bytes.smx, 0, smxBandwidth, prediction[Bound::Smx]},
      {"L2", prediction.bytes.l2, least, constants.l2Bandwidth, prediction[Bound::L2]},
      {"device memory", prediction.bytes.dram, least, constants.dramBandwidth,
       prediction[Bound::Dram]},
  }};
  return prediction;
}
