#include "frontend/measure/Timing.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <random>

using namespace llvm;

namespace stencilc {

namespace {

/// Passes that are made before those that are timed, and those: as many as let levels that take
/// each other's places come home.
constexpr size_t kFirstPasses = 4, kTimedPasses = 12;
constexpr double kSpanSeconds = 10e-3, kWarmUpSeconds = 30e-3;
constexpr size_t kTileBytes = 1 << 20;

} // namespace

// ---- arrays -----------------------------------------------------------------------------------

Expected<TimingArrays> TimingArrays::allocate(const session::Session &session, size_t callerBytes,
                                              size_t workspaceBytes) {
  auto callers = session.allocate(callerBytes);
  if (!callers)
    return errorOf(callers.fault());
  auto workspace = session.allocate(workspaceBytes);
  if (!workspace)
    return errorOf(workspace.fault());
  return TimingArrays(session, std::move(*callers), std::move(*workspace));
}

std::vector<uint64_t> TimingArrays::addressesOf(const Program &program,
                                                const DeviceGrid &grid) const {
  std::vector<uint64_t> addresses;
  uint64_t nextOfCaller = callers.address(), nextOfWorkspace = workspace.address();
  for (auto [buffer, place] : zip_equal(program.buffers, grid.places)) {
    uint64_t &next =
        std::holds_alternative<WorkspaceMemory>(buffer.owner) ? nextOfWorkspace : nextOfCaller;
    addresses.push_back(next);
    next += place.bytes;
  }
  return addresses;
}

template <class T> Error TimingArrays::fill(uint64_t address, size_t bytes) const {
  std::vector<T> tile(std::min(bytes, kTileBytes) / sizeof(T));
  std::mt19937_64 random(1);
  std::uniform_real_distribution<T> values(0.5, 1.5);
  for (T &value : tile)
    value = values(random);
  size_t filled = tile.size() * sizeof(T);
  if (auto fault = session.copyIn(address, tile.data(), filled))
    return errorOf(*fault);
  for (; filled < bytes; filled += std::min(filled, bytes - filled))
    if (auto fault = session.copy(address + filled, address, std::min(filled, bytes - filled)))
      return errorOf(*fault);
  return Error::success();
}

Error TimingArrays::fill(const Program &program, const DeviceGrid &grid) const {
  for (auto [buffer, place, address] :
       zip_equal(program.buffers, grid.places, addressesOf(program, grid)))
    if (!std::holds_alternative<WorkspaceMemory>(buffer.owner))
      if (Error error = buffer.type == ScalarType::F32 ? fill<float>(address, place.bytes)
                                                       : fill<double>(address, place.bytes))
        return error;
  return Error::success();
}

// ---- steps ------------------------------------------------------------------------------------

int64_t TimedSteps::stepsOf(const Program &program, ArrayRef<int64_t> extents) {
  return int64_t(kFirstPasses + kTimedPasses) * steadyPass(program.plan, extents).steps;
}

Expected<TimedSteps> TimedSteps::prepare(const VerifiedProgram &program, DeviceProgram compiled,
                                         const session::Session &session, const DeviceGrid &grid,
                                         ArrayRef<uint64_t> addresses, int64_t firstStep) {
  auto begin = session.makeEvent(), end = session.makeEvent();
  for (const auto *event : {&begin, &end})
    if (!*event)
      return errorOf(event->fault());
  TimedSteps steps(std::move(compiled), session, *begin, *end);
  const std::vector<double> params = usualParams(program->signature, grid.extents);
  LaunchRecorder recorder(program, grid, addresses, params, firstStep);
  if (Error error = recorder.run(grid.extents, stepsOf(*program, grid.extents)))
    return error;
  const ArrayRef<RecordedLaunch> launches(recorder.launches);
  const size_t first = recorder.passEnds[kFirstPasses - 1], last = recorder.passEnds.back();
  steps.start = launches.take_front(first).vec();
  steps.steady = launches.slice(first, last - first).vec();
  steps.steadySteps = int64_t(kTimedPasses) * steadyPass(program->plan, grid.extents).steps;
  return steps;
}

Expected<double> TimedSteps::span(int64_t rounds) {
  if (auto fault = session.record(begin))
    return errorOf(*fault);
  for (int64_t round = 0; round < rounds; ++round)
    if (Error error = compiled.start(steady))
      return error;
  if (auto fault = session.record(end))
    return errorOf(*fault);
  auto seconds = session.secondsBetween(begin, end);
  if (!seconds)
    return errorOf(seconds.fault());
  return *seconds;
}

Error TimedSteps::warmUp() {
  if (Error error = compiled.start(start))
    return error;
  for (double passed = 0; passed < kWarmUpSeconds;) {
    Expected<double> seconds = span(rounds);
    if (!seconds)
      return seconds.takeError();
    if (*seconds <= 0)
      return createStringError("the GPU's clock stands still");
    passed += *seconds;
    rounds = std::max<int64_t>(1, std::ceil(rounds * kSpanSeconds / *seconds));
  }
  return Error::success();
}

Expected<double> TimedSteps::time() {
  Expected<double> seconds = span(rounds);
  if (!seconds)
    return seconds;
  return *seconds / double(rounds * steadySteps);
}

} // namespace stencilc
