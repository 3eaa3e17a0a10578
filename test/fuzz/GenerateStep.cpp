#include "test/fuzz/Generator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace stencilc;
using namespace stencilc::fuzz;

/// The arrays that each stage makes: temps before the fields that may read them, but for one now
/// and then.
std::vector<std::vector<unsigned>> Generator::stages() {
  std::vector<unsigned> fields, temps;
  for (unsigned array = 0; array < result.program.arrays.size(); ++array)
    if (result.program.arrays[array].kind == ArrayKind::Field)
      fields.push_back(array);
    else if (result.program.arrays[array].kind == ArrayKind::Temp)
      temps.push_back(array);

  std::vector<std::vector<unsigned>> made;
  if (hasStages && !temps.empty() && fields.size() > 1 && random.chance(30)) {
    made.push_back({fields.front()});
    fields.erase(fields.begin());
  }
  for (unsigned temp : temps)
    if (made.empty() || random.chance(60))
      made.push_back({temp});
    else
      made.back().push_back(temp);
  bool isFirst = true;
  for (unsigned field : fields) {
    if (isFirst || (hasStages && made.size() < 4))
      made.push_back({});
    made.back().push_back(field);
    isFirst = false;
  }
  return made;
}

/// The arrays that the update of another may read: for a temp with a boundary, those that leave
/// none of its points unmade.
std::vector<bool> Generator::readableFor(const SourceArray &target, const Vocabulary &words) const {
  const auto mayRead = [&](const SourceArray &read) {
    if (read.isOverTime ||
        (read.kind == ArrayKind::Temp && !llvm::is_contained(words.made, read.name)))
      return false;
    if (target.kind != ArrayKind::Temp)
      return true;
    for (unsigned axis : read.axes)
      for (unsigned side : {Low, High}) {
        const BoundaryKind own = target.boundary[axis][side].kind;
        const BoundaryKind other = read.boundary[axis][side].kind;
        const bool leavesPoints = other == BoundaryKind::Fixed || other == BoundaryKind::None ||
                                  (own == BoundaryKind::Halo && other != BoundaryKind::Halo);
        if (own != BoundaryKind::None && leavesPoints)
          return false;
      }
    return true;
  };
  std::vector<bool> readable;
  for (const SourceArray &read : result.program.arrays)
    readable.push_back(mayRead(read));
  return readable;
}

// ---- regions ----------------------------------------------------------------------------------

/// From the start.
std::string Generator::bound() {
  for (const SourceParam &param : result.program.params)
    if (param.isWhole() && random.chance(45))
      return param.name + random.pick({"", "", "+1"});
  return random.pick({"1", "1", "2", "3"});
}

std::string Generator::slice(const std::string &axis) {
  std::string from = random.chance(70) ? bound() : "";
  std::string to = random.pick({"", "-1", "-2"});
  return axis + "[" + from + ":" + to + "]";
}

/// Of the updates of one array: without a common point.
std::vector<std::vector<std::string>> Generator::regions() {
  const std::vector<std::string> &axes = result.program.axes;
  const std::string axis = random.pick(llvm::ArrayRef(axes));
  const auto on = [&](const std::string &points) { return axis + "[" + points + "]"; };
  const std::string at = bound();
  std::vector<std::vector<std::string>> drawn;
  switch (random.below(6)) {
  case 0:
    drawn = {{slice(axis)}};
    break;
  case 1:
    drawn = {{on(":" + at)}, {on(at + ":")}};
    break;
  case 2:
    drawn = {{on(":2")}, {on("2:-1")}, {on("-1:")}};
    break;
  case 3:
    drawn = {{on("0")}, {on("1:")}};
    break;
  case 4:
    drawn = {{on(":-2")}, {on("-1")}};
    break;
  default: // whether these meet depends on params, if there are two
    const std::string other = bound();
    const auto nameOf = [](llvm::StringRef bound) { return bound.split('+').first; };
    drawn = {{on(":" + at)}, {on(other + ":")}};
    if (llvm::isDigit(other[0]) || nameOf(at) == nameOf(other))
      drawn.pop_back();
  }
  for (std::vector<std::string> &region : drawn)
    for (const std::string &other : axes)
      if (other != axis && random.chance(20))
        region.push_back(slice(other));
  return drawn;
}

// ---- formulas ---------------------------------------------------------------------------------

bool Generator::formulasAreSmall() const {
  uint64_t size = 0;
  for (const auto &stage : result.program.stages)
    for (const SourceAssignment &update : stage)
      size += expandedSize(result.program, update.expr);
  return size <= 400;
}

void Generator::drawLets(ExprGenerator &exprs, int depth) {
  std::vector<SourceAssignment> &lets = result.program.lets;
  const unsigned count = random.pick({0, 0, 1, 1, 2, 3});
  for (unsigned i = 0; i < count; ++i) {
    const std::string name = freshName(std::string(1, "abc"[i]));
    const unsigned kind = random.below(100);
    const bool isPerRun =
        kind < 15 &&
        llvm::any_of(result.program.params, [](const auto &param) { return !param.isWhole(); });
    SourceExpr value = isPerRun    ? exprs.perRunTruth(1)
                       : kind < 25 ? exprs.truth(1)
                       : kind < 45 ? exprs.perRunNumber(2)
                                   : exprs.number(depth - 1);
    if (!isLiteral(value))
      lets.push_back({name, std::move(value)});
  }
  if (hasFunctions)
    for (unsigned i = 0; i < random.pick({1u, 1u, 2u}); ++i) {
      const std::string name = freshName(std::array{"slope", "mix"}[i]);
      std::vector<std::string> parameters = {"first"};
      if (random.chance(50))
        parameters.push_back("second");
      SourceExpr value = exprs.body(parameters, random.pick({1, 1, 2}));
      lets.push_back({name, std::move(value), std::move(parameters)});
    }
}

void Generator::drawUpdates(ExprGenerator &exprs, int depth) {
  SourceProgram &program = result.program;
  if (leapfrogs)
    for (const SourceArray &declared : program.arrays)
      if (declared.kind == ArrayKind::Field)
        exprs.vocabulary.previous.push_back(declared.name);
  for (const std::vector<unsigned> &made : stages()) {
    program.stages.emplace_back();
    for (unsigned number : made) {
      const SourceArray &declared = program.arrays[number];
      std::vector<std::vector<std::string>> drawn = {{}};
      const bool mayHaveRegions =
          declared.kind == ArrayKind::Field || declared.boundary[0][Low].kind == BoundaryKind::None;
      if (hasRegions && mayHaveRegions && random.chance(65))
        drawn = regions();
      if (declared.kind == ArrayKind::Temp)
        drawn.resize(1);
      exprs.vocabulary.readable = readableFor(declared, exprs.vocabulary);
      for (std::vector<std::string> &region : drawn) {
        SourceExpr value = exprs.number(drawn.size() > 1 ? std::min(depth, 2) : depth);
        if (std::optional<SourceExpr> there = madeAtPoint(exprs, declared); there && region.empty())
          value = std::move(*there);
        program.stages.back().push_back({declared.name, std::move(value), {}, std::move(region)});
      }
    }
    std::vector<SourceAssignment> ends;
    for (unsigned number : made)
      if (hasRegions && program.arrays[number].kind == ArrayKind::Field && random.chance(20))
        llvm::append_range(ends, endsFromInside(exprs, program.arrays[number].name));
    if (!ends.empty())
      program.stages.push_back(std::move(ends));
    for (unsigned number : made)
      exprs.vocabulary.made.push_back(program.arrays[number].name);
  }
}

/// Now and then what an update makes of a new value of its own type at the point, and of nothing
/// away from it.
std::optional<SourceExpr> Generator::madeAtPoint(const ExprGenerator &exprs,
                                                 const SourceArray &target) {
  std::vector<std::string> made;
  for (const SourceArray &array : result.program.arrays)
    if (array.type == target.type && llvm::is_contained(exprs.vocabulary.made, array.name))
      made.push_back(array.name);
  if (target.kind == ArrayKind::Temp || made.empty() || !random.chance(50))
    return std::nullopt;
  SourceExpr read = name(random.pick(llvm::ArrayRef(made)));
  read.isNext = true;
  return binary(random.pick({"+", "*", "-"}), std::move(read), name(target.name));
}

/// Leaves the last stage the points of a field within the ends of an axis; for a later stage, the
/// ends, made from those beside them.
std::vector<SourceAssignment> Generator::endsFromInside(ExprGenerator &exprs,
                                                        const std::string &field) {
  std::vector<SourceAssignment> &stage = result.program.stages.back();
  llvm::erase_if(stage, [&](const SourceAssignment &update) { return update.name == field; });
  const std::string axis = random.pick(llvm::ArrayRef(result.program.axes));
  stage.push_back({field, exprs.number(2), {}, {axis + "[1:-1]"}});
  const auto end = [&](const char *place, int inwards) {
    SourceExpr beside = name(field);
    beside.isNext = true;
    beside.shifts.push_back({axis, inwards});
    return SourceAssignment{
        field, binary("+", exprs.number(1), beside), {}, {axis + "[" + place + "]"}};
  };
  if (random.chance(50))
    return {end("0", 1)};
  return {end("0", 1), end("-1", -1)};
}

static bool readsPreviousOf(const SourceExpr &expr, llvm::StringRef array) {
  const bool isPrevious = expr.kind == SourceExpr::Access && expr.text == array &&
                          llvm::any_of(expr.shifts, [](const SourceShift &shift) {
                            return shift.axis == "t" && shift.offset == -1;
                          });
  return isPrevious || llvm::any_of(expr.operands, [&](const SourceExpr &operand) {
           return readsPreviousOf(operand, array);
         });
}

void Generator::drawReductions(ExprGenerator &exprs) {
  SourceProgram &program = result.program;
  exprs.vocabulary = vocabulary();
  exprs.vocabulary.time = false;
  for (unsigned number = 0; number < program.arrays.size(); ++number) {
    const SourceArray &declared = program.arrays[number];
    for (unsigned axis : declared.axes)
      for (const SourceBoundary &side : declared.boundary[axis])
        if (usesTime(program, side.value))
          exprs.vocabulary.readable[number] = false;
    if (declared.kind == ArrayKind::Field && llvm::any_of(program.stages, [&](const auto &stage) {
          return llvm::any_of(stage, [&](const SourceAssignment &update) {
            return readsPreviousOf(update.expr, declared.name);
          });
        }))
      exprs.vocabulary.previous.push_back(declared.name);
  }
  if (llvm::none_of(exprs.vocabulary.readable, [](bool is) { return is; }))
    return;
  for (unsigned i = 0; i < random.pick({1u, 1u, 2u}); ++i) {
    const std::string name = freshName(std::array{"total", "loudest"}[i]);
    const char *op = random.pick({"min", "max", "sum", "sum"});
    std::vector<std::string> region;
    if (hasRegions || random.chance(30))
      region.push_back(slice(random.pick(llvm::ArrayRef(program.axes))));
    SourceExpr value = exprs.number(random.pick({0, 1, 1, 2}));
    program.reductions.push_back({op, name, std::move(region), std::move(value)});
  }
}

void Generator::drawFormulas() {
  SourceProgram &program = result.program;
  program.writesStages = random.chance(10);
  Vocabulary words = vocabulary();
  words.transcendentals = dialect == Dialect::Whole && random.chance(8);
  for (int depth = random.pick({2, 2, 3, 3, 4});; depth = std::max(depth - 1, 1)) {
    program.lets.clear();
    program.stages.clear();
    ExprGenerator exprs(random, program, windows, words);
    drawLets(exprs, depth);
    drawUpdates(exprs, depth);
    if (!formulasAreSmall())
      continue;
    if (hasReductions)
      drawReductions(exprs);
    return;
  }
}
