#include "costmodel/device/ProfileMembers.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

constexpr ShippedFile kShippedFiles[] = {
#include "costmodel/device/ShippedFiles.inc"
};

} // namespace

ArrayRef<ShippedFile> shippedFiles() { return kShippedFiles; }

Expected<DeviceProfile> loadDeviceProfile(StringRef nameOrFile) {
  auto text = openYaml(shippedFiles(), "device", nameOrFile);
  return text ? parseDeviceProfile(**text) : text.takeError();
}

/// Adds the values of a part, which is a section unless its keys are of one.
template <class T>
static void addValues(std::vector<SourcedValue> &values, const std::string &section, T &part) {
  forEachMember(part, [&](const char *key, auto &member, ValueRange = kAny) {
    if constexpr (requires { member.source; })
      values.push_back({section, key, member.calibrated()});
    else if constexpr (requires { member.has_value(); }) {
      if (member)
        addValues(values, key, *member);
    } else if constexpr (!std::is_same_v<decltype(member), std::string &>)
      addValues(values, section.empty() ? key : section, member);
  });
}

std::vector<SourcedValue> valuesOf(const DeviceProfile &device) {
  std::vector<SourcedValue> values;
  DeviceProfile copy = device; // members are visited as what can change
  addValues(values, "", copy);
  return values;
}

Error missingSection(const DeviceProfile &device, StringRef model, StringRef section) {
  return createStringError(
      inconvertibleErrorCode(),
      fmt::format("{}:{}: the model `{}` needs the section `{}`, which this profile lacks",
                  device.file, device.lines, model.str(), section.str())
          .c_str());
}

void printDeviceList(raw_ostream &out) {
  static constexpr char kRow[] = "{:<8}{:>11}{:>5}{:>13}  {:<24}{}\n";
  out << fmt::format(kRow, "name", "capability", "SMs", "memory GB/s", "models", "calibrated");
  for (const ShippedFile &file : shippedFiles()) {
    StringRef name = file.name;
    if (!name.consume_back(".yaml"))
      continue;
    const DeviceProfile device = cantFail(parseDeviceProfile({file.text, file.name}));
    SmallVector<StringRef> models;
    if (device.su2015)
      models.push_back("su2015");
    if (device.geometric && device.launching)
      models.push_back("geometric");
    if (device.apsp)
      models.push_back("apsp");
    const double bandwidth = device.geometric ? device.geometric->dramBandwidth
                             : device.su2015  ? device.su2015->dramBandwidth
                                              : 0.0;
    const size_t guesses =
        count_if(valuesOf(device), [](const SourcedValue &value) { return !value.calibrated; });
    out << fmt::format(kRow, name.str(), fmt::format("{:.1f}", device.computeCapability.value),
                       device.sms.value, fmt::format("{:.0f}", bandwidth / 1e9), join(models, " "),
                       guesses == 0 ? "yes" : fmt::format("all but {} values", guesses));
  }
}

} // namespace stencilc
