#include "test/fuzz/ExprGenerator.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::fuzz {

// ---- questions about expressions --------------------------------------------------------------

bool isLiteral(const SourceExpr &expr) {
  if (expr.kind == SourceExpr::Access || expr.kind == SourceExpr::Difference)
    return false;
  return llvm::all_of(expr.operands, isLiteral);
}

static const SourceExpr *letNamed(const SourceProgram &program, llvm::StringRef name) {
  for (const SourceAssignment &let : program.lets)
    if (let.name == name)
      return &let.expr;
  return nullptr;
}

bool isTruth(const SourceProgram &program, const SourceExpr &expr) {
  static constexpr llvm::StringRef operators[] = {
      "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"};
  if (expr.kind == SourceExpr::Unary || expr.kind == SourceExpr::Binary)
    return llvm::is_contained(operators, expr.text);
  const SourceExpr *let = expr.kind == SourceExpr::Access ? letNamed(program, expr.text) : nullptr;
  return let && isTruth(program, *let);
}

static bool isArray(const SourceProgram &program, llvm::StringRef name) {
  return llvm::any_of(program.arrays, [&](const SourceArray &array) { return array.name == name; });
}

bool readsArray(const SourceProgram &program, const SourceExpr &expr) {
  if (expr.kind == SourceExpr::Access) {
    const SourceExpr *let = letNamed(program, expr.text);
    return let ? readsArray(program, *let) : isArray(program, expr.text);
  }
  return llvm::any_of(expr.operands,
                      [&](const SourceExpr &operand) { return readsArray(program, operand); });
}

uint64_t expandedSize(const SourceProgram &program, const SourceExpr &expr) {
  uint64_t size = 1;
  for (const SourceExpr &operand : expr.operands)
    size += expandedSize(program, operand);
  if (expr.kind == SourceExpr::Access)
    if (const SourceExpr *let = letNamed(program, expr.text))
      return expandedSize(program, *let);
  if (expr.kind == SourceExpr::Difference)
    return size * program.axes.size() * (expr.order + 1) * 2;
  for (const SourceSumIndex &index : expr.indices)
    size *= index.high - index.low + 1;
  return size;
}

// ---- leaves -----------------------------------------------------------------------------------

SourceExpr ExprGenerator::literal() {
  return fuzz::number(random.pick({"0.5", "2", "0.25", "1", "3", "0.1", "1.75", "1e-3", "0", "4"}));
}

/// Moves an access along one axis mostly, along several or none sometimes.
void ExprGenerator::shift(SourceExpr &access, llvm::ArrayRef<unsigned> axes, const Window &window) {
  std::vector<unsigned> left(axes.begin(), axes.end());
  unsigned count = random.pick({0, 1, 1, 1, 1, 1, 2, 3});
  for (; count > 0 && !left.empty(); --count) {
    const unsigned place = random.below(left.size());
    const unsigned axis = left[place];
    left.erase(left.begin() + place);
    SourceShift shift = {program.axes[axis], 0, ""};
    if (!sumIndices.empty() && random.chance(60)) {
      shift.index = sumIndices[random.below(sumIndices.size())].name;
      shift.isNegative = random.chance(30);
    } else {
      shift.offset = random.between(-window[axis][Low], window[axis][High]);
    }
    if (shift.offset != 0 || !shift.index.empty())
      access.shifts.push_back(std::move(shift));
  }
}

SourceExpr ExprGenerator::access() {
  const unsigned array = random.below(program.arrays.size());
  const SourceArray &declared = program.arrays[array];
  SourceExpr read = name(declared.name);
  shift(read, declared.axes, windows[array]);
  if (declared.isField && llvm::is_contained(newFields, declared.name) && random.chance(60))
    read.isNext = true;
  else if (declared.isField && previousLevels && random.chance(30))
    read.shifts.insert(read.shifts.begin(), SourceShift());
  return read;
}

std::vector<const SourceAssignment *> ExprGenerator::lets(bool ofTruths) const {
  std::vector<const SourceAssignment *> found;
  for (const SourceAssignment &let : program.lets)
    if (isTruth(program, let.expr) == ofTruths)
      found.push_back(&let);
  return found;
}

SourceExpr ExprGenerator::letAccess(const SourceAssignment &let) {
  SourceExpr read = name(let.name);
  if (readsArray(program, let.expr) && random.chance(65)) {
    std::vector<unsigned> axes;
    for (unsigned axis = 0; axis < program.axes.size(); ++axis)
      axes.push_back(axis);
    const Window nearby = {{{1, 1}, {1, 1}, {1, 1}}};
    shift(read, axes, nearby);
  }
  return read;
}

SourceExpr ExprGenerator::leaf() {
  const unsigned choice = random.below(100);
  if (choice < 15)
    return literal();
  if (choice < 28 && !program.params.empty())
    return name(program.params[random.below(program.params.size())].name);
  if (choice < 45)
    if (const auto numbers = lets(false); !numbers.empty())
      return letAccess(*numbers[random.below(numbers.size())]);
  return access();
}

/// Where the language wants something typed, or a formula would be no stencil at all.
SourceExpr ExprGenerator::ensureRead(SourceExpr expr) {
  return readsArray(program, expr) ? expr : access();
}

// ---- operations -------------------------------------------------------------------------------

SourceExpr ExprGenerator::number(int depth) { return ensureRead(operation(depth)); }

SourceExpr ExprGenerator::perRunNumber(int depth) {
  if (depth == 0 || random.chance(25)) {
    if (program.params.empty() || random.chance(35))
      return literal();
    return name(program.params[random.below(program.params.size())].name);
  }
  SourceExpr left = perRunNumber(depth - 1);
  const unsigned choice = random.below(100);
  if (choice < 15)
    return unary("-", std::move(left));
  if (choice < 30)
    return call(random.pick({"abs", "sqrt", "floor"}), {std::move(left)});
  if (choice < 40) {
    const char *function = random.pick({"min", "max"});
    SourceExpr right = perRunNumber(depth - 1);
    return call(function, {std::move(left), std::move(right)});
  }
  if (choice < 48 && !program.params.empty()) {
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
  if (transcendentals && random.chance(40)) {
    const char *function = random.pick({"exp", "log", "sin", "cos", "tanh"});
    return call(function, {number(depth - 1)});
  }
  if (random.chance(50)) {
    const char *function = random.pick({"abs", "sqrt", "floor"});
    return call(function, {number(depth - 1)});
  }
  const char *function =
      transcendentals ? random.pick({"min", "max", "pow"}) : random.pick({"min", "max"});
  SourceExpr left = operation(depth - 1);
  SourceExpr right = operation(depth - 1);
  if (isLiteral(left))
    right = ensureRead(std::move(right));
  return call(function, {std::move(left), std::move(right)});
}

SourceExpr ExprGenerator::sum(int depth) {
  SourceExpr result = {SourceExpr::Sum, "sum"};
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
  std::vector<const SourceArray *> whole; // arrays with all axes
  for (const SourceArray &array : program.arrays)
    if (array.axes.size() == rank)
      whole.push_back(&array);
  SourceExpr result = {SourceExpr::Difference, random.pick({"laplace", "diff", "diff2"})};
  // Of a formula too, whose own reads go less far.
  std::vector<const SourceAssignment *> formulas = lets(false);
  llvm::erase_if(formulas, [&](const SourceAssignment *let) {
    return !readsArray(program, let->expr) || expandedSize(program, let->expr) > 8;
  });
  result.operands.push_back(name(!formulas.empty() && random.chance(25)
                                     ? formulas[random.below(formulas.size())]->name
                                     : whole[random.below(whole.size())]->name));
  if (result.text != "laplace")
    result.axis = program.axes[random.below(rank)];
  result.order = 2 * random.pick({1, 1, 1, 2, 3, 4});
  return result;
}

SourceExpr ExprGenerator::truth(int depth) {
  const std::vector<const SourceAssignment *> named = lets(true);
  if (!named.empty() && random.chance(40))
    return letAccess(*named[random.below(named.size())]);
  if (!program.params.empty() && random.chance(15))
    return perRunTruth(depth);
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
  SourceExpr left = name(program.params[random.below(program.params.size())].name);
  if (random.chance(30))
    left = call(random.pick({"abs", "sqrt"}), {std::move(left)});
  const char *op = random.pick({"<", "<=", ">", ">=", "==", "!="});
  SourceExpr right = perRunNumber(std::max(depth - 1, 0));
  return binary(op, std::move(left), std::move(right));
}

} // namespace stencilc::fuzz
