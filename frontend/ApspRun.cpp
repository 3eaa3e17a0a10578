#include "frontend/ApspRun.h"

#include "runtime/apsp/Host.h"
#include "runtime/apsp/Paths.h"
#include "runtime/graph/DeviceSolve.h"
#include "runtime/graph/GraphFile.h"
#include "runtime/graph/NpyIntegers.h"

#include "costmodel/ApspReport.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <unistd.h>

using namespace llvm;

namespace stencilc {

namespace {

Error fault(const std::string &message) {
  return createStringError(inconvertibleErrorCode(), Twine(message));
}

/// "1.2 GB".
std::string bytesText(double bytes) { return fmt::format("{:.3g} GB", bytes / 1e9); }

/// Where to solve, and with which plan.
class Place {
public:
  static Expected<Place> choose(const ApspCommandLine &line) {
    Place place;
    const std::string problem = line.target == ApspTarget::Host ? "--target=host was given"
                                                                : graph::findDevice(place.device);
    place.onDevice = problem.empty();
    if (!place.onDevice && line.target == ApspTarget::Cuda)
      return fault("--target=cuda: " + problem);
    if (!place.onDevice && line.algorithm && line.algorithm != ApspAlgorithm::Blocked)
      return fault(
          fmt::format("--algorithm={} needs a GPU: {}", spelling(*line.algorithm).str(), problem));
    if (!place.onDevice && line.target == ApspTarget::Auto)
      errs() << "stencilc-apsp: note: running on the CPU: " << problem << "\n";
    return place;
  }

  template <class T>
  apsp::Plan plan(const ApspCommandLine &line, const ApspData &data,
                  const graph::WeightMatrix<T> &graph) const {
    apsp::Plan plan;
    ApspKernel kernel{ApspAlgorithm::Blocked, line.block.value_or(0), line.tile.value_or(0), "",
                      false};
    if (line.algorithm)
      kernel.algorithm = *line.algorithm;
    else if (onDevice) {
      const ApspForecasts forecasts = fitAll(data.device, data.runs);
      if (const ApspForecast *best =
              fastest(forecasts.fitted, spelling(line.type), wantsPaths(line), graph.n))
        kernel = best->kernel;
    }
    switch (kernel.algorithm) {
    case ApspAlgorithm::MinPlus:
      plan.algorithm = apsp::Algorithm::MinPlus;
      break;
    case ApspAlgorithm::FloydWarshall:
      plan.algorithm = apsp::Algorithm::PivotByPivot;
      break;
    case ApspAlgorithm::Blocked:
      plan.algorithm = apsp::Algorithm::Blocked;
      plan.tileSize = kernel.tile;
      break;
    }
    plan.blockSize = kernel.blockWidth;
    plan.range = rangeOf(graph);
    return plan;
  }

  static bool wantsPaths(const ApspCommandLine &line) {
    return line.paths != apsp::PathKind::None || line.from;
  }

  /// Refuses what does not fit, before memory is taken for it.
  template <class T> std::string check(const ApspCommandLine &line, int64_t n) const {
    if (n > apsp::maximumExtent)
      return fmt::format("{} nodes are more than the {} that are possible", n, apsp::maximumExtent);
    const double matrices = double(n) * n * (sizeof(T) + (wantsPaths(line) ? 4 : 0));
    const double host = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    if (matrices > host)
      return fmt::format("{} nodes take {} of matrices, this machine has {} of memory", n,
                         bytesText(matrices), bytesText(host));
    if (onDevice && matrices > device.freeBytes)
      return fmt::format("{} nodes take {} of matrices, {} has {} of memory free; --target=host "
                         "would do",
                         n, bytesText(matrices), device.name, bytesText(device.freeBytes));
    return "";
  }

  template <class T>
  Error solve(const apsp::Problem<T> &problem, const apsp::Plan &plan, double &seconds) const {
    if (onDevice) {
      const double needed = graph::deviceBytes<T>(problem.n, problem.kind, plan);
      if (needed > device.freeBytes)
        return fault(fmt::format("{} nodes take {} with the workspace, {} has {} of memory free; "
                                 "--target=host would do",
                                 problem.n, bytesText(needed), device.name,
                                 bytesText(device.freeBytes)));
      const std::string trouble = graph::solveOnDevice(problem, plan, seconds);
      return trouble.empty() ? Error::success() : fault(device.name + ": " + trouble);
    }
    size_t bytes;
    apsp::Status status =
        apsp::host::workspaceBytes<apsp::MinPlus, T>(problem.n, problem.kind, plan, bytes);
    if (status == apsp::Status::Ok) {
      const std::unique_ptr<void, decltype(&std::free)> workspace(
          std::aligned_alloc(256, alignTo(std::max<size_t>(bytes, 1), 256)), &std::free);
      const auto begin = std::chrono::steady_clock::now();
      status = apsp::host::solve<apsp::MinPlus>(problem, plan, workspace.get(), bytes);
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    return status == apsp::Status::Ok ? Error::success() : fault(apsp::describe(status));
  }

  std::string name() const { return onDevice ? device.name : "the CPU"; }

private:
  /// The best promise that the weights keep. Within it no distance leaves 22 bits either, a path
  /// having at most n - 1 edges.
  template <class T> static apsp::WeightRange rangeOf(const graph::WeightMatrix<T> &graph) {
    constexpr T none = apsp::Algebra<apsp::MinPlus, T>::zero();
    double largest = 0;
    for (const T &weight : graph.weights)
      if (weight < 0)
        return apsp::WeightRange::Any;
      else if (weight != none)
        largest = std::max(largest, double(weight));
    if (std::is_same_v<T, int32_t> && largest * double(graph.n) < (1 << 22))
      return apsp::WeightRange::Below22Bits;
    return apsp::WeightRange::NonNegative;
  }

  bool onDevice = false;
  graph::DeviceInfo device;
};

/// Writes `values` under a temporary name; `keep` puts it in place.
class PendingNpy {
public:
  template <class T>
  static Expected<PendingNpy> write(const std::string &path, int64_t n,
                                    const std::vector<T> &values) {
    PendingNpy file{path, path + fmt::format(".{}.tmp", getpid())};
    if (std::string problem = npy::write(file.temporary, {n, n}, values); !problem.empty()) {
      file.discard();
      return fault(path + ": " + problem);
    }
    return file;
  }
  Error keep() const {
    if (std::error_code code = sys::fs::rename(temporary, path))
      return createStringError(code, "cannot write `" + path + "`: " + code.message());
    return Error::success();
  }
  void discard() const { sys::fs::remove(temporary); }

  std::string path, temporary;
};

/// dist.npy -> dist_paths.npy
std::string pathsFile(const std::string &output) {
  return StringRef(output).drop_back(4).str() + "_paths.npy";
}

template <class T>
Error writeMatrices(const ApspCommandLine &line, const graph::WeightMatrix<T> &distances,
                    const std::vector<int32_t> &paths) {
  if (line.output.empty())
    return Error::success();
  Expected<PendingNpy> first = PendingNpy::write(line.output, distances.n, distances.weights);
  if (!first)
    return first.takeError();
  if (line.paths == apsp::PathKind::None)
    return first->keep();
  Expected<PendingNpy> second = PendingNpy::write(pathsFile(line.output), distances.n, paths);
  if (!second) {
    first->discard();
    return second.takeError();
  }
  if (Error error = first->keep())
    return error;
  return second->keep();
}

/// "3 -> 7: 12.5, by 3 1 7".
template <class T>
Error answer(const ApspCommandLine &line, const graph::WeightMatrix<T> &distances,
             const apsp::PathMatrix &paths, raw_ostream &out) {
  // Text formats count nodes from 1, matrices from 0.
  const int64_t base = StringRef(line.input).ends_with(".npy") ? 0 : 1;
  const int64_t from = *line.from - base;
  for (int64_t named : line.to) {
    const int64_t to = named - base;
    int64_t length;
    apsp::Status status = apsp::pathLength(paths, from, to, length);
    if (status == apsp::Status::NoPath) {
      out << fmt::format("{} -> {}: no path\n", *line.from, named);
      continue;
    }
    std::vector<int32_t> nodes(length);
    if (status == apsp::Status::Ok)
      status = apsp::tracePath(paths, from, to, nodes.data(), length, length);
    if (status == apsp::Status::BadVertex)
      return fault(fmt::format("{}: nodes are {} to {}, asked for the path from {} to {}",
                               line.input, base, distances.n - 1 + base, *line.from, named));
    if (status != apsp::Status::Ok)
      return fault(
          fmt::format("path from {} to {}: {}", *line.from, named, apsp::describe(status)));
    out << fmt::format("{} -> {}: {}, by", *line.from, named,
                       distances.weights[from * distances.n + to]);
    for (int32_t node : nodes)
      out << " " << node + base;
    out << "\n";
  }
  return Error::success();
}

template <class T> Error solveAs(const ApspCommandLine &line, raw_ostream &out) {
  Expected<ApspData> data = loadApspData(line);
  if (!data)
    return data.takeError();
  Expected<Place> place = Place::choose(line);
  if (!place)
    return place.takeError();
  graph::WeightMatrix<T> graph;
  const auto admit = [&](int64_t n) { return place->check<T>(line, n); };
  if (std::string problem = graph::readGraph(line.input, admit, graph); !problem.empty())
    return fault(problem);

  const apsp::Plan plan = place->plan(line, *data, graph);
  std::vector<int32_t> paths(Place::wantsPaths(line) ? graph.weights.size() : 0);
  apsp::PathKind kind = line.paths;
  if (line.from && kind == apsp::PathKind::None)
    kind = apsp::PathKind::FirstHop;
  apsp::Report report{apsp::noVertex, 0, 0, 0};
  const apsp::Problem<T> problem{graph.n,
                                 graph.weights.data(),
                                 graph.n,
                                 graph.weights.data(),
                                 graph.n,
                                 kind,
                                 paths.empty() ? nullptr : paths.data(),
                                 graph.n,
                                 &report};
  double seconds = 0;
  if (Error error = place->solve(problem, plan, seconds))
    return error;
  if (report.onNegativeCycle != apsp::noVertex)
    return fault(
        fmt::format("{}: a cycle of negative weight runs through node {}", line.input,
                    report.onNegativeCycle + (StringRef(line.input).ends_with(".npy") ? 0 : 1)));
  if (line.verbose || (line.output.empty() && !line.from)) {
    raw_ostream &where = line.verbose ? errs() : out;
    constexpr T none = apsp::Algebra<apsp::MinPlus, T>::zero();
    const int64_t pairs = count_if(graph.weights, [](const T &d) { return d != none; }) - graph.n;
    where << fmt::format("{}: {} nodes, {} of {} pairs connected, {} on {}\n", line.input, graph.n,
                         pairs, graph.n * (graph.n - 1), timeText(seconds), place->name());
  }
  if (line.from)
    if (Error error = answer(line, graph, {graph.n, kind, paths.data(), graph.n}, out))
      return error;
  return writeMatrices(line, graph, paths);
}

} // namespace

Error solveGraph(const ApspCommandLine &line, raw_ostream &out) {
  switch (line.type) {
  case WeightType::F32:
    return solveAs<float>(line, out);
  case WeightType::F64:
    return solveAs<double>(line, out);
  case WeightType::I32:
    return solveAs<int32_t>(line, out);
  case WeightType::I16:
    return solveAs<int16_t>(line, out);
  }
  llvm_unreachable("all types are handled");
}

Expected<int64_t> countNodes(const std::string &path) {
  std::optional<int64_t> nodes;
  graph::WeightMatrix<float> graph;
  // Refusing the size ends the reading as soon as it is known.
  const std::string problem = graph::readGraph(
      path,
      [&](int64_t n) {
        nodes = n;
        return std::string("the size is known");
      },
      graph);
  if (nodes)
    return *nodes;
  return fault(problem);
}

Expected<ApspData> loadApspData(const ApspCommandLine &line) {
  Expected<DeviceProfile> device = loadDeviceProfile(line.gpu);
  if (!device)
    return device.takeError();
  if (line.runs.empty())
    return ApspData{*device, shippedApspRuns(*device)};
  auto buffer = MemoryBuffer::getFile(line.runs, /*IsText=*/true);
  if (!buffer)
    return fault("cannot read `" + line.runs + "`: " + buffer.getError().message());
  auto runs = parseApspRuns((*buffer)->getBuffer(), line.runs);
  if (!runs)
    return runs.takeError();
  return ApspData{*device, std::move(*runs)};
}

ApspKernel kernelOf(const ApspCommandLine &line, ApspAlgorithm algorithm) {
  const bool blocked = algorithm == ApspAlgorithm::Blocked;
  ApspKernel kernel;
  kernel.algorithm = algorithm;
  kernel.blockWidth = line.block.value_or(blocked ? 128 : 32);
  kernel.tile = blocked ? line.tile.value_or(kernel.blockWidth) : kernel.blockWidth;
  kernel.weight = spelling(line.type);
  kernel.paths = !blocked || line.paths != apsp::PathKind::None;
  return kernel;
}

} // namespace stencilc
