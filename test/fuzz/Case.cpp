#include "test/fuzz/Case.h"

#include "codegen/lower/Lower.h"
#include "codegen/lower/UpdateBox.h"
#include "frontend/language/Frontend.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilInterpreter.h"
#include "test/fuzz/Random.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <limits>

namespace stencilc::fuzz {

std::string toText(const Case &tested) {
  return tested.text.empty() ? toText(tested.program) : tested.text;
}

std::optional<Stencil> analyse(const Case &tested, std::string &diagnostics) {
  llvm::raw_string_ostream out(diagnostics);
  DiagnosticOptions options;
  options.colour = ColourMode::Never;
  DiagnosticEngine engine(
      llvm::MemoryBuffer::getMemBufferCopy(toText(tested), tested.program.name + ".stn"), out,
      options);
  FrontendOptions frontendOptions;
  frontendOptions.real = tested.real;
  frontendOptions.defines = tested.defines;
  return stencilc::analyse(engine, frontendOptions);
}

namespace {
/// Warps that hold successive steps.
struct Pipeline {
  int warps, steps, points, rows, prefetch;
  std::vector<std::string> flags; ///< in some, blocks share the chunks of some tiles
};
} // namespace

/// What some cases on two axes ask for at once: one by one, it would hardly ever come together.
static std::optional<Pipeline> pipelineOf(const Case &tested, const Stencil &stencil) {
  Random random(tested.dataSeed);
  const Variant &fused = *findVariant("temporal");
  if (stencil.rank() != 2 || !random.chance(60) ||
      llvm::errorToBool(fused.checkLegal(stencil, fused.defaultSchedule(stencil))))
    return std::nullopt;
  return Pipeline{random.pick({2, 2, 3, 4}),
                  random.pick({1, 1, 1, 2}),
                  random.pick({1, 2, 2, 3, 4}),
                  random.pick({1, 2, 3, 4}),
                  random.pick({1, 2, 3}),
                  random.pick<std::vector<std::string>>({{}, {"share3x2"}, {"share2x3"}})};
}

std::vector<int64_t> extentsOf(const Case &tested, const Stencil &stencil) {
  std::vector<int64_t> extents = tested.extents;
  if (!tested.keepsShortPeriods)
    for (unsigned axis = 0; axis < extents.size(); ++axis)
      if (extents[axis] != 0)
        extents[axis] = std::max<int64_t>(extents[axis], minimumExtent(stencil, axis));
  if (tested.fillsBlocks) {
    const Area updated = areasOf(stencil).updates.front().front();
    for (unsigned axis = 0; axis < extents.size(); ++axis) {
      const unsigned dimension = dimensionOf(axis, extents.size());
      const int64_t cover =
          axis == 0 ? tested.chunk : tested.block[dimension] * tested.pointsPerThread[dimension];
      const int64_t frame = leftOut(updated[axis], Low) + leftOut(updated[axis], High);
      while (extents[axis] <= frame || (extents[axis] - frame) % cover != 0)
        ++extents[axis];
    }
  }
  if (const std::optional<Pipeline> pipeline = pipelineOf(tested, stencil))
    if (extents.back() > 2) // as wide as its tiles, and a part of another
      extents.back() += 32 * pipeline->points;
  if (tested.alignsRows && !tested.fillsBlocks && extents.back() != 0) {
    const unsigned x = extents.size() - 1;
    int low = 0, high = 0; // the widest ghosts of all: strides are common
    for (unsigned array = 0; array < stencil.arrays.size(); ++array) {
      low = std::max(low, ghostWidths(stencil, array)[x][Low]);
      high = std::max(high, ghostWidths(stencil, array)[x][High]);
    }
    constexpr int widest = 4; // elements of a vector
    while ((extents[x] + low + high) % widest != 0)
      ++extents[x];
  }
  return extents;
}

// ---- data -------------------------------------------------------------------------------------

static double randomValue(Random &random, ScalarType type, bool hasSpecialValues) {
  if (hasSpecialValues && random.chance(6)) {
    const double least = type == ScalarType::F32 ? std::numeric_limits<float>::denorm_min()
                                                 : std::numeric_limits<double>::denorm_min();
    const double infinity = std::numeric_limits<double>::infinity();
    return random.pick({0.0, -0.0, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                        least, -3 * least, 0.0, -0.0});
  }
  return roundTo(type, 4.0 * random.fraction() - 2.0);
}

/// Finds the ghost points of a grid that some update or reduction reads, point by point.
static std::vector<bool> readElements(const Stencil &stencil, unsigned array, const State &state) {
  const Array &declared = stencil.arrays[array];
  const Grid &grid = state.current[array];
  Grid marks(ScalarType::F64, grid.extents, grid.low, grid.high, 0.0);
  auto markRead = [&](llvm::ArrayRef<int64_t> point, const Offset &offset) {
    llvm::SmallVector<int64_t, 3> index;
    for (auto [place, axis] : llvm::enumerate(declared.axes)) {
      int64_t at = point[axis] + offset[axis];
      const int64_t extent = grid.extents[place];
      if (at < 0 || at >= extent) {
        switch (declared.boundary[axis][at < 0 ? Low : High].kind) {
        case BoundaryKind::Clamp:
          at = at < 0 ? 0 : extent - 1;
          break;
        case BoundaryKind::Periodic:
          at = (at % extent + extent) % extent;
          break;
        case BoundaryKind::Reflect:
          at = at < 0 ? -at : 2 * (extent - 1) - at;
          break;
        case BoundaryKind::Symmetric:
          at = at < 0 ? -at - 1 : 2 * extent - 1 - at;
          break;
        case BoundaryKind::Halo:
          break;
        case BoundaryKind::None:
        case BoundaryKind::Fixed:
        case BoundaryKind::Value:
          return; // no element is read
        }
      }
      index.push_back(at);
    }
    if (marks.contains(index)) // else the extents are refused
      marks.at(index) = 1.0;
  };
  auto markReads = [&](const Formula &formula, llvm::ArrayRef<int64_t> begin,
                       llvm::ArrayRef<int64_t> end) {
    forEachRead(formula, [&](const Read &read) {
      if (read.array == array)
        forEachPoint(begin, end,
                     [&](llvm::ArrayRef<int64_t> point) { markRead(point, read.offset); });
    });
  };
  forEachUpdate(stencil, [&](const Update &update) {
    std::vector<int64_t> begin(stencil.rank(), 0), end = state.extents;
    // Temps are made at ghost points too.
    if (stencil.arrays[update.array].kind == ArrayKind::Temp)
      for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
        const auto [low, high] = ghostWidths(stencil, update.array)[axis];
        begin[axis] -= low;
        end[axis] += high;
      }
    markReads(update.formula, begin, end);
  });
  for (const Reduction &reduction : stencil.reductions)
    markReads(reduction.formula, std::vector<int64_t>(stencil.rank(), 0), state.extents);
  return std::vector<bool>(marks.values.begin(), marks.values.end());
}

static bool isInside(const Grid &grid, llvm::ArrayRef<int64_t> index) {
  for (auto [at, extent] : llvm::zip_equal(index, grid.extents))
    if (at < 0 || at >= extent)
      return false;
  return true;
}

static void fill(Grid &grid, const std::vector<bool> &isRead, Random random,
                 bool hasSpecialValues) {
  std::vector<int64_t> begin, end;
  for (size_t axis = 0; axis < grid.extents.size(); ++axis) {
    begin.push_back(-grid.low[axis]);
    end.push_back(grid.extents[axis] + grid.high[axis]);
  }
  size_t element = 0;
  forEachPoint(begin, end, [&](llvm::ArrayRef<int64_t> index) {
    const double value = randomValue(random, grid.type, hasSpecialValues);
    const bool needsValue = isInside(grid, index) || isRead[element];
    grid.values[element++] = needsValue ? value : std::numeric_limits<double>::quiet_NaN();
  });
}

llvm::Expected<State> startOf(const Case &tested, const Stencil &stencil) {
  llvm::Expected<State> state = initialState(stencil, extentsOf(tested, stencil), tested.params,
                                             tested.firstStep + tested.steps + tested.valuesAhead);
  if (!state)
    return state;
  state->step = tested.firstStep;
  for (unsigned array = 0; array < stencil.arrays.size(); ++array) {
    if (stencil.arrays[array].kind == ArrayKind::Temp)
      continue;
    const std::vector<bool> isRead = readElements(stencil, array, *state);
    fill(state->current[array], isRead, Random(tested.dataSeed + 2 * array),
         tested.hasSpecialValues);
    Grid &previous = state->previous[array];
    if (!previous.values.empty())
      fill(previous, isRead, Random(tested.dataSeed + 2 * array + 1), tested.hasSpecialValues);
  }
  return state;
}

// ---- schedules and results --------------------------------------------------------------------

static Schedule scheduleOfForm(const Case &tested, const Stencil &stencil, const Variant &variant) {
  Schedule schedule = variant.defaultSchedule(stencil);
  auto wish = [&](llvm::function_ref<void(Schedule &)> change) {
    Schedule changed = schedule;
    change(changed);
    if (llvm::errorToBool(variant.checkLegal(stencil, changed)))
      return false;
    schedule = std::move(changed);
    return true;
  };
  if (std::optional<Pipeline> pipeline = pipelineOf(tested, stencil);
      pipeline && stencil.stages.size() == 1)
    wish([&](Schedule &changed) {
      changed.block = {32, pipeline->warps, 1};
      changed.fuse = pipeline->warps * pipeline->steps;
      changed.pointsPerThread = {pipeline->points, pipeline->rows};
      changed.prefetch = pipeline->prefetch;
      changed.flags = pipeline->flags;
      changed.residency = 1; // of the one warp that is the default there may be more
    });
  else if (variant.fuses) // by default one step of several stages, or two of one
    wish([&](Schedule &changed) { changed.fuse = Random(tested.dataSeed + 1).pick({1, 2, 2, 3}); });
  const auto wishFlags = [&] {
    for (auto [number, flag] : llvm::enumerate(variant.flags))
      if (tested.flags >> number & 1 &&
          !wish([&](Schedule &changed) { changed.flags.push_back(flag.name.str()); }))
        wish([&](Schedule &changed) { // some are for threads of one point
          changed.flags.push_back(flag.name.str());
          changed.pointsPerThread = {1, 1};
          changed.prefetch = 0;
        });
  };
  if (variant.fuses) // few blocks make clusters
    wishFlags();
  // A variant that marches has one thread along the slowest axis.
  wish([&](Schedule &changed) {
    changed.block = tested.block;
    changed.block[dimensionOf(0, stencil.rank())] = 1;
  });
  wish([&](Schedule &changed) { changed.block = tested.block; });
  wish([&](Schedule &changed) { changed.chunk = tested.chunk; });
  wish([&](Schedule &changed) { changed.pointsPerThread = tested.pointsPerThread; });
  wish([&](Schedule &changed) { changed.pointsPerThread[0] = tested.pointsPerThread[0]; });
  wish([&](Schedule &changed) { changed.prefetch = tested.prefetch; });
  wish([&](Schedule &changed) { changed.band = tested.band; });
  if (tested.residency > 0)
    wish([&](Schedule &changed) { changed.residency = tested.residency; });
  if (!variant.fuses)
    wishFlags();
  return schedule;
}

Schedule scheduleOf(const Case &tested, const Stencil &stencil, const Variant &variant) {
  const std::pair<llvm::StringRef, unsigned> forms[] = {{kTempsAgain, 3}, {kValuesOnce, 12}};
  for (const auto &[name, bits] : forms) { // nearly one in two each
    if (!(tested.flags >> variant.flags.size() & bits))
      continue;
    Schedule flag;
    flag.flags = {name.str()};
    llvm::Expected<StencilForm> form = formFor(stencil, flag);
    if (form && !llvm::errorToBool(
                    variant.checkLegal(form->stencil, variant.defaultSchedule(form->stencil)))) {
      Schedule schedule = scheduleOfForm(tested, form->stencil, variant);
      schedule.flags.push_back(name.str());
      llvm::sort(schedule.flags);
      return schedule;
    }
    llvm::consumeError(form.takeError());
  }
  return scheduleOfForm(tested, llvm::cantFail(formFor(stencil, {})).stencil, variant);
}

static std::optional<std::string> difference(const std::string &name, const Grid &expected,
                                             const Grid &seen) {
  const std::optional<std::vector<int64_t>> index = firstDifference(expected, seen);
  if (!index)
    return std::nullopt;
  return fmt::format("{}[{}] is {} and should be {}", name, fmt::join(*index, ", "),
                     seen.at(*index), expected.at(*index));
}

bool areSame(double expected, double seen) {
  return std::bit_cast<uint64_t>(expected) == std::bit_cast<uint64_t>(seen) ||
         (std::isnan(expected) && std::isnan(seen));
}

std::optional<std::string> difference(const Stencil &stencil, const State &expected,
                                      const State &seen) {
  for (unsigned array = 0; array < stencil.arrays.size(); ++array) {
    if (stencil.arrays[array].kind == ArrayKind::Temp)
      continue;
    const std::string &name = stencil.arrays[array].name;
    if (auto text = difference(name, expected.current[array], seen.current[array]))
      return text;
    if (readsPrevious(stencil, array))
      if (auto text = difference(name + "[t-1]", expected.previous[array], seen.previous[array]))
        return text;
  }
  for (auto [number, reduction] : llvm::enumerate(stencil.reductions))
    if (!expected.results.empty() && !seen.results.empty() &&
        !areSame(expected.results[number], seen.results[number]))
      return fmt::format("`{}` is {} and should be {}", reduction.name, seen.results[number],
                         expected.results[number]);
  return std::nullopt;
}

} // namespace stencilc::fuzz
