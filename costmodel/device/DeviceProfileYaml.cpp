// The text form of a device profile. Values that contradict each other are complained of at their
// section.
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
  static void mapping(IO &io, SmLimits &sm) { mapMembers(io, sm); }
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

/// Keeps the first complaint of the YAML reader.
static void keepFirst(const SMDiagnostic &diagnostic, void *context) {
  auto &first = *static_cast<std::string *>(context);
  if (first.empty())
    first = fmt::format("{}:{}:{}: {}", diagnostic.getFilename().str(), diagnostic.getLineNo(),
                        diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
}

/// The first line that nests deeper than any profile; the YAML reader calls itself for each level.
static std::optional<int> findTooDeep(StringRef text) {
  constexpr size_t kMostBrackets = 16, kMostColumns = 64;
  int line = 1;
  for (size_t brackets = 0; !text.empty(); ++line) {
    StringRef here;
    std::tie(here, text) = text.split('\n');
    if (here.size() - here.ltrim(" -?:\t").size() > kMostColumns)
      return line;
    for (char c : here) {
      if (c == '[' || c == '{')
        ++brackets;
      else if ((c == ']' || c == '}') && brackets > 0)
        --brackets;
      if (brackets > kMostBrackets)
        return line;
    }
  }
  return std::nullopt;
}

Expected<DeviceProfile> parseDeviceProfile(MemoryBufferRef text) {
  if (const std::optional<int> line = findTooDeep(text.getBuffer()))
    return createStringError(fmt::format("{}:{}: nests deeper than a profile does",
                                         text.getBufferIdentifier().str(), *line));
  std::string complaint;
  yaml::Input input(text, /*Ctxt=*/nullptr, keepFirst, &complaint);
  DeviceProfile device;
  input >> device;
  if (!input.error() && complaint.empty() && input.nextDocument())
    complaint = text.getBufferIdentifier().str() + ": a second document follows the profile";
  if (input.error() || !complaint.empty())
    return createStringError(input.error() ? input.error() : inconvertibleErrorCode(),
                             complaint.empty() ? text.getBufferIdentifier() + ": is empty"
                                               : complaint);
  device.file = text.getBufferIdentifier().str();
  device.lines = text.getBuffer().rtrim().count('\n') + 1;
  return device;
}

void printDeviceProfile(raw_ostream &out, const DeviceProfile &device) {
  yaml::Output output(out, /*Ctxt=*/nullptr, /*WrapColumn=*/0);
  DeviceProfile copy = device; // the traits read and write, so they ask for what can change
  output << copy;
}

} // namespace stencilc
