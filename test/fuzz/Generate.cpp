#include "test/fuzz/Generate.h"

#include "test/fuzz/ExprGenerator.h"
#include "test/fuzz/Random.h"

#include <set>

namespace stencilc::fuzz {
namespace {

class Generator {
public:
  Generator(uint64_t seed, Dialect dialect) : random(seed), dialect(dialect) { result.seed = seed; }
  Case generate();

private:
  void drawTypes();
  void drawArrays();
  void drawParams();
  void drawFormulas();
  void drawSizes();
  void drawLongAxis();
  void drawSchedule();
  std::string typeWord();
  std::string freshName(std::string usual);
  SourceBoundary boundary(bool mayBePeriodic);
  SourceArray array(std::string name, bool isField);
  Window window();
  bool formulasAreSmall() const;

  Random random;
  Dialect dialect;
  Case result;
  ScalarType type = ScalarType::F64;
  bool mixesTypes = false, hasFewerAxes = false, hasStages = false, leapfrogs = false;
  int radius = 1;
  std::vector<Window> windows;
  std::set<std::string> names; ///< of arrays, params and lets
};

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
}

SourceBoundary Generator::boundary(bool mayBePeriodic) {
  SourceBoundary drawn;
  drawn.kind = random.pick({BoundaryKind::Fixed, BoundaryKind::Halo, BoundaryKind::Clamp,
                            BoundaryKind::Value, BoundaryKind::Periodic});
  if (drawn.kind == BoundaryKind::Periodic && !mayBePeriodic)
    drawn.kind = BoundaryKind::Clamp;
  if (drawn.kind == BoundaryKind::Value)
    drawn.value = number(random.pick({"0", "1", "0.3", "-0.0", "-2.5"}));
  return drawn;
}

SourceArray Generator::array(std::string name, bool isField) {
  const unsigned rank = result.program.axes.size();
  SourceArray declared;
  declared.name = std::move(name);
  declared.isField = isField;
  declared.type = typeWord();
  for (unsigned axis = 0; axis < rank; ++axis)
    declared.axes.push_back(axis);
  if (!isField && hasFewerAxes && rank > 1)
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
    result.program.arrays.push_back(array(freshName(std::string(1, "uvwrs"[i])), true));
  for (unsigned i = 0; i < constCount; ++i)
    result.program.arrays.push_back(array(freshName(std::string(1, "fghl"[i])), false));
  for (unsigned i = 0; i < result.program.arrays.size(); ++i)
    windows.push_back(window());
}

void Generator::drawParams() {
  const unsigned count = random.pick({0, 1, 2, 3});
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = freshName(std::array{"alpha", "beta", "gamma"}[i]);
    SourceParam param = {name, typeWord(), ""};
    const bool hasDefault = random.chance(70);
    if (hasDefault)
      param.defaultValue = random.pick({"0.4", "0.1", "-1.5", "2", "1/3"});
    if (!hasDefault || random.chance(40))
      result.params.emplace_back(name, 3.0 * random.fraction() - 1.5);
    if (random.chance(15))
      result.defines.emplace_back(name, random.pick({"0.7", "-2", "1e-3", "2/7"}));
    result.program.params.push_back(std::move(param));
  }
  // A boundary's value may be a param, or made of params.
  if (count == 0)
    return;
  ExprGenerator values(random, result.program, windows);
  for (SourceArray &declared : result.program.arrays)
    for (unsigned axis : declared.axes)
      for (SourceBoundary &side : declared.boundary[axis])
        if (side.kind == BoundaryKind::Value && random.chance(40))
          side.value = values.perRunNumber(random.pick({0, 1, 2}));
}

bool Generator::formulasAreSmall() const {
  uint64_t size = 0;
  for (const auto &stage : result.program.stages)
    for (const SourceAssignment &update : stage)
      size += expandedSize(result.program, update.expr);
  return size <= 400;
}

void Generator::drawFormulas() {
  SourceProgram &program = result.program;
  program.writesStages = random.chance(10);
  std::vector<std::string> fields;
  for (const SourceArray &declared : program.arrays)
    if (declared.isField)
      fields.push_back(declared.name);
  const bool transcendentals = dialect == Dialect::Whole && random.chance(8);

  for (int depth = random.pick({2, 2, 3, 3, 4});; depth = std::max(depth - 1, 1)) {
    program.lets.clear();
    program.stages.clear();
    ExprGenerator exprs(random, program, windows);
    exprs.transcendentals = transcendentals;
    const unsigned letCount = random.pick({0, 0, 1, 1, 2, 3});
    for (unsigned i = 0; i < letCount; ++i) {
      const std::string name = freshName(std::string(1, "abc"[i]));
      const unsigned kind = random.below(100);
      const bool isPerRun = kind < 15 && !program.params.empty();
      SourceExpr value = isPerRun    ? exprs.perRunTruth(1)
                         : kind < 25 ? exprs.truth(1)
                         : kind < 45 ? exprs.perRunNumber(2)
                                     : exprs.number(depth - 1);
      if (!isLiteral(value))
        program.lets.push_back({name, std::move(value)});
    }
    exprs.previousLevels = leapfrogs;
    program.stages.resize(hasStages ? std::min<size_t>(fields.size(), 3) : 1);
    for (unsigned i = 0; i < fields.size(); ++i) {
      const unsigned stage = std::min<size_t>(i, program.stages.size() - 1);
      exprs.newFields.assign(fields.begin(), fields.begin() + stage);
      SourceExpr value = exprs.number(depth);
      program.stages[stage].push_back({fields[i], std::move(value)});
    }
    if (formulasAreSmall())
      break;
  }
}

// ---- sizes and schedules ----------------------------------------------------------------------

void Generator::drawSizes() {
  const unsigned rank = result.program.axes.size();
  const int most = rank == 1 ? 200 : rank == 2 ? 40 : 14;
  for (unsigned axis = 0; axis < rank; ++axis) {
    const int block = result.block[rank - 1 - axis];
    int extent = random.between(1, most);
    const unsigned choice = random.below(100);
    if (choice < 2)
      extent = 0;
    else if (choice < 9)
      extent = random.pick({1, 2});
    else if (choice < 14)
      extent = random.between(1, std::max(radius, 1)); // below the reach
    else if (choice < 25)
      extent = random.between(1, std::min(std::max(block - 1, 1), most)); // below the block
    else if (choice < 50)
      extent = random.pick({3, 5, 7, 11, 13, 17, 31, 37, 97, 127});
    else if (choice < 65)
      extent = block * random.between(1, std::max(most / block, 1));
    result.extents.push_back(std::min(extent, 2 * most));
  }
  if (dialect == Dialect::BitExact && rank > 1 && radius <= 1 && random.chance(3))
    drawLongAxis(); // of short reach, else the other axes would not stay as short as they may
  result.keepsShortPeriods = random.chance(20);
  result.steps = random.pick({0, 1, 1, 2, 2, 2, 3, 4});
  result.dataSeed = random.next();
  result.hasSpecialValues = random.chance(25);
}

/// More blocks along y or z than one launch may have.
void Generator::drawLongAxis() {
  const unsigned axis = random.below(result.extents.size() - 1);
  for (int64_t &extent : result.extents)
    extent = std::min<int64_t>(extent, 2);
  result.extents[axis] = 65536 + random.below(8);
  result.block[dimensionOf(axis, result.extents.size())] = 1;
}

void Generator::drawSchedule() {
  result.block = {random.pick({1, 2, 3, 4, 8, 16, 32, 32, 33, 64, 128}),
                  random.pick({1, 1, 2, 3, 4, 8}), random.pick({1, 1, 2, 3, 4})};
  for (unsigned dimension = result.program.axes.size(); dimension < 3; ++dimension)
    result.block[dimension] = 1;
  while (result.block[0] * result.block[1] * result.block[2] > 1024)
    result.block[0] /= 2;
  result.chunk = random.pick({1, 2, 4, 7, 3, 5, 16, 64});
  if (random.chance(50)) {
    result.pointsPerThread = {random.pick({1, 2, 4, 4}), random.pick({1, 1, 2, 3})};
    result.prefetch = random.pick({0, 0, 1, 2, 3});
  }
  result.residency = random.pick({0, 0, 0, 1, 2, 5});
  const unsigned drawn = random.below(1u << 16);
  result.flags = drawn & drawn >> 8; // one in four has each
  result.phase = random.chance(60) ? random.below(32) : 0;
  result.pitch = random.chance(50) ? random.below(20) : 0;
  if (result.pointsPerThread[0] > 1 && random.chance(70)) {
    result.alignsRows = true;
    result.phase = random.chance(60) ? 0 : result.phase & ~1;
    result.pitch -= result.pitch % 4;
  }
  if (random.chance(25))
    result.maxGridYZ = random.between(1, 3);
}

Case Generator::generate() {
  result.program.name = "random";
  drawTypes();
  drawArrays();
  drawParams();
  drawFormulas();
  drawSchedule();
  drawSizes();
  return std::move(result);
}

} // namespace

Case generate(uint64_t seed, Dialect dialect) { return Generator(seed, dialect).generate(); }

} // namespace stencilc::fuzz
