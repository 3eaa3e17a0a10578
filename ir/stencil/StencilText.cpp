// The `--emit=stencil` text. Values are numbered as in their Formula: `%4 = f64 %2 * %3`.
#include "ir/stencil/StencilAreas.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

/// The shortest text that reads back as the same number of its type.
static std::string numberText(ScalarType type, double value) {
  return type == ScalarType::F32 ? fmt::format("{}", static_cast<float>(value))
                                 : fmt::format("{}", value);
}

/// "[y-1, x+2]", empty at the point itself.
static std::string offsetText(const Stencil &stencil, const Offset &offset,
                              llvm::StringRef first = "") {
  llvm::SmallVector<std::string, 4> shifts;
  if (!first.empty())
    shifts.push_back(first.str());
  for (auto [axis, name] : llvm::enumerate(stencil.axes))
    if (offset[axis] != 0)
      shifts.push_back(fmt::format("{}{:+}", name, offset[axis]));
  return shifts.empty() ? "" : "[" + llvm::join(shifts, ", ") + "]";
}

static std::string readText(const Stencil &stencil, const Read &read) {
  const std::string &name = stencil.arrays[read.array].name;
  switch (read.level) {
  case TimeLevel::Current:
    return name + offsetText(stencil, read.offset);
  case TimeLevel::Previous:
    return name + offsetText(stencil, read.offset, "t-1");
  case TimeLevel::Next:
    return name + "'" + offsetText(stencil, read.offset);
  }
  llvm_unreachable("unknown time level");
}

static std::string nodeText(const Stencil &stencil, const Expr &expr) {
  const auto word = [](auto op) { return std::string_view(spelling(op)); };
  return std::visit(
      llvm::makeVisitor(
          [&](const Literal &e) { return numberText(expr.type, e.value); },
          [&](const ParamValue &e) { return stencil.params[e.param].name; },
          [&](const AxisValue &e) { return stencil.axes[e.axis]; },
          [](const StepValue &) { return std::string("t"); },
          [&](const Read &e) { return readText(stencil, e); },
          [&](const TimeRead &e) {
            const std::string shift = e.offset ? fmt::format("{:+}", e.offset) : std::string();
            return fmt::format("{}[t{}]", stencil.arrays[e.array].name, shift);
          },
          [&](const UnaryExpr &e) { return fmt::format("{}%{}", word(e.op), e.operand); },
          [&](const BinaryExpr &e) {
            return fmt::format("%{} {} %{}", e.left, word(e.op), e.right);
          },
          [&](const CompareExpr &e) {
            return fmt::format("%{} {} %{}", e.left, word(e.op), e.right);
          },
          [&](const SelectExpr &e) {
            return fmt::format("where(%{}, %{}, %{})", e.condition, e.then, e.otherwise);
          },
          [&](const CallExpr &e) {
            return fmt::format("{}(%{})", word(e.function), fmt::join(e.operands, ", %"));
          },
          [&](const CastExpr &e) { return fmt::format("{}(%{})", word(expr.type), e.operand); }),
      expr.node);
}

static void print(llvm::raw_ostream &out, const Stencil &stencil, const Formula &formula) {
  for (auto [id, expr] : llvm::enumerate(formula.exprs)) {
    std::string line = fmt::format("    %{} = {} {}", id, std::string_view(spelling(expr.type)),
                                   nodeText(stencil, expr));
    if (!expr.name.empty())
      line = fmt::format("{:<40}  // {}{}", line, expr.name, offsetText(stencil, expr.shift));
    out << line << "\n";
  }
  out << "    result %" << formula.result << "\n";
}

/// "z 1+1, x 0+2": widths at the low and high end of each axis that has any.
static std::string widthsText(const Stencil &stencil, const Widths &widths) {
  llvm::SmallVector<std::string, 3> texts;
  for (auto [axis, name] : llvm::enumerate(stencil.axes))
    if (widths[axis][Low] != 0 || widths[axis][High] != 0)
      texts.push_back(fmt::format("{} {}+{}", name, widths[axis][Low], widths[axis][High]));
  return texts.empty() ? "none" : llvm::join(texts, ", ");
}

/// " on x[2:n-2]", empty for the whole grid.
static std::string regionText(const Stencil &stencil, const Region &region) {
  const auto boundText = [&](unsigned axis, const AxisBound &bound) {
    const std::string shift = bound.offset ? fmt::format("{:+}", bound.offset) : std::string();
    switch (bound.base) {
    case AxisBound::Base::Start:
      return std::to_string(bound.offset);
    case AxisBound::Base::End:
      return "n" + stencil.axes[axis] + shift;
    case AxisBound::Base::Param:
      return stencil.params[bound.param].name + shift;
    }
    llvm_unreachable("unknown base");
  };
  llvm::SmallVector<std::string, 3> slices;
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    if (region[axis] != Slice())
      slices.push_back(fmt::format("{}[{}:{}]", stencil.axes[axis],
                                   boundText(axis, region[axis].from),
                                   boundText(axis, region[axis].to)));
  return slices.empty() ? "" : " on " + llvm::join(slices, ", ");
}

static void printArray(llvm::raw_ostream &out, const Stencil &stencil, const Array &array) {
  llvm::SmallVector<llvm::StringRef, 3> axes;
  for (unsigned axis : array.axes)
    axes.push_back(stencil.axes[axis]);
  if (array.isOverTime)
    axes.push_back("t");
  out << spelling(array.kind) << " " << spelling(array.type) << " " << array.name << "("
      << llvm::join(axes, ", ") << ")\n";
  for (unsigned axis : array.axes)
    for (unsigned side : {Low, High}) {
      const Boundary &boundary = array.boundary[axis][side];
      if (boundary.kind == BoundaryKind::None)
        continue;
      out << "  boundary " << stencil.axes[axis] << (side == Low ? "-" : "+") << " "
          << spelling(boundary.kind);
      if (boundary.factor != 1)
        out << "(" << numberText(array.type, boundary.factor) << ")";
      out << "\n";
      if (boundary.kind == BoundaryKind::Value)
        print(out, stencil, boundary.value);
    }
  if (!array.init.empty()) {
    out << "  init\n";
    print(out, stencil, array.init);
  }
  if (!array.initPrevious.empty()) {
    out << "  init [t-1]\n";
    print(out, stencil, array.initPrevious);
  }
}

static void printFacts(llvm::raw_ostream &out, const Stencil &stencil) {
  out << "facts\n";
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    out << "  " << array.name << ": reach " << widthsText(stencil, reach(stencil, number))
        << "; ghost points " << widthsText(stencil, ghostWidths(stencil, number));
    if (array.kind == ArrayKind::Field)
      out << "; buffers " << array.name
          << (readsPrevious(stencil, number) ? " " + array.name + "_prev" : "")
          << (needsNextBuffer(stencil, number) ? " " + array.name + "_next" : "");
    out << "\n";
  }
  for (auto [axis, name] : llvm::enumerate(stencil.axes))
    if (const int64_t least = minimumExtent(stencil, axis))
      out << "  extent of " << name << ": at least " << least << "\n";
  const PointCounts counts = countPoint(stencil);
  out << "  per point: " << counts.loads << " loads, " << counts.stores << " stores, "
      << counts.flops << " flops, " << counts.compulsoryBytes << " bytes compulsory\n";
}

void print(llvm::raw_ostream &out, const Stencil &stencil) {
  out << "stencil " << stencil.name << "(" << llvm::join(stencil.axes, ", ") << ")\n";
  for (const Param &param : stencil.params) {
    out << "param " << spelling(param.type) << " " << param.name;
    if (param.defaultValue)
      out << " = " << numberText(param.type, *param.defaultValue);
    out << "\n";
  }
  for (const Array &array : stencil.arrays)
    printArray(out, stencil, array);
  for (auto [number, stage] : llvm::enumerate(stencil.stages)) {
    out << "stage " << number << "\n";
    for (const Update &update : stage.updates) {
      out << "  update " << stencil.arrays[update.array].name << "'"
          << regionText(stencil, update.region) << ", frame "
          << widthsText(stencil, frame(stencil, update)) << "\n";
      print(out, stencil, update.formula);
    }
  }
  for (const Reduction &reduction : stencil.reductions) {
    out << "reduce " << spelling(reduction.op) << " " << reduction.name
        << regionText(stencil, reduction.region) << "\n";
    print(out, stencil, reduction.formula);
  }
  printFacts(out, stencil);
}

} // namespace stencilc
