#include "costmodel/device/DeviceProfile.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace stencilc;

namespace device_profile {
namespace {

/// test/Inputs/toy-gpu.yaml.
std::string toyText() {
  return cantFail(errorOrToExpected(MemoryBuffer::getFile(TOY_GPU)))->getBuffer().str();
}

std::string complaint(const std::string &yaml) {
  Expected<DeviceProfile> device = parseDeviceProfile({yaml, "toy.yaml"});
  return device ? "" : toString(device.takeError());
}

/// The toy with its first `from` after the line `section:` exchanged for `to`.
std::string edited(StringRef section, StringRef from, StringRef to) {
  std::string text = toyText();
  const size_t start = section.empty() ? 0 : text.find("\n" + section.str() + ":\n");
  const size_t place = start == std::string::npos ? start : text.find(from.str(), start);
  if (place == std::string::npos) {
    ADD_FAILURE() << "no " << from.str() << " in " << section.str();
    return text;
  }
  return text.replace(place, from.size(), to.str());
}

/// The 1-based line of the first `what` after the line `section:` of the toy.
size_t lineOf(StringRef section, StringRef what) {
  const std::string text = toyText();
  const size_t start = section.empty() ? 0 : text.find("\n" + section.str() + ":\n");
  return StringRef(text).take_front(text.find(what.str(), start)).count('\n') + 1;
}

/// Without the section of this name, up to the next one.
std::string without(StringRef section) {
  std::string text = toyText();
  const size_t start = text.find("\n" + section.str() + ":\n") + 1;
  size_t end = start;
  do
    end = text.find('\n', end) + 1;
  while (end < text.size() && text[end] == ' ');
  return text.erase(start, end - start);
}

/// "section: key".
std::vector<std::string> uncalibrated(const DeviceProfile &device) {
  std::vector<std::string> keys;
  for (const SourcedValue &value : valuesOf(device))
    if (!value.calibrated)
      keys.push_back(value.section + ": " + value.key);
  return keys;
}

std::vector<std::string> shippedNames() {
  std::vector<std::string> names;
  for (const ShippedFile &file : shippedFiles())
    if (StringRef name = file.name; name.consume_back(".yaml"))
      names.push_back(name.str());
  return names;
}

/// Key, value and source of every line of a profile that has them, numbers in one spelling.
std::vector<std::string> valuesOf(StringRef text) {
  std::vector<std::string> values;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    const auto [key, rest] = line.split('{');
    if (rest.empty())
      continue;
    auto [value, source] = rest.split("source: ");
    value.consume_front(" value: ");
    value = value.take_until([](char c) { return c == ','; });
    double number = 0;
    const bool numeric = to_float(value, number);
    values.push_back(fmt::format("{} {} {}", key.trim().str(),
                                 numeric ? fmt::format("{}", number) : value.str(), source.str()));
  }
  return values;
}

std::string printed(const DeviceProfile &device) {
  std::string text;
  raw_string_ostream out(text);
  printDeviceProfile(out, device);
  return text;
}

} // namespace

TEST(DeviceProfile, ReadsEveryNumberWithItsSource) {
  const DeviceProfile device = cantFail(loadDeviceProfile(TOY_GPU));
  EXPECT_EQ(device.name, "toy");
  EXPECT_EQ(device.file, TOY_GPU);
  EXPECT_EQ(device.sms, 4);
  EXPECT_EQ(device.sms.source, "made up");
  EXPECT_EQ(device.clock, 1e9);
  EXPECT_EQ(device.caches.readOnlyLoads, LoadPath::L1);
  EXPECT_EQ(device.su2015->lineMode, LineMode::Bytes);
  EXPECT_EQ(device.su2015->eta, 0);
  EXPECT_EQ(device.geometric->norm, 2);
  EXPECT_EQ(device.apsp->residentBlocks[1], 2);
  EXPECT_EQ(uncalibrated(device), std::vector<std::string>{"geometric: norm"});
}

TEST(DeviceProfile, EveryKeyIsNeeded) {
  const std::string text = toyText();
  int keys = 0;
  for (StringRef rest = text; !rest.empty();) {
    const StringRef line = rest.substr(0, rest.find('\n') + 1);
    const StringRef key = line.trim().split(':').first;
    if (line.contains("value: ")) {
      const size_t place = line.data() - StringRef(text).data();
      EXPECT_TRUE(StringRef(complaint(std::string(text).erase(place, line.size())))
                      .contains("missing required key '" + key.str() + "'"))
          << key.str();
      ++keys;
    }
    rest = rest.drop_front(line.size());
  }
  EXPECT_EQ(keys, 73);
}

TEST(DeviceProfile, OnlySectionsOfOneModelMayBeLeftOut) {
  for (StringRef section : {"su2015", "geometric", "launching", "apsp"})
    EXPECT_EQ(complaint(without(section)), "") << section.str();
  EXPECT_EQ(complaint(without("sm")), "toy.yaml:2:1: missing required key 'sm'");
  EXPECT_EQ(complaint(without("caches")), "toy.yaml:2:1: missing required key 'caches'");
}

TEST(DeviceProfile, AMissingSectionIsNamedWithThePlaceToAddIt) {
  const std::string text = without("launching");
  const DeviceProfile device = cantFail(parseDeviceProfile({text, "toy.yaml"}));
  ASSERT_FALSE(device.launching);
  EXPECT_EQ(toString(missingSection(device, "geometric", "launching")),
            "toy.yaml:" + std::to_string(StringRef(text).count('\n')) +
                ": the model `geometric` needs the section `launching`, which this profile lacks");
}

TEST(DeviceProfile, RefusesWhatItDoesNotKnow) {
  const std::string sms = "toy.yaml:" + std::to_string(lineOf("", "sms:"));
  EXPECT_EQ(complaint(edited("", "sms:", "smx: { value: 1, source: x }\nsms:")),
            sms + ":1: unknown key 'smx'");
  EXPECT_EQ(complaint(edited("caches", "l2-bytes:", "l3-bytes: 1\n  l2-bytes:")),
            "toy.yaml:" + std::to_string(lineOf("caches", "l2-bytes:")) +
                ":3: unknown key 'l3-bytes'");
  EXPECT_EQ(complaint(edited("", "su2015:", "su2016:")),
            "toy.yaml:" + std::to_string(lineOf("", "su2015:")) + ":1: unknown key 'su2016'");
  EXPECT_EQ(complaint(edited("caches", "value: l1", "value: l0")),
            "toy.yaml:" + std::to_string(lineOf("caches", "value: l1")) +
                ":25: unknown enumerated scalar");
  EXPECT_EQ(complaint(""), "toy.yaml: is empty");
}

TEST(DeviceProfile, RefusesNumbersWithoutSourceOrSense) {
  const auto sms = [](StringRef number) {
    const std::string text =
        edited("", "sms: { value: 4, source: made up }", "sms: " + number.str());
    return StringRef(complaint(text)).split(": ").second.str() + "@" +
           StringRef(complaint(text)).split(": ").first.str();
  };
  const std::string place = "toy.yaml:" + std::to_string(lineOf("", "sms:"));
  EXPECT_EQ(sms("{ value: 4 }"), "missing required key 'source'@" + place + ":8");
  EXPECT_EQ(sms("{ source: x }"), "missing required key 'value'@" + place + ":8");
  EXPECT_EQ(sms("{ value: 4, source: ' ' }"), "the source is empty@" + place + ":8");
  EXPECT_EQ(sms("{ value: 0, source: x }"), "the value must be from 1 to 1e+06@" + place + ":8");
  EXPECT_EQ(sms("{ value: -4, source: x }"), "the value must be from 1 to 1e+06@" + place + ":8");
  EXPECT_EQ(sms("{ value: 2147483648, source: x }"),
            "the value must be from 1 to 1e+06@" + place + ":8");
  EXPECT_EQ(sms("{ value: four, source: x }"), "invalid number@" + place + ":15");
  for (StringRef number : {"nan", "inf", "0", "-1", "1e300", "1e-300"})
    EXPECT_TRUE(
        StringRef(complaint(edited("geometric", "value: 2,", "value: " + number.str() + ",")))
            .contains("the value must be from 1 to 100"))
        << number.str();
  EXPECT_NE(complaint(edited("su2015", "eta: { value: 0,", "eta: { value: -1,"))
                .find("the value must be from 0 to 1"),
            std::string::npos);
}

TEST(DeviceProfile, RefusesWhatIsNoSingleShallowProfile) {
  EXPECT_EQ(complaint(toyText() + "---\n" + toyText()),
            "toy.yaml: a second document follows the profile");
  const std::string twice = complaint(toyText() + "sms: { value: 5, source: x }\n");
  EXPECT_TRUE(StringRef(twice).ends_with(": duplicated mapping key 'sms'")) << twice;
  for (const char *level : {"[", "{", "- ", "? ", "[{", "[]["}) {
    std::string deep = "name: toy\n";
    for (int i = 0; i < 100000; ++i)
      deep += level;
    EXPECT_EQ(complaint(deep), "toy.yaml:2: nests deeper than a profile does") << level;
  }
}

TEST(DeviceProfile, RefusesValuesThatContradictEachOther) {
  struct Contradiction {
    StringRef section, from, to, message;
  };
  for (const auto &[section, from, to, message] : std::initializer_list<Contradiction>{
           {"sm", "per-thread: { value: 255", "per-thread: { value: 70000",
            "`registers-per-thread` is above `registers`"},
           {"sm", "register-unit: { value: 256", "register-unit: { value: 70000",
            "`register-unit` is above `registers`"},
           {"sm", "register-files: { value: 4", "register-files: { value: 3",
            "`registers` are no multiple of `register-files`"},
           {"sm", "shared-unit: { value: 128", "shared-unit: { value: 70000",
            "`shared-unit` is above `shared-bytes`"},
           {"sm", "shared-bytes-per-block: { value: 32768",
            "shared-bytes-per-block: { value: 65536",
            "`shared-bytes-per-block` and `shared-reserved` are together above `shared-bytes`"},
           {"caches", "l1-bytes: { value: 131072", "l1-bytes: { value: 2000000",
            "`l1-bytes` is above `l2-bytes`"},
           {"geometric", "l1-latency: { value: 40", "l1-latency: { value: 400",
            "`l1-latency` is above `l2-latency`"}})
    EXPECT_EQ(complaint(edited(section, from, to)),
              "toy.yaml:" + std::to_string(lineOf("", "\n" + section.str() + ":\n") + 2) +
                  ":3: " + message.str());
  EXPECT_EQ(complaint(edited("geometric", "l2-effective-bytes: { value: 500000",
                             "l2-effective-bytes: { value: 3000000")),
            "toy.yaml:2:1: `l2-effective-bytes` is above twice `l2-bytes`");
}

TEST(DeviceProfile, ShippedProfilesLoadByNameOfAnyCaseAndServeBothModels) {
  EXPECT_EQ(join(shippedNames(), " "), "a100 c2075 gtx780 h100 h200 k20 k20x k80 m2075 v100");
  for (const std::string &name : shippedNames()) {
    const DeviceProfile device = cantFail(loadDeviceProfile(StringRef(name).upper()));
    EXPECT_EQ(StringRef(device.name).lower(), name);
    EXPECT_EQ(device.file, name + ".yaml");
    EXPECT_TRUE(device.su2015 && device.geometric && device.launching) << name;
  }
  EXPECT_EQ(
      toString(loadDeviceProfile("c2070").takeError()),
      "there is no device `c2070`; known are a100, c2075, gtx780, h100, h200, k20, k20x, k80, "
      "m2075, v100, or give a FILE.yaml");
  EXPECT_EQ(toString(loadDeviceProfile("no/such.yaml").takeError()),
            "cannot read `no/such.yaml`: No such file or directory");
}

TEST(DeviceProfile, PrintsWhatItReadAndReadsWhatItPrints) {
  for (const ShippedFile &file : shippedFiles()) {
    if (!file.name.ends_with(".yaml"))
      continue;
    const DeviceProfile device = cantFail(parseDeviceProfile({file.text, file.name}));
    const std::string text = printed(device);
    EXPECT_EQ(valuesOf(text), valuesOf(file.text)) << file.name.str();
    const DeviceProfile back = cantFail(parseDeviceProfile({text, "printed.yaml"}));
    EXPECT_EQ(printed(back), text) << file.name.str();
    EXPECT_EQ(uncalibrated(back), uncalibrated(device)) << file.name.str();
  }
}

TEST(DeviceProfile, TheListSaysWhatEachProfileServes) {
  std::string text;
  raw_string_ostream out(text);
  printDeviceList(out);
  EXPECT_EQ(StringRef(text).count('\n'), shippedNames().size() + 1);
  EXPECT_TRUE(StringRef(text).contains(
      "\nh200            9.0  132         4286  su2015 geometric apsp   all but "))
      << text;
  EXPECT_TRUE(StringRef(text).contains(
      "\nk20             3.5   13          161  su2015 geometric        all but "))
      << text;
}

} // namespace device_profile
