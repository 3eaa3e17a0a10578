#include "frontend/driver/RefinedChoice.h"

#include "frontend/driver/ProgressLine.h"
#include "frontend/measure/DeviceProgram.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

constexpr size_t kCompiled = 50;

/// "sm_90"
std::string architectureOf(const DeviceProfile &device) {
  return fmt::format("sm_{:.0f}", 10 * device.computeCapability.value);
}

Expected<Candidate> refine(const VerifiedProgram &program, FloatMode mode,
                           const session::Nvrtc &nvrtc, const Situation &situation) {
  const auto cubin = nvrtc.compile(sourceOf(program, mode), program->signature.name + ".cu",
                                   architectureOf(*situation.device), kernelNames(*program));
  if (!cubin)
    return createStringError("does not compile: " + cubin.fault().message);
  PredictOptions options = situation.options;
  const std::map<std::string, LoadWaits> waits = readLoadWaits(cubin->bytes);
  for (const session::CompiledKernel &kernel : cubin->kernels) {
    CompiledKernel &compiled = options.compiled[kernel.name];
    compiled = {kernel.registers, kernel.spillStoreBytes};
    if (const auto found = waits.find(kernel.symbol); found != waits.end())
      compiled.waits = found->second;
  }
  Expected<ProgramCounts> counted = countProgram(program, situation.extents);
  if (!counted)
    return counted.takeError();
  Expected<Prediction> predicted = predict(*counted, *situation.device, options);
  if (!predicted)
    return predicted.takeError();
  return Candidate{program->schedule, std::move(*predicted)};
}

} // namespace

Expected<std::string> refineChoice(Choice &choice, const Stencil &stencil, const CommandLine &line,
                                   const Situation &situation) {
  const auto nvrtc = session::Nvrtc::open();
  if (!nvrtc)
    return createStringError("--refine: " + nvrtc.fault().message);
  const FloatMode mode = line.strict ? FloatMode::Strict : FloatMode::Contract;
  std::vector<Schedule> schedules;
  for (const Candidate &candidate : choice.ranking.candidates)
    schedules.push_back(candidate.schedule);
  if (schedules.empty())
    schedules.push_back(choice.program->schedule);
  const size_t count = std::min(schedules.size(), kCompiled);

  std::vector<Candidate> all;
  std::vector<Rejection> rejected;
  for (const auto &[number, schedule] : enumerate(ArrayRef(schedules).take_front(count))) {
    showProgress(fmt::format("compiling {} of {}: {}", number + 1, count, toString(schedule)));
    Expected<VerifiedProgram> program = lower(stencil, schedule);
    if (!program)
      return program.takeError();
    if (Expected<Candidate> refined = refine(*program, mode, *nvrtc, situation))
      all.push_back(std::move(*refined));
    else
      rejected.push_back({schedule, toString(refined.takeError())});
  }
  showProgress("");
  if (all.empty())
    return createStringError("--refine: " + toString(rejected.front()) + ": " +
                             rejected.front().reason);
  for (const Schedule &schedule : ArrayRef(schedules).drop_front(count))
    rejected.push_back({schedule, fmt::format("is none of the {} best by the estimate, which "
                                              "alone were compiled",
                                              kCompiled)});
  rank(all);

  Constraints best;
  best.whole = all.front().schedule;
  Expected<Choice> made = choose(stencil, best, situation);
  if (!made)
    return made.takeError();
  choice.program = std::move(made->program);
  choice.forecast = std::move(made->forecast);
  choice.forecast->predicted = all.front().predicted;
  choice.ranking.candidates = std::move(all);
  llvm::move(rejected, std::back_inserter(choice.ranking.rejected));
  errs() << fmt::format("stencilc: note: of {} compiled, keep --schedule={}\n", count,
                        toString(choice.program->schedule));
  return "NVRTC " + nvrtc->version();
}

} // namespace stencilc
