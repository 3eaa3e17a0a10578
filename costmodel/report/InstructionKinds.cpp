#include "costmodel/report/InstructionKinds.h"

#include "costmodel/Quantity.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/report/ReportFacts.h"
#include "ir/kernel/ValueTypes.h"
#include "ir/stencil/FormulaSource.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace stencilc {

namespace {

/// Kinds are named where all that take much take this share together.
constexpr double kWorthALine = 0.25;
constexpr size_t kNamedKinds = 3;

/// One number for all points of a run.
bool isOfRun(const Value &value) {
  return std::visit(makeVisitor([](const LiteralValue &) { return true; },
                                [](const UniformValue &) { return true; },
                                [](const auto &) { return false; }),
                    value->node);
}

/// Whether powers of it are products, square roots and cubic ones.
bool isOfRoots(const Value &exponent) {
  constexpr double kMostProducts = 4, kRounding = 1e-6; // of a third, as f32
  const auto isWhole = [](double number) {
    return std::abs(number - std::round(number)) <= kRounding * std::abs(number);
  };
  return std::visit(makeVisitor(
                        [&](const LiteralValue &node) {
                          return std::abs(node.value) <= kMostProducts &&
                                 (isWhole(2 * node.value) || isWhole(3 * node.value));
                        },
                        [](const auto &) { return false; }),
                    exponent->node);
}

/// The instructions of a division or a function by itself, and how it is called.
struct Operation {
  std::string name;
  double instructions = 0;
  bool isAvoidable = false;
};

std::optional<Operation> operationOf(const ValueNode &value, CodeReader &code) {
  return std::visit(makeVisitor(
                        [&](const BinaryValue &node) -> std::optional<Operation> {
                          const double instructions = division(value.type, code).all();
                          if (!isDivision(node, value.type))
                            return std::nullopt;
                          return Operation{"division", instructions, isOfRun(node.right)};
                        },
                        [&](const CallValue &node) -> std::optional<Operation> {
                          return Operation{spelling(node.function).str(),
                                           code.of(mixOf(node.function, value.type)).all(),
                                           node.function == Builtin::Pow &&
                                               isOfRoots(node.operands[1])};
                        },
                        [](const auto &) -> std::optional<Operation> { return std::nullopt; }),
                    value.node);
}

const LaunchCounts &countsOfLongest(const Report &report) {
  const LaunchShare *longest = longestLaunch(report.predicted);
  const auto found = find_if(report.counted.launches, [&](const LaunchCounts &launch) {
    return longest && launch.kernel->name == longest->kernel;
  });
  return found != report.counted.launches.end() ? *found : report.counted.launches.front();
}

/// As the estimate takes it (compiled/Instructions.cpp).
double instructionsOf(const Expr &expr, const Formula &formula, CodeReader &code) {
  const auto isProduct = [&](ExprId id) {
    const auto *binary = std::get_if<BinaryExpr>(&formula[id].node);
    return binary && binary->op == BinaryOp::Multiply;
  };
  if (const auto *binary = std::get_if<BinaryExpr>(&expr.node)) {
    if (binary->op == BinaryOp::Divide)
      return division(expr.type, code).all();
    const bool isFused =
        binary->op != BinaryOp::Multiply && (isProduct(binary->left) || isProduct(binary->right));
    return isFused ? 0 : arithmetic(expr.type).all();
  }
  if (const auto *call = std::get_if<CallExpr>(&expr.node))
    return code.of(mixOf(call->function, expr.type)).all();
  return 0;
}

/// Of all that differs from point to point.
double instructionsOf(const Formula &formula, ExprId value, CodeReader &code) {
  Formula alone;
  alone.result = alone.merge(formula, value);
  double instructions = 0;
  for (const auto &[expr, varies] : zip_equal(alone.exprs, variesByPoint(alone)))
    instructions += varies ? instructionsOf(expr, alone, code) : 0;
  return instructions;
}

/// The values of a stage that are the same but for the point that they are made for.
class MovedValues {
public:
  MovedValues(const Stencil &stencil, const Stage &stage, CodeReader &code)
      : stencil(stencil), code(code) {
    for (const Update &update : stage.updates)
      add(update.formula);
    for (const auto &[formula, values] : made)
      chooseIn(*formula, values);
  }

  /// What would be saved if each point computed its own alone, told by the one that saves most.
  std::optional<MovedValue> most() const {
    std::optional<MovedValue> most;
    const Kind *named = nullptr;
    double all = 0;
    for (ExprId number : chosen) {
      const Kind &kind = kinds.at(number);
      const MovedValue moved{"", unsigned(kind.points.size()), instructionsOf(kind)};
      all += moved.saved();
      if (most && moved.saved() <= most->saved())
        continue;
      most = moved;
      named = &kind;
    }
    if (!most)
      return most;
    most->name = textOf(*named);
    most->others = chosen.size() - 1;
    most->savedByOthers = all - most->saved();
    return most;
  }

private:
  struct Kind {
    const Formula *formula = nullptr; ///< of which it is a value, at one of its points
    ExprId value = 0;
    double work = 0; ///< instructions, those of operands as often as they are asked for
    std::string name;
    std::set<Offset> points;
  };
  /// What a value is, and the point that it is made for: where it first reads.
  struct Made {
    ExprId kind = 0;
    Offset point = {};
    bool isOfPoint = false; ///< else it is a number of the run
    bool canMove = true;    ///< it asks for no position, and all it reads has all axes
    double work = 0;
  };

  void add(const Formula &formula) {
    std::vector<Made> &values = made.emplace_back(&formula, std::vector<Made>()).second;
    for (ExprId id = 0; id < formula.exprs.size(); ++id) {
      values.push_back(makingOf(formula, id, values));
      const Made &value = values.back();
      if (!value.isOfPoint || !value.canMove || operands(formula[id].node).empty())
        continue;
      Kind &kind = kinds[value.kind];
      if (kind.points.empty()) {
        kind.formula = &formula;
        kind.value = id;
        kind.work = value.work;
      }
      if (kind.name.empty())
        kind.name = formula[id].name;
      kind.points.insert(value.point);
    }
  }

  /// From users to operands: what is part of a value that is chosen is not counted again.
  void chooseIn(const Formula &formula, ArrayRef<Made> values) {
    constexpr double leastWork = 8;
    constexpr size_t mostChosen = 100; // each is looked through for what it has in common
    std::vector<bool> isNeeded(formula.exprs.size());
    isNeeded[formula.result] = true;
    for (ExprId id = formula.exprs.size(); id-- > 0;) {
      if (!isNeeded[id])
        continue;
      const auto kind = kinds.find(values[id].kind);
      if (kind != kinds.end() && kind->second.points.size() > 1 && kind->second.work >= leastWork &&
          chosen.size() < mostChosen && instructionsOf(kind->second) >= leastWork) {
        chosen.insert(kind->first);
        continue;
      }
      for (ExprId operand : operands(formula[id].node))
        isNeeded[operand] = true;
    }
  }

  double instructionsOf(const Kind &kind) const {
    return stencilc::instructionsOf(*kind.formula, kind.value, code);
  }

  Made makingOf(const Formula &formula, ExprId id, ArrayRef<Made> values) {
    const Expr &expr = formula[id];
    Made value;
    value.work = stencilc::instructionsOf(expr, formula, code);
    value.canMove = !std::holds_alternative<AxisValue>(expr.node);
    if (const auto *read = std::get_if<Read>(&expr.node)) {
      value.isOfPoint = true;
      value.canMove = stencil.arrays[read->array].axes.size() == stencil.rank();
      value.point = read->offset;
      value.kind = all.add(expr.type, Read{read->array, read->level, {}});
      return value;
    }
    for (ExprId operand : operands(expr.node)) {
      if (values[operand].isOfPoint && !value.isOfPoint)
        value.point = values[operand].point;
      value.isOfPoint |= values[operand].isOfPoint;
      value.canMove &= values[operand].canMove;
      value.work += values[operand].work;
    }
    // An operand stands there as what it is and how far it is from the point: as if each kind were
    // an array behind those of the stencil.
    numbers.resize(std::max<size_t>(numbers.size(), id));
    for (ExprId operand : operands(expr.node)) {
      const Made &part = values[operand];
      Offset from = {};
      for (unsigned axis = 0; axis < kMaxRank; ++axis)
        from[axis] = part.point[axis] - value.point[axis];
      numbers[operand] =
          part.isOfPoint
              ? all.add(formula[operand].type,
                        Read{unsigned(stencil.arrays.size()) + part.kind, TimeLevel::Current, from})
              : part.kind;
    }
    value.kind = all.add(expr.type, withOperands(expr.node, numbers));
    return value;
  }

  /// By its name, or as the language writes it; what that takes lets for, by what it reads.
  std::string textOf(const Kind &kind) const {
    constexpr size_t most = 60;
    if (!kind.name.empty())
      return "`" + kind.name + "`";
    Formula alone;
    alone.result = alone.merge(*kind.formula, kind.value);
    std::string lets;
    raw_string_ostream out(lets);
    const std::string text = FormulaSource(stencil).print(out, "", alone, alone[alone.result].type);
    if (lets.empty() && text.size() <= most)
      return "`" + text + "`";
    SetVector<StringRef> arrays;
    forEachRead(alone, [&](const Read &read) { arrays.insert(stencil.arrays[read.array].name); });
    return "What is made of `" + join(arrays, "`, `") + "`";
  }

  const Stencil &stencil;
  CodeReader &code;
  Formula all;                 ///< a value for each kind
  std::vector<ExprId> numbers; ///< in it, of the operands at hand
  std::map<ExprId, Kind> kinds;
  std::set<ExprId> chosen;
  std::vector<std::pair<const Formula *, std::vector<Made>>> made; ///< by update and Expr
};

} // namespace

std::string timesText(double times, const std::string &name) {
  // Blocks at the ends of the grid make it a little more than whole.
  const double whole = std::round(times);
  const std::string number =
      std::abs(times - whole) < 0.05 * times ? fmt::format("{:.0f}", whole) : significant(times, 2);
  return fmt::format("{} {}{}", number, name, name == "division" && number != "1" ? "s" : "");
}

double instructionsPerPoint(const Report &report) {
  return report.predicted.geometric->instructionsPerPoint / report.counted.steps;
}

std::vector<InstructionKind> instructionKinds(const Report &report) {
  if (!report.predicted.geometric)
    return {};
  const LaunchCounts &launch = countsOfLongest(report);
  const double threadsPerWarp = report.device.threadsPerWarp;
  CodeReader code(report.device.codeTable());
  std::map<std::string, InstructionKind> byName;
  const auto count = [&](const ValueNode &value, double times) {
    const std::optional<Operation> operation = operationOf(value, code);
    if (!operation || operation->instructions == 0)
      return;
    InstructionKind &kind = byName[operation->name];
    kind.name = operation->name;
    kind.times += times;
    kind.instructions += times * operation->instructions;
    kind.avoidableTimes += operation->isAvoidable ? times : 0;
    kind.avoidableInstructions += operation->isAvoidable ? times * operation->instructions : 0;
  };
  for (const StatementCounts &counts : launch.statements)
    if (const Value *whole = valueOf(*counts.statement))
      forEachValue(*whole, [&](const ValueNode &value) {
        count(value,
              double(counts.warps) * threadsPerWarp / double(launch.points) / report.counted.steps);
      });
  std::vector<InstructionKind> kinds;
  for (auto &[name, kind] : byName)
    kinds.push_back(std::move(kind));
  stable_sort(kinds, [](const InstructionKind &one, const InstructionKind &other) {
    return one.instructions > other.instructions;
  });
  return kinds;
}

bool takesInstructions(const Report &report) {
  const Prediction &predicted = report.predicted;
  const double most = std::max(predicted[Bound::Issue], predicted[Bound::Flops]);
  return predicted.geometric && none_of(kWork, [&](Bound unit) { return predicted[unit] > most; });
}

std::string instructionKindsText(const Report &report) {
  if (!takesInstructions(report))
    return {};
  const double all = instructionsPerPoint(report);
  std::vector<std::string> named;
  double together = 0;
  for (const InstructionKind &kind : instructionKinds(report)) {
    if (kind.instructions < kMuchOfInstructions * all || named.size() == kNamedKinds)
      break;
    together += kind.instructions;
    named.push_back(fmt::format("{} {}for {}", significant(kind.instructions, 2),
                                named.empty() ? "are " : "", timesText(kind.times, kind.name)));
  }
  if (together < kWorthALine * all)
    return {};
  return fmt::format("Of a point's {} instructions {}.", significant(all, 2), join(named, ", "));
}

std::optional<MovedValue> mostMoved(const Stencil &stencil, const CodeTable &table) {
  CodeReader code(table);
  std::optional<MovedValue> most;
  for (const Stage &stage : stencil.stages) {
    const MovedValues values(stencil, stage, code);
    const std::optional<MovedValue> ofStage = values.most();
    if (ofStage && (!most || ofStage->saved() > most->saved()))
      most = ofStage;
  }
  return most;
}

} // namespace stencilc
