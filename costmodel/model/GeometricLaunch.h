// GeometricLaunch: the time of one launch on a present GPU.
//
// With p the profile's norm, |..| the p-norm and r the blocks that share an SM, or, of marches
// without barriers, whose warps drift apart, the warps:
//
//   SM         T_SM = |instructions, f64 arithmetic, loads and stores of the SM's storage|, each
//              its number over its rate. F32 is served as fast as it is issued, and adds nothing
//   L2         its bytes, but for those that go on to device memory, over its bandwidth
//   memory     its bytes over its bandwidth, which long marches reach less well; and, as these
//              bytes pass the L2 too, what requests of less than a line take of it beyond their
//              bytes
//   at work    W = |T_SM, T_L2, T_memory|: what all of it takes if nothing is waited for. What is
//              copied to shared memory phases ahead, and comes in time, keeps none of it waiting:
//              p is the greater by the share of what is waited for that comes so, up to twice; and
//              twice where turns are written out that copy for others and load k phases ahead
//   waiting    A = (what the blocks or warps wait for, each alone, and T_SM) / r. One waits for the
//              chain of its instructions, its barriers, and a latency for each phase of loads: the
//              L2's for what was loaded before or, of the share that the L2 does not keep, device
//              memory's. Warps that meet in each turn of a march are busy while others of their
//              block wait for their own instructions: |T_SM, a warp's instructions and their chain|
//              in place of the sum. A barrier takes its latency and the L1's, of w warps in a march
//              that loads nothing ahead 1 + log2 w such latencies, of one warp nothing. Of T_SM the
//              blocks are r alike, marching warps r w, with several points a thread blocks
//              r w^(1/3). Phases are those of LoadPhases.h; turns of a march wait together whose
//              loads a compiler issues together, which it does the more the more registers are
//              free; what is loaded some phases ahead has been on its way for as long as they took.
//              Where machine code was read, how often it waits counts as well as the estimate.
//              A warp issues an instruction a clock: fewer of them than an SM has schedulers keep
//              it no busier than that. Blocks are whole, less than that where a march ends with the
//              grid: the SM that has most has one more than the least.
//   beginning  a march's first loads: a block begins whole where one has ended, and as long as it
//              waits for those its r-th part of the SM does nothing
//   launch     W / (1 - (1 - W / (n A))^n) and that beginning, and no less than the L2's bytes, the
//              start of all blocks or the longest march take; a step also takes its start. n is r
//              (r warps of kernels without barriers) where the SM is all of W, and grows as its
//              part gets less
//
// Where turns are written out and load k phases ahead, their loads are on their way for half a
// phase more than that in the mean, and (1 - W / (n A))^n is exp(-(k + 1/2) W / A), with A as if
// nothing were loaded ahead.
//
// One of n that is alone for A n keeps the SM busy for its share of the work, and all of them wait
// at once with the n-th power of what is left. For n of 1 the launch takes A, for many
// W / (1 - exp(-W / A)): a stream that does nothing but wait for device memory has W / A = q / q0,
// with q its bytes on their way per SM, and that is how copies were seen to saturate the bandwidth
// as q grows.
// The constants stand in the profile, and what an instruction costs in costmodel/compiled.
#pragma once

#include "costmodel/compiled/Instructions.h"
#include "costmodel/model/GeometricTraffic.h"
#include "costmodel/model/LoadPhases.h"

namespace stencilc {

/// The share of the time that a unit is busy where it is said to bind; counters are read so, too.
inline constexpr double kBusy = 0.6;

class GeometricLaunch {
public:
  /// The device must have the sections `geometric` and `launching`. `compiled`: of its machine
  /// code.
  GeometricLaunch(const LaunchCounts &launch, const EstimatedKernel &estimated,
                  const Occupancy &occupancy, const DeviceProfile &device,
                  const LoadWaits *compiled = nullptr);

  GeometricTraffic traffic;
  std::array<double, kBounds> seconds = {}; ///< that each resource alone would need
  double total = 0;                         ///< seconds
  Bound bottleneck = Bound::Dram;           ///< what sets `total`

private:
  double &operator[](Bound bound) { return seconds[unsigned(bound)]; }
  double operator[](Bound bound) const { return seconds[unsigned(bound)]; }
  /// What takes longest of all work; what is waited for longest.
  Bound ofWork() const, ofWaits() const;

  double launchSeconds() const;
  double dispatchSeconds() const; ///< of all blocks
  void countWaiting();
  void countWaitingOf(const LoadWaits &compiled);
  double clocksOf(const LoadPhases &phases) const;    ///< of a warp
  double clocksOfLater(const LoadPhases &turn) const; ///< batches of a march
  void countSpills(const Kernel &kernel);
  double spillsPastL1() const; ///< as a share
  void countInstructions(const EstimatedKernel &estimated);
  double ofSm();
  double ofShuffles() const; ///< wavefronts
  double ofMemory() const;
  /// Clocks that a warp waits for by itself: its instructions, and its phases of loads.
  double alonePerWarp() const;
  /// Clocks of a warp for its own instructions: until those are known that they need, and until
  /// they are there themselves.
  double ownClocks() const;
  double dependentClocks() const;
  double fetchClocks() const;
  /// Of what a warp has loaded, less what passed before its use.
  double lateClocks(double ownWork) const;
  double planesAround() const;
  double longestMarch() const; ///< as a multiple of the mean one
  double lastMarch() const;    ///< that ends with the grid, as a part of the longest
  /// What the place that has most takes, blocks being whole, as a multiple of an even share.
  double unevenness(double places) const;
  double dramLatency() const;  ///< clocks
  double phaseLatency() const; ///< clocks, of what the L2 keeps and what it does not
  /// Seconds lost while blocks that march wait for their first loads.
  double ofFirstLoads() const;
  /// Seconds that all blocks take for so many clocks each, as many at once as an SM has.
  double ofBlocks(double clocks) const;
  /// In how many parts an SM's work goes on, each apart from the others: a block is one if it has
  /// barriers, or no march in which its warps drift apart; with several points a thread it is as
  /// many as the cube root of its warps, which times ask for (HISTORY.md).
  double sidesOfWork() const;
  /// Seconds of all work of the SM and of the chains of its instructions, as far as what shares an
  /// SM does not go on at once.
  double ofOwnWork(double sm) const;
  double clocksOfBarrier() const; ///< that a block waits at one
  /// Seconds of waiting for loads and barriers, likewise.
  double ofWaiting();
  /// Seconds by which blocks or warps alone take longer than T_SM for want of warps.
  double ofFewWarps(bool isInStep) const;
  double perSm(double clocks) const { return clocks / (device.sms * device.clock); }

  const LaunchCounts &launch;
  const Occupancy &occupancy;
  const DeviceProfile &device;
  const GeometricConstants &constants;
  const double warps;          ///< that store or march; the others end at once
  const double resident;       ///< blocks on an SM
  double turns = 0;            ///< of steady loops, per warp; 0: no loop
  double turnsTogether = 1;    ///< of them, those that the compiler makes one of
  double planes = 0;           ///< that they move on
  double planesMarched = 0;    ///< by one point a turn, also where turns are written out
  double waited = 0;           ///< clocks of a warp for loads, unless they come in time
  double waitedAtUse = 0;      ///< the same for loads of marches that load others ahead
  double lateWaits = 0;        ///< clocks of a warp for all loads, as they come
  double phasesAhead = 0;      ///< by which they are issued
  double spills = 0;           ///< requests of warps for registers that do not fit
  InstructionMix instructions; ///< of all warps
  InstructionMix ofWorking;    ///< of them those of `warps`
};

} // namespace stencilc
