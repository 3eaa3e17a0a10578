#include "costmodel/calibrate/Calibrate.h"

#include "costmodel/device/ProfileMembers.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace llvm;

namespace stencilc {

namespace {

constexpr StringLiteral kUncalibrated = "uncalibrated: ";

/// Calls visit(section, key, member, range) for each value of a profile.
template <class Part, class Visit>
void forEachValue(Part &part, const std::string &section, Visit visit) {
  forEachMember(part, [&](const char *key, auto &member, ValueRange range = kAny) {
    if constexpr (requires { member.source; })
      visit(section, std::string(key), member, range);
    else if constexpr (requires { member.has_value(); }) {
      if (member)
        forEachValue(*member, key, visit);
    } else if constexpr (!std::is_same_v<decltype(member), std::string &>)
      forEachValue(member, section.empty() ? key : section, visit);
  });
}

/// Sets a number, if it is in its range; else says why not.
std::string setValue(DeviceProfile &profile, StringRef section, StringRef key, double value,
                     const std::string &source) {
  std::string problem = "no profile has such a key";
  forEachValue(
      profile, "",
      [&](const std::string &ofSection, const std::string &ofKey, auto &member, ValueRange range) {
        if (ofSection != section || ofKey != key)
          return;
        using Value = std::remove_reference_t<decltype(member.value)>;
        if constexpr (std::is_arithmetic_v<Value>) {
          if (!(value >= range.least && value <= range.most)) {
            problem =
                fmt::format("{:.4g} is not from {:g} to {:g}", value, range.least, range.most);
            return;
          }
          problem.clear();
          member.value = std::is_integral_v<Value> ? Value(std::llround(value)) : Value(value);
          member.source = source;
        }
      });
  return problem;
}

/// As many digits as a measurement holds.
double rounded(double value) {
  constexpr double kDigits = 4;
  if (value == 0 || !std::isfinite(value))
    return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - (kDigits - 1));
  return unit >= 1 ? std::round(value / unit) * unit
                   : std::round(value / unit) / std::round(1 / unit);
}

void setFacts(DeviceProfile &profile, const MeasuredDevice &device) {
  const std::string source = fmt::format("device property, {}, {}", device.software, device.date);
  profile.name = device.name;
  const auto set = [&](const char *section, const char *key, double value) {
    // A property that a driver does not tell is 0: then the profile's stays.
    if (value > 0)
      setValue(profile, section, key, value, source);
  };
  set("", "compute-capability", device.computeCapability);
  set("", "memory-bytes", double(device.memoryBytes));
  set("", "sms", double(device.sms));
  set("sm", "threads", double(device.threadsPerSm));
  set("sm", "blocks", double(device.blocksPerSm));
  set("sm", "registers", double(device.registersPerSm));
  set("sm", "shared-bytes", double(device.sharedBytesPerSm));
  set("sm", "shared-bytes-per-block", double(device.sharedBytesPerBlock));
  set("caches", "l2-bytes", double(device.l2Bytes));
}

bool isSameDevice(StringRef name, StringRef other) {
  const auto words = [](StringRef text) { return text.split(' ').first.lower(); };
  return words(name) == words(other);
}

/// What was measured on another device says so. Limits and caches follow from the compute
/// capability, which is the same.
void markTaken(DeviceProfile &profile, const DeviceProfile &start) {
  if (isSameDevice(profile.name, start.name))
    return;
  forEachValue(
      profile, "", [&](const std::string &section, const std::string &, auto &member, ValueRange) {
        using Value = std::remove_reference_t<decltype(member.value)>;
        if (section == "sm" || section == "caches" || section.empty())
          return;
        if constexpr (std::is_arithmetic_v<Value>) {
          StringRef before = member.source;
          before.consume_front(kUncalibrated);
          member.source =
              fmt::format("{}taken from {}: {}", kUncalibrated.str(), start.name, before.str());
        }
      });
}

std::string sourceOf(const Finding &finding, const Samples &samples, const MeasuredDevice &device) {
  return fmt::format("micro-benchmark, {}, {}, {}: {} ({}.cu; repeats within {:.1f} %)",
                     device.name, device.software, device.date, finding.how, samples.benchmark,
                     100 * finding.spread);
}

std::vector<std::string> kernelsOf(ArrayRef<Measurement> plan) {
  std::set<std::string> kernels;
  for (const Measurement &measurement : plan) {
    kernels.insert(measurement.launch.kernel);
    if (measurement.before)
      kernels.insert(measurement.before->kernel);
  }
  return {kernels.begin(), kernels.end()};
}

/// The profile as it is read back, or what contradicts itself in it.
Expected<DeviceProfile> readBack(const DeviceProfile &profile) {
  std::string text;
  raw_string_ostream out(text);
  printDeviceProfile(out, profile);
  return parseDeviceProfile({text, "the calibrated profile"});
}

} // namespace

Expected<DeviceProfile> startingProfile(const MeasuredDevice &device, StringRef named) {
  const auto check = [&](DeviceProfile profile) -> Expected<DeviceProfile> {
    for (const auto &[section, isThere] : {std::pair("su2015", profile.su2015.has_value()),
                                           std::pair("geometric", profile.geometric.has_value()),
                                           std::pair("launching", profile.launching.has_value())})
      if (!isThere)
        return missingSection(profile, "calibrate", section);
    return profile;
  };
  if (!named.empty()) {
    Expected<DeviceProfile> profile = loadDeviceProfile(named);
    return profile ? check(std::move(*profile)) : profile.takeError();
  }
  // Of the same name; else the one that least is guessed of.
  const auto guesses = [&](const DeviceProfile &profile) -> int64_t {
    return isSameDevice(profile.name, device.name)
               ? -1
               : count_if(valuesOf(profile), [](const SourcedValue &v) { return !v.calibrated; });
  };
  std::optional<DeviceProfile> found;
  for (const ShippedFile &file : shippedFiles()) {
    if (!file.name.ends_with(".yaml"))
      continue;
    DeviceProfile profile = cantFail(parseDeviceProfile({file.text, file.name}));
    if (profile.computeCapability == device.computeCapability &&
        (!found || guesses(profile) < guesses(*found)))
      found = std::move(profile);
  }
  if (!found)
    return createStringError(fmt::format(
        "no profile that ships is of compute capability {:.1f}: name one to begin with by --gpu=",
        device.computeCapability));
  return check(std::move(*found));
}

Expected<RawData> measure(Machine &machine, const DeviceProfile &start,
                          const std::function<void(size_t made, size_t all)> &tell) {
  RawData raw;
  raw.device = machine.device();
  DeviceProfile profile = start;
  setFacts(profile, raw.device);
  std::vector<std::vector<Measurement>> plans;
  size_t all = 0, made = 0;
  for (const Benchmark &benchmark : benchmarks()) {
    plans.push_back(benchmark.plan(profile));
    all += plans.back().size();
  }
  for (const auto &[benchmark, plan] : zip_equal(benchmarks(), plans)) {
    if (Error error = machine.prepare(benchmark, kernelsOf(plan)))
      return error;
    Samples samples{benchmark.name.str(), {}};
    for (const Measurement &measurement : plan) {
      tell(made++, all);
      auto seconds = machine.time(measurement, bufferBytes(profile));
      if (!seconds)
        return seconds.takeError();
      samples.all.push_back({measurement, std::move(*seconds)});
    }
    raw.benchmarks.push_back(std::move(samples));
  }
  tell(all, all);
  return raw;
}

Expected<Calibrated> calibrate(const RawData &raw, const DeviceProfile &start) {
  Calibrated result{start, {}};
  DeviceProfile &profile = result.profile;
  setFacts(profile, raw.device);
  markTaken(profile, start);
  for (const Benchmark &benchmark : benchmarks()) {
    const auto samples = find_if(
        raw.benchmarks, [&](const Samples &found) { return found.benchmark == benchmark.name; });
    if (samples == raw.benchmarks.end() || samples->all.size() != benchmark.plan(profile).size())
      return createStringError(fmt::format(
          "the measurements of `{}` are not those that this version plans", benchmark.name.str()));
    for (Finding &finding : benchmark.fit(*samples, profile)) {
      finding.value = rounded(finding.value);
      if (finding.settles() && !finding.section.empty())
        finding.problem = setValue(profile, finding.section, finding.key, finding.value,
                                   sourceOf(finding, *samples, raw.device));
      else if (finding.settles() && finding.key == "clock-hertz")
        finding.problem = setValue(profile, "", finding.key, finding.value,
                                   sourceOf(finding, *samples, raw.device));
      result.findings.push_back(std::move(finding));
    }
  }
  Expected<DeviceProfile> read = readBack(profile);
  if (!read)
    return read.takeError();
  profile = std::move(*read);
  return result;
}

void printCalibrated(raw_ostream &out, const Calibrated &calibrated, const RawData &raw) {
  out << fmt::format("# {}, made by stencilc calibrate on {}, {}.\n", calibrated.profile.name,
                     raw.device.date, raw.device.software);
  out << "# The keys are those of costmodel/device/DeviceProfile.h.\n";
  printDeviceProfile(out, calibrated.profile);
}

static std::optional<double> numberOf(const DeviceProfile &profile, StringRef section,
                                      StringRef key) {
  std::optional<double> number;
  DeviceProfile copy = profile; // members are visited as what can change
  forEachValue(
      copy, "",
      [&](const std::string &ofSection, const std::string &ofKey, auto &member, ValueRange) {
        using Value = std::remove_reference_t<decltype(member.value)>;
        if constexpr (std::is_arithmetic_v<Value>)
          if (ofSection == section && ofKey == key)
            number = double(member.value);
      });
  return number;
}

void printFindings(raw_ostream &out, const Calibrated &calibrated, const DeviceProfile &start) {
  for (const Finding &finding : calibrated.findings) {
    const std::string name =
        finding.section.empty() ? finding.key : finding.section + "." + finding.key;
    out << fmt::format("{:<48} {:>11.4g}", name, finding.value);
    if (const auto before = numberOf(start, finding.section, finding.key))
      out << fmt::format("  was {:>11.4g}", *before);
    out << fmt::format("  repeats within {:.1f} %", 100 * finding.spread);
    if (!finding.settles())
      out << "  not written: " << finding.problem;
    out << "\n";
  }
}

} // namespace stencilc
