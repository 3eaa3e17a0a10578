#include "costmodel/model/GeometricLaunch.h"
#include "ir/kernel/ValueTypes.h"

#include "costmodel/compiled/AddressReuse.h"
#include "costmodel/compiled/Stores.h"

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
/// to. A compiler makes the same code with and without the promise of the read-only path where one
/// cache serves all loads, unless a kernel waits for the one before, as it does from compute
/// capability 9.0 on: whatever that one stores is only there to be loaded afterwards.
static bool mayMoveLoads(const LaunchCounts &launch, const DeviceProfile &device) {
  const Caches &caches = device.caches;
  const bool takesPromise =
      device.computeCapability.value >= 9 || caches.plainLoads.value != caches.readOnlyLoads.value;
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

/// Whether there are copies under way for which no warp holds registers.
static bool copies(const LaunchCounts &launch) {
  return llvm::any_of(launch.statements,
                      [](const StatementCounts &counts) { return startsCopy(*counts.statement); });
}

/// Whether warps branch in a march's turn, so that no load of the next one moves up.
static bool branches(const Body &body) {
  return llvm::any_of(body, [](const Statement &statement) {
    return std::visit(llvm::makeVisitor([](const If &node) { return !node.otherwise.empty(); },
                                        [](const auto &) { return false; }),
                      statement.node);
  });
}

/// Of a march all that make its turns; elsewhere those that store.
static double workingWarps(const LaunchCounts &launch) {
  uint64_t most = launch.storingWarps;
  for (const StatementCounts &counts : launch.statements)
    if (const For *loop = loopOf(*counts.statement); loop && loop->steady)
      most = std::max(most, counts.warps);
  return double(most);
}

GeometricLaunch::GeometricLaunch(const LaunchCounts &launch, const EstimatedKernel &estimated,
                                 const Occupancy &occupancy, const DeviceProfile &device,
                                 const LoadWaits *compiled)
    : launch(launch), occupancy(occupancy), device(device), constants(*device.geometric),
      warps(workingWarps(launch)), resident(residentBlocks(launch, occupancy, device)) {
  if (warps == 0) { // blocks that march whole chunks alone, on a grid of fewer planes
    total = launchSeconds() + dispatchSeconds();
    bottleneck = Bound::Launch;
    return;
  }
  traffic = geometricTraffic(launch, resident, device);
  countWaiting();
  if (compiled)
    countWaitingOf(*compiled);
  countSpills(estimated.kernel);
  countInstructions(estimated);

  const double mostRounds = unevenness(resident * device.sms);
  const double evenSm = ofSm(), sm = evenSm * unevenness(device.sms);
  const double ownWork = ofOwnWork(evenSm);
  lateWaits = lateClocks(ownWork);
  const double memory = (*this)[Bound::Dram] = ofMemory();
  (*this)[Bound::L2] = traffic.l2Bytes / constants.l2Bandwidth;
  // What goes on to device memory passes the L2 in that time, but for requests of less than a line.
  const double l2 = (std::max(0.0, traffic.l2Bytes - traffic.dramBytes()) +
                     traffic.keptShare * traffic.shortRequests * bytesOfShortRequest(constants)) /
                    constants.l2Bandwidth;
  // The more of what is copied is there in time, the less of the work waits for other work.
  const double late = lateWaits > 0 ? lateWaits / (waited + waitedAtUse) : 0;
  const double inTime = turns > 0 && copies(launch) ? 1 - late : 0;
  // An SM is idle while all that share it wait, memory while all of the device does; what is copied
  // ahead comes meanwhile.
  const double alone = launch.barriers() > 0 ? resident : resident * warps / launch.blockCount;
  const double waiting = mostRounds * (ofWaiting() + ownWork);
  const auto idle = [&](double work, double sides) {
    const double perWaiting = work / waiting;
    return perWaiting < sides ? std::exp(sides * std::log1p(-perWaiting / sides)) : 0;
  };
  const double smAlone = sm / (1 - inTime * idle(sm, alone));
  // Turns that are written out copy what others need in time. What they load themselves, phases
  // ahead, is on its way for half a phase more than that in the mean.
  const bool loadsAhead = turns == 0 && phasesAhead > 0 && copies(launch);
  const double atWork = norm({smAlone, l2, memory}, constants.norm * (loadsAhead ? 2 : 1 + inTime));
  const double sides = alone * std::pow(atWork / std::max(sm, 1e-30), constants.norm);
  const double unhidden = mostRounds * (ofBlocks(waited + waitedAtUse) + ownWork);
  const double idleShare = loadsAhead ? std::exp(-(phasesAhead + 0.5) * atWork / unhidden)
                                      : (1 - inTime) * idle(atWork, sides);
  const double together = ofFirstLoads() + atWork / (1 - idleShare);

  traffic.seen.waves = launch.blockCount / (double(occupancy.blocks) * device.sms);
  const double issued = ofWorking.all() / warps;
  const double longest = (alonePerWarp() + issued) / device.clock * longestMarch();
  (*this)[Bound::Latency] = std::max((*this)[Bound::Latency], longest);
  const double work = std::max({together, (*this)[Bound::L2], longest});
  // No block starts before the launch before this one has ended, and the last block takes its own
  // time after it has started.
  const double dispatch = dispatchSeconds(), start = launchSeconds();
  const double running = std::max(work, dispatch + longest);
  total = start + running;
  // What is busy longest binds, unless it is idle for much of the time. Blocks that start too
  // slowly, and the start of a short launch, set the time by themselves.
  bottleneck = (*this)[ofWork()] < kBusy * total ? ofWaits() : ofWork();
  if (dispatch > work)
    bottleneck = Bound::Dispatch;
  if (start > running)
    bottleneck = Bound::Launch;
  (*this)[Bound::Dispatch] = dispatch;
}

double GeometricLaunch::launchSeconds() const {
  return device.launching->stepStart * double(launch.bands());
}

double GeometricLaunch::dispatchSeconds() const {
  return launch.blockCount / device.launching->blocksPerSecond;
}

Bound GeometricLaunch::ofWork() const {
  Bound longest = Bound::Smx;
  for (const Bound bound : {Bound::L2, Bound::Dram, Bound::Shared, Bound::Issue, Bound::Flops})
    if ((*this)[bound] > (*this)[longest])
      longest = bound;
  return longest;
}

/// Waiting for barriers is part of all waiting.
Bound GeometricLaunch::ofWaits() const {
  return (*this)[Bound::Barrier] > (*this)[Bound::Latency] / 2 ? Bound::Barrier : Bound::Latency;
}

double GeometricLaunch::clocksOf(const LoadPhases &phases) const {
  return phases.first * phaseLatency() + phases.known * constants.l2Latency;
}

/// What patches hold has registers from the start.
double GeometricLaunch::clocksOfLater(const LoadPhases &turn) const {
  if (!launch.kernel->patches.empty())
    return 0;
  const double words =
      std::max(device.codeTable()[CodeNumber::WordsAtOnce], occupancy.freedom * turn.words);
  const LaterBatches later = laterBatches(turn, words);
  // Of rows that have been loaded before, the L1 still has some.
  const double ofKnown = (constants.l1Latency + constants.l2Latency) / 2;
  return later.first * phaseLatency() + later.known * ofKnown;
}

void GeometricLaunch::countWaiting() {
  CodeReader code(device.codeTable());
  const PhaseCounter counted(launch, device.codeTable());
  bool isDeclared = false;
  for (const StatementCounts &counts : launch.statements) {
    if (const For *loop = loopOf(*counts.statement); loop && !loop->carries.empty())
      planesMarched = std::max(planesMarched, counts.turns / warps);
    if (const For *loop = loopOf(*counts.statement); loop && loop->steady && counts.turns > 0) {
      const double own = counts.turns / warps;
      const double unrolled = mayMoveLoads(launch, device) && !branches(loop->body)
                                  ? std::min<double>(unrolledTurns(*loop, code), own)
                                  : 1;
      const LoadPhases turn = counted.turn(*counts.statement);
      const double together = 1 + occupancy.freedom * (std::min(unrolled, turn.turnsAtOnce) - 1);
      // What loads ahead says itself how often it waits for that. Any other turn waits for its
      // newest rows at least, though it may only hand them on to the next one.
      const SteadyLoop &steady = *loop->steady;
      const bool isAhead = steady.phasesAhead > 0;
      isDeclared |= isAhead;
      waited += own / together *
                (isAhead ? steady.phases * phaseLatency()
                         : std::max(clocksOf(turn), phaseLatency() + clocksOfLater(turn)));
      if (isAhead)
        waitedAtUse += own * (clocksOf(turn) +
                              (1 - occupancy.freedom) * turn.furtherRows * constants.l2Latency);
      turns += own;
      turnsTogether = std::max<double>(turnsTogether, unrolledTurns(*loop, code));
      planes += own * loop->steady->planes;
      phasesAhead =
          std::max<double>(phasesAhead, movesWhatComes(*loop) ? 0 : loop->steady->phasesAhead);
    }
  }
  if (!isDeclared) {
    const LoadPhases once = counted.once();
    const bool isAhead = once.ahead > 0;
    waited += isAhead ? once.ahead * phaseLatency() : clocksOf(once);
    if (isAhead) {
      waitedAtUse += clocksOf(once) - waited;
      phasesAhead = counted.turnsAhead();
    }
  }
  if (waited == 0)
    waited = phaseLatency();
}

/// Machine code says how often a warp waits, and the estimate what for: rows that are new, or known
/// to the L2 or the L1. The geometric mean of both, and half for phases after the first, as behind
/// divisions, were chosen on times of programs. What machine code does not say is which warps wait
/// at all: tiles, and text for both sides of a condition, stay estimated, and so do loads that the
/// text makes phases ahead.
void GeometricLaunch::countWaitingOf(const LoadWaits &compiled) {
  const Body &body = launch.kernel->body;
  if (launch.barriers() > 0 || phasesAhead > 0 || waitedAtUse > 0 || loadsEither(body))
    return;
  const double inLoops = storesInLoops(body);
  if ((inLoops > 0) != (compiled.stores > 0) || (inLoops > 0) != (turns > 0))
    return;
  const double turnsOfPass = inLoops > 0 ? compiled.stores / inLoops : 1;
  const double phases = compiled.phases / turnsOfPass;
  if (turnsOfPass < 1 || phases == 0)
    return;
  constexpr double afterFirst = 0.5;
  const double first = std::min(1.0, phases), later = phases - first;
  waited = std::sqrt(waited * std::max(1.0, turns) * (first + afterFirst * later) * phaseLatency());
}

/// Beside its own planes a march has as many around them as any other.
double GeometricLaunch::planesAround() const {
  return std::max(0.0, planes - double(launch.extent[0]) / launch.blocks[0]);
}

double GeometricLaunch::longestMarch() const {
  if (turns == 0)
    return 1;
  const double longest = double(std::min(launch.cover[0], launch.extent[0]));
  return std::max(1.0, (longest + planesAround()) / planes);
}

double GeometricLaunch::lastMarch() const {
  if (turns == 0)
    return 1;
  const double longest = double(std::min(launch.cover[0], launch.extent[0]));
  const double last = double(launch.extent[0] - (launch.blocks[0] - 1) * launch.cover[0]);
  if (last <= 0) // blocks that share the planes of all tiles: none is shorter
    return 1;
  return std::min(1.0, (last + planesAround()) / (longest + planesAround()));
}

double GeometricLaunch::unevenness(double places) const {
  constexpr double near = 1e-9;
  const double part = lastMarch(), last = launch.blockCount / double(launch.blocks[0]) / places;
  const double full = last * double(launch.blocks[0] - 1), rounds = std::ceil(full - near);
  // Where the last round of full marches leaves places free, short ones follow one another.
  const double beside = (rounds - full) * std::floor(1 / part + near);
  const double after = std::ceil(std::max(0.0, last - beside) - near);
  return (rounds + part * after) / (full + part * last);
}

static constexpr double kRegisterBytes = 4;

/// Registers that do not fit go to the SM's storage and back, once a turn. A march without patches
/// spills what all its turns need: they load it, and store it no more.
void GeometricLaunch::countSpills(const Kernel &kernel) {
  const double ways = turns > 0 && kernel.patches.empty() ? 1 : 2;
  spills = ways * occupancy.spilledRegisters * warps * std::max(1.0, turns);
  const double bytes = spills * kRegisterBytes * device.threadsPerWarp;
  traffic.smxBytes += bytes;
  traffic.l2Bytes += spillsPastL1() * bytes;
}

/// What the L1 does not keep of the spilled registers of all threads on an SM. It keeps them if
/// they take half of it or less, and none if they take three quarters: they are used one after
/// another, and other data pass through. Chosen on 2123 kernels timed on an H200 that spill; by
/// what merely fits, those with more than half took 1.4 to 1.8 times as long as forecast.
double GeometricLaunch::spillsPastL1() const {
  constexpr double all = 0.5, none = 0.75;
  const double l1 =
      std::max(1.0, double(device.caches.l1Bytes) - resident * double(launch.sharedBytes));
  const double spilled =
      resident * launch.warps * device.threadsPerWarp * occupancy.spilledRegisters * kRegisterBytes;
  return std::clamp((spilled / l1 - all) / (none - all), 0.0, 1.0);
}

void GeometricLaunch::countInstructions(const EstimatedKernel &estimated) {
  const InstructionEstimate &estimate = estimated.instructions(device.codeTable());
  // Of many warps that end at once a working one makes no more than its own. In loops counts do not
  // tell how many warps make them.
  const bool hasLoops = llvm::any_of(
      launch.statements, [](const StatementCounts &counts) { return loopOf(*counts.statement); });
  const auto add = [&](const InstructionMix &mix, double times) {
    instructions.add(mix, times);
    ofWorking.add(mix, hasLoops ? times : std::min(times, warps));
  };
  add(estimate.entry(), double(launch.blockCount) * launch.warps);
  for (const StatementCounts &counts : launch.statements) {
    add(estimate.once(*counts.statement), counts.warps);
    if (counts.turns > 0)
      add(estimate.turn(*counts.statement), counts.turns);
  }
  for (InstructionMix *mix : {&instructions, &ofWorking})
    (*mix)[Pipe::LoadStore] += spills;
  traffic.seen.instructionsPerPoint = instructions.all() * device.threadsPerWarp / launch.points;
}

/// As long as the bytes that must be on their way take at the full bandwidth.
double GeometricLaunch::dramLatency() const {
  return constants.dramInFlightBytes * device.sms / constants.dramBandwidth * device.clock;
}

double GeometricLaunch::phaseLatency() const {
  return constants.l2Latency +
         (1 - traffic.keptShare) * std::max(0.0, dramLatency() - constants.l2Latency);
}

double GeometricLaunch::dependentClocks() const {
  double inChains = constants.dependentShare * ofWorking.all();
  // A division is a chain of its own, and its branch keeps others from running beside it.
  if (const double divisions = ofWorking.chains; divisions > 0) {
    const bool isF64 = ofWorking[Pipe::Fp64] > 0;
    const InstructionMix &division =
        device.codeTable()[isF64 ? CodeMix::DivisionF64 : CodeMix::DivisionF32];
    inChains += divisions * (division[Pipe::Fp32] + division[Pipe::Special] +
                             device.codeTable()[CodeNumber::Fp64Waits] * division[Pipe::Fp64]);
  }
  return constants.dependentClocks * inChains / warps;
}

/// A march passes through the code of a turn again and again, blocks without one through all of it.
/// Instructions are estimates: of code that is about as long as what is kept, a part is fetched.
double GeometricLaunch::fetchClocks() const {
  constexpr double error = 0.2;
  const double executed = ofWorking.all() / warps;
  const double again = executed / std::max(1.0, turns) * turnsTogether / constants.keptInstructions;
  return std::clamp((again - 1 + error) / (2 * error), 0.0, 1.0) * constants.fetchClocks * executed;
}

double GeometricLaunch::ownClocks() const { return std::max(dependentClocks(), fetchClocks()); }

double GeometricLaunch::lateClocks(double ownWork) const {
  // What was loaded so many phases ago has been on its way for as long as they took.
  const double phases =
      ownWork * resident / double(launch.blockCount) * device.sms * device.clock + waitedAtUse;
  return std::max(0.0, waited - phasesAhead * phases) + waitedAtUse;
}

double GeometricLaunch::alonePerWarp() const { return ownClocks() + lateWaits; }

/// A shuffle moves a word of each lane in a clock, as a wavefront does.
double GeometricLaunch::ofShuffles() const {
  constexpr double wordBytes = 4;
  unsigned most = 0;
  for (const ArrayCounts &array : launch.arrays)
    most = std::max<unsigned>(most, array.elementBytes);
  return double(launch.together.shuffles) * most / wordBytes;
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
               shared = perSm(storage(launch.together.shared.requests,
                                      launch.together.shared.wavefronts + ofShuffles()));
  const double issue = perSm(std::max({instructions.all() / constants.issueRate,
                                       pipe(Pipe::Integer, constants.integerRate),
                                       pipe(Pipe::MultiplyAdd, constants.multiplyAddRate),
                                       pipe(Pipe::Special, constants.specialRate)}));
  const double fp32 = perSm(pipe(Pipe::Fp32, constants.fp32Rate)),
               fp64 = perSm(pipe(Pipe::Fp64, constants.fp64Rate));

  (*this)[Bound::Smx] = smx;
  (*this)[Bound::Shared] = shared;
  (*this)[Bound::Issue] = issue;
  (*this)[Bound::Flops] = std::max(fp32, fp64);
  return norm({std::max(issue, fp32), fp64, smx + shared}, constants.norm);
}

double GeometricLaunch::ofMemory() const {
  // Blocks that march long are at planes far apart, and device memory serves them less well, above
  // all where they share lines. Blocks that are side by side ask for those at the same time.
  const double marching =
      1 + (constants.marchLoss + traffic.parted.share * constants.partedMarchLoss) *
              std::log2(std::max({1.0, planes, planesMarched}));
  const double requests = (traffic.shortRequests - traffic.shortOwn) *
                              bytesOfShortRequest(constants) / constants.l2Bandwidth +
                          traffic.parted.rewritten * constants.rewrittenLineSeconds;
  return marching * traffic.dramBytes() / constants.dramBandwidth +
         (1 - traffic.keptShare) * requests;
}

double GeometricLaunch::ofFewWarps(bool isInStep) const {
  const double schedulers = double(device.sm.registerFiles);
  const double together = std::min(schedulers, isInStep ? double(launch.warps) : 1.0);
  return (schedulers / together - 1) * perSm(instructions.all() / constants.issueRate);
}

double GeometricLaunch::ofBlocks(double clocks) const {
  return perSm(clocks * double(launch.blockCount)) / resident;
}

/// All warps of a block begin at once, so that none has work while the others wait; blocks beside
/// it on the SM have.
double GeometricLaunch::ofFirstLoads() const {
  return turns > 0 ? ofBlocks(phaseLatency()) / resident : 0;
}

double GeometricLaunch::sidesOfWork() const {
  const double warpsOfBlock = warps / double(launch.blockCount);
  if (launch.barriers() > 0)
    return resident;
  if (turns > 0)
    return resident * warpsOfBlock;
  const bool isMarch = planesMarched > 0;
  return resident * (launch.kernel->patches.empty() || isMarch ? 1 : std::cbrt(warpsOfBlock));
}

double GeometricLaunch::ofOwnWork(double sm) const {
  const bool meets = launch.barriers() > 0, isInStep = meets || turns == 0;
  const double busy = (sm + ofFewWarps(isInStep)) / sidesOfWork();
  // Until they meet again, warps of a march are busy while others wait for their own instructions;
  // what comes after the last barrier all begin at once.
  return meets && turns > 0
             ? norm({busy, ofBlocks(ownClocks() + ofWorking.all() / warps)}, constants.norm)
             : busy + ofBlocks(ownClocks());
}

/// The profile's latency is that of warps that do nothing else. In a march each comes from loads of
/// its own, unless these were made phases before, and the last of twice as many comes later by as
/// much again.
double GeometricLaunch::clocksOfBarrier() const {
  if (launch.warps == 1) // which waits for no other
    return 0;
  const bool comesFromLoads = turns > 0 && phasesAhead == 0;
  const double doublings = comesFromLoads ? std::log2(double(launch.warps)) : 0;
  return (1 + doublings) * constants.barrierLatency + constants.l1Latency;
}

double GeometricLaunch::ofWaiting() {
  const double barriers = perSm(launch.barriers() * clocksOfBarrier()) / resident;
  const double latency = ofBlocks(alonePerWarp());
  (*this)[Bound::Barrier] = barriers;
  (*this)[Bound::Latency] = latency + barriers;
  traffic.seen.inFlightBytes =
      traffic.coldBytes / device.sms * dramLatency() / device.clock / (latency + barriers);
  return ofBlocks(lateWaits) + barriers;
}
