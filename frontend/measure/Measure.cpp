#include "frontend/measure/Measure.h"

#include "codegen/lower/Lower.h"
#include "costmodel/Quantity.h"
#include "frontend/measure/MeasureCache.h"
#include "frontend/measure/Timing.h"
#include "frontend/measure/ValueCheck.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace stencilc {

namespace {

/// Spans of the first visit to a schedule, and of each later round.
constexpr int kFirstSpans = 3, kLaterRounds = 2, kLaterSpans = 2;
/// Changes with the way in which times are taken, so that kept ones are not mixed.
constexpr const char *kMethod = "steps, spans of 10 ms, 1";
/// Coordinates have 32 bits.
constexpr int64_t kMostPoints = 2000000000;

/// A schedule on its way.
struct Trial {
  Schedule schedule;
  std::unique_ptr<VerifiedProgram> program; ///< stays where it is
  DeviceGrid grid;
  std::vector<std::string> key;
  std::optional<TimedSteps> steps;
  std::vector<double> seconds; ///< of each span
  bool isKept = false;         ///< its times were measured by an earlier run
};

class Measurement {
public:
  Measurement(const MeasureRequest &request, const MeasureListener &listener,
              const session::Session &session)
      : request(request), listener(listener), session(session),
        signature(signatureOf(*request.stencil)), cache(listener.warn) {}

  Expected<MeasuredTimes> run();

private:
  void reject(const Schedule &schedule, Error why) {
    failed.push_back({schedule, toString(std::move(why))});
  }
  bool goesOn() const { return !listener.isInterrupted(); }

  Error lowerAll();
  Error makeRoom();
  Error prepare(Trial &trial);
  Error time(Trial &trial, int spans);
  void firstVisits();
  Error laterRounds();
  MeasuredTimes results() const;

  const MeasureRequest &request;
  const MeasureListener &listener;
  const session::Session &session;
  const Signature signature;
  MeasureCache cache;
  std::optional<session::Nvrtc> nvrtc;
  std::optional<ValueCheck> values;
  std::optional<TimingArrays> arrays;
  std::vector<Trial> trials;
  std::vector<Rejection> failed;
  int64_t firstStep = 0;
};

/// Lowers all schedules, places them on the grid and looks for what is known of them.
Error Measurement::lowerAll() {
  auto opened = session::Nvrtc::open();
  if (!opened)
    return errorOf(opened.fault());
  nvrtc = std::move(*opened);
  int64_t ahead = 0;
  for (const SignatureArray &array : signature.arrays)
    if (array.overTime) {
      firstStep = std::max<int64_t>(firstStep, -array.overTime->first);
      ahead = std::max<int64_t>(ahead, array.overTime->last);
    }
  const session::DeviceFacts &facts = session.facts();
  for (const Schedule &schedule : request.schedules) {
    Trial &trial = trials.emplace_back();
    trial.schedule = schedule;
    Expected<VerifiedProgram> program = lower(*request.stencil, schedule);
    if (!program)
      return program.takeError();
    trial.program = std::make_unique<VerifiedProgram>(std::move(*program));
    trial.grid =
        placeBuffers(**trial.program, request.extents,
                     firstStep + ahead + TimedSteps::stepsOf(**trial.program, request.extents));
    trial.key = {kMethod,
                 STENCILC_VERSION,
                 sourceOf(*trial.program, request.mode),
                 fmt::format("{}", fmt::join(request.extents, " ")),
                 facts.name,
                 std::to_string(facts.driverVersion),
                 nvrtc->version()};
    trial.seconds = cache.find(trial.key);
    trial.isKept = !trial.seconds.empty();
  }
  return Error::success();
}

/// Allocates the arrays; leaves out the schedules whose workspace finds no room beside them.
Error Measurement::makeRoom() {
  const auto free = session.freeBytes();
  if (!free)
    return errorOf(free.fault());
  DeviceBytes most;
  for (const Trial &trial : trials) {
    const DeviceBytes bytes = bytesOf(**trial.program, trial.grid);
    most.caller = std::max(most.caller, bytes.caller);
  }
  if (most.caller > *free)
    return createStringError(
        fmt::format("out of memory for this size: the arrays take {}, and {} has {} left; name a "
                    "smaller one with --size",
                    bytesText(most.caller, 3), session.facts().name, bytesText(*free, 3)));
  erase_if(trials, [&](const Trial &trial) {
    const size_t bytes = bytesOf(**trial.program, trial.grid).workspace;
    const bool hasRoom = bytes <= *free - most.caller;
    if (hasRoom)
      most.workspace = std::max(most.workspace, bytes);
    else
      reject(trial.schedule, createStringError(fmt::format(
                                 "out of memory: its workspace takes {}, and {} is left",
                                 bytesText(bytes, 3), bytesText(*free - most.caller, 3))));
    return !hasRoom;
  });
  Expected<TimingArrays> made = TimingArrays::allocate(session, most.caller, most.workspace);
  if (!made)
    return made.takeError();
  arrays = std::move(*made);
  return Error::success();
}

/// Compiles a schedule and checks its values.
Error Measurement::prepare(Trial &trial) {
  Expected<DeviceProgram> compiled =
      DeviceProgram::compile(*trial.program, request.mode, session, *nvrtc);
  if (!compiled)
    return createStringError("does not compile: " + toString(compiled.takeError()));
  if (Error error = values->check(*trial.program))
    return createStringError("its values cannot be trusted: " + toString(std::move(error)));
  const std::vector<uint64_t> addresses = arrays->addressesOf(**trial.program, trial.grid);
  Expected<TimedSteps> steps = TimedSteps::prepare(*trial.program, std::move(*compiled), session,
                                                   trial.grid, addresses, firstStep);
  if (!steps)
    return steps.takeError();
  trial.steps = std::move(*steps);
  return Error::success();
}

Error Measurement::time(Trial &trial, int spans) {
  if (Error error = arrays->fill(**trial.program, trial.grid))
    return error;
  if (Error error = trial.steps->warmUp())
    return error;
  for (int span = 0; span < spans && (goesOn() || trial.seconds.empty()); ++span) {
    Expected<double> seconds = trial.steps->time();
    if (!seconds)
      return seconds.takeError();
    trial.seconds.push_back(*seconds);
  }
  cache.keep(trial.key, trial.seconds);
  return Error::success();
}

void Measurement::firstVisits() {
  size_t number = 0;
  std::vector<Trial> visited;
  for (Trial &trial : trials) {
    listener.progress(
        fmt::format("measuring {} of {}: {}", ++number, trials.size(), toString(trial.schedule)));
    if (!trial.isKept) {
      if (!goesOn())
        continue;
      Error error = prepare(trial);
      if (!error)
        error = time(trial, kFirstSpans);
      if (error) {
        reject(trial.schedule, std::move(error));
        continue;
      }
    }
    visited.push_back(std::move(trial));
  }
  trials = std::move(visited);
}

Error Measurement::laterRounds() {
  for (int round = 1; round <= kLaterRounds; ++round) {
    listener.progress(fmt::format("measuring again, round {} of {}", round, kLaterRounds));
    for (Trial &trial : trials)
      if (trial.steps && goesOn())
        if (Error error = time(trial, kLaterSpans))
          return error;
  }
  return Error::success();
}

MeasuredTimes Measurement::results() const {
  MeasuredTimes all{session.facts().name, {}, failed, request.schedules.size()};
  for (const Trial &trial : trials) {
    std::vector<double> sorted = trial.seconds;
    sort(sorted);
    const double median = sorted[sorted.size() / 2];
    all.times.push_back({trial.schedule, median, (sorted.back() - sorted.front()) / median});
  }
  stable_sort(all.times,
              [](const MeasuredTime &a, const MeasuredTime &b) { return a.seconds < b.seconds; });
  return all;
}

Expected<MeasuredTimes> Measurement::run() {
  for (auto [axis, points] : zip_equal(signature.axes, request.extents))
    if (points > kMostPoints)
      return createStringError(fmt::format("a run takes at most {} points along an axis, and "
                                           "--size {} is {}",
                                           kMostPoints, axis, points));
  if (Error error = lowerAll())
    return error;
  if (!all_of(trials, [](const Trial &trial) { return trial.isKept; })) {
    if (Error error = makeRoom())
      return error;
    int mostFused = 1;
    for (const Trial &trial : trials)
      for (const Pass &pass : (*trial.program)->plan.passes)
        mostFused = std::max(mostFused, pass.steps);
    listener.progress("making the reference");
    Expected<ValueCheck> made =
        ValueCheck::prepare(*request.stencil, request.mode, mostFused, session, *nvrtc);
    if (!made)
      return made.takeError();
    values = std::move(*made);
  }
  firstVisits();
  if (Error error = laterRounds())
    return error;
  if (!trials.empty())
    return results();
  if (!goesOn())
    return createStringError("interrupted before anything was measured");
  std::string reasons;
  for (const Rejection &rejection : failed)
    reasons += fmt::format("\n  {}: {}", toString(rejection), rejection.reason);
  return createStringError("nothing could be measured:" + reasons);
}

} // namespace

Expected<MeasuredTimes> measure(const MeasureRequest &request, const MeasureListener &listener) {
  const auto session = session::Session::open(0);
  if (!session)
    return errorOf(session.fault());
  return Measurement(request, listener, *session).run();
}

} // namespace stencilc
