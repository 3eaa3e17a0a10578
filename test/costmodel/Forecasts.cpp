// stencilc-forecasts RUNS: times that the geometric model predicts of kept runs, for any constants.
//
// RUNS has a line for each run, FILE.stn f32|f64 EXTENTS STEPS SCHEDULE [REGISTERS,BYTES
// [KERNEL,PHASES,STORES]...], extents slowest first with commas between; the last are registers of
// a thread and what it spills, of every kernel of the step as compiled, in place of the estimates,
// and what MachineCode.h says of each. Each program is lowered and
// counted once. Then, for each line of the standard input, the name of a profile, a line of
// milliseconds a step comes out, one a run; `-` where the model refuses it. What a run launches
// beside its steps is part of them. For test/gpu/refit.py.
#include "codegen/lower/Lower.h"
#include "costmodel/model/RunPrediction.h"
#include "frontend/language/Frontend.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Parallel.h"

#include <fmt/format.h>

#include <iostream>
#include <map>
#include <memory>

using namespace stencilc;

static llvm::ExitOnError check("stencilc-forecasts: ");

/// Read once for each file and precision.
static const Stencil &stencilOf(llvm::StringRef file, llvm::StringRef real) {
  static std::map<std::pair<std::string, std::string>, Stencil> stencils;
  const std::pair key(file.str(), real.str());
  if (const auto known = stencils.find(key); known != stencils.end())
    return known->second;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      check(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(file)));
  DiagnosticEngine diagnostics(std::move(buffer), llvm::errs());
  std::optional<Stencil> stencil =
      analyse(diagnostics, {real == "f32" ? ScalarType::F32 : ScalarType::F64, {}});
  if (!stencil)
    std::exit(1);
  return stencils.emplace(key, *stencil).first->second;
}

namespace {
struct Run {
  explicit Run(llvm::StringRef line);
  void count() {
    program.emplace(check(lower(*stencil, schedule)));
    counts.emplace(check(countProgram(*program, extents)));
    run = check(countRun(*program, extents, steps));
  }

private:
  const Stencil *stencil;
  Schedule schedule;
  std::vector<int64_t> extents;
  int64_t steps;
  std::optional<VerifiedProgram> program;

public:
  std::optional<ProgramCounts> counts;
  RunCounts run;
  std::optional<CompiledKernel> compiled;
  std::map<std::string, LoadWaits> waits; ///< by kernel
};
} // namespace

Run::Run(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words, numbers;
  line.split(words, ' ');
  if (words.size() < 5 || words[3].getAsInteger(10, steps))
    llvm::report_fatal_error("a run is a file, a precision, extents, steps and a schedule: " +
                             llvm::Twine(line));
  if (words.size() > 5) {
    const auto [registers, bytes] = words[5].split(',');
    compiled.emplace();
    if (registers.getAsInteger(10, compiled->registers) ||
        bytes.getAsInteger(10, compiled->spilledBytes))
      llvm::report_fatal_error("no registers and spilled bytes: " + llvm::Twine(words[5]));
  }
  for (llvm::StringRef word : llvm::ArrayRef(words).drop_front(std::min<size_t>(6, words.size()))) {
    const auto [kernel, numbers] = word.split(',');
    const auto [phases, stores] = numbers.split(',');
    LoadWaits &own = waits[kernel.str()];
    if (phases.getAsDouble(own.phases) || stores.getAsInteger(10, own.stores))
      llvm::report_fatal_error("no phases and stores: " + llvm::Twine(word));
  }
  stencil = &stencilOf(words[0], words[1]);
  schedule = check(parseSchedule(words[4], stencil->rank()));
  words[2].split(numbers, ',');
  for (llvm::StringRef number : numbers)
    if (number.getAsInteger(10, extents.emplace_back()))
      llvm::report_fatal_error("no extent: " + llvm::Twine(number));
}

static std::string forecast(const Run &run, const DeviceProfile &device) {
  PredictOptions options{.model = Model::Geometric};
  if (run.compiled)
    for (const LaunchCounts &launch : run.counts->launches) {
      CompiledKernel &compiled = options.compiled[launch.kernel->name] = *run.compiled;
      if (const auto found = run.waits.find(launch.kernel->name); found != run.waits.end())
        compiled.waits = found->second;
    }
  llvm::Expected<Prediction> step = predict(*run.counts, device, options);
  if (step) {
    const RunPrediction whole = check(predictRun(run.run, *run.counts, *step, device, options));
    return fmt::format("{:.6g}", 1e3 * whole.total / double(whole.steps));
  }
  llvm::consumeError(step.takeError());
  return "-";
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: " << argv[0] << " RUNS, names of profiles on the standard input\n";
    return 2;
  }
  auto file = check(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(argv[1])));
  llvm::SmallVector<llvm::StringRef> lines;
  file->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::unique_ptr<Run>> runs;
  for (llvm::StringRef line : lines)
    runs.push_back(std::make_unique<Run>(line));
  llvm::parallelFor(0, runs.size(), [&](size_t number) { runs[number]->count(); });

  for (std::string profile; std::getline(std::cin, profile);) {
    const DeviceProfile device = check(loadDeviceProfile(profile));
    std::vector<std::string> times(runs.size());
    llvm::parallelFor(0, runs.size(),
                      [&](size_t number) { times[number] = forecast(*runs[number], device); });
    llvm::outs() << llvm::join(times, " ") << '\n';
    llvm::outs().flush();
  }
}
