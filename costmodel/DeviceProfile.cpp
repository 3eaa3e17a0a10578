#include "costmodel/DeviceProfile.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using stencilc::DeviceProfile;
using stencilc::LaunchTiming;
using stencilc::Sourced;

template <class T> struct llvm::yaml::MappingTraits<Sourced<T>> {
  static void mapping(IO &io, Sourced<T> &number) {
    io.mapRequired("value", number.value);
    io.mapRequired("source", number.source);
  }
  static std::string validate(IO &, Sourced<T> &number) {
    if (number.value <= 0)
      return "the value must be above zero";
    return StringRef(number.source).trim().empty() ? "the source is empty" : "";
  }
  static const bool flow = true;
};

template <> struct llvm::yaml::MappingTraits<LaunchTiming> {
  static void mapping(IO &io, LaunchTiming &timing) {
    io.mapRequired("host-interval-seconds", timing.hostInterval);
    io.mapRequired("graph-interval-seconds", timing.graphInterval);
    io.mapRequired("start-seconds", timing.start);
    io.mapRequired("blocks-per-second", timing.blocksPerSecond);
  }
};

template <> struct llvm::yaml::MappingTraits<decltype(DeviceProfile::residentBlocks)> {
  static void mapping(IO &io, decltype(DeviceProfile::residentBlocks) &blocks) {
    static_assert(stencilc::kProfiledBlockWidths == std::array{8, 16, 32});
    io.mapRequired("8", blocks[0]);
    io.mapRequired("16", blocks[1]);
    io.mapRequired("32", blocks[2]);
  }
};

template <> struct llvm::yaml::MappingTraits<DeviceProfile> {
  static void mapping(IO &io, DeviceProfile &device) {
    io.mapRequired("name", device.name);
    io.mapRequired("memory-bytes", device.memoryBytes);
    io.mapRequired("l2-bytes", device.l2Bytes);
    io.mapRequired("sms", device.sms);
    io.mapRequired("cores-per-sm", device.coresPerSm);
    io.mapRequired("threads-per-warp", device.threadsPerWarp);
    io.mapRequired("warp-granularity", device.warpGranularity);
    io.mapRequired("coalescable-accesses", device.coalescableAccesses);
    io.mapRequired("resident-blocks", device.residentBlocks);
    io.mapOptional("launching", device.launching);
  }
};

namespace stencilc {

namespace {

/// Keeps the first complaint of the YAML reader.
void keepFirst(const SMDiagnostic &diagnostic, void *context) {
  auto &first = *static_cast<std::string *>(context);
  if (first.empty())
    first = fmt::format("{}:{}:{}: {}", diagnostic.getFilename().str(), diagnostic.getLineNo(),
                        diagnostic.getColumnNo() + 1, diagnostic.getMessage().str());
}

constexpr ShippedFile kShippedFiles[] = {
#include "costmodel/ShippedFiles.inc"
};

} // namespace

ArrayRef<ShippedFile> shippedFiles() { return kShippedFiles; }

Expected<DeviceProfile> parseDeviceProfile(MemoryBufferRef yaml) {
  std::string complaint;
  yaml::Input input(yaml, nullptr, keepFirst, &complaint);
  DeviceProfile device;
  input >> device;
  if (input.error() || !complaint.empty())
    return createStringError(input.error() ? input.error() : inconvertibleErrorCode(),
                             complaint.empty() ? yaml.getBufferIdentifier().str() + ": is empty"
                                               : complaint);
  return device;
}

Expected<DeviceProfile> loadDeviceProfile(StringRef nameOrFile) {
  if (nameOrFile.ends_with(".yaml")) {
    auto buffer = MemoryBuffer::getFile(nameOrFile, /*IsText=*/true);
    if (!buffer)
      return createStringError(buffer.getError(),
                               "cannot read `" + nameOrFile + "`: " + buffer.getError().message());
    return parseDeviceProfile(**buffer);
  }
  std::vector<std::string> names;
  for (const ShippedFile &file : shippedFiles()) {
    StringRef name = file.name;
    if (!name.consume_back(".yaml"))
      continue;
    if (name.equals_insensitive(nameOrFile))
      return parseDeviceProfile({file.text, file.name});
    names.push_back(name.str());
  }
  return createStringError(inconvertibleErrorCode(), "there is no device `" + nameOrFile +
                                                         "`; known are " + join(names, ", ") +
                                                         ", or give a FILE.yaml");
}

} // namespace stencilc
