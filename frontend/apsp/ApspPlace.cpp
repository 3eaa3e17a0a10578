#include "frontend/apsp/ApspPlace.h"

#include "runtime/apsp/Host.h"

#include "fmt/format.h"
#include "llvm/Support/MathExtras.h"

#include <chrono>
#include <memory>
#include <unistd.h>

using namespace llvm;

namespace stencilc {

namespace {

template <class... Arguments>
Error fault(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
  return createStringError(inconvertibleErrorCode(),
                           Twine(fmt::format(format, std::forward<Arguments>(arguments)...)));
}

std::string tooLarge(int64_t nodes, double bytes, const std::string &where, double there) {
  return fmt::format("{} nodes take {:.3g} GB, {} has {:.3g} GB", nodes, bytes / 1e9, where,
                     there / 1e9);
}

} // namespace

Expected<ApspPlace> ApspPlace::find(const ApspCommandLine &line) {
  ApspPlace place;
  if (line.target == ApspTarget::Host)
    return place;
  graph::DeviceInfo device;
  const std::string problem = graph::findDevice(device);
  if (problem.empty()) {
    place.onDevice = true;
    place.device = device;
    return place;
  }
  if (line.target == ApspTarget::Cuda)
    return fault("--target=cuda: {}", problem);
  if (line.algorithm && line.algorithm != ApspAlgorithm::Blocked)
    return fault("--algorithm={} needs a GPU: {}", spelling(*line.algorithm).str(), problem);
  errs() << "stencilc-apsp: note: running on the CPU: " << problem << "\n";
  return place;
}

std::string ApspPlace::admit(int64_t nodes, size_t bytes) const {
  if (nodes > apsp::maximumExtent)
    return fmt::format("{} nodes are more than the {} that are possible", nodes,
                       apsp::maximumExtent);
  const double needed = double(nodes) * nodes * bytes;
  const double host = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (needed > host)
    return tooLarge(nodes, needed, "this machine", host);
  if (onDevice && needed > device.freeBytes)
    return tooLarge(nodes, needed, device.name, device.freeBytes) + " free; --target=host would do";
  return "";
}

template <class T>
Expected<double> ApspPlace::solve(const apsp::Problem<T> &problem, const apsp::Plan &plan) const {
  double seconds = 0;
  if (onDevice) {
    const double needed = graph::deviceBytes<T>(problem.n, problem.kind, plan);
    if (needed > device.freeBytes)
      return fault("{} free; --target=host would do",
                   tooLarge(problem.n, needed, device.name, device.freeBytes));
    const std::string problemThere = graph::solveOnDevice(problem, plan, seconds);
    if (!problemThere.empty())
      return fault("{}: {}", device.name, problemThere);
    return seconds;
  }
  constexpr size_t alignment = 256; // what the library asks for
  size_t bytes;
  apsp::Status status =
      apsp::host::workspaceBytes<apsp::MinPlus, T>(problem.n, problem.kind, plan, bytes);
  if (status == apsp::Status::Ok) {
    const std::unique_ptr<void, decltype(&std::free)> workspace(
        std::aligned_alloc(alignment, alignTo(std::max<size_t>(bytes, 1), alignment)), &std::free);
    const auto begin = std::chrono::steady_clock::now();
    status = apsp::host::solve<apsp::MinPlus>(problem, plan, workspace.get(), bytes);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  if (status != apsp::Status::Ok)
    return fault("{}", apsp::describe(status));
  return seconds;
}

template Expected<double> ApspPlace::solve(const apsp::Problem<float> &, const apsp::Plan &) const;
template Expected<double> ApspPlace::solve(const apsp::Problem<double> &, const apsp::Plan &) const;
template Expected<double> ApspPlace::solve(const apsp::Problem<int32_t> &,
                                           const apsp::Plan &) const;
template Expected<double> ApspPlace::solve(const apsp::Problem<int16_t> &,
                                           const apsp::Plan &) const;
template Expected<double> ApspPlace::solve(const apsp::Problem<uint16_t> &,
                                           const apsp::Plan &) const;

} // namespace stencilc
