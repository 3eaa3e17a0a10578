#include "test/fuzz/Generator.h"

#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;
using namespace stencilc::fuzz;

/// A name of its own: now and then one that emitted text likes to use itself.
std::string Generator::freshName(std::string usual) {
  static constexpr const char *likely[] = {
      "here",   "z_begin", "factor", "condition", "state",  "steps", "launched", "first_x",
      "stride", "row",     "box",    "k",         "u_here", "block", "thread",   "x_end",
      "lower",  "grid",    "status", "args",      "call",   "Box",   "span",     "zero",
      "n",      "stream",  "check",  "swap",      "far",    "unit",  "kBlockX"};
  if (random.chance(12))
    usual = random.pick(llvm::ArrayRef(likely));
  while (!names.insert(usual).second)
    usual += "2";
  return usual;
}

/// The word of a declaration: `real` where it means the program's type.
std::string Generator::typeWord() {
  const ScalarType own =
      mixesTypes && random.chance(50) ? random.pick({ScalarType::F32, ScalarType::F64}) : type;
  return own == result.real && random.chance(50) ? "real" : spelling(own).str();
}

void Generator::drawTypes() {
  type = random.pick({ScalarType::F32, ScalarType::F64});
  result.real = random.chance(60) ? type : random.pick({ScalarType::F32, ScalarType::F64});
  mixesTypes = random.chance(18);
  hasFewerAxes = random.chance(15);
  hasStages = random.chance(20);
  leapfrogs = random.chance(30);
  if (dialect == Dialect::Plain)
    return;
  hasTemps = random.chance(40);
  hasRegions = random.chance(30);
  hasFunctions = random.chance(25);
  hasReductions = random.chance(20);
  hasPositions = random.chance(25);
  hasTime = random.chance(20);
  hasWholeParams = random.chance(hasRegions ? 60 : 10);
  hasCasts = random.chance(25);
}

SourceBoundary Generator::boundary(bool mayBePeriodic) {
  SourceBoundary drawn;
  drawn.kind = random.pick({BoundaryKind::Fixed, BoundaryKind::Fixed, BoundaryKind::Halo,
                            BoundaryKind::Clamp, BoundaryKind::Value, BoundaryKind::Periodic,
                            BoundaryKind::Reflect, BoundaryKind::Symmetric});
  const bool isMirror =
      drawn.kind == BoundaryKind::Reflect || drawn.kind == BoundaryKind::Symmetric;
  if ((drawn.kind == BoundaryKind::Periodic && !mayBePeriodic) ||
      (isMirror && dialect == Dialect::Plain))
    drawn.kind = BoundaryKind::Clamp;
  if (drawn.kind == BoundaryKind::Value)
    drawn.value = number(random.pick({"0", "1", "0.3", "-0.0", "-2.5"}));
  if (drawn.kind != BoundaryKind::Clamp && isMirror && random.chance(60))
    drawn.factor = random.pick({"-1", "-1", "0.5", "1/3", "0"});
  return drawn;
}

SourceArray Generator::array(std::string name, ArrayKind kind) {
  const unsigned rank = result.program.axes.size();
  SourceArray declared;
  declared.name = std::move(name);
  declared.kind = kind;
  declared.type = typeWord();
  for (unsigned axis = 0; axis < rank; ++axis)
    declared.axes.push_back(axis);
  if (kind == ArrayKind::Const && hasFewerAxes && rank > 1)
    declared.axes.erase(declared.axes.begin() + random.below(rank));

  const bool isUniform = random.chance(35); // one kind on all sides
  const SourceBoundary common = boundary(true);
  for (unsigned axis : declared.axes) {
    auto &[low, high] = declared.boundary[axis];
    low = isUniform ? common : boundary(true);
    high = isUniform || low.kind == BoundaryKind::Periodic ? low : boundary(false);
  }
  return declared;
}

/// Without a boundary, or with one that leaves nothing unmade; beyond a halo it is made of fields
/// that are `halo` too, so one of them becomes that.
SourceArray Generator::temp(std::string name) {
  SourceArray declared = array(std::move(name), ArrayKind::Temp);
  const unsigned choice = random.below(100);
  for (auto &sides : declared.boundary)
    for (SourceBoundary &side : sides)
      if (choice < 40)
        side = {};
      else if (choice < 67)
        side = {BoundaryKind::Halo};
      else if (side.kind == BoundaryKind::Fixed || side.kind == BoundaryKind::Halo)
        side = {BoundaryKind::Clamp};
  if (choice < 40)
    return declared;
  SourceArray &read = result.program.arrays.front();
  for (unsigned axis : read.axes)
    for (SourceBoundary &side : read.boundary[axis])
      if (choice < 67)
        side = {BoundaryKind::Halo};
      else if (side.kind == BoundaryKind::Fixed)
        side = {BoundaryKind::Clamp};
  return declared;
}

/// How far accesses go: to one side only, now and then.
Window Generator::window() {
  Window drawn = {};
  for (unsigned axis = 0; axis < result.program.axes.size(); ++axis) {
    drawn[axis] = {radius, radius};
    const unsigned choice = random.below(100);
    if (choice < 40)
      drawn[axis][choice < 20 ? Low : High] = 0;
    else if (choice < 50)
      drawn[axis] = {0, 0};
  }
  return drawn;
}

void Generator::drawArrays() {
  const unsigned rank = random.pick({1, 2, 2, 3, 3});
  const std::vector<std::string> axes = random.chance(85) ? std::vector<std::string>{"z", "y", "x"}
                                                          : std::vector<std::string>{"k", "j", "i"};
  result.program.axes.assign(axes.end() - rank, axes.end());
  names.insert(axes.begin(), axes.end());
  radius = random.pick({0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 6, 9});

  const unsigned fieldCount =
      hasStages ? random.pick({2, 3}) : random.pick({1, 1, 1, 1, 2, 2, 3, 5});
  unsigned constCount = random.pick({0, 0, 0, 1, 1, 1, 2, 2, 4});
  if (hasFewerAxes)
    constCount = std::max(constCount, 1u);
  for (unsigned i = 0; i < fieldCount; ++i)
    result.program.arrays.push_back(array(freshName(std::string(1, "uvwrs"[i])), ArrayKind::Field));
  for (unsigned i = 0; i < constCount; ++i)
    result.program.arrays.push_back(array(freshName(std::string(1, "fghl"[i])), ArrayKind::Const));
  if (hasTemps)
    for (unsigned i = 0; i < random.pick({1u, 1u, 2u}); ++i)
      result.program.arrays.push_back(temp(freshName(std::string(1, "de"[i]))));
  if (hasTime && random.chance(80))
    for (unsigned i = 0; i < random.pick({1u, 1u, 2u}); ++i)
      result.program.arrays.push_back({.name = freshName(std::array{"wavelet", "drive"}[i]),
                                       .kind = ArrayKind::Const,
                                       .type = typeWord(),
                                       .isOverTime = true});
  for (unsigned i = 0; i < result.program.arrays.size(); ++i)
    windows.push_back(window());
}

void Generator::drawParams() {
  const unsigned count = random.pick({0, 1, 2, 3});
  std::string before; // a param with a default
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = freshName(std::array{"alpha", "beta", "gamma"}[i]);
    SourceParam param = {name, typeWord(), ""};
    const bool hasDefault = random.chance(70);
    if (hasDefault)
      param.defaultValue = random.pick({"0.4", "0.1", "-1.5", "2", "1/3"});
    if (hasDefault && !before.empty() && random.chance(40))
      param.defaultValue = before + "*" + before + "/4 - " + param.defaultValue;
    if (hasDefault)
      before = name;
    if (!hasDefault || random.chance(40))
      result.params.emplace_back(name, 3.0 * random.fraction() - 1.5);
    if (random.chance(15))
      result.defines.emplace_back(name, random.pick({"0.7", "-2", "1e-3", "2/7"}));
    result.program.params.push_back(std::move(param));
  }
  if (hasWholeParams)
    drawWholeParams();
  // A boundary's value may be made of params, and of what depends on the step.
  ExprGenerator values(random, result.program, windows, vocabulary());
  for (SourceArray &declared : result.program.arrays)
    for (unsigned axis : declared.axes)
      for (SourceBoundary &side : declared.boundary[axis])
        if (side.kind == BoundaryKind::Value && random.chance(count == 0 ? 15 : 40))
          side.value = values.perRunNumber(random.pick({0, 1, 2}));
}

void Generator::drawWholeParams() {
  const unsigned count = random.pick({1, 1, 2});
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = freshName(std::array{"wall", "source"}[i]);
    SourceParam param = {name, "int", ""};
    const bool hasDefault = random.chance(60);
    if (hasDefault)
      param.defaultValue = random.pick({"0", "1", "2", "3", "2*3 - 2"});
    if (!hasDefault || random.chance(60))
      result.params.emplace_back(name, random.chance(90) ? random.between(0, 4)
                                                         : random.pick({-1, 9, 1000}));
    if (hasDefault && random.chance(10))
      result.defines.emplace_back(name, random.pick({"1", "3"}));
    result.program.params.push_back(std::move(param));
  }
}

/// What formulas may use before anything is made.
Vocabulary Generator::vocabulary() const {
  Vocabulary words;
  for (const SourceArray &declared : result.program.arrays)
    words.readable.push_back(declared.kind != ArrayKind::Temp && !declared.isOverTime);
  words.positions = hasPositions;
  words.time = llvm::any_of(result.program.arrays,
                            [](const SourceArray &declared) { return declared.isOverTime; });
  words.casts = hasCasts;
  return words;
}

Case Generator::generate() {
  result.program.name = "random";
  drawTypes();
  drawArrays();
  drawParams();
  drawFormulas();
  drawSchedule();
  drawSizes();
  result.band = random.pick({0, 0, 0, 1, 2, 3});
  return std::move(result);
}

Case Generator::generateFor(const std::string &text, const Stencil &stencil) {
  result.text = text;
  result.program.name = stencil.name;
  result.program.axes = stencil.axes;
  radius = 0;
  forEachRead(stencil, [&](const Read &read) {
    for (int offset : read.offset)
      radius = std::max(radius, std::abs(offset));
  });
  hasTime = llvm::any_of(stencil.arrays, [](const Array &array) { return array.isOverTime; });
  for (const Param &param : stencil.params)
    result.params.emplace_back(param.name, param.type == ScalarType::Int
                                               ? random.between(1, 9)
                                               : 3.0 * random.fraction() - 1.5);
  drawSchedule();
  drawSizes();
  result.band = random.pick({0, 0, 0, 1, 2, 3});
  return std::move(result);
}

Case fuzz::generate(uint64_t seed, Dialect dialect) { return Generator(seed, dialect).generate(); }

Case fuzz::generateFor(const std::string &text, const Stencil &stencil, uint64_t seed) {
  return Generator(seed, Dialect::Whole).generateFor(text, stencil);
}
