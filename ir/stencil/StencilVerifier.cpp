#include "ir/stencil/StencilVerifier.h"

#include "ir/stencil/FormulaVerifier.h"
#include "ir/stencil/SourceError.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace stencilc {

static bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

namespace {
class StencilVerifier {
public:
  explicit StencilVerifier(const Stencil &stencil) : stencil(stencil) {}

  /// Each step takes for granted what those before it have found right.
  llvm::Error run() {
    using Step = void (StencilVerifier::*)();
    for (Step step : {&StencilVerifier::checkNames, &StencilVerifier::checkParams,
                      &StencilVerifier::checkArrays, &StencilVerifier::checkStages,
                      &StencilVerifier::checkRegions, &StencilVerifier::checkFormulas,
                      &StencilVerifier::checkGhostPoints, &StencilVerifier::checkMadePoints}) {
      (this->*step)();
      if (!fault.empty())
        return llvm::make_error<SourceError>(position, std::move(fault));
    }
    return llvm::Error::success();
  }

private:
  void report(SourcePosition where, std::string text) {
    if (!fault.empty())
      return;
    fault = std::move(text);
    position = where;
  }
  template <class... Args>
  void require(bool holds, SourcePosition where, fmt::format_string<Args...> text, Args &&...args) {
    if (!holds)
      report(where, fmt::format(text, std::forward<Args>(args)...));
  }

  // ---- declarations

  void checkName(const std::string &name, SourcePosition where) {
    require(isIdentifier(name), where, "name: `{}` is no identifier", name);
    require(!isReservedWord(name), where, "name: `{}` is a word of the language", name);
  }

  void checkNames() {
    require(stencil.rank() >= 1 && stencil.rank() <= kMaxRank, {}, "axes: there are {}",
            stencil.rank());
    checkName(stencil.name, {});
    llvm::StringSet<> known;
    const auto declare = [&](const std::string &name, SourcePosition where) {
      checkName(name, where);
      require(known.insert(name).second, where, "name: `{}` is declared twice", name);
    };
    for (const std::string &axis : stencil.axes) {
      declare(axis, {});
      require(axis != "t", {}, "name: `t` is time, no axis");
    }
    for (const Array &array : stencil.arrays)
      declare(array.name, array.position);
    for (const Param &param : stencil.params)
      declare(param.name, param.position);
    for (const Reduction &reduction : stencil.reductions)
      declare(reduction.name, reduction.position);
  }

  void checkParams() {
    for (const Param &param : stencil.params) {
      require(param.type != ScalarType::Bool, param.position, "param: `{}` is a truth value",
              param.name);
      if (!param.defaultValue)
        continue;
      const double value = *param.defaultValue;
      const bool fits = param.type == ScalarType::Int
                            ? value == std::trunc(value) && std::abs(value) <= kMaxWholeNumber
                            : std::isnan(value) || roundTo(param.type, value) == value;
      require(fits, param.position, "param: {} is no {}", value, spelling(param.type).str());
    }
  }

  void checkArrays() {
    for (const Array &array : stencil.arrays) {
      checkShape(array);
      checkBoundaries(array);
    }
    require(llvm::any_of(stencil.arrays,
                         [](const Array &array) { return array.kind == ArrayKind::Field; }),
            {}, "array: there is no field");
  }

  void checkShape(const Array &array) {
    const auto require = [&](bool holds, llvm::StringRef what) {
      this->require(holds, array.position, "array: `{}` {}", array.name, what.str());
    };
    require(isFloat(array.type), "is neither f32 nor f64");
    for (size_t number = 0; number < array.axes.size(); ++number) {
      require(array.axes[number] < stencil.rank(), "has an axis that is not there");
      require(number == 0 || array.axes[number - 1] < array.axes[number],
              "has axes that do not ascend");
    }
    if (array.isOverTime)
      require(array.kind == ArrayKind::Const && array.axes.empty(),
              "is over time, but no const array without axes");
    else
      require(array.kind == ArrayKind::Const ? !array.axes.empty()
                                             : array.axes.size() == stencil.rank(),
              "lacks axes");
    require(array.init.empty() || array.kind != ArrayKind::Temp, "is a temp and has an `init`");
    require(array.initPrevious.empty() || array.kind == ArrayKind::Field,
            "is no field and has an `init` for `t-1`");
  }

  void checkBoundaries(const Array &array) {
    const auto require = [&](bool holds, llvm::StringRef what) {
      this->require(holds, array.position, "boundary: `{}` {}", array.name, what.str());
    };
    for (unsigned axis = 0; axis < kMaxRank; ++axis) {
      const auto &[low, high] = array.boundary[axis];
      require((low.kind == BoundaryKind::Periodic) == (high.kind == BoundaryKind::Periodic),
              "is periodic at one end of an axis");
      for (const Boundary &boundary : {std::cref(low), std::cref(high)}) {
        require(boundary.kind == BoundaryKind::None || array.hasAxis(axis),
                "has a boundary on an axis that it lacks");
        require((boundary.kind == BoundaryKind::Value) == !boundary.value.empty(),
                "has a formula without `value`, or `value` without one");
        require(boundary.factor == 1 || boundary.kind == BoundaryKind::Reflect ||
                    boundary.kind == BoundaryKind::Symmetric,
                "has a factor and no mirror");
        require(std::isfinite(boundary.factor) &&
                    roundTo(array.type, boundary.factor) == boundary.factor,
                "has a factor that is no number of its type");
      }
    }
  }

  // ---- stages

  void checkStages() {
    require(!stencil.stages.empty(), {}, "stage: there is none");
    std::vector<bool> isMade(stencil.arrays.size());
    for (const Stage &stage : stencil.stages) {
      require(!stage.updates.empty(), {}, "stage: one is empty");
      for (const Update &update : stage.updates) {
        const bool exists = update.array < stencil.arrays.size();
        require(exists, update.position, "stage: an update makes no array");
        if (!exists)
          return;
        const Array &array = stencil.arrays[update.array];
        require(array.kind != ArrayKind::Const, update.position, "stage: `{}` is const and made",
                array.name);
        isMade[update.array] = true;
      }
    }
    for (auto [number, array] : llvm::enumerate(stencil.arrays))
      require(isMade[number] || array.kind == ArrayKind::Const, array.position,
              "made: `{}` never is", array.name);
  }

  void checkRegions() {
    for (const Stage &stage : stencil.stages)
      for (const Update &update : stage.updates)
        checkRegion(update.region, update.position);
    for (const Reduction &reduction : stencil.reductions)
      checkRegion(reduction.region, reduction.position);
    const auto [lanes, turns] = stencil.reductionTree;
    require(lanes >= 2 && std::has_single_bit(unsigned(lanes)) && turns >= 1, {},
            "tree: {} lanes take {} numbers each", lanes, turns);
  }

  void checkRegion(const Region &region, SourcePosition where) {
    for (unsigned axis = 0; axis < kMaxRank; ++axis) {
      require(axis < stencil.rank() || region[axis] == Slice(), where,
              "region: there is no axis {}", axis);
      require(region[axis].from != fromEnd(0), where, "region: one starts at the end");
      for (const AxisBound &bound : {region[axis].from, region[axis].to}) {
        require(std::abs(bound.offset) <= kMaxBound, where, "region: {} is too large a bound",
                bound.offset);
        switch (bound.base) {
        case AxisBound::Base::Start:
          require(bound.offset >= 0, where, "region: a bound lies before the start");
          break;
        case AxisBound::Base::End:
          require(bound.offset <= 0, where, "region: a bound lies beyond the end");
          break;
        case AxisBound::Base::Param:
          require(bound.param < stencil.params.size() &&
                      stencil.params[bound.param].type == ScalarType::Int,
                  where, "region: a bound is no `param int`");
          break;
        }
      }
    }
  }

  void checkFormulas() {
    for (const Array &array : stencil.arrays) {
      for (unsigned axis : array.axes)
        for (const Boundary &boundary : array.boundary[axis])
          if (boundary.kind == BoundaryKind::Value)
            checkFormula(boundary.value, {FormulaPlace::BoundaryValue, array.type}, array.position);
      const FormulaPlace place = {
          array.isOverTime ? FormulaPlace::InitOverTime : FormulaPlace::Init, array.type};
      for (const Formula &init : {std::cref(array.init), std::cref(array.initPrevious)})
        if (!init.empty())
          checkFormula(init, place, array.position);
    }
    for (auto [number, stage] : llvm::enumerate(stencil.stages))
      for (const Update &update : stage.updates)
        checkFormula(update.formula,
                     {FormulaPlace::Update, stencil.arrays[update.array].type, unsigned(number)},
                     update.position);
    for (const Reduction &reduction : stencil.reductions)
      checkFormula(reduction.formula, {FormulaPlace::Reduction, ScalarType::F64},
                   reduction.position);
  }

  void checkFormula(const Formula &formula, const FormulaPlace &place, SourcePosition where) {
    if (std::string found = faultOf(stencil, formula, place); !found.empty())
      report(where, std::move(found));
  }

  // ---- points that are made

  void checkGhostPoints() {
    forEachUpdate(stencil, [&](const Update &update) {
      if (stencil.arrays[update.array].kind != ArrayKind::Temp)
        return;
      const Widths ghosts = ghostWidths(stencil, update.array);
      forEachRead(update.formula, [&](const Read &read) {
        const Array &array = stencil.arrays[read.array];
        for (unsigned axis : array.axes)
          for (unsigned side : {Low, High})
            require(
                ghosts[axis][side] == 0 || array.boundary[axis][side].kind == BoundaryKind::Halo,
                update.position, "temp: `{}` is evaluated beyond `{}{}`, where `{}` is not `halo`",
                stencil.arrays[update.array].name, stencil.axes[axis], side == Low ? '-' : '+',
                array.name);
      });
    });
  }

  void checkMadePoints() {
    const StencilAreas areas = areasOf(stencil);
    for (auto [number, array] : llvm::enumerate(stencil.arrays))
      if (array.kind == ArrayKind::Temp)
        checkTemp(array, areas.temps[number]);
    const ParamRanges ranges = paramRanges(stencil);
    for (const Separation &separation : separations(stencil, areas))
      require(disjointness(separation.left, separation.right, stencil.rank(), ranges).answer !=
                  Disjointness::Refuted,
              separation.position, "apart: {}", separation.what);
  }

  void checkTemp(const Array &array, const std::optional<Area> &made) {
    require(made.has_value(), array.position, "temp: what is made of `{}` is not one box",
            array.name);
    if (!made)
      return;
    for (unsigned axis : array.axes)
      for (const Boundary &boundary : array.boundary[axis])
        require(boundary.kind == BoundaryKind::None || boundary.kind == BoundaryKind::Fixed ||
                    ((*made)[axis].isOpen(Low) && (*made)[axis].isOpen(High)),
                array.position,
                "temp: `{}` has a boundary on axis `{}`, but is not made from end "
                "to end of it",
                array.name, stencil.axes[axis]);
  }

  const Stencil &stencil;
  std::string fault;
  SourcePosition position;
};
} // namespace

llvm::Error verify(const Stencil &stencil) { return StencilVerifier(stencil).run(); }

} // namespace stencilc
