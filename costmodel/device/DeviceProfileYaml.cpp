// The text form of a device profile: one list of keys, which reads and prints. Values that
// contradict each other are complained of at their section.
#include "costmodel/device/SourcedYaml.h"

#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace stencilc;

namespace llvm::yaml {

template <> struct ScalarEnumerationTraits<LoadPath> {
  static void enumeration(IO &io, LoadPath &path) {
    io.enumCase(path, "l1", LoadPath::L1);
    io.enumCase(path, "read-only", LoadPath::ReadOnly);
    io.enumCase(path, "l2", LoadPath::L2);
  }
};

template <> struct ScalarEnumerationTraits<LineMode> {
  static void enumeration(IO &io, LineMode &mode) {
    io.enumCase(mode, "bytes", LineMode::Bytes);
    io.enumCase(mode, "warp", LineMode::Warp);
  }
};

template <> struct ScalarEnumerationTraits<HaloMode> {
  static void enumeration(IO &io, HaloMode &mode) {
    io.enumCase(mode, "paper", HaloMode::Paper);
    io.enumCase(mode, "geometric", HaloMode::Geometric);
  }
};

template <> struct MappingTraits<SmLimits> {
  static void mapping(IO &io, SmLimits &sm) {
    mapValue(io, "threads", sm.threads);
    mapValue(io, "blocks", sm.blocks);
    mapValue(io, "registers", sm.registers);
    mapValue(io, "registers-per-thread", sm.registersPerThread);
    mapValue(io, "register-unit", sm.registerUnit);
    mapValue(io, "shared-bytes", sm.sharedBytes);
    mapValue(io, "shared-bytes-per-block", sm.sharedBytesPerBlock);
    mapValue(io, "shared-unit", sm.sharedUnit);
    mapValue(io, "shared-reserved", sm.sharedReserved, Sign::NonNegative);
  }
  static std::string validate(IO &, SmLimits &sm) {
    if (sm.registersPerThread > sm.registers)
      return "`registers-per-thread` is above `registers`";
    if (sm.registerUnit > sm.registers)
      return "`register-unit` is above `registers`";
    if (sm.sharedUnit > sm.sharedBytes)
      return "`shared-unit` is above `shared-bytes`";
    if (sm.sharedBytesPerBlock + sm.sharedReserved > sm.sharedBytes)
      return "`shared-bytes-per-block` and `shared-reserved` are together above `shared-bytes`";
    return "";
  }
};

template <> struct MappingTraits<Caches> {
  static void mapping(IO &io, Caches &caches) {
    mapValue(io, "sector-bytes", caches.sectorBytes);
    mapValue(io, "l1-bytes", caches.l1Bytes);
    mapValue(io, "read-only-bytes", caches.readOnlyBytes);
    mapValue(io, "plain-loads", caches.plainLoads);
    mapValue(io, "read-only-loads", caches.readOnlyLoads);
    mapValue(io, "l2-bytes", caches.l2Bytes);
  }
  static std::string validate(IO &, Caches &caches) {
    if (caches.l1Bytes > caches.l2Bytes)
      return "`l1-bytes` is above `l2-bytes`";
    return "";
  }
};

template <> struct MappingTraits<Su2015Constants> {
  static void mapping(IO &io, Su2015Constants &su) {
    mapValue(io, "smx-bandwidth", su.smxBandwidth);
    mapValue(io, "l2-bandwidth", su.l2Bandwidth);
    mapValue(io, "dram-bandwidth", su.dramBandwidth);
    mapValue(io, "storage-bytes", su.storageBytes);
    mapValue(io, "smx-line-bytes", su.smxLineBytes);
    mapValue(io, "line-mode", su.lineMode);
    mapValue(io, "halo-mode", su.haloMode);
    mapValue(io, "l2-line-bytes", su.l2LineBytes);
    mapValue(io, "cores-per-sm", su.coresPerSm);
    mapValue(io, "delta", su.delta, Sign::NonNegative);
    mapValue(io, "epsilon", su.epsilon, Sign::NonNegative);
    mapValue(io, "eta", su.eta, Sign::NonNegative);
  }
};

template <> struct MappingTraits<GeometricConstants> {
  static void mapping(IO &io, GeometricConstants &geometric) {
    mapValue(io, "dram-bandwidth", geometric.dramBandwidth);
    mapValue(io, "dram-in-flight-bytes", geometric.dramInFlightBytes);
    mapValue(io, "l2-bandwidth", geometric.l2Bandwidth);
    mapValue(io, "l2-effective-bytes", geometric.l2EffectiveBytes);
    mapValue(io, "l2-softness", geometric.l2Softness);
    mapValue(io, "issue-rate", geometric.issueRate);
    mapValue(io, "fp32-rate", geometric.fp32Rate);
    mapValue(io, "fp64-rate", geometric.fp64Rate);
    mapValue(io, "integer-rate", geometric.integerRate);
    mapValue(io, "multiply-add-rate", geometric.multiplyAddRate);
    mapValue(io, "special-rate", geometric.specialRate);
    mapValue(io, "request-clocks", geometric.requestClocks);
    mapValue(io, "wavefront-clocks", geometric.wavefrontClocks);
    mapValue(io, "l1-latency", geometric.l1Latency);
    mapValue(io, "l2-latency", geometric.l2Latency);
    mapValue(io, "barrier-latency", geometric.barrierLatency);
    mapValue(io, "overlapped-turns", geometric.overlappedTurns);
    mapValue(io, "norm", geometric.norm);
  }
  static std::string validate(IO &, GeometricConstants &geometric) {
    if (geometric.norm < 1)
      return "`norm` is below 1";
    if (geometric.l1Latency > geometric.l2Latency)
      return "`l1-latency` is above `l2-latency`";
    return "";
  }
};

template <> struct MappingTraits<LaunchTiming> {
  static void mapping(IO &io, LaunchTiming &timing) {
    mapValue(io, "host-interval-seconds", timing.hostInterval);
    mapValue(io, "graph-interval-seconds", timing.graphInterval);
    mapValue(io, "start-seconds", timing.start);
    mapValue(io, "stream-start-seconds", timing.streamStart);
    mapValue(io, "entry-seconds", timing.entry);
    mapValue(io, "blocks-per-second", timing.blocksPerSecond);
  }
};

template <> struct MappingTraits<decltype(ApspConstants::residentBlocks)> {
  static void mapping(IO &io, decltype(ApspConstants::residentBlocks) &blocks) {
    static_assert(kProfiledBlockWidths == std::array{8, 16, 32});
    mapValue(io, "8", blocks[0]);
    mapValue(io, "16", blocks[1]);
    mapValue(io, "32", blocks[2]);
  }
};

template <> struct MappingTraits<ApspConstants> {
  static void mapping(IO &io, ApspConstants &apsp) {
    mapValue(io, "cores-per-sm", apsp.coresPerSm);
    mapValue(io, "warp-granularity", apsp.warpGranularity);
    mapValue(io, "coalescable-accesses", apsp.coalescableAccesses);
    io.mapRequired("resident-blocks", apsp.residentBlocks);
    mapValue(io, "exposed-access", apsp.exposedAccess);
  }
};

template <> struct MappingTraits<DeviceProfile> {
  static void mapping(IO &io, DeviceProfile &device) {
    io.mapRequired("name", device.name);
    mapValue(io, "compute-capability", device.computeCapability);
    mapValue(io, "memory-bytes", device.memoryBytes);
    mapValue(io, "sms", device.sms);
    mapValue(io, "threads-per-warp", device.threadsPerWarp);
    mapValue(io, "clock-hertz", device.clock);
    mapSection(io, "sm", device.sm);
    mapSection(io, "caches", device.caches);
    mapSection(io, "su2015", device.su2015);
    mapSection(io, "geometric", device.geometric);
    mapSection(io, "launching", device.launching);
    mapSection(io, "apsp", device.apsp);
  }
  static std::string validate(IO &, DeviceProfile &device) {
    if (device.geometric && device.geometric->l2EffectiveBytes > 2 * device.caches.l2Bytes)
      return "`l2-effective-bytes` is above twice `l2-bytes`";
    return "";
  }
};

} // namespace llvm::yaml

namespace stencilc {

/// Keeps the first complaint of the YAML reader.
static void keepFirst(const SMDiagnostic &diagnostic, void *context) {
  auto &first = *static_cast<std::string *>(context);
  if (first.empty())
    first = fmt::format("{}:{}:{}: {}", diagnostic.getFilename().str(), diagnostic.getLineNo(),
                        diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
}

Expected<DeviceProfile> parseDeviceProfile(MemoryBufferRef text) {
  std::string complaint;
  Reading reading;
  yaml::Input input(text, &reading, keepFirst, &complaint);
  DeviceProfile device;
  input >> device;
  if (input.error() || !complaint.empty())
    return createStringError(input.error() ? input.error() : inconvertibleErrorCode(),
                             complaint.empty() ? text.getBufferIdentifier() + ": is empty"
                                               : complaint);
  device.file = text.getBufferIdentifier().str();
  device.lines = text.getBuffer().rtrim().count('\n') + 1;
  device.uncalibrated = std::move(reading.uncalibrated);
  return device;
}

void printDeviceProfile(raw_ostream &out, const DeviceProfile &device) {
  Reading reading;
  yaml::Output output(out, &reading, /*WrapColumn=*/0);
  DeviceProfile copy = device; // the traits read and write, so they ask for what can change
  output << copy;
}

} // namespace stencilc
