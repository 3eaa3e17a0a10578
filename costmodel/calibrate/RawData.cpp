// The text form of what was measured.
#include "costmodel/calibrate/Calibrate.h"

#include "fmt/format.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace stencilc {

static json::Object objectOf(const KernelLaunch &launch) {
  return json::Object{{"kernel", launch.kernel},
                      {"blocks", launch.blocks},
                      {"rows", launch.rows},
                      {"threads", launch.threads},
                      {"numbers", json::Array{launch.numbers[0], launch.numbers[1]}}};
}

static json::Object objectOf(const Sample &sample) {
  json::Object dials;
  for (const auto &[name, value] : sample.what.dials)
    dials[name] = value;
  json::Object object = objectOf(sample.what.launch);
  object["launches"] = sample.what.launches;
  object["graph"] = sample.what.graph;
  object["dials"] = std::move(dials);
  object["seconds"] = json::Array(sample.seconds);
  return object;
}

static json::Object objectOf(const MeasuredDevice &device) {
  return json::Object{{"name", device.name},
                      {"compute capability", device.computeCapability},
                      {"memory bytes", device.memoryBytes},
                      {"SMs", device.sms},
                      {"L2 bytes", device.l2Bytes},
                      {"threads of an SM", device.threadsPerSm},
                      {"blocks of an SM", device.blocksPerSm},
                      {"registers of an SM", device.registersPerSm},
                      {"shared bytes of an SM", device.sharedBytesPerSm},
                      {"shared bytes of a block", device.sharedBytesPerBlock},
                      {"software", device.software},
                      {"date", device.date}};
}

void printRaw(raw_ostream &out, const RawData &raw) {
  // A measurement a line: readable, and short where it is compared.
  out << "{\"device\": " << json::Value(objectOf(raw.device)) << ",\n\"benchmarks\": {\n";
  for (const Samples &samples : raw.benchmarks) {
    out << (&samples == raw.benchmarks.data() ? "" : ",\n") << "\"" << samples.benchmark
        << "\": [\n";
    for (const Sample &sample : samples.all)
      out << (&sample == samples.all.data() ? "" : ",\n") << json::Value(objectOf(sample));
    out << "]";
  }
  out << "}}\n";
}

static bool fromJSON(const json::Value &value, KernelLaunch &launch, json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<int64_t> numbers;
  if (!map || !map.map("kernel", launch.kernel) || !map.map("blocks", launch.blocks) ||
      !map.map("rows", launch.rows) || !map.map("threads", launch.threads) ||
      !map.map("numbers", numbers))
    return false;
  if (numbers.size() != launch.numbers.size()) {
    path.field("numbers").report("expected two numbers");
    return false;
  }
  std::copy(numbers.begin(), numbers.end(), launch.numbers.begin());
  return true;
}

static bool fromJSON(const json::Value &value, Sample &sample, json::Path path) {
  json::ObjectMapper map(value, path);
  if (!fromJSON(value, sample.what.launch, path) || !map ||
      !map.map("launches", sample.what.launches) || !map.map("graph", sample.what.graph) ||
      !map.map("dials", sample.what.dials) || !map.map("seconds", sample.seconds))
    return false;
  if (sample.seconds.empty()) {
    path.field("seconds").report("expected a time");
    return false;
  }
  return true;
}

static bool fromJSON(const json::Value &value, MeasuredDevice &device, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", device.name) &&
         map.map("compute capability", device.computeCapability) &&
         map.map("memory bytes", device.memoryBytes) && map.map("SMs", device.sms) &&
         map.map("L2 bytes", device.l2Bytes) && map.map("threads of an SM", device.threadsPerSm) &&
         map.map("blocks of an SM", device.blocksPerSm) &&
         map.map("registers of an SM", device.registersPerSm) &&
         map.map("shared bytes of an SM", device.sharedBytesPerSm) &&
         map.map("shared bytes of a block", device.sharedBytesPerBlock) &&
         map.map("software", device.software) && map.map("date", device.date);
}

static bool fromJSON(const json::Value &value, RawData &raw, json::Path path) {
  std::map<std::string, std::vector<Sample>> benchmarks;
  json::ObjectMapper map(value, path);
  if (!map || !map.map("device", raw.device) || !map.map("benchmarks", benchmarks))
    return false;
  for (auto &[name, samples] : benchmarks)
    raw.benchmarks.push_back({name, std::move(samples)});
  return true;
}

Expected<RawData> parseRaw(StringRef text) { return json::parse<RawData>(text); }

} // namespace stencilc
