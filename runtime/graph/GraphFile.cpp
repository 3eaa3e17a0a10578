#include "runtime/graph/GraphFile.h"

#include "runtime/apsp/Algebra.h"
#include "runtime/graph/EdgeList.h"
#include "runtime/graph/NpyIntegers.h"

#include <cmath>
#include <limits>
#include <memory>

namespace stencilc::graph {

namespace {

template <class T> using Weights = apsp::Algebra<apsp::MinPlus, T>;

template <class T> std::string text(T number) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", static_cast<double>(number));
  return buffer;
}

/// The weight as a T, or why it is none.
template <class T> std::string convert(double weight, T &converted) {
  if (std::isnan(weight) || weight == -std::numeric_limits<double>::infinity())
    return text(weight) + " is no weight";
  if (std::isinf(weight)) {
    converted = Weights<T>::zero();
    return "";
  }
  if constexpr (std::is_integral_v<T>) {
    constexpr T largest = apsp::IntegerRange<T>::limit - 1;
    constexpr T least = std::is_signed_v<T> ? -largest : 0;
    if (weight != std::floor(weight))
      return "weight " + text(weight) + " is no whole number; f32 and f64 take fractions";
    if (weight < least || weight > largest)
      return "weight " + text(weight) + " is beyond the " + std::to_string(8 * sizeof(T)) +
             "-bit range of " + text(least) + " to " + text(largest);
  }
  if (std::abs(weight) > static_cast<double>(std::numeric_limits<T>::max()))
    return "weight " + text(weight) + " is beyond the range of f32";
  converted = static_cast<T>(weight);
  return "";
}

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string readText(const std::string &path, std::string &content) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return ": cannot be opened";
  char buffer[1 << 16];
  for (;;) {
    const size_t count = std::fread(buffer, 1, sizeof buffer, file.get());
    content.append(buffer, count);
    if (count < sizeof buffer)
      return std::ferror(file.get()) ? ": cannot be read" : "";
  }
}

template <class T>
std::string readEdges(const std::string &path, bool dimacs, const SizeCheck &admit,
                      WeightMatrix<T> &graph) {
  std::string content;
  if (std::string problem = readText(path, content); !problem.empty())
    return problem;
  EdgeSink sink;
  sink.begin = [&](int64_t n) {
    std::string problem = admit(n);
    if (problem.empty()) {
      graph.n = n;
      graph.weights.assign(n * n, Weights<T>::zero());
    }
    return problem;
  };
  sink.edge = [&](int64_t from, int64_t to, double weight) {
    T converted{};
    std::string problem = convert(weight, converted);
    T &held = graph.weights[from * graph.n + to];
    if (problem.empty() && Weights<T>::better(converted, held))
      held = converted;
    return problem;
  };
  return dimacs ? parseDimacs(content, sink) : parseMatrixMarket(content, sink);
}

/// Whether the file's elements are not of another type than S; further faults come up when it is
/// read.
template <class S> bool mayHold(const std::string &path) {
  const File file(std::fopen(path.c_str(), "rb"));
  std::vector<int64_t> shape;
  return !file || npy::readHeader<S>(file.get(), shape).rfind("holds ", 0) != 0;
}

template <class S, class T>
std::string readElements(const std::string &path, const SizeCheck &admit, WeightMatrix<T> &graph) {
  std::vector<int64_t> shape;
  {
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file)
      return ": cannot be opened";
    if (std::string problem = npy::readHeader<S>(file.get(), shape); !problem.empty())
      return ": " + problem;
  }
  if (shape.size() != 2 || shape[0] != shape[1])
    return ": has shape " + npy::shapeText(shape) + "; a graph is a square matrix";
  if (std::string problem = admit(shape[0]); !problem.empty())
    return ": " + problem;
  std::vector<S> values;
  if (std::string problem = npy::read(path, shape, values); !problem.empty())
    return ": " + problem;
  graph.n = shape[0];
  graph.weights.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    double weight = static_cast<double>(values[i]);
    if constexpr (std::is_integral_v<S> && std::is_integral_v<T>)
      if (weight >= Weights<T>::zero())
        weight = std::numeric_limits<double>::infinity();
    if (std::string problem = convert(weight, graph.weights[i]); !problem.empty())
      return "[" + std::to_string(i / graph.n) + ", " + std::to_string(i % graph.n) +
             "]: " + problem;
  }
  return "";
}

template <class T>
std::string readNpy(const std::string &path, const SizeCheck &admit, WeightMatrix<T> &graph) {
  if (mayHold<float>(path))
    return readElements<float>(path, admit, graph);
  if (mayHold<double>(path))
    return readElements<double>(path, admit, graph);
  if (mayHold<int16_t>(path))
    return readElements<int16_t>(path, admit, graph);
  if (mayHold<uint16_t>(path))
    return readElements<uint16_t>(path, admit, graph);
  if (mayHold<int32_t>(path))
    return readElements<int32_t>(path, admit, graph);
  if (mayHold<int64_t>(path))
    return readElements<int64_t>(path, admit, graph);
  return ": its elements are none of f4, f8, i2, u2, i4 and i8";
}

} // namespace

template <class T>
std::string readGraph(const std::string &path, const SizeCheck &admit, WeightMatrix<T> &graph) {
  const size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  std::string problem;
  if (ending == ".gr" || ending == ".mtx")
    problem = readEdges(path, ending == ".gr", admit, graph);
  else if (ending == ".npy")
    problem = readNpy(path, admit, graph);
  else
    problem = ": is no .gr, .mtx or .npy file";
  return problem.empty() ? "" : path + problem;
}

template std::string readGraph(const std::string &, const SizeCheck &, WeightMatrix<float> &);
template std::string readGraph(const std::string &, const SizeCheck &, WeightMatrix<double> &);
template std::string readGraph(const std::string &, const SizeCheck &, WeightMatrix<int32_t> &);
template std::string readGraph(const std::string &, const SizeCheck &, WeightMatrix<int16_t> &);
template std::string readGraph(const std::string &, const SizeCheck &, WeightMatrix<uint16_t> &);

} // namespace stencilc::graph
