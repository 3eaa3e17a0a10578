#include "frontend/apsp/ApspRun.h"

#include "frontend/apsp/ApspChoice.h"
#include "frontend/apsp/ApspPlace.h"

#include "runtime/apsp/Algebra.h"
#include "runtime/apsp/Paths.h"
#include "runtime/apsp/Saturation.h"
#include "runtime/graph/GraphFile.h"
#include "runtime/graph/NpyIntegers.h"

#include "costmodel/Quantity.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <unistd.h>

using namespace llvm;

namespace stencilc {

namespace {

Error fault(const std::string &message) {
  return createStringError(inconvertibleErrorCode(), Twine(message));
}

template <class T> constexpr T kNoPath = apsp::Algebra<apsp::MinPlus, T>::zero();

/// Text formats count nodes from 1, matrices from 0.
int64_t firstNode(const ApspCommandLine &line) {
  return StringRef(line.input).ends_with(".npy") ? 0 : 1;
}

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

/// The greatest distance of a type.
template <class T> constexpr int64_t kGreatest = apsp::IntegerRange<T>::limit - 1;

/// What paths join, if some of their lengths are beyond the type; an error if distances that it
/// could hold are wrong for that.
template <class T>
Expected<std::optional<apsp::Reach>> findSaturated(const ApspCommandLine &line,
                                                   const graph::WeightMatrix<T> &distances,
                                                   const apsp::Report &report) {
  if constexpr (std::is_integral_v<T>) {
    const int64_t n = distances.n;
    const T *first = distances.weights.data();
    const std::string type = spelling(line.type).str();
    if (!report.saturated || (report.improvingWeights && apsp::areExact(n, first, n)))
      return std::nullopt;
    if (report.improvingWeights)
      return fault(fmt::format("{}: lengths of paths leave the range of {}, {} to {}; --type=f64 "
                               "holds more",
                               line.input, type, -kGreatest<T>, kGreatest<T>));
    apsp::Reach reach(n, first, n, kNoPath<T>);
    const int64_t pairs = apsp::countSaturated(reach, n, first, n, kNoPath<T>);
    if (pairs == 0)
      return std::nullopt;
    errs() << fmt::format("stencilc-apsp: warning: {}: {} pairs are joined by paths longer than {} "
                          "holds, {}; they count as not connected; --type=f64 holds more\n",
                          line.input, pairs, type, kGreatest<T>);
    return reach;
  }
  return std::nullopt;
}

/// "3 -> 7: 12.5, by 3 1 7".
template <class T>
Error answer(const ApspCommandLine &line, const graph::WeightMatrix<T> &distances,
             const apsp::PathMatrix &paths, const std::optional<apsp::Reach> &saturated,
             raw_ostream &out) {
  const int64_t base = firstNode(line);
  const int64_t from = *line.from - base;
  for (int64_t named : line.to) {
    const int64_t to = named - base;
    int64_t length;
    apsp::Status status = apsp::pathLength(paths, from, to, length);
    if (status == apsp::Status::NoPath && saturated && saturated->joins(from, to))
      return fault(fmt::format("path from {} to {}: it is longer than {} holds; --type=f64 holds "
                               "more",
                               *line.from, named, spelling(line.type).str()));
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

/// The best promise that the weights keep. Where they are whole and small, no distance leaves 22
/// bits either, a path having fewer edges than the graph has nodes.
template <class T> apsp::WeightRange rangeOf(const graph::WeightMatrix<T> &graph) {
  double largest = 0;
  for (const T &weight : graph.weights) {
    if (apsp::Algebra<apsp::MinPlus, T>::better(weight, T(0)))
      return apsp::WeightRange::Any;
    if (weight != kNoPath<T>)
      largest = std::max(largest, double(weight));
  }
  if (std::is_same_v<T, int32_t> && largest * double(graph.n) < (1 << 22))
    return apsp::WeightRange::Below22Bits;
  return apsp::WeightRange::NonNegative;
}

/// One line for people: size, what is connected, time and place.
template <class T>
void summarise(raw_ostream &out, const ApspCommandLine &line,
               const graph::WeightMatrix<T> &distances, double seconds, const std::string &place) {
  const int64_t connected = count_if(distances.weights, [](T d) { return d != kNoPath<T>; });
  out << fmt::format("{}: {} nodes, {} of {} pairs connected, {} on {}\n", line.input, distances.n,
                     connected - distances.n, distances.n * (distances.n - 1), timeText(seconds),
                     place);
}

template <class T> Error solveAs(const ApspCommandLine &line, raw_ostream &out) {
  Expected<ApspData> data = loadApspData(line);
  if (!data)
    return data.takeError();
  Expected<ApspPlace> place = ApspPlace::find(line);
  if (!place)
    return place.takeError();
  graph::WeightMatrix<T> graph;
  const size_t bytes = sizeof(T) + (line.wantsPaths() ? sizeof(int32_t) : 0);
  const auto admit = [&](int64_t n) { return place->admit(n, bytes); };
  if (std::string problem = graph::readGraph(line.input, admit, graph); !problem.empty())
    return fault(problem);

  const apsp::WeightRange range = rangeOf(graph);
  // The CPU has one way to do it, but a kernel that does not exist is refused everywhere.
  const ApspKernel kernel =
      place->onDevice || line.algorithm ? chooseKernel(line, *data, graph.n, range) : ApspKernel();
  Expected<apsp::Plan> plan = planOf(kernel, range);
  if (!plan)
    return fault(line.input + ": " + toString(plan.takeError()));
  std::vector<int32_t> paths(line.wantsPaths() ? graph.weights.size() : 0);
  apsp::Report report = apsp::emptyReport();
  apsp::Problem<T> problem;
  problem.n = graph.n;
  problem.weights = problem.distances = graph.weights.data();
  problem.weightsPitch = problem.distancesPitch = problem.pathsPitch = graph.n;
  problem.kind = line.wantsPaths() && line.paths == apsp::PathKind::None ? apsp::PathKind::FirstHop
                                                                         : line.paths;
  problem.paths = paths.data();
  problem.report = &report;
  if (line.verbose && place->onDevice)
    errs() << "stencilc-apsp: " << spelling(kernel.algorithm) << " on " << place->device.name
           << "\n";
  Expected<double> seconds = place->solve(problem, *plan);
  if (!seconds)
    return seconds.takeError();
  if (report.onNegativeCycle != apsp::noVertex)
    return fault(fmt::format("{}: a cycle of negative weight runs through node {}", line.input,
                             report.onNegativeCycle + firstNode(line)));
  Expected<std::optional<apsp::Reach>> saturated = findSaturated(line, graph, report);
  if (!saturated)
    return saturated.takeError();

  if (line.verbose || (line.output.empty() && !line.from))
    summarise(line.verbose ? errs() : out, line, graph, *seconds, place->device.name);
  if (line.from)
    if (Error error =
            answer(line, graph, {graph.n, problem.kind, paths.data(), graph.n}, *saturated, out))
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
  case WeightType::S32:
    return solveAs<int32_t>(line, out);
  case WeightType::S16:
    return solveAs<int16_t>(line, out);
  case WeightType::U16:
    return solveAs<uint16_t>(line, out);
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
  if (!nodes)
    return fault(problem);
  if (*nodes > apsp::maximumExtent)
    return fault(fmt::format("{}: {} nodes are more than the {} that are possible", path, *nodes,
                             apsp::maximumExtent));
  return *nodes;
}

} // namespace stencilc
