#include "test/fuzz/Histogram.h"

#include "codegen/lower/Lower.h"
#include "ir/kernel/Signature.h"
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"
#include "test/fuzz/ExprGenerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace stencilc::fuzz {

void Histogram::count(llvm::StringRef name, bool isRequired, bool isPresent) {
  auto feature = llvm::find_if(features, [&](const Feature &known) { return known.name == name; });
  if (feature == features.end())
    feature = features.insert(feature, {name.str(), isRequired});
  feature->count += isPresent;
}

template <class... Nodes> static bool holds(const Expr &expr) {
  return (std::holds_alternative<Nodes>(expr.node) || ...);
}

static bool isMirror(BoundaryKind kind) {
  return kind == BoundaryKind::Reflect || kind == BoundaryKind::Symmetric;
}

static bool isReadAtAll(const Stencil &stencil, unsigned array) {
  bool found = false;
  forEachRead(stencil, [&](const Read &read) { found |= read.array == array; });
  return found;
}

/// Counts kinds only on sides that some access crosses.
void Histogram::addBoundaries(const Stencil &stencil) {
  std::set<std::pair<BoundaryKind, unsigned>> crossed;
  bool isOneSided = false, hasFactor = false, variesInTime = false;
  for (unsigned array = 0; array < stencil.arrays.size(); ++array) {
    const Widths widths = reach(stencil, array);
    for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
      isOneSided |= (widths[axis][Low] == 0) != (widths[axis][High] == 0);
      for (unsigned side : {Low, High})
        if (widths[axis][side] > 0) {
          const Boundary &boundary = stencil.arrays[array].boundary[axis][side];
          crossed.insert({boundary.kind, side});
          hasFactor |= boundary.factor != 1;
          variesInTime |= llvm::any_of(boundary.value.exprs, holds<StepValue, TimeRead>);
        }
    }
  }
  const std::pair<BoundaryKind, const char *> kinds[] = {
      {BoundaryKind::Fixed, "fixed"},     {BoundaryKind::Halo, "halo"},
      {BoundaryKind::Clamp, "clamp"},     {BoundaryKind::Periodic, "periodic"},
      {BoundaryKind::Reflect, "reflect"}, {BoundaryKind::Symmetric, "symmetric"},
      {BoundaryKind::Value, "value"}};
  for (const auto &[kind, name] : kinds) {
    count(fmt::format("boundary {}, lower side", name), isWhole || !isMirror(kind),
          crossed.contains({kind, Low}));
    count(fmt::format("boundary {}, upper side", name), isWhole || !isMirror(kind),
          crossed.contains({kind, High}));
  }
  count("reach to one side only", true, isOneSided);
  count("a mirror with a factor", isWhole, hasFactor);
  count("a boundary value that varies", false, variesInTime);
}

static bool isMadeInParts(const Stencil &stencil) {
  std::set<unsigned> before;
  for (const Stage &stage : stencil.stages) {
    for (const Update &update : stage.updates)
      if (before.contains(update.array))
        return true;
    for (const Update &update : stage.updates)
      before.insert(update.array);
  }
  return false;
}

void Histogram::addUpdates(const Stencil &stencil) {
  const auto anyRegion = [&](llvm::function_ref<bool(const Region &)> has) {
    bool found = false;
    forEachUpdate(stencil, [&](const Update &update) { found |= has(update.region); });
    return found;
  };
  const auto isPart = [&](const Region &region) { return region != Region(); };
  const auto hasParam = [&](const Region &region) {
    return llvm::any_of(region, [](const Slice &slice) {
      return slice.from.base == AxisBound::Base::Param || slice.to.base == AxisBound::Base::Param;
    });
  };
  std::map<unsigned, unsigned> updates; // by array
  forEachUpdate(stencil, [&](const Update &update) { ++updates[update.array]; });
  const bool hasSeveral = llvm::any_of(updates, [](const auto &made) { return made.second > 1; });
  count("a region", isWhole, anyRegion(isPart));
  count("a region bounded by a param", isWhole, anyRegion(hasParam));
  count("several updates of one array", isWhole, hasSeveral);
  count("a field made by several stages", isWhole, isMadeInParts(stencil));
  count("regions in several stages", isWhole, stencil.stages.size() > 1 && anyRegion(isPart));
  count("regions that a run keeps apart", false, !signatureOf(stencil).apart.empty());

  bool hasTemp = false, hasBoundary = false, hasGhosts = false;
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    const bool isRead = array.kind == ArrayKind::Temp && isReadAtAll(stencil, number);
    hasTemp |= isRead;
    const Widths widths = reach(stencil, number), ghosts = ghostWidths(stencil, number);
    for (unsigned axis : array.axes)
      for (unsigned side : {Low, High}) {
        hasGhosts |= isRead && ghosts[axis][side] > 0;
        hasBoundary |= isRead && widths[axis][side] > 0 && ghosts[axis][side] == 0 &&
                       array.boundary[axis][side].kind != BoundaryKind::None;
      }
  }
  count("a temp", isWhole, hasTemp);
  count("a temp with a boundary", isWhole, hasBoundary);
  count("a temp at ghost points", isWhole, hasGhosts);

  count("reductions", isWhole, !stencil.reductions.empty());
  count("a reduction over a region", isWhole,
        llvm::any_of(stencil.reductions,
                     [&](const Reduction &reduction) { return isPart(reduction.region); }));
}

void Histogram::addNumbers(const Stencil &stencil) {
  bool hasPosition = false, hasStep = false, hasTime = false, hasWhole = false, hasRest = false;
  forEachFormula(stencil, [&](const Formula &formula) {
    for (const Expr &expr : formula.exprs) {
      const auto *param = std::get_if<ParamValue>(&expr.node);
      const auto *both = std::get_if<BinaryExpr>(&expr.node);
      hasPosition |= holds<AxisValue>(expr);
      hasRest |= both && both->op == BinaryOp::Remainder;
      hasStep |= holds<StepValue>(expr);
      hasTime |= holds<TimeRead>(expr);
      hasWhole |= param && stencil.params[param->param].type == ScalarType::Int;
    }
  });
  count("positions", isWhole, hasPosition);
  count("the step number", isWhole, hasStep);
  count("an array over time", isWhole, hasTime);
  count("a param int in a formula", isWhole, hasWhole);
  count("a remainder of a whole number", isWhole, hasRest);
}

static bool updatesSomePoint(const Stencil &stencil, const Update &update,
                             llvm::ArrayRef<int64_t> extents) {
  const Widths widths = frame(stencil, update);
  for (auto [axis, extent] : llvm::enumerate(extents))
    if (extent <= widths[axis][Low] + widths[axis][High])
      return false;
  return true;
}

void Histogram::addSizes(const Case &tested, const Stencil &stencil) {
  const unsigned rank = stencil.rank();
  const std::vector<int64_t> extents = extentsOf(tested, stencil);
  bool isLong = false, isBelowBlock = false, isBelowReach = false, isBelowPeriod = false,
       isMultiple = true;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const int block = tested.block[dimensionOf(axis, rank)];
    isBelowBlock |= extents[axis] < block;
    isLong |= axis + 1 < rank && extents[axis] > int64_t(65535) * block;
    isBelowPeriod |= extents[axis] != 0 && extents[axis] < minimumExtent(stencil, axis);
    isMultiple &= extents[axis] % block == 0;
    for (unsigned array = 0; array < stencil.arrays.size(); ++array) {
      const Widths widths = reach(stencil, array);
      for (int width : widths[axis])
        isBelowReach |= extents[axis] < width;
    }
  }
  count("an extent below the block", true, isBelowBlock);
  count("an extent below the reach", true, isBelowReach);
  count("extents that the block divides", false, isMultiple);
  for (int64_t extent : {0, 1, 2})
    count(fmt::format("an extent of {}", extent), false, llvm::is_contained(extents, extent));
  count("a period below its minimum", false, isBelowPeriod);
  count("some point updated", true,
        tested.steps > 0 && llvm::any_of(stencil.stages, [&](const Stage &stage) {
          return llvm::any_of(stage.updates, [&](const Update &update) {
            return updatesSomePoint(stencil, update, extents);
          });
        }));
  count("several steps", false, tested.steps > 1);
  count("a phase off the memory line", false, tested.phase != 0);
  count("rows with a pitch", false, tested.pitch != 0);
  count("several points a thread", false, tested.pointsPerThread != std::array{1, 1});
  count("planes loaded ahead", false, tested.prefetch > 0);
  count("grids cut into slabs", false, isLong || tested.maxGridYZ < 65535);
  count("steps that go on in bands", false, tested.band > 0 && rank == 3);
  count("infinite, NaN, denormal data", false, tested.hasSpecialValues);
}

static unsigned newReads(const Stencil &stencil) {
  unsigned reads = 0;
  forEachUpdate(stencil, [&](const Update &update) {
    forEachRead(update.formula, [&](const Read &read) { reads += read.level == TimeLevel::Next; });
  });
  return reads;
}

/// What the lowering makes of stages and temps before any variant sees them.
void Histogram::addForms(const Case &tested, const Stencil &stencil) {
  const Stencil joined = llvm::cantFail(formFor(stencil, {})).stencil;
  count("stages made by one launch", true, joined.stages.size() < stencil.stages.size());
  count("a new value from a register", isWhole, newReads(joined) < newReads(stencil));
  const auto hasFlag = [&](llvm::StringRef flag) {
    return llvm::any_of(variantsFor(stencil), [&](const Variant *variant) {
      return scheduleOf(tested, stencil, *variant).hasFlag(flag);
    });
  };
  count("temps computed again", isWhole, hasFlag(kTempsAgain));
  count("values computed once", false, hasFlag(kValuesOnce));
  count("tiles around blocks", false, hasFlag("tile"));
  count("stages made by one march", false,
        joined.stages.size() > 1 && llvm::any_of(variantsFor(stencil), [](const Variant *variant) {
          return variant->fuses;
        }));
  count("blocks that share chunks", false, hasFlag("share3x2") || hasFlag("share2x3"));
  count("blocks of a cluster", false, hasFlag("cluster2"));
  count("warps that hold steps", false,
        llvm::any_of(variantsFor(stencil), [&](const Variant *variant) {
          const Schedule schedule = scheduleOf(tested, stencil, *variant);
          return schedule.fuse > 1 && stencil.rank() == 2 && schedule.block[1] > 1;
        }));
  const bool isFused = llvm::any_of(variantsFor(stencil), [&](const Variant *variant) {
    return scheduleOf(tested, stencil, *variant).fuse > 1;
  });
  count("fused steps on one axis", false, isFused && stencil.rank() == 1);
  const Signature signature = signatureOf(stencil);
  count("fused steps of u[t-1]", false,
        isFused && llvm::any_of(signature.arrays,
                                [](const SignatureArray &array) { return array.hasPrevious; }));
  count("fused steps that are counted", false, isFused && signature.countsSteps);
}

static void forEachNode(const SourceExpr &expr,
                        llvm::function_ref<void(const SourceExpr &)> visit) {
  visit(expr);
  for (const SourceExpr &operand : expr.operands)
    forEachNode(operand, visit);
}

static constexpr std::array kRounding = {"floor", "ceil", "round",    "trunc",
                                         "rint",  "fmod", "remainder"};

void Histogram::addExpressions(const Case &tested) {
  std::set<std::string> lets, words, indices;
  bool movesLet = false, hasTruth = false, hasFunction = false, hasTyped = false,
       differsLet = false, subtractsIndex = false, scalesIndex = false, takesIndex = false;
  for (const SourceAssignment &let : tested.program.lets)
    lets.insert(let.name);
  for (const SourceAssignment &let : tested.program.lets)
    hasTruth |= isTruth(tested.program, let.expr);
  auto visit = [&](const SourceExpr &node) {
    for (const SourceShift &shift : node.shifts) {
      subtractsIndex |= shift.factor < 0;
      scalesIndex |= std::abs(shift.factor) > 1;
    }
    for (const SourceSumIndex &index : node.indices)
      indices.insert(index.name);
    if (node.kind == SourceExpr::Difference)
      differsLet |= lets.contains(node.operands[0].text);
    takesIndex |= node.kind == SourceExpr::Access && indices.contains(node.text);
    if (node.kind == SourceExpr::Access)
      movesLet |= lets.contains(node.text) && !node.shifts.empty();
    else if (node.kind != SourceExpr::Number)
      words.insert(node.text);
    else
      hasTyped |= node.text.back() == 'f';
    hasFunction |= node.kind == SourceExpr::Call && lets.contains(node.text);
  };
  for (const SourceAssignment &let : tested.program.lets)
    forEachNode(let.expr, visit);
  for (const auto &stage : tested.program.stages)
    for (const SourceAssignment &update : stage)
      forEachNode(update.expr, visit);
  count("a let at an offset", true, movesLet);
  count("a let that is a truth value", true, hasTruth);
  count("a function of its own", isWhole, hasFunction);
  count("a literal with a type", isWhole, hasTyped);
  count("a cast", isWhole, words.contains("f32") || words.contains("f64"));
  count("a function that rounds", true,
        llvm::any_of(kRounding, [&](const char *word) { return words.contains(word); }));
  count("a difference of a let", false, differsLet);
  count("x - an index", false, subtractsIndex);
  count("x + 2 times an index", false, scalesIndex);
  count("an index as a number", false, takesIndex);
  for (const char *word : {"sum", "laplace", "diff", "diff2", "where", "&&", "!", "min", "max",
                           "abs", "sqrt", "sign", "copysign", "fdim", "fma", "/"})
    count(fmt::format("uses {}", word), false, words.contains(word));
}

void Histogram::add(const Case &tested, const Stencil &stencil) {
  ++cases;
  const auto anyArray = [&](llvm::function_ref<bool(unsigned)> has) {
    return llvm::any_of(llvm::seq<unsigned>(0, stencil.arrays.size()), has);
  };
  for (unsigned rank = 1; rank <= kMaxRank; ++rank)
    count(fmt::format("{} axes", rank), true, stencil.rank() == rank);
  for (const char *word : {"f32", "f64", "real"})
    count(fmt::format("declares {}", word), true,
          llvm::any_of(tested.program.arrays,
                       [&](const SourceArray &array) { return array.type == word; }));
  count("several fields", true, llvm::count_if(stencil.arrays, [](const Array &array) {
                                  return array.kind == ArrayKind::Field;
                                }) > 1);
  count("const arrays", false, llvm::any_of(stencil.arrays, [](const Array &array) {
          return array.kind == ArrayKind::Const;
        }));
  addBoundaries(stencil);
  addUpdates(stencil);
  addNumbers(stencil);
  addExpressions(tested);
  addSizes(tested, stencil);
  addForms(tested, stencil);
  count("a new default (-D)", false, !tested.defines.empty());
  count("a residency of its own", false, tested.residency > 0);
  count("several stages", true, stencil.stages.size() > 1);
  count("u[t-1]", true, anyArray([&](unsigned array) { return readsPrevious(stencil, array); }));
  count("arrays with fewer axes", true, anyArray([&](unsigned array) {
          const Array &declared = stencil.arrays[array];
          return !declared.isOverTime && declared.axes.size() < stencil.rank();
        }));
  count("mixed precision", true, anyArray([&](unsigned array) {
          return stencil.arrays[array].type != stencil.arrays[0].type;
        }));
}

void Histogram::print(llvm::raw_ostream &out) const {
  for (const Feature &feature : features)
    out << fmt::format("  {:<32} {:5.1f} %{}\n", feature.name, 100.0 * feature.count / cases,
                       feature.isRequired ? "  (5 % required)" : "");
}

std::vector<std::string> Histogram::rareFeatures() const {
  std::vector<std::string> rare;
  for (const Feature &feature : features)
    if (feature.isRequired && feature.count * 20 < cases)
      rare.push_back(feature.name);
  return rare;
}

} // namespace stencilc::fuzz
