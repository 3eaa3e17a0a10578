#include "frontend/driver/ReferenceRun.h"

#include "ir/stencil/StencilInterpreter.h"
#include "runtime/Npy.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;

namespace stencilc {

namespace {

constexpr int64_t kDefaultExtent = 16;
/// The reference is naive: larger grids are a mistake, and would exhaust the memory; longer runs
/// would take days.
constexpr int64_t kMostPoints = int64_t(1) << 28;
constexpr int64_t kMostUpdates = int64_t(1) << 36;

Expected<std::vector<int64_t>> chooseExtents(const Stencil &stencil, const CommandLine &line) {
  Expected<std::vector<int64_t>> extents = line.extentsOf(stencil, kDefaultExtent);
  if (!extents)
    return extents;
  for (const std::string &axis : stencil.axes)
    if (!line.sizes.empty() &&
        none_of(line.sizes, [&](const auto &size) { return size.first == axis; }))
      errs() << fmt::format("stencilc: note: --size says nothing of {}, which has {} points\n",
                            axis, kDefaultExtent);
  int64_t total = 1;
  for (int64_t points : *extents)
    if (points > 0 && total > kMostPoints / points)
      return make_error<UsageError>(fmt::format("--size asks for {} points; the reference runs at "
                                                "most {}",
                                                fmt::join(*extents, "*"), kMostPoints));
    else
      total *= std::max<int64_t>(points, 1);
  if (line.steps > kMostUpdates / total)
    return make_error<UsageError>(fmt::format("--steps asks for {} steps of {} points; the "
                                              "reference updates at most {} points in all",
                                              line.steps, total, kMostUpdates));
  return extents;
}

/// What an input fills: a level of an array.
struct InputPlace {
  unsigned array;
  bool isPrevious; ///< `u_prev`: the state before the first
};

Expected<InputPlace> findPlace(const Stencil &stencil, StringRef name) {
  std::vector<std::string> names;
  for (const auto &[number, array] : enumerate(stencil.arrays)) {
    if (array.kind == ArrayKind::Temp)
      continue;
    names.push_back(array.name);
    if (name == array.name)
      return InputPlace{unsigned(number), false};
    if (!readsPrevious(stencil, number))
      continue;
    names.push_back(array.name + "_prev");
    if (name == names.back())
      return InputPlace{unsigned(number), true};
  }
  return make_error<UsageError>("--input names array `" + name.str() + "`; stencil `" +
                                stencil.name + "` has " + join(names, ", "));
}

/// Reads the array's starting values, and u[t-1] with them unless it has an `init` of its own.
template <class T>
Error readInput(const Stencil &stencil, State &state, const InputPlace &place,
                const std::string &path) {
  const unsigned number = place.array;
  std::vector<int64_t> shape;
  std::vector<T> values;
  if (const std::string problem = npy::read(path, shape, values); !problem.empty())
    return createStringError("`" + path + "` " + problem);

  Grid &grid = (place.isPrevious ? state.previous : state.current)[number];
  if (stencil.arrays[number].isOverTime && shape.size() == 1)
    grid = Grid(grid.type, shape, {0}, {0}, 0.0); // as many values as there are
  std::vector<int64_t> begin(shape.size(), 0), end = grid.extents, whole = grid.extents;
  for (size_t axis = 0; axis < whole.size(); ++axis)
    whole[axis] += grid.low[axis] + grid.high[axis];
  if (shape == whole)
    for (size_t axis = 0; axis < whole.size(); ++axis) {
      begin[axis] = -grid.low[axis];
      end[axis] = grid.extents[axis] + grid.high[axis];
    }
  else if (shape != grid.extents)
    return createStringError(fmt::format(
        "`{}` has shape {}; array `{}` has {}{}", path, npy::shapeText(shape),
        stencil.arrays[number].name, npy::shapeText(grid.extents),
        whole == grid.extents ? "" : " or, with ghost points, " + npy::shapeText(whole)));
  else if (stencil.arrays[number].init.empty())
    return createStringError(fmt::format(
        "`{}` has shape {}, without the ghost points of array `{}`, and no `init` says what these "
        "hold: with them it has {}",
        path, npy::shapeText(shape), stencil.arrays[number].name, npy::shapeText(whole)));
  else
    errs() << fmt::format("stencilc: note: `{}` is without the ghost points of array `{}`: these "
                          "hold what its `init` says\n",
                          path, stencil.arrays[number].name);
  size_t next = 0;
  forEachPoint(begin, end, [&](ArrayRef<int64_t> point) { grid.at(point) = values[next++]; });
  if (!place.isPrevious && readsPrevious(stencil, number) &&
      stencil.arrays[number].initPrevious.empty())
    state.previous[number] = grid;
  return Error::success();
}

/// The values of the points, without ghost points, row-major.
std::vector<double> pointValues(const Grid &grid) {
  std::vector<double> values;
  forEachPoint(std::vector<int64_t>(grid.extents.size(), 0), grid.extents,
               [&](ArrayRef<int64_t> point) { values.push_back(grid.at(point)); });
  return values;
}

/// FNV-1a over the bits of the values as doubles, all NaNs being one.
uint64_t checksum(ArrayRef<double> values) {
  uint64_t hash = 0xcbf29ce484222325;
  for (double value : values) {
    const uint64_t bits =
        bit_cast<uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value);
    for (int shift = 0; shift < 64; shift += 8)
      hash = (hash ^ (bits >> shift & 0xff)) * 0x100000001b3;
  }
  return hash;
}

/// How many values the run reads of the arrays over time.
int64_t timeStepsOf(const Stencil &stencil, int64_t steps) {
  int ahead = 0;
  forEachFormula(stencil, [&](const Formula &formula) {
    for (const Expr &expr : formula.exprs)
      if (const auto *read = std::get_if<TimeRead>(&expr.node))
        ahead = std::max(ahead, read->offset);
  });
  return steps + ahead;
}

/// The state that --size, the `init` formulas and --input ask for.
Expected<State> startingState(const Stencil &stencil, const CommandLine &line) {
  Expected<std::vector<int64_t>> extents = chooseExtents(stencil, line);
  if (!extents)
    return extents.takeError();
  Expected<State> state = initialState(stencil, *extents, {}, timeStepsOf(stencil, line.steps));
  if (!state)
    return state;
  // The state before the first comes last: without an `init` it is first filled with `u`.
  for (const bool isPrevious : {false, true})
    for (const auto &[name, path] : line.inputs) {
      Expected<InputPlace> place = findPlace(stencil, name);
      if (!place)
        return place.takeError();
      if (place->isPrevious != isPrevious)
        continue;
      const bool single = stencil.arrays[place->array].type == ScalarType::F32;
      if (Error error = single ? readInput<float>(stencil, *state, *place, path)
                               : readInput<double>(stencil, *state, *place, path))
        return error;
    }
  return state;
}

template <class T> std::string npyText(const Grid &grid) {
  const std::vector<double> points = pointValues(grid);
  const std::vector<T> values(points.begin(), points.end());
  return npy::header<T>(grid.extents) +
         std::string(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
}

/// A NaN has no sign that anyone asks for.
std::string numberText(double value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

void printSummary(raw_ostream &out, const Array &array, const Grid &grid) {
  const std::vector<double> values = pointValues(grid);
  out << fmt::format("{}: {} {}", array.name, spelling(grid.type).str(),
                     fmt::join(grid.extents, "x"));
  if (!values.empty()) {
    double least = values[0], greatest = values[0], sum = 0;
    for (double value : values) {
      least = std::fmin(least, value);
      greatest = std::fmax(greatest, value);
      sum += value;
    }
    out << fmt::format(", min {}, max {}, sum {}", numberText(least), numberText(greatest),
                       numberText(sum));
  }
  out << fmt::format(", checksum {:016x}\n", checksum(values));
}

} // namespace

Expected<std::vector<OutputFile>> runReference(const Stencil &stencil, const CommandLine &line) {
  Expected<State> state = startingState(stencil, line);
  if (!state)
    return state.takeError();
  if (Error error = interpret(stencil, *state, line.steps))
    return error;

  const bool several =
      count_if(stencil.arrays, [](const Array &a) { return a.kind == ArrayKind::Field; }) > 1;
  std::string summary;
  raw_string_ostream summaryOut(summary);
  std::vector<OutputFile> files;
  for (const auto &[array, grid] : zip_equal(stencil.arrays, state->current)) {
    if (array.kind != ArrayKind::Field)
      continue;
    if (line.toStandardOutput()) {
      printSummary(summaryOut, array, grid);
      continue;
    }
    SmallString<128> path(line.output);
    if (several) {
      sys::path::replace_extension(path, "");
      path += "_" + array.name + sys::path::extension(line.output).str();
    }
    files.push_back({path.str().str(),
                     grid.type == ScalarType::F32 ? npyText<float>(grid) : npyText<double>(grid)});
  }
  if (!line.toStandardOutput())
    return files;
  Expected<std::vector<double>> numbers = reduce(stencil, *state);
  if (!numbers)
    return numbers.takeError();
  for (const auto &[reduction, number] : zip_equal(stencil.reductions, *numbers))
    summaryOut << fmt::format("{}: {}\n", reduction.name, numberText(number));
  files.push_back({line.output, std::move(summary)});
  return files;
}

} // namespace stencilc
