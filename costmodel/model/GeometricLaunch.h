// GeometricLaunch: the time of one launch on a present GPU.
//
// With p the profile's norm, |..| the p-norm and r the blocks, or without barriers the warps, that
// share an SM:
//
//   SM         busy = |instructions, loads and stores of the SM's storage, arithmetic|, each its
//              number over its rate; what one block or warp waits for alone is the chain of its
//              instructions, a latency for each phase of loads, and its barriers;
//              T_SM = |busy, (busy + alone) / r|, with a sharper norm
//   L2         its bytes, but for those that go on to device memory, over its bandwidth
//   memory     its bytes over its bandwidth * (1 - exp(-q / q0)), with q the bytes on their way per
//              SM: those that the resident threads load and store in the turns that overlap, fewer
//              turns the fewer registers a thread has beyond those that it needs
//   launch     tail * |T_SM, T_L2, T_memory|, and no less than the L2's bytes, the start of all
//              blocks or the longest march take; tail is ceil(w) / w for w waves of blocks, fading
//              as w grows
//
// The form of waiting and of the norm follows measurements of mixed and of barrier kernels on an
// H200; its constants stand in the profile, and what an instruction costs in costmodel/compiled.
#pragma once

#include "costmodel/compiled/Instructions.h"
#include "costmodel/model/GeometricTraffic.h"

namespace stencilc {

class GeometricLaunch {
public:
  /// The device must have the sections `geometric` and `launching`.
  GeometricLaunch(const LaunchCounts &launch, const Occupancy &occupancy,
                  const DeviceProfile &device);

  GeometricTraffic traffic;
  std::array<double, kBounds> seconds = {}; ///< that each resource alone would need
  double total = 0;                         ///< seconds
  Bound bottleneck = Bound::Dram;           ///< what sets `total`

private:
  double &operator[](Bound bound) { return seconds[unsigned(bound)]; }

  void countWaiting();
  void countSpills();
  void countInstructions();
  double ofSm();
  double ofMemory();
  double alonePerWarp() const;
  double perSm(double clocks) const { return clocks / (device.sms * device.clock); }

  const LaunchCounts &launch;
  const Occupancy &occupancy;
  const DeviceProfile &device;
  const GeometricConstants &constants;
  const double warps;          ///< that store; the others end at once
  const double resident;       ///< blocks on an SM
  double turns = 0;            ///< of the longest loop, per warp; 0: no loop
  double together = 1;         ///< of them, whose loads are issued before the first is used
  double spills = 0;           ///< requests of warps for registers that do not fit
  InstructionMix instructions; ///< of all warps
};

} // namespace stencilc
