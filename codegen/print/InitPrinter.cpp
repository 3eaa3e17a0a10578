#include "codegen/print/InitPrinter.h"
#include "codegen/print/Expressions.h"
#include "ir/stencil/Precedence.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <fmt/format.h>

namespace stencilc {

std::string clearOfAxes(const Stencil &stencil, std::string name) {
  while (llvm::is_contained(stencil.axes, name))
    name += "_";
  return name;
}

bool calls(const Formula &formula, Builtin function) {
  return llvm::any_of(formula.exprs, [&](const Expr &expr) {
    const auto *call = std::get_if<CallExpr>(&expr.node);
    return call && call->function == function;
  });
}

using enum Precedence;

static std::string cppName(Builtin function) {
  switch (function) {
  case Builtin::Min:
    return "ieee754::minimumNumber";
  case Builtin::Max:
    return "ieee754::maximumNumber";
  case Builtin::Abs:
    return "std::fabs";
  default: // as C calls it
    return "std::" + spelling(function).str();
  }
}

namespace {
/// Longer operands get a name: two of them and what stands around them fit a line.
constexpr size_t kLongOperand = 24;

class Printer {
public:
  Printer(const Stencil &stencil, const Formula &formula) : stencil(stencil) {
    std::vector<unsigned> users(formula.exprs.size());
    for (const Expr &expr : formula.exprs)
      for (ExprId id : operands(expr.node))
        ++users[id];
    for (auto [id, expr] : llvm::enumerate(formula.exprs)) {
      texts.push_back(textOf(expr));
      if (!operands(expr.node).empty() && id != formula.result &&
          (users[id] > 1 || texts.back().text.size() > kLongOperand))
        texts.back() = named(expr, texts.back().text);
    }
    result.result = texts[formula.result].text;
  }

  FormulaText result;

private:
  struct Text {
    std::string text;
    Precedence precedence;
  };

  /// The operand's text, in parentheses unless it binds at least as tightly as asked.
  std::string operand(ExprId id, Precedence least) const {
    const Text &text = texts[id];
    return text.precedence >= least ? text.text : "(" + text.text + ")";
  }

  std::string infix(llvm::StringRef op, Precedence own, ExprId left, ExprId right) const {
    return fmt::format("{} {} {}", operand(left, own), std::string_view(op),
                       operand(right, tighterThan(own)));
  }

  Text named(const Expr &expr, const std::string &text) {
    const std::string name = clearOfAxes(stencil, fmt::format("v{}", result.values.size()));
    result.values.push_back(
        fmt::format("const {} {} = {};", std::string_view(typeName(expr.type)), name, text));
    return {name, Primary};
  }

  std::string paramText(unsigned param) const {
    return clearOfAxes(stencil, "args") + "." + stencil.params[param].name;
  }

  Text textOf(const Expr &expr) const {
    return std::visit(
        llvm::makeVisitor(
            [&](const Literal &e) {
              return Text{literalText(expr.type, e.value), std::signbit(e.value) ? Unary : Primary};
            },
            [&](const ParamValue &e) { return Text{paramText(e.param), Primary}; },
            [&](const AxisValue &e) {
              return Text{fmt::format("{}({})", std::string_view(typeName(expr.type)),
                                      stencil.axes[e.axis]),
                          Primary};
            },
            [&](const StepValue &) { return Text{clearOfAxes(stencil, "step"), Primary}; },
            [](const Read &) -> Text { llvm_unreachable("`init` reads no array"); },
            [](const TimeRead &) -> Text { llvm_unreachable("`init` reads no array"); },
            [&](const UnaryExpr &e) {
              return Text{spelling(e.op).str() + operand(e.operand, Primary), Unary};
            },
            [&](const BinaryExpr &e) {
              const Precedence own = precedenceOf(e.op);
              return Text{infix(spelling(e.op), own, e.left, e.right), own};
            },
            [&](const CompareExpr &e) {
              const Precedence own = precedenceOf(e.op);
              return Text{infix(spelling(e.op), own, e.left, e.right), own};
            },
            [&](const SelectExpr &e) {
              return Text{fmt::format("{} ? {} : {}", operand(e.condition, Or), operand(e.then, Or),
                                      operand(e.otherwise, Or)),
                          Conditional};
            },
            [&](const CallExpr &e) {
              std::vector<std::string> operands;
              for (ExprId id : e.operands)
                operands.push_back(texts[id].text);
              return Text{fmt::format("{}({})", cppName(e.function), fmt::join(operands, ", ")),
                          Primary};
            },
            [&](const CastExpr &e) {
              return Text{fmt::format("{}({})", std::string_view(typeName(expr.type)),
                                      texts[e.operand].text),
                          Primary};
            }),
        expr.node);
  }

  const Stencil &stencil;
  std::vector<Text> texts;
};
} // namespace

FormulaText formulaText(const Stencil &stencil, const Formula &formula) {
  return Printer(stencil, formula).result;
}

} // namespace stencilc
