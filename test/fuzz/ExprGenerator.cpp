#include "test/fuzz/ExprGenerator.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::fuzz {

// ---- questions about expressions --------------------------------------------------------------

bool isLiteral(const SourceExpr &expr) {
  if (expr.kind == SourceExpr::Access || expr.kind == SourceExpr::Difference)
    return false;
  return llvm::all_of(expr.operands, isLiteral);
}

template <class T> static const T *named(const std::vector<T> &items, llvm::StringRef name) {
  const auto found = llvm::find_if(items, [&](const T &item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

/// What stands for the node when lets are expanded: the formula of a let or function.
static const SourceAssignment *letOf(const SourceProgram &program, const SourceExpr &expr) {
  return expr.kind == SourceExpr::Access || expr.kind == SourceExpr::Call
             ? named(program.lets, expr.text)
             : nullptr;
}

bool isTruth(const SourceProgram &program, const SourceExpr &expr) {
  static constexpr llvm::StringRef operators[] = {
      "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"};
  if (expr.kind == SourceExpr::Unary || expr.kind == SourceExpr::Binary)
    return llvm::is_contained(operators, expr.text);
  const SourceAssignment *let = letOf(program, expr);
  return let && isTruth(program, let->expr);
}

/// True if `holds` for an access, possibly one in a let.
static bool anyAccess(const SourceProgram &program, const SourceExpr &expr,
                      llvm::function_ref<bool(const SourceExpr &)> holds) {
  if (const SourceAssignment *let = letOf(program, expr))
    if (anyAccess(program, let->expr, holds))
      return true;
  if (expr.kind == SourceExpr::Access && holds(expr))
    return true;
  return llvm::any_of(
      expr.operands, [&](const SourceExpr &operand) { return anyAccess(program, operand, holds); });
}

bool readsArray(const SourceProgram &program, const SourceExpr &expr) {
  // What is nothing else is the parameter of a function, which stands for what reads an array.
  return anyAccess(program, expr, [&](const SourceExpr &access) {
    if (const SourceArray *array = named(program.arrays, access.text))
      return !array->isOverTime;
    return access.text != "t" && !named(program.params, access.text) &&
           !named(program.lets, access.text) && !llvm::is_contained(program.axes, access.text);
  });
}

bool usesTime(const SourceProgram &program, const SourceExpr &expr) {
  return anyAccess(program, expr, [&](const SourceExpr &access) {
    const SourceArray *array = named(program.arrays, access.text);
    return access.text == "t" || (array && array->isOverTime);
  });
}

uint64_t expandedSize(const SourceProgram &program, const SourceExpr &expr) {
  uint64_t size = 1;
  for (const SourceExpr &operand : expr.operands)
    size += expandedSize(program, operand);
  if (const SourceAssignment *let = letOf(program, expr))
    return expandedSize(program, let->expr) * size;
  if (expr.kind == SourceExpr::Difference)
    return size * program.axes.size() * (expr.order + 1) * 2;
  for (const SourceSumIndex &index : expr.indices)
    size *= index.high - index.low + 1;
  return size;
}

// ---- leaves -----------------------------------------------------------------------------------

SourceExpr ExprGenerator::literal() {
  if (vocabulary.casts && random.chance(30))
    return fuzz::number(random.pick({"0.5f", "0.1f", "3.0f", "1.25f"}));
  return fuzz::number(random.pick({"0.5", "2", "0.25", "1", "3", "0.1", "1.75", "1e-3", "0", "4"}));
}

std::vector<std::string> ExprGenerator::typedParams() const {
  std::vector<std::string> names;
  for (const SourceParam &param : program.params)
    if (!param.isWhole())
      names.push_back(param.name);
  return names;
}

std::vector<unsigned> ExprGenerator::allAxes() const {
  std::vector<unsigned> axes;
  for (unsigned axis = 0; axis < program.axes.size(); ++axis)
    axes.push_back(axis);
  return axes;
}

/// Moves an access along one axis mostly, along several or none sometimes.
void ExprGenerator::shift(SourceExpr &access, llvm::ArrayRef<unsigned> axes, const Window &window) {
  std::vector<unsigned> left(axes.begin(), axes.end());
  unsigned count = random.pick({0, 1, 1, 1, 1, 1, 2, 3});
  for (; count > 0 && !left.empty(); --count) {
    const unsigned place = random.below(left.size());
    const unsigned axis = left[place];
    left.erase(left.begin() + place);
    SourceShift shift = {program.axes[axis]};
    if (!sumIndices.empty() && random.chance(60)) {
      shift.index = sumIndices[random.below(sumIndices.size())].name;
      shift.factor = random.pick({1, 1, 1, -1, -1, 2, -2});
      shift.offset = random.pick({0, 0, 0, 1, -1});
    } else {
      shift.offset = random.between(-window[axis][Low], window[axis][High]);
    }
    if (shift.offset != 0 || !shift.index.empty())
      access.shifts.push_back(std::move(shift));
  }
}

SourceExpr ExprGenerator::readOf(unsigned array) {
  const SourceArray &declared = program.arrays[array];
  SourceExpr read = name(declared.name);
  const bool isMade = llvm::is_contained(vocabulary.made, declared.name);
  if (declared.kind == ArrayKind::Temp || (isMade && random.chance(60)))
    read.isNext = true;
  else if (llvm::is_contained(vocabulary.previous, declared.name) && random.chance(30))
    read.shifts.push_back({"t", -1});
  return read;
}

SourceExpr ExprGenerator::parameter() {
  SourceExpr read = name(random.pick(llvm::ArrayRef(parameters)));
  constexpr Window nearby = {{{1, 1}, {1, 1}, {1, 1}}};
  shift(read, allAxes(), nearby);
  return read;
}

SourceExpr ExprGenerator::access() {
  if (!parameters.empty() && random.chance(75))
    return parameter();
  std::vector<unsigned> arrays, temps;
  for (unsigned array = 0; array < program.arrays.size(); ++array)
    if (vocabulary.readable[array])
      (program.arrays[array].kind == ArrayKind::Temp ? temps : arrays).push_back(array);
  const std::vector<unsigned> &from =
      arrays.empty() || (!temps.empty() && random.chance(40)) ? temps : arrays;
  const unsigned array = random.pick(llvm::ArrayRef(from));
  SourceExpr read = readOf(array);
  shift(read, program.arrays[array].axes, windows[array]);
  return read;
}

/// The value of a step, mostly the one under way.
SourceExpr ExprGenerator::overTime() {
  std::vector<std::string> arrays;
  for (const SourceArray &array : program.arrays)
    if (array.isOverTime)
      arrays.push_back(array.name);
  SourceExpr read = name(random.pick(llvm::ArrayRef(arrays)));
  if (const int offset = random.pick({0, 0, 0, 0, 1, 1, -1}))
    read.shifts.push_back({"t", offset});
  return read;
}

bool ExprGenerator::mayUse(const SourceExpr &expr) const {
  if (!vocabulary.time && usesTime(program, expr))
    return false;
  return !anyAccess(program, expr, [&](const SourceExpr &access) {
    if (const SourceArray *array = named(program.arrays, access.text))
      return !array->isOverTime && !vocabulary.readable[array - program.arrays.data()];
    return !vocabulary.positions && llvm::is_contained(program.axes, access.text);
  });
}

std::vector<const SourceAssignment *> ExprGenerator::lets(bool ofTruths) const {
  std::vector<const SourceAssignment *> found;
  for (const SourceAssignment &let : program.lets)
    if (let.parameters.empty() && isTruth(program, let.expr) == ofTruths && mayUse(let.expr))
      found.push_back(&let);
  return found;
}

std::vector<const SourceAssignment *> ExprGenerator::functions() const {
  std::vector<const SourceAssignment *> found;
  for (const SourceAssignment &let : program.lets)
    if (!let.parameters.empty() && mayUse(let.expr))
      found.push_back(&let);
  return found;
}

SourceExpr ExprGenerator::letAccess(const SourceAssignment &let) {
  SourceExpr read = name(let.name);
  constexpr Window nearby = {{{1, 1}, {1, 1}, {1, 1}}};
  if (readsArray(program, let.expr) && random.chance(65))
    shift(read, allAxes(), nearby);
  return read;
}

SourceExpr ExprGenerator::leaf() {
  const unsigned choice = random.below(100);
  if (choice < 15)
    return literal();
  if (const auto params = typedParams(); choice < 28 && !params.empty())
    return name(random.pick(llvm::ArrayRef(params)));
  if (choice < 45)
    if (const auto numbers = lets(false); !numbers.empty())
      return letAccess(*numbers[random.below(numbers.size())]);
  if (choice < 55 && vocabulary.time)
    return overTime();
  if (choice < 70 && !sumIndices.empty())
    return binary("*", sumIndex(), access());
  return access();
}

/// The index of a sum around, as a number.
SourceExpr ExprGenerator::sumIndex() {
  return name(sumIndices[random.below(sumIndices.size())].name);
}

// ---- whole numbers ----------------------------------------------------------------------------

bool ExprGenerator::hasWholes() const {
  return vocabulary.positions || vocabulary.time ||
         llvm::any_of(program.params, [](const SourceParam &param) { return param.isWhole(); });
}

/// Of positions, the step number and whole params, one at least.
SourceExpr ExprGenerator::whole(int depth) {
  if (depth > 0 && random.chance(50)) {
    SourceExpr left = whole(depth - 1);
    if (random.chance(40))
      return call("fmod", {std::move(left), fuzz::number(random.pick({"2", "2", "3", "8"}))});
    const char *op = random.pick({"+", "-", "*"});
    SourceExpr right =
        random.chance(60) ? fuzz::number(random.pick({"1", "2", "3", "7"})) : whole(depth - 1);
    return binary(op, std::move(left), std::move(right));
  }
  std::vector<std::string> names;
  if (vocabulary.positions)
    names = program.axes;
  if (vocabulary.time)
    names.push_back("t");
  for (const SourceParam &param : program.params)
    if (param.isWhole())
      names.push_back(param.name);
  SourceExpr number = name(random.pick(llvm::ArrayRef(names)));
  return random.chance(10) ? unary("-", std::move(number)) : number;
}

/// Converted, as it stands beside what has a type.
SourceExpr ExprGenerator::wholeMeetsType() {
  SourceExpr number = whole(1);
  if (random.chance(25))
    return call(random.pick({"f32", "f64"}), {std::move(number)});
  SourceExpr typed = access();
  if (random.chance(20))
    return call(random.pick({"min", "max"}), {std::move(typed), std::move(number)});
  if (random.chance(30))
    return binary(random.pick({"+", "-", "*", "/"}), std::move(number), std::move(typed));
  return binary(random.pick({"+", "-", "*", "/"}), std::move(typed), std::move(number));
}

SourceExpr ExprGenerator::wholeTruth() {
  const char *op = random.pick({"<", "<=", ">", ">=", "==", "!="});
  SourceExpr left = whole(1);
  SourceExpr right =
      random.chance(60) ? fuzz::number(random.pick({"0", "1", "2", "5", "12"})) : whole(0);
  return binary(op, std::move(left), std::move(right));
}

/// Where the language wants something typed, or a formula would be no stencil at all.
SourceExpr ExprGenerator::ensureRead(SourceExpr expr) {
  return readsArray(program, expr) ? expr : access();
}

// ---- operations -------------------------------------------------------------------------------

SourceExpr ExprGenerator::number(int depth) { return ensureRead(operation(depth)); }

SourceExpr ExprGenerator::body(std::vector<std::string> names, int depth) {
  parameters = std::move(names);
  SourceExpr formula = operation(depth);
  // All are used, and moved as a whole now and then.
  for (const std::string &parameter : parameters)
    formula = binary(random.pick({"+", "-", "*"}), std::move(formula), name(parameter));
  parameters.clear();
  return formula;
}

SourceExpr ExprGenerator::perRunNumber(int depth) {
  if (depth == 0 || random.chance(25)) {
    if (vocabulary.time && random.chance(35))
      return random.chance(70) ? overTime() : call("f64", {name("t")});
    const std::vector<std::string> params = typedParams();
    if (params.empty() || random.chance(35))
      return literal();
    return name(random.pick(llvm::ArrayRef(params)));
  }
  SourceExpr left = perRunNumber(depth - 1);
  const unsigned choice = random.below(100);
  if (choice < 15)
    return unary("-", std::move(left));
  if (choice < 30)
    return call(random.pick({"abs", "sqrt", "floor", "ceil", "sign"}), {std::move(left)});
  if (choice < 40) {
    const char *function = random.pick({"min", "max", "copysign"});
    SourceExpr right = perRunNumber(depth - 1);
    return call(function, {std::move(left), std::move(right)});
  }
  if (choice < 48 && !typedParams().empty()) {
    SourceExpr condition = perRunTruth(depth - 1);
    SourceExpr otherwise = perRunNumber(depth - 1);
    return call("where", {std::move(condition), std::move(left), std::move(otherwise)});
  }
  const char *op = random.pick({"+", "-", "*", "/"});
  SourceExpr right =
      *op == '/' ? fuzz::number(random.pick({"2", "3", "0.7"})) : perRunNumber(depth - 1);
  return binary(op, std::move(left), std::move(right));
}

SourceExpr ExprGenerator::operation(int depth) {
  if (depth == 0)
    return leaf();
  if (hasWholes() && random.chance(7))
    return wholeMeetsType();
  if (vocabulary.casts && random.chance(7))
    return call(random.pick({"f32", "f64"}), {number(depth - 1)});
  if (random.chance(12) && !functions().empty())
    return ownCall(depth);
  const unsigned choice = random.below(100);
  if (choice < 8)
    return leaf();
  if (choice < 14)
    return unary("-", operation(depth - 1));
  if (choice < 26)
    return functionCall(depth);
  if (choice < 34) {
    SourceExpr condition = truth(depth - 1);
    SourceExpr then = operation(depth - 1);
    SourceExpr otherwise = operation(depth - 1);
    return call("where", {std::move(condition), std::move(then), std::move(otherwise)});
  }
  if (choice < 42 && sumIndices.empty())
    return sum(depth);
  if (choice < 50)
    return difference();

  const char *op = random.pick({"+", "+", "+", "-", "-", "*", "*", "*", "/"});
  SourceExpr left = operation(depth - 1);
  SourceExpr right = operation(depth - 1);
  // A literal-only divisor might be 0, which is refused.
  if (*op == '/' && isLiteral(right))
    right = fuzz::number(random.pick({"2", "3", "0.7"}));
  return binary(op, std::move(left), std::move(right));
}

SourceExpr ExprGenerator::functionCall(int depth) {
  if (vocabulary.transcendentals && random.chance(40)) {
    const char *function =
        random.pick({"exp",  "log",   "sin",   "cos",   "tanh",  "tan",   "asin",   "acos",
                     "atan", "sinh",  "cosh",  "asinh", "acosh", "atanh", "exp2",   "expm1",
                     "log2", "log10", "log1p", "cbrt",  "erf",   "erfc",  "tgamma", "lgamma"});
    return call(function, {number(depth - 1)});
  }
  if (random.chance(50)) {
    const char *function =
        random.pick({"abs", "sqrt", "floor", "ceil", "round", "trunc", "rint", "sign"});
    return call(function, {number(depth - 1)});
  }
  const char *function =
      random.pick({"min", "max", "min", "max", "copysign", "fdim", "fmod", "remainder", "fma"});
  if (vocabulary.transcendentals && random.chance(30))
    function = random.pick({"pow", "atan2", "hypot"});
  SourceExpr left = operation(depth - 1);
  SourceExpr right = operation(depth - 1);
  if (isLiteral(left))
    right = ensureRead(std::move(right));
  if (llvm::StringRef(function) == "fma")
    return call(function, {std::move(left), std::move(right), access()});
  return call(function, {std::move(left), std::move(right)});
}

/// Of a function of the program.
SourceExpr ExprGenerator::ownCall(int depth) {
  const std::vector<const SourceAssignment *> own = functions();
  const SourceAssignment &function = *own[random.below(own.size())];
  SourceExpr result = call(function.name, {});
  for (size_t argument = 0; argument < function.parameters.size(); ++argument)
    result.operands.push_back(number(std::min(depth - 1, 1)));
  return result;
}

SourceExpr ExprGenerator::sum(int depth) {
  SourceExpr result = {SourceExpr::Sum, random.pick({"sum", "sum", "min", "max"})};
  const unsigned count = random.pick({1, 1, 2});
  for (unsigned i = 0; i < count; ++i) {
    const int low = random.between(-2, 0);
    const int high = count == 2 ? low + 1 : random.between(low + 1, 3);
    result.indices.push_back({std::string(1, "pq"[i]), low, high});
  }
  sumIndices = result.indices;
  result.operands.push_back(number(std::min(depth - 1, 1)));
  sumIndices.clear();
  return result;
}

SourceExpr ExprGenerator::difference() {
  const unsigned rank = program.axes.size();
  std::vector<unsigned> whole; // arrays with all axes
  for (unsigned array = 0; array < program.arrays.size(); ++array)
    if (program.arrays[array].axes.size() == rank && vocabulary.readable[array])
      whole.push_back(array);
  // Of a formula too, whose own reads go less far.
  std::vector<const SourceAssignment *> formulas = lets(false);
  llvm::erase_if(formulas, [&](const SourceAssignment *let) {
    return !readsArray(program, let->expr) || expandedSize(program, let->expr) > 8;
  });
  SourceExpr result = {SourceExpr::Difference, random.pick({"laplace", "diff", "diff2"})};
  if (!parameters.empty())
    result.operands.push_back(name(parameters.front()));
  else if (!formulas.empty() && random.chance(25))
    result.operands.push_back(name(formulas[random.below(formulas.size())]->name));
  else if (!whole.empty())
    result.operands.push_back(readOf(random.pick(llvm::ArrayRef(whole))));
  else
    return access();
  if (result.text != "laplace")
    result.axis = program.axes[random.below(rank)];
  result.order = 2 * random.pick({1, 1, 1, 2, 3, 4});
  return result;
}

SourceExpr ExprGenerator::truth(int depth) {
  const std::vector<const SourceAssignment *> named = lets(true);
  if (!named.empty() && random.chance(40))
    return letAccess(*named[random.below(named.size())]);
  if (!typedParams().empty() && random.chance(15))
    return perRunTruth(depth);
  if (!sumIndices.empty() && random.chance(40))
    return binary(random.pick({"<", "==", "!="}), sumIndex(), fuzz::number("0"));
  if (hasWholes() && random.chance(30))
    return wholeTruth();
  if (depth > 0 && random.chance(25)) {
    SourceExpr left = truth(depth - 1);
    if (random.chance(30))
      return unary("!", std::move(left));
    const char *op = random.pick({"&&", "||"});
    SourceExpr right = truth(depth - 1);
    return binary(op, std::move(left), std::move(right));
  }
  const char *op = random.pick({"<", "<=", ">", ">=", "==", "!="});
  SourceExpr left = number(std::min(depth, 1));
  SourceExpr right = leaf();
  return binary(op, std::move(left), std::move(right));
}

SourceExpr ExprGenerator::perRunTruth(int depth) {
  if (depth > 0 && random.chance(25)) {
    SourceExpr left = perRunTruth(depth - 1);
    if (random.chance(30))
      return unary("!", std::move(left));
    const char *op = random.pick({"&&", "||"});
    SourceExpr right = perRunTruth(depth - 1);
    return binary(op, std::move(left), std::move(right));
  }
  // A param, for its type.
  SourceExpr left = name(random.pick(llvm::ArrayRef(typedParams())));
  if (random.chance(30))
    left = call(random.pick({"abs", "sqrt"}), {std::move(left)});
  const char *op = random.pick({"<", "<=", ">", ">=", "==", "!="});
  SourceExpr right = perRunNumber(std::max(depth - 1, 0));
  return binary(op, std::move(left), std::move(right));
}

} // namespace stencilc::fuzz
