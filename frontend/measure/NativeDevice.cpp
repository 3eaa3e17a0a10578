#include "frontend/measure/NativeDevice.h"

#include "costmodel/device/DeviceProfile.h"
#include "runtime/session/Driver.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace stencilc {

bool isNamedAfter(StringRef card, StringRef profile) {
  std::vector<std::string> words(1);
  for (char c : card)
    if (isAlnum(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  for (size_t first = 0; first < words.size(); ++first) {
    std::string joined; // "GTX 780" is GTX780
    for (size_t word = first; word < words.size(); ++word) {
      joined += words[word];
      StringRef name(joined);
      if (name.equals_insensitive(profile))
        return true;
      // Kepler's boards end in a letter for their cooling: K20c, K20Xm.
      if (name.size() > 1 && isLower(name.back()) && name.drop_back().equals_insensitive(profile))
        return true;
    }
  }
  return false;
}

Expected<std::string> nativeProfile() {
  const auto driver = session::Driver::open();
  if (!driver)
    return createStringError("--gpu=native: " + driver.fault().message);
  const auto facts = driver->factsOf(0);
  if (!facts)
    return createStringError("--gpu=native: " + facts.fault().message);
  const std::string capability = fmt::format("{}.{}", facts->major, facts->minor);
  for (const ShippedFile &file : shippedFiles()) {
    if (!file.name.ends_with(".yaml"))
      continue;
    const std::string name = file.name.drop_back(StringRef(".yaml").size()).str();
    Expected<DeviceProfile> profile = loadDeviceProfile(name);
    if (!profile)
      return profile.takeError();
    if (isNamedAfter(facts->name, profile->name) && profile->sms.value == facts->sms &&
        fmt::format("{:.1f}", profile->computeCapability.value) == capability)
      return name;
  }
  return createStringError(
      fmt::format("--gpu=native: no profile that ships is of this GPU, {} of compute capability {} "
                  "with {} SMs; name one of --list-gpus that is like it, or give a FILE.yaml",
                  facts->name, capability, facts->sms));
}

} // namespace stencilc
