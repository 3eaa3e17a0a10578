// The text form of a device profile. Values that contradict each other are complained of at their
// section.
#include "costmodel/device/ProfileMembers.h"
#include "costmodel/device/SourcedYaml.h"

using namespace llvm;
using namespace stencilc;

namespace stencilc {

/// Maps every member; a section must be there unless its type is optional.
template <class T> void mapMembers(yaml::IO &io, T &part) {
  forEachMember(part, [&](const char *key, auto &member, ValueRange range = kAny) {
    if constexpr (requires { member.source; })
      io.mapRequired(key, member, range);
    else if constexpr (requires { member.has_value(); })
      io.mapOptional(key, member);
    else
      io.mapRequired(key, member);
  });
}

/// Loads the table that was named.
static std::string problemOf(CodeReference &code, const ValueRange &) {
  auto table = loadCodeTable(code.name);
  if (!table)
    return toString(table.takeError());
  code.table = std::move(*table);
  return "";
}

} // namespace stencilc

namespace llvm::yaml {

template <> struct ScalarTraits<CodeReference> {
  static void output(const CodeReference &code, void *, raw_ostream &out) { out << code.name; }
  static StringRef input(StringRef text, void *, CodeReference &code) {
    code.name = text.str();
    return "";
  }
  static QuotingType mustQuote(StringRef name) { return needsQuotes(name); }
};

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
  static void mapping(IO &io, SmLimits &sm) { mapMembers(io, sm); }
  static std::string validate(IO &, SmLimits &sm) {
    if (sm.registersPerThread > sm.registers)
      return "`registers-per-thread` is above `registers`";
    if (sm.registerUnit > sm.registers)
      return "`register-unit` is above `registers`";
    if (sm.registerFiles > 0 && sm.registers % sm.registerFiles != 0)
      return "`registers` are no multiple of `register-files`";
    if (sm.sharedUnit > sm.sharedBytes)
      return "`shared-unit` is above `shared-bytes`";
    if (sm.sharedBytesPerBlock + sm.sharedReserved > sm.sharedBytes)
      return "`shared-bytes-per-block` and `shared-reserved` are together above `shared-bytes`";
    return "";
  }
};

template <> struct MappingTraits<Caches> {
  static void mapping(IO &io, Caches &caches) { mapMembers(io, caches); }
  static std::string validate(IO &, Caches &caches) {
    if (caches.l1Bytes > caches.l2Bytes)
      return "`l1-bytes` is above `l2-bytes`";
    return "";
  }
};

template <> struct MappingTraits<Su2015Constants> {
  static void mapping(IO &io, Su2015Constants &su) { mapMembers(io, su); }
};

template <> struct MappingTraits<GeometricConstants> {
  static void mapping(IO &io, GeometricConstants &geometric) { mapMembers(io, geometric); }
  static std::string validate(IO &, GeometricConstants &geometric) {
    if (geometric.l1Latency > geometric.l2Latency)
      return "`l1-latency` is above `l2-latency`";
    return "";
  }
};

template <> struct MappingTraits<LaunchTiming> {
  static void mapping(IO &io, LaunchTiming &timing) { mapMembers(io, timing); }
};

template <> struct MappingTraits<decltype(ApspConstants::residentBlocks)> {
  static void mapping(IO &io, decltype(ApspConstants::residentBlocks) &blocks) {
    mapMembers(io, blocks);
  }
};

template <> struct MappingTraits<ApspConstants> {
  static void mapping(IO &io, ApspConstants &apsp) { mapMembers(io, apsp); }
};

template <> struct MappingTraits<DeviceProfile> {
  static void mapping(IO &io, DeviceProfile &device) { mapMembers(io, device); }
  static std::string validate(IO &, DeviceProfile &device) {
    if (device.geometric && device.geometric->l2EffectiveBytes > 2 * device.caches.l2Bytes)
      return "`l2-effective-bytes` is above twice `l2-bytes`";
    return "";
  }
};

} // namespace llvm::yaml

namespace stencilc {

Expected<DeviceProfile> parseDeviceProfile(MemoryBufferRef text) {
  DeviceProfile device;
  if (Error error = readYaml(text, "profile", device))
    return error;
  device.file = text.getBufferIdentifier().str();
  device.lines = text.getBuffer().rtrim().count('\n') + 1;
  return device;
}

void printDeviceProfile(raw_ostream &out, const DeviceProfile &device) { printYaml(out, device); }

} // namespace stencilc
