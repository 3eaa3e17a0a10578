// ProfileMembers: the keys of a device profile, one list, by which it is read, printed and
// searched.
//
// `forEachMember(part, visit)` calls `visit(key, member)` for each value, section or other part of
// a part, in the order of the file; where zero is allowed, `visit(key, member, Sign::NonNegative)`.
#pragma once

#include "costmodel/device/DeviceProfile.h"

namespace stencilc {

enum class Sign { Positive, NonNegative };

template <class Visit> void forEachMember(SmLimits &sm, Visit visit) {
  visit("threads", sm.threads);
  visit("blocks", sm.blocks);
  visit("registers", sm.registers);
  visit("registers-per-thread", sm.registersPerThread);
  visit("register-unit", sm.registerUnit);
  visit("shared-bytes", sm.sharedBytes);
  visit("shared-bytes-per-block", sm.sharedBytesPerBlock);
  visit("shared-unit", sm.sharedUnit);
  visit("shared-reserved", sm.sharedReserved, Sign::NonNegative);
}

template <class Visit> void forEachMember(Caches &caches, Visit visit) {
  visit("sector-bytes", caches.sectorBytes);
  visit("l1-bytes", caches.l1Bytes);
  visit("read-only-bytes", caches.readOnlyBytes);
  visit("plain-loads", caches.plainLoads);
  visit("read-only-loads", caches.readOnlyLoads);
  visit("l2-bytes", caches.l2Bytes);
}

template <class Visit> void forEachMember(Su2015Constants &su, Visit visit) {
  visit("smx-bandwidth", su.smxBandwidth);
  visit("l2-bandwidth", su.l2Bandwidth);
  visit("dram-bandwidth", su.dramBandwidth);
  visit("storage-bytes", su.storageBytes);
  visit("smx-line-bytes", su.smxLineBytes);
  visit("line-mode", su.lineMode);
  visit("halo-mode", su.haloMode);
  visit("l2-line-bytes", su.l2LineBytes);
  visit("cores-per-sm", su.coresPerSm);
  visit("delta", su.delta, Sign::NonNegative);
  visit("epsilon", su.epsilon, Sign::NonNegative);
  visit("eta", su.eta, Sign::NonNegative);
}

template <class Visit> void forEachMember(GeometricConstants &geometric, Visit visit) {
  visit("dram-bandwidth", geometric.dramBandwidth);
  visit("dram-in-flight-bytes", geometric.dramInFlightBytes);
  visit("l2-bandwidth", geometric.l2Bandwidth);
  visit("l2-effective-bytes", geometric.l2EffectiveBytes);
  visit("l2-softness", geometric.l2Softness);
  visit("issue-rate", geometric.issueRate);
  visit("fp32-rate", geometric.fp32Rate);
  visit("fp64-rate", geometric.fp64Rate);
  visit("integer-rate", geometric.integerRate);
  visit("multiply-add-rate", geometric.multiplyAddRate);
  visit("special-rate", geometric.specialRate);
  visit("request-clocks", geometric.requestClocks);
  visit("wavefront-clocks", geometric.wavefrontClocks);
  visit("l1-latency", geometric.l1Latency);
  visit("l2-latency", geometric.l2Latency);
  visit("barrier-latency", geometric.barrierLatency);
  visit("overlapped-turns", geometric.overlappedTurns);
  visit("norm", geometric.norm);
}

template <class Visit> void forEachMember(LaunchTiming &timing, Visit visit) {
  visit("host-interval-seconds", timing.hostInterval);
  visit("graph-interval-seconds", timing.graphInterval);
  visit("start-seconds", timing.start);
  visit("stream-start-seconds", timing.streamStart);
  visit("entry-seconds", timing.entry);
  visit("blocks-per-second", timing.blocksPerSecond);
}

template <class Visit>
void forEachMember(decltype(ApspConstants::residentBlocks) &blocks, Visit visit) {
  static_assert(kProfiledBlockWidths == std::array{8, 16, 32});
  visit("8", blocks[0]);
  visit("16", blocks[1]);
  visit("32", blocks[2]);
}

template <class Visit> void forEachMember(ApspConstants &apsp, Visit visit) {
  visit("cores-per-sm", apsp.coresPerSm);
  visit("warp-granularity", apsp.warpGranularity);
  visit("coalescable-accesses", apsp.coalescableAccesses);
  visit("resident-blocks", apsp.residentBlocks);
  visit("exposed-access", apsp.exposedAccess);
}

template <class Visit> void forEachMember(DeviceProfile &device, Visit visit) {
  visit("name", device.name);
  visit("compute-capability", device.computeCapability);
  visit("memory-bytes", device.memoryBytes);
  visit("sms", device.sms);
  visit("threads-per-warp", device.threadsPerWarp);
  visit("clock-hertz", device.clock);
  visit("sm", device.sm);
  visit("caches", device.caches);
  visit("su2015", device.su2015);
  visit("geometric", device.geometric);
  visit("launching", device.launching);
  visit("apsp", device.apsp);
}

} // namespace stencilc
