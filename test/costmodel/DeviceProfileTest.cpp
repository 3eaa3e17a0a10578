#include "costmodel/DeviceProfile.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace {

constexpr StringLiteral kProfile = R"(name: toy
memory-bytes: { value: 1000, source: made up }
l2-bytes: { value: 100, source: made up }
sms: { value: 4, source: made up }
cores-per-sm: { value: 32, source: made up }
threads-per-warp: { value: 32, source: made up }
warp-granularity: { value: 1, source: made up }
coalescable-accesses: { value: 8, source: made up }
resident-blocks:
  8: { value: 4, source: made up }
  16: { value: 2, source: made up }
  32: { value: 1, source: made up }
)";

std::string complaint(const std::string &yaml) {
  Expected<DeviceProfile> device = parseDeviceProfile({yaml, "toy.yaml"});
  return device ? "" : toString(device.takeError());
}

/// The profile with its first `from` exchanged for `to`.
std::string edited(StringRef from, StringRef to) {
  std::string text = kProfile.str();
  const size_t place = text.find(from.str());
  EXPECT_NE(place, std::string::npos);
  return text.replace(place, from.size(), to.str());
}

} // namespace

TEST(DeviceProfile, ReadsEveryNumberWithItsSource) {
  const DeviceProfile device = cantFail(parseDeviceProfile({kProfile, "toy.yaml"}));
  EXPECT_EQ(device.name, "toy");
  EXPECT_EQ(device.sms, 4);
  EXPECT_EQ(device.residentBlocks[1], 2);
  EXPECT_EQ(device.residentBlocks[1].source, "made up");
  EXPECT_FALSE(device.launching);
}

TEST(DeviceProfile, EveryKeyIsNeeded) {
  SmallVector<StringRef> lines;
  StringRef(kProfile).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    const StringRef key = line.trim().split(':').first;
    if (key == "resident-blocks")
      continue;
    EXPECT_NE(complaint(edited((line + "\n").str(), "")).find("missing required key '" + key.str()),
              std::string::npos)
        << key.str();
  }
}

TEST(DeviceProfile, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(complaint(edited("sms:", "smx: { value: 1, source: x }\nsms:")),
            "toy.yaml:4:1: unknown key 'smx'");
  EXPECT_EQ(complaint(edited("  32:", "  64:")), "toy.yaml:10:3: missing required key '32'");
}

TEST(DeviceProfile, RefusesNumbersWithoutSourceOrSense) {
  EXPECT_NE(complaint(edited("value: 4, source: made up", "value: 4")).find("toy.yaml:4:"),
            std::string::npos);
  EXPECT_NE(complaint(edited("value: 4, source: made up", "value: 4, source: ' '"))
                .find("the source is empty"),
            std::string::npos);
  EXPECT_NE(complaint(edited("value: 4,", "value: 0,")).find("above zero"), std::string::npos);
  EXPECT_NE(complaint(edited("value: 4,", "value: four,")).find("toy.yaml:4:"), std::string::npos);
  EXPECT_EQ(complaint(""), "toy.yaml: is empty");
}

TEST(DeviceProfile, ShippedProfilesLoadByNameOfAnyCase) {
  int profiles = 0;
  for (const ShippedFile &file : shippedFiles()) {
    StringRef name = file.name;
    if (!name.consume_back(".yaml"))
      continue;
    EXPECT_EQ(StringRef(cantFail(loadDeviceProfile(name.upper())).name).lower(), name);
    ++profiles;
  }
  EXPECT_GE(profiles, 3);
  Expected<DeviceProfile> unknown = loadDeviceProfile("c2070");
  EXPECT_EQ(toString(unknown.takeError()),
            "there is no device `c2070`; known are c2075, gtx780, h200, or give a FILE.yaml");
}
