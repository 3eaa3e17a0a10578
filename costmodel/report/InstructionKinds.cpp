#include "costmodel/report/InstructionKinds.h"

#include "costmodel/Quantity.h"
#include "costmodel/compiled/ArithmeticRules.h"
#include "costmodel/report/ReportFacts.h"
#include "ir/kernel/ValueTypes.h"
#include "ir/stencil/StencilFacts.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"
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
  return std::visit(
      makeVisitor(
          [&](const BinaryValue &node) -> std::optional<Operation> {
            const double instructions = division(value.type, code).all();
            if (node.op != BinaryOp::Divide || !isFloat(value.type) || isPowerOfTwo(node.right))
              return std::nullopt;
            return Operation{"division", instructions, isOfRun(node.right)};
          },
          [&](const CallValue &node) -> std::optional<Operation> {
            return Operation{spelling(node.function).str(),
                             code.of(mixOf(node.function, value.type)).all(),
                             node.function == Builtin::Pow && isOfRoots(node.operands[1])};
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
  struct Places {
    const Formula *formula; ///< in which it is at one of them
    ExprId id;
    std::set<Offset> all;
  };
  CodeReader code(table);
  std::optional<MovedValue> most;
  for (const Stage &stage : stencil.stages) {
    std::map<std::string, Places> byName;
    for (const Update &update : stage.updates) {
      const std::vector<bool> varies = variesByPoint(update.formula);
      for (ExprId id = 0; id < update.formula.exprs.size(); ++id)
        if (const Expr &expr = update.formula[id]; !expr.name.empty() && varies[id])
          byName.try_emplace(expr.name, Places{&update.formula, id, {}})
              .first->second.all.insert(expr.shift);
    }
    for (const auto &[name, places] : byName) {
      if (places.all.size() < 2)
        continue;
      const MovedValue moved{name, unsigned(places.all.size()),
                             instructionsOf(*places.formula, places.id, code)};
      if (!most || moved.saved() > most->saved())
        most = moved;
    }
  }
  return most;
}

} // namespace stencilc
