#include "frontend/driver/RefinedChoice.h"

#include "frontend/driver/ProgressLine.h"
#include "frontend/measure/DeviceProgram.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

constexpr size_t kCompiled = 50;

/// A candidate as compiled.
struct Refined {
  Candidate candidate;
  int spilledBytes = 0; ///< of a thread of its worst kernel
};

/// "sm_90"
std::string architectureOf(const DeviceProfile &device) {
  return fmt::format("sm_{:.0f}", 10 * device.computeCapability.value);
}

Expected<Refined> refine(const VerifiedProgram &program, FloatMode mode,
                         const session::Nvrtc &nvrtc, const Situation &situation) {
  const auto cubin = nvrtc.compile(sourceOf(program, mode), program->signature.name + ".cu",
                                   architectureOf(*situation.device), kernelNames(*program));
  if (!cubin)
    return createStringError("does not compile: " + cubin.fault().message);
  Refined refined;
  PredictOptions options = situation.options;
  for (const session::CompiledKernel &kernel : cubin->kernels) {
    options.compiled[kernel.name] = {kernel.registers, kernel.spillStoreBytes};
    refined.spilledBytes = std::max(refined.spilledBytes, kernel.spillStoreBytes);
  }
  Expected<ProgramCounts> counted = countProgram(program, situation.extents);
  if (!counted)
    return counted.takeError();
  Expected<Prediction> predicted = predict(*counted, *situation.device, options);
  if (!predicted)
    return predicted.takeError();
  refined.candidate = {program->schedule, std::move(*predicted)};
  return refined;
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

  std::vector<Refined> all;
  std::vector<Rejection> rejected;
  for (const auto &[number, schedule] : enumerate(ArrayRef(schedules).take_front(count))) {
    showProgress(fmt::format("compiling {} of {}: {}", number + 1, count, toString(schedule)));
    Expected<VerifiedProgram> program = lower(stencil, schedule);
    if (!program)
      return program.takeError();
    if (Expected<Refined> refined = refine(*program, mode, *nvrtc, situation))
      all.push_back(std::move(*refined));
    else
      rejected.push_back({schedule, toString(refined.takeError())});
  }
  showProgress("");
  if (all.empty())
    return createStringError("--refine: " + toString(rejected.front()) + ": " +
                             rejected.front().reason);
  const bool allSpill = all_of(all, [](const Refined &each) { return each.spilledBytes > 0; });
  std::vector<Candidate> left;
  for (Refined &refined : all)
    if (refined.spilledBytes == 0 || allSpill)
      left.push_back(std::move(refined.candidate));
    else
      rejected.push_back({refined.candidate.schedule,
                          fmt::format("as compiled, a thread spills {} bytes of registers",
                                      refined.spilledBytes)});
  for (const Schedule &schedule : ArrayRef(schedules).drop_front(count))
    rejected.push_back({schedule, fmt::format("is none of the {} best by the estimate, which "
                                              "alone were compiled",
                                              kCompiled)});
  rank(left);

  Constraints best;
  best.whole = left.front().schedule;
  Expected<Choice> made = choose(stencil, best, situation);
  if (!made)
    return made.takeError();
  choice.program = std::move(made->program);
  choice.forecast = std::move(made->forecast);
  choice.forecast->predicted = left.front().predicted;
  choice.ranking.candidates = std::move(left);
  llvm::move(rejected, std::back_inserter(choice.ranking.rejected));
  errs() << fmt::format("stencilc: note: of {} compiled, keep --schedule={}\n", count,
                        toString(choice.program->schedule));
  return "NVRTC " + nvrtc->version();
}

} // namespace stencilc
