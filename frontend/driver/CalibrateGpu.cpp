#include "frontend/driver/CalibrateGpu.h"

#include "costmodel/calibrate/Calibrate.h"
#include "runtime/session/Session.h"

#include "fmt/format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <ctime>

using namespace llvm;

namespace stencilc {

namespace {

Error errorOf(const session::Fault &fault) { return createStringError(fault.message); }

/// "2026-11-23", of universal time.
std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date;
  gmtime_r(&now, &date);
  return fmt::format("{}-{:02}-{:02}", 1900 + date.tm_year, 1 + date.tm_mon, date.tm_mday);
}

/// A GPU by way of its driver.
class SessionMachine : public Machine {
public:
  static Expected<std::unique_ptr<SessionMachine>> open() {
    session::Expected<session::Session> session = session::Session::open(0);
    if (!session)
      return errorOf(session.fault());
    session::Expected<session::Nvrtc> nvrtc = session::Nvrtc::open();
    if (!nvrtc)
      return errorOf(nvrtc.fault());
    return std::unique_ptr<SessionMachine>(new SessionMachine(*session, *nvrtc));
  }

  MeasuredDevice device() override {
    const session::DeviceFacts &facts = session.facts();
    StringRef name = facts.name;
    name.consume_front("NVIDIA ");
    return {.name = name.str(),
            .computeCapability = facts.major + facts.minor / 10.0,
            .memoryBytes = int64_t(facts.memoryBytes),
            .sms = facts.sms,
            .l2Bytes = facts.l2Bytes,
            .threadsPerSm = facts.threadsPerSm,
            .blocksPerSm = facts.blocksPerSm,
            .registersPerSm = facts.registersPerSm,
            .sharedBytesPerSm = facts.sharedBytesPerSm,
            .sharedBytesPerBlock = facts.sharedBytesPerBlock,
            .software = fmt::format("driver of CUDA {}.{}, NVRTC {}", facts.driverVersion / 1000,
                                    facts.driverVersion % 1000 / 10, nvrtc.version()),
            .date = today()};
  }

  Error prepare(const Benchmark &benchmark, ArrayRef<std::string> kernels) override {
    const session::Expected<session::Cubin> cubin =
        nvrtc.compile(benchmark.kernels().str(), (benchmark.name + ".cu").str(),
                      session.facts().architecture(), kernels.vec());
    if (!cubin)
      return errorOf(cubin.fault());
    session::Expected<session::Module> loaded = session.load(*cubin);
    if (!loaded)
      return errorOf(loaded.fault());
    module = *loaded;
    return Error::success();
  }

  Expected<std::vector<double>> time(const Measurement &measurement, int64_t bytes) override {
    constexpr int kRepeats = 7;
    if (Error error = allocate(bytes))
      return error;
    if (measurement.before)
      if (const auto fault = session.launch(launchOf(*measurement.before)))
        return errorOf(*fault);
    const std::vector<session::Launch> span(measurement.launches, launchOf(measurement.launch));
    std::optional<session::Graph> graph;
    if (measurement.graph) {
      const session::Expected<session::Graph> captured = session.capture(span);
      if (!captured)
        return errorOf(captured.fault());
      graph = *captured;
    }
    std::vector<double> seconds;
    for (int repeat = 0; repeat <= kRepeats; ++repeat) {
      const session::Expected<double> took = timeOnce(span, graph);
      if (!took)
        return errorOf(took.fault());
      if (repeat > 0) // the first one finds caches and clocks as others left them
        seconds.push_back(*took);
    }
    return seconds;
  }

private:
  SessionMachine(session::Session session, session::Nvrtc nvrtc)
      : session(std::move(session)), nvrtc(std::move(nvrtc)) {}

  /// The two buffers, and some beyond: what is read a word off ends there.
  Error allocate(int64_t bytes) {
    constexpr int64_t kBeyond = 64 << 20;
    for (std::optional<session::Buffer> *buffer : {&from, &to}) {
      if (*buffer)
        continue;
      session::Expected<session::Buffer> made = session.allocate(bytes + kBeyond);
      if (!made)
        return errorOf(made.fault());
      *buffer = *made;
      addresses[buffer == &to] = made->address();
    }
    return Error::success();
  }

  /// Its arguments stay where `launch` has them.
  session::Launch launchOf(const KernelLaunch &launch) const {
    return {module.find(launch.kernel),
            {unsigned(launch.blocks), unsigned(launch.rows), 1},
            {unsigned(launch.threads), 1, 1},
            0,
            {&addresses[0], &addresses[1], &launch.numbers[0], &launch.numbers[1]}};
  }

  session::Expected<double> timeOnce(ArrayRef<session::Launch> span,
                                     const std::optional<session::Graph> &graph) {
    const session::Expected<session::Event> begin = session.makeEvent(), end = session.makeEvent();
    if (!begin || !end)
      return begin ? end.fault() : begin.fault();
    if (const auto fault = session.record(*begin))
      return *fault;
    if (graph) {
      if (const auto fault = session.launch(*graph))
        return *fault;
    } else {
      for (const session::Launch &launch : span)
        if (const auto fault = session.launch(launch))
          return *fault;
    }
    if (const auto fault = session.record(*end))
      return *fault;
    return session.secondsBetween(*begin, *end);
  }

  session::Session session;
  session::Nvrtc nvrtc;
  session::Module module;
  std::optional<session::Buffer> from, to;
  uint64_t addresses[2] = {};
};

/// A line that says how far it is, where somebody looks.
class ProgressLine {
public:
  explicit ProgressLine(raw_ostream &out) : out(out), isShown(out.is_displayed()) {}
  ~ProgressLine() {
    if (isShown)
      out << "\r\033[K";
  }
  void operator()(size_t made, size_t all) {
    constexpr size_t kWidth = 40;
    if (!isShown)
      return;
    const size_t filled = kWidth * made / std::max<size_t>(1, all);
    out << "\r[" << std::string(filled, '#') << std::string(kWidth - filled, ' ')
        << fmt::format("] {} of {}", made, all);
  }

private:
  raw_ostream &out;
  bool isShown;
};

Expected<RawData> measureHere(StringRef named, raw_ostream &messages) {
  Expected<std::unique_ptr<SessionMachine>> machine = SessionMachine::open();
  if (!machine)
    return machine.takeError();
  Expected<DeviceProfile> start = startingProfile((*machine)->device(), named);
  if (!start)
    return start.takeError();
  ProgressLine progress(messages);
  return measure(**machine, *start, [&](size_t made, size_t all) { progress(made, all); });
}

Expected<RawData> readKept(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return createStringError("cannot read `" + path.str() + "`: " + buffer.getError().message());
  Expected<RawData> raw = parseRaw((*buffer)->getBuffer());
  if (!raw)
    return createStringError(path.str() + ": " + toString(raw.takeError()));
  return raw;
}

} // namespace

Expected<std::vector<OutputFile>> calibrateGpu(const CommandLine &line, raw_ostream &messages) {
  const CalibrateOptions &options = line.calibrate;
  Expected<RawData> raw =
      options.from.empty() ? measureHere(options.start, messages) : readKept(options.from);
  if (!raw)
    return raw.takeError();
  Expected<DeviceProfile> start = startingProfile(raw->device, options.start);
  if (!start)
    return start.takeError();
  Expected<Calibrated> calibrated = calibrate(*raw, *start);
  if (!calibrated)
    return calibrated.takeError();
  printFindings(messages, *calibrated, *start);
  std::vector<OutputFile> files = {{line.output, ""}};
  raw_string_ostream profile(files.front().text);
  printCalibrated(profile, *calibrated, *raw);
  if (!options.raw.empty()) {
    std::string text;
    raw_string_ostream out(text);
    printRaw(out, *raw);
    files.push_back({options.raw, std::move(text)});
  }
  return files;
}

} // namespace stencilc
