#include "ir/stencil/StencilSource.h"

#include "ir/stencil/FormulaSource.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc {

namespace {
class SourcePrinter {
public:
  SourcePrinter(llvm::raw_ostream &out, const Stencil &stencil, llvm::StringRef file)
      : out(out), stencil(stencil), file(file), formulas(stencil) {}

  void print() {
    out << "stencil " << stencil.name << "(" << llvm::join(stencil.axes, ", ") << ") {\n";
    printArrays();
    for (const Param &param : stencil.params)
      print(param);
    printBoundaries();
    for (const Array &array : stencil.arrays) {
      printInit(array, "", array.init);
      printInit(array, "[t-1]", array.initPrevious);
    }
    for (const Stage &stage : stencil.stages)
      print(stage);
    for (const Reduction &reduction : stencil.reductions)
      print(reduction);
    out << "}\n";
  }

private:
  // ---- declarations

  /// Neighbours of one kind and type share a line.
  void printArrays() {
    std::string opened;
    for (const Array &array : stencil.arrays) {
      const std::string words =
          fmt::format("{} {}", spelling(array.kind).str(), spelling(array.type).str());
      if (words != opened)
        out << (opened.empty() ? "" : ";\n") << "  " << words << " ";
      else
        out << ", ";
      opened = words;
      out << array.name << axesText(array);
    }
    out << ";\n";
  }

  std::string axesText(const Array &array) const {
    if (array.isOverTime)
      return "(t)";
    if (array.axes.size() == stencil.rank())
      return "";
    llvm::SmallVector<llvm::StringRef, 3> names;
    for (unsigned axis : array.axes)
      names.push_back(stencil.axes[axis]);
    return "(" + llvm::join(names, ", ") + ")";
  }

  void print(const Param &param) {
    out << "  param " << spelling(param.type) << " " << param.name;
    if (param.defaultValue)
      out << " = " << defaultText(param.type, *param.defaultValue);
    out << ";\n";
  }

  static std::string defaultText(ScalarType type, double value) {
    if (type == ScalarType::Int)
      return fmt::format("{:.0f}", value);
    return literalSource(type, value);
  }

  // ---- boundaries

  void printBoundaries() {
    // Arrays with the same clauses share a line, in the order of the first of each.
    llvm::SmallVector<std::pair<std::string, llvm::SmallVector<llvm::StringRef, 4>>> lines;
    for (const Array &array : stencil.arrays) {
      const std::string clauses = llvm::join(clausesOf(array), ", ");
      if (clauses.empty())
        continue;
      auto line = llvm::find_if(lines, [&](const auto &line) { return line.first == clauses; });
      if (line == lines.end())
        line = lines.insert(lines.end(), {clauses, {}});
      line->second.push_back(array.name);
    }
    for (const auto &[clauses, names] : lines)
      out << "  boundary " << llvm::join(names, ", ") << ": " << clauses << ";\n";
  }

  /// The clauses of one array: what most sides have comes last, without their names.
  llvm::SmallVector<std::string> clausesOf(const Array &array) {
    std::array<std::array<std::string, 2>, kMaxRank> kinds;
    llvm::SmallVector<std::pair<std::string, unsigned>> counts;
    bool allSides = true;
    for (unsigned axis : array.axes)
      for (unsigned side : {Low, High}) {
        std::string &kind = kinds[axis][side];
        kind = kindText(array, array.boundary[axis][side]);
        allSides &= !kind.empty();
        auto known = llvm::find_if(counts, [&](const auto &count) { return count.first == kind; });
        if (known == counts.end())
          known = counts.insert(counts.end(), {kind, 0});
        ++known->second;
      }
    // A clause without a side covers all sides, which is too much where some have none.
    std::string common;
    unsigned most = allSides ? 1 : 2 * kMaxRank;
    for (const auto &[kind, count] : counts)
      if (count > most)
        std::tie(common, most) = std::tie(kind, count);

    llvm::SmallVector<std::string> clauses;
    const auto add = [&](const std::string &place, const std::string &kind) {
      if (!kind.empty() && kind != common)
        clauses.push_back(place + " " + kind);
    };
    for (unsigned axis : array.axes) {
      const auto &[low, high] = kinds[axis];
      const std::string &name = stencil.axes[axis];
      if (low == high) {
        add(name, low);
      } else {
        add(name + "-", low);
        add(name + "+", high);
      }
    }
    if (!common.empty())
      clauses.push_back(common);
    return clauses;
  }

  std::string kindText(const Array &array, const Boundary &boundary) {
    const std::string word = spelling(boundary.kind).str();
    if (boundary.kind == BoundaryKind::None)
      return "";
    if (boundary.kind == BoundaryKind::Value)
      return fmt::format("{}({})", word, formulas.print(out, "  ", boundary.value, array.type));
    if (boundary.factor != 1)
      return fmt::format("{}({})", word, literalSource(array.type, boundary.factor));
    return word;
  }

  // ---- formulas

  void printInit(const Array &array, llvm::StringRef level, const Formula &init) {
    if (init.empty())
      return;
    const std::string value = formulas.print(out, "  ", init, array.type);
    out << "  init " << array.name << level << " = " << value << ";\n";
  }

  void print(const Stage &stage) {
    const bool hasWord = stencil.stages.size() > 1;
    const llvm::StringRef indent = hasWord ? "    " : "  ";
    if (hasWord)
      out << "  stage {\n";
    formulas.beginStage();
    for (const Update &update : stage.updates) {
      const Array &array = stencil.arrays[update.array];
      const std::string value = formulas.print(out, indent, update.formula, array.type);
      if (!file.empty() && update.position.line != 0)
        out << "#line " << update.position.line << " \"" << file << "\"\n";
      out << indent << array.name << "'" << regionText(update.region) << " = " << value << ";\n";
    }
    if (!hasWord)
      return; // what is written outside stages lasts to the end
    formulas.endStage();
    out << "  }\n";
  }

  void print(const Reduction &reduction) {
    const std::string value = formulas.print(out, "  ", reduction.formula, ScalarType::F64);
    out << "  reduce " << spelling(reduction.op) << " " << reduction.name
        << regionText(reduction.region) << " = " << value << ";\n";
  }

  // ---- regions

  std::string boundText(const AxisBound &bound) const {
    if (bound.base != AxisBound::Base::Param)
      return std::to_string(bound.offset);
    const std::string shift = bound.offset ? fmt::format("{:+}", bound.offset) : std::string();
    return stencil.params[bound.param].name + shift;
  }

  std::string sliceText(const Slice &slice) const {
    AxisBound next = slice.from;
    ++next.offset;
    if (slice.to == next)
      return boundText(slice.from);
    return (slice.from == fromStart(0) ? "" : boundText(slice.from)) + ":" +
           (slice.to == fromEnd(0) ? "" : boundText(slice.to));
  }

  /// " on x[2:-2], y[0]"; empty for the whole grid.
  std::string regionText(const Region &region) const {
    llvm::SmallVector<std::string, 3> slices;
    for (auto [axis, name] : llvm::enumerate(stencil.axes))
      if (region[axis] != Slice())
        slices.push_back(fmt::format("{}[{}]", name, sliceText(region[axis])));
    return slices.empty() ? "" : " on " + llvm::join(slices, ", ");
  }

  llvm::raw_ostream &out;
  const Stencil &stencil;
  const llvm::StringRef file;
  FormulaSource formulas;
};
} // namespace

void printSource(llvm::raw_ostream &out, const Stencil &stencil, llvm::StringRef file) {
  SourcePrinter(out, stencil, file).print();
}

} // namespace stencilc
