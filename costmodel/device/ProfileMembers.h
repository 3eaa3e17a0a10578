// ProfileMembers: the keys of a device profile, one list, by which it is read, printed and
// searched.
//
// `forEachMember(part, visit)` calls `visit(key, member)` for each word, section or other part of a
// part and `visit(key, member, range)` for each number, in the order of the file.
#pragma once

#include "costmodel/device/DeviceProfile.h"

namespace stencilc {

inline constexpr ValueRange kNumber = {1, 1e6}; ///< of things: threads, registers, cores
inline constexpr ValueRange kBytes = {1, 1e15};
inline constexpr ValueRange kPerSecond = {1e3, 1e18}; ///< bytes, clocks, blocks
inline constexpr ValueRange kPerClock = {1e-3, 1e6};  ///< on an SM
inline constexpr ValueRange kClocks = {1e-3, 1e6};
inline constexpr ValueRange kSeconds = {1e-9, 1e3};
inline constexpr ValueRange kShare = {0, 1};

template <class Visit> void forEachMember(SmLimits &sm, Visit visit) {
  visit("threads", sm.threads, kNumber);
  visit("blocks", sm.blocks, kNumber);
  visit("registers", sm.registers, kNumber);
  visit("registers-per-thread", sm.registersPerThread, kNumber);
  visit("register-unit", sm.registerUnit, kNumber);
  visit("register-files", sm.registerFiles, kNumber);
  visit("shared-bytes", sm.sharedBytes, kBytes);
  visit("shared-bytes-per-block", sm.sharedBytesPerBlock, kBytes);
  visit("shared-unit", sm.sharedUnit, kBytes);
  visit("shared-reserved", sm.sharedReserved, ValueRange{0, kBytes.most});
}

template <class Visit> void forEachMember(Caches &caches, Visit visit) {
  visit("sector-bytes", caches.sectorBytes, kBytes);
  visit("l1-bytes", caches.l1Bytes, kBytes);
  visit("read-only-bytes", caches.readOnlyBytes, kBytes);
  visit("plain-loads", caches.plainLoads);
  visit("read-only-loads", caches.readOnlyLoads);
  visit("l2-bytes", caches.l2Bytes, kBytes);
}

template <class Visit> void forEachMember(Su2015Constants &su, Visit visit) {
  visit("smx-bandwidth", su.smxBandwidth, kPerSecond);
  visit("l2-bandwidth", su.l2Bandwidth, kPerSecond);
  visit("dram-bandwidth", su.dramBandwidth, kPerSecond);
  visit("storage-bytes", su.storageBytes, kBytes);
  visit("smx-line-bytes", su.smxLineBytes, ValueRange{8, kBytes.most});
  visit("line-mode", su.lineMode);
  visit("halo-mode", su.haloMode);
  visit("l2-line-bytes", su.l2LineBytes, kBytes);
  visit("cores-per-sm", su.coresPerSm, kNumber);
  visit("delta", su.delta, kShare);
  visit("epsilon", su.epsilon, kShare);
  visit("eta", su.eta, kShare);
}

template <class Visit> void forEachMember(GeometricConstants &geometric, Visit visit) {
  visit("dram-bandwidth", geometric.dramBandwidth, kPerSecond);
  visit("dram-in-flight-bytes", geometric.dramInFlightBytes, kBytes);
  visit("l2-bandwidth", geometric.l2Bandwidth, kPerSecond);
  visit("l2-request-bytes", geometric.l2RequestBytes, ValueRange{0, 128});
  visit("l2-effective-bytes", geometric.l2EffectiveBytes, kBytes);
  visit("l2-softness", geometric.l2Softness, ValueRange{1e-3, 1e3});
  visit("march-loss", geometric.marchLoss, ValueRange{0, 1});
  visit("parted-march-loss", geometric.partedMarchLoss, ValueRange{0, 1});
  visit("rewritten-line-seconds", geometric.rewrittenLineSeconds, ValueRange{0, 1e-6});
  visit("issue-rate", geometric.issueRate, kPerClock);
  visit("fp32-rate", geometric.fp32Rate, kPerClock);
  visit("fp64-rate", geometric.fp64Rate, kPerClock);
  visit("integer-rate", geometric.integerRate, kPerClock);
  visit("multiply-add-rate", geometric.multiplyAddRate, kPerClock);
  visit("special-rate", geometric.specialRate, kPerClock);
  visit("request-clocks", geometric.requestClocks, kClocks);
  visit("wavefront-clocks", geometric.wavefrontClocks, kClocks);
  visit("l1-latency", geometric.l1Latency, kClocks);
  visit("l2-latency", geometric.l2Latency, kClocks);
  visit("barrier-latency", geometric.barrierLatency, kClocks);
  visit("norm", geometric.norm, ValueRange{1, 100});
  visit("dependent-clocks", geometric.dependentClocks, kClocks);
  visit("dependent-share", geometric.dependentShare, kShare);
  visit("kept-instructions", geometric.keptInstructions, kBytes);
  visit("fetch-clocks", geometric.fetchClocks, kClocks);
}

template <class Visit> void forEachMember(LaunchTiming &timing, Visit visit) {
  visit("host-interval-seconds", timing.hostInterval, kSeconds);
  visit("graph-interval-seconds", timing.graphInterval, kSeconds);
  visit("start-seconds", timing.start, kSeconds);
  visit("stream-start-seconds", timing.streamStart, kSeconds);
  visit("entry-seconds", timing.entry, kSeconds);
  visit("step-start-seconds", timing.stepStart, kSeconds);
  visit("blocks-per-second", timing.blocksPerSecond, kPerSecond);
}

template <class Visit>
void forEachMember(decltype(ApspConstants::residentBlocks) &blocks, Visit visit) {
  static_assert(kProfiledBlockWidths == std::array{8, 16, 32});
  visit("8", blocks[0], kNumber);
  visit("16", blocks[1], kNumber);
  visit("32", blocks[2], kNumber);
}

template <class Visit> void forEachMember(ApspConstants &apsp, Visit visit) {
  visit("cores-per-sm", apsp.coresPerSm, kNumber);
  visit("warp-granularity", apsp.warpGranularity, kNumber);
  visit("coalescable-accesses", apsp.coalescableAccesses, kNumber);
  visit("resident-blocks", apsp.residentBlocks);
  visit("exposed-access", apsp.exposedAccess, kShare);
}

template <class Visit> void forEachMember(DeviceProfile &device, Visit visit) {
  visit("name", device.name);
  visit("compute-capability", device.computeCapability, ValueRange{1, 100});
  visit("memory-bytes", device.memoryBytes, kBytes);
  visit("sms", device.sms, kNumber);
  visit("threads-per-warp", device.threadsPerWarp, ValueRange{1, 1024});
  visit("clock-hertz", device.clock, kPerSecond);
  visit("code-table", device.code);
  visit("sm", device.sm);
  visit("caches", device.caches);
  visit("su2015", device.su2015);
  visit("geometric", device.geometric);
  visit("launching", device.launching);
  visit("apsp", device.apsp);
}

} // namespace stencilc
