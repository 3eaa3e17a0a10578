// The comparison: a program of C++ that runs the stencil and the original.
#include "frontend/lift/CheckText.h"
#include "frontend/lift/CheckSupport.h"
#include "frontend/lift/CheckedFunction.h"
#include "frontend/lift/RunText.h"
#include "frontend/lift/Wrapper.h"
#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

namespace {
class Comparison : CheckedFunction {
public:
  explicit Comparison(const Understood &source) : CheckedFunction(source) {}

  std::string text() const {
    std::string text = fmt::format("extern \"C\" void original_{0}(void **, const long long *, "
                                   "const double *, const long long "
                                   "*, double *);\nextern \"C\" void *original_{0}_array(int);\n\n"
                                   "static bool compare_{0}(int lift_size, bool lift_signed) {{\n",
                                   name);
    const auto line = [&](const std::string &what) { text += "  " + what + "\n"; };
    text += valuesText();
    line(fmt::format("const int64_t lift_turns = {};", stepsText(tree, grid)));
    for (const GridArray &array : grid.arrays)
      if (array.isOverTime)
        line(fmt::format("const int64_t lift_steps_of_{} = lift_turns + 16;", array.name));
    text += memoryText();
    text += lift::resultsText(tree, found.lifted);
    line(fmt::format("double lift_theirs[{}];", found.lifted.stencil.reductions.size() + 1));
    const std::string original = fmt::format(
        "original_{}(lift_arrays, lift_whole, lift_numbers, lift_counts, lift_theirs);", name);
    if (tree.assumesStart) {
      // What stands around the grid follows from what is inside after the loops.
      line(original);
      text += fetchText();
      for (unsigned number = 0; number < tree.buffers.size(); ++number)
        line(fmt::format("lift_start_{0}.assign(lift_theirs_{0}.begin(), lift_theirs_{0}.end());",
                         number));
    }
    if (tree.roundsToWhole) // of numbers below 0 there may be no whole one
      line("if (lift_signed) return true;");
    // The stencil first: it has memory of its own.
    text += "  {\n" + runText(tree, grid, found.lifted, mine(), "return false;") + "  }\n";
    line(original);
    text += resultsText();
    // Numbers below 0 may leave no number: arrays are compared all the same, sums say nothing.
    line("if (lift_signed) return true;");
    text += reducedText();
    line(fmt::format(
        "std::printf(\"{}: equal, %s, %lld steps\\n\", lift_points, (long long)lift_turns);",
        name));
    line("return true;");
    return text + "}\n\n";
  }

private:
  /// Smallest and largest values are equal; sums are off by no more than rounding explains.
  std::string reducedText() const {
    std::string text, points = "1.0";
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      points += fmt::format(" * ({})", tree.text(grid.extents[axis]));
    for (auto [number, reduction] : llvm::enumerate(found.lifted.stencil.reductions)) {
      const Gathered &gathered = gatheredAs(number);
      const bool isGiven = gathered.result == "return" || argumentOf(gathered);
      if (isSize(number))
        continue;
      if (!isGiven)
        text += fmt::format("  std::printf(\"{}: %s is not compared: the function keeps it for "
                            "itself\\n\", \"{}\");\n",
                            name, gathered.name);
      else
        text += fmt::format("  if (!agree<{0}>(\"{1}\", \"{2}\", lift_result_{3}, "
                            "lift_theirs[{4}], {5})) return false;\n",
                            elementTypeText(gathered.type).str(), name, gathered.name,
                            reduction.name, number,
                            gathered.op == Reduction::Op::Sum
                                ? fmt::format("{} * lift_result_{}", points,
                                              found.lifted.stencil.reductions[number + 1].name)
                                : "0");
    }
    return text;
  }

  bool isInTime(Symbol symbol) const {
    if (tree.symbols[symbol].name == kTurnsLeft)
      return grid.timeLoop.has_value();
    return grid.timeLoop && (tree.needs(tree.loops[*grid.timeLoop].begin, symbol) ||
                             tree.needs(tree.loops[*grid.timeLoop].end, symbol));
  }

  /// It is how long rows are, and says nothing of how far loops go.
  bool isRowLength(Symbol symbol) const {
    const auto isNamed = [&](const Polynomial &bound) { return tree.needs(bound, symbol); };
    return llvm::is_contained(llvm::ArrayRef(grid.extents).drop_front(), Polynomial::of(symbol)) &&
           llvm::none_of(tree.loops, [&](const Loop &loop) {
             return isNamed(loop.begin) || isNamed(loop.end);
           });
  }

  /// An extent grows with it.
  bool isInExtents(Symbol symbol) const {
    return llvm::any_of(grid.extents, [&](const Polynomial &extent) {
      return llvm::any_of(extent.terms(), [&](const auto &term) {
        return term.second > 0 && llvm::any_of(term.first, [&](Symbol named) {
                 return tree.needs(Polynomial::of(named), symbol);
               });
      });
    });
  }

  /// Sizes are odd and differ; steps too. Other whole numbers are small places on the grid.
  std::string valuesText() const {
    std::string text = "  uint64_t lift_state = lift_size + 1;\n  long long lift_whole[] = {";
    int reach = 0;
    forEachRead(found.lifted.stencil, [&](const Read &read) {
      for (int offset : read.offset)
        reach = std::max(reach, std::abs(offset));
    });
    unsigned place = 0;
    std::map<Symbol, std::string> values;
    for (Symbol symbol : whole)
      if (isInTime(symbol) && !isInExtents(symbol))
        values[symbol] = tree.loops[*grid.timeLoop].begin.names(symbol) ? "1" : "5 + lift_size";
      else if (isInExtents(symbol))
        values[symbol] = fmt::format("{} + 6 * lift_size", 2 * reach + 7 + 2 * (place++ % 3));
      else
        values[symbol] = std::to_string(reach + 2);
    // Rows have room for points around those that loops count.
    const std::string row = fmt::format("({} + 12 * lift_size)", 4 * reach + 25);
    for (Symbol symbol : whole)
      if (isRowLength(symbol))
        values[symbol] = row;
    for (size_t turn = 0; turn < whole.size(); ++turn)
      for (Symbol symbol : whole)
        if (const auto &rows = tree.symbols[symbol].rowsOf)
          values[symbol] = rows->number() == 0 ? "1"
                           : rows->symbol()    ? values[*rows->symbol()] + " * " + row
                                               : row;
    for (Symbol symbol : whole)
      text += values[tree.symbols[symbol].sameAs.value_or(symbol)] + ", ";
    text += "0};\n  double lift_numbers[] = {";
    for (Symbol symbol : numbers) {
      const bool isSingle = tree.symbols[symbol].type == ScalarType::F32;
      text += isSingle ? "(float)(0.2 * random_number(lift_state)), "
                       : "0.2 * random_number(lift_state), ";
    }
    text += "0};\n  (void)lift_whole; (void)lift_numbers;\n";
    for (auto [number, symbol] : llvm::enumerate(numbers))
      if (const auto same = tree.symbols[symbol].sameAs)
        for (auto [other, found] : llvm::enumerate(numbers))
          if (found == *same)
            text += fmt::format("  lift_numbers[{}] = lift_numbers[{}];\n", number, other);
    for (auto [number, symbol] : llvm::enumerate(whole))
      text += fmt::format("  const long long {0} = lift_whole[{1}]; (void){0};\n",
                          tree.symbols[symbol].name, number);
    for (auto [number, symbol] : llvm::enumerate(numbers))
      text += fmt::format("  const {2} {0} = lift_numbers[{1}]; (void){0};\n",
                          tree.symbols[symbol].name, number,
                          elementTypeText(tree.symbols[symbol].type).str());
    return text;
  }

  static std::string randomText(const Buffer &buffer, unsigned number) {
    const std::string type = elementTypeText(buffer.type).str();
    const std::string arguments = fmt::format("lift_count_{}, lift_state, lift_signed", number);
    if (!buffer.whole)
      return fmt::format("random_array<{}>({})", type, arguments);
    return fmt::format("random_whole<{}>({} && {}, {:.0f})", type, arguments,
                       buffer.whole->isSigned, std::min(buffer.whole->most(), 255.0));
  }

  std::string memoryText() const {
    std::string text, arrays, counts;
    for (auto [number, buffer] : llvm::enumerate(tree.buffers)) {
      const std::string count =
          buffer.isLocal && !buffer.isMadeAnew ? "1" : elementsText(tree, grid, number);
      text += fmt::format(
          "  const long long lift_count_{0} = {1};\n"
          "  std::vector<{2}> lift_start_{0} = {3};\n  std::vector<{4}> lift_theirs_{0};\n",
          number, count, elementTypeText(buffer.type).str(), randomText(buffer, number),
          buffer.elementText());
      arrays += fmt::format("lift_theirs_{}.data(), ", number);
      counts += fmt::format("lift_count_{}, ", number);
      // A few elements are numbers of their own.
      if (isPlainElements(number))
        text += fmt::format("  const {1} *const {2} = lift_start_{0}.data(); (void){2};\n", number,
                            elementTypeText(buffer.type).str(), buffer.name);
    }
    for (auto [number, buffer] : llvm::enumerate(tree.buffers))
      if (buffer.isFixed)
        text += fmt::format("  std::copy_n((const {2} *)original_{1}_array({0}), lift_count_{0}, "
                            "lift_start_{0}.data());\n",
                            number, name, buffer.elementText());
    for (const GridArray &array : grid.arrays)
      text += equalFramesText(array);
    for (unsigned number = 0; number < tree.buffers.size(); ++number)
      text += fmt::format(
          "  lift_theirs_{0}.assign(lift_start_{0}.begin(), lift_start_{0}.end());\n", number);
    text += "  void *lift_arrays[] = {" + arrays +
            "nullptr};\n  const long long lift_counts[] = {" + counts + "0};\n";
    for (unsigned number = 0; number < tree.buffers.size(); ++number)
      if (isGlobal(number) && !tree.buffers[number].isFixed)
        text += fmt::format(
            "  lift_arrays[{0}] = original_{1}_array({0});\n"
            "  std::memcpy(lift_arrays[{0}], lift_theirs_{0}.data(), lift_count_{0} * sizeof "
            "lift_theirs_{0}[0]);\n",
            number, name);
    return text;
  }

  bool isPlainElements(unsigned buffer) const {
    return llvm::any_of(grid.elements, [&](const auto &element) {
      return tree.accesses[element.first].buffer == buffer;
    });
  }

  /// What the stencil takes for granted: all levels hold the same where no step writes.
  std::string equalFramesText(const GridArray &array) const {
    if (!array.isWritten || !array.hasLevels())
      return "";
    std::string text;
    const std::string step = "(" + stepText(tree, array) + ")";
    const std::vector<Storage> ring = ringOf(array);
    for (const Storage &storage : llvm::ArrayRef(ring).drop_front()) {
      text += fmt::format("  for (int64_t lift_i = 0; lift_i < {0}; ++lift_i)\n"
                          "    ({1})[lift_i * {3}] = ({2})[lift_i * {3}];\n",
                          pointsText(tree, grid, array), at(array, storage),
                          at(array, array.current), step);
      for (const Sweep &sweep : grid.sweeps)
        if (&grid.arrays[sweep.array] == &array) {
          std::string index = "0";
          for (unsigned axis = 0; axis < grid.rank; ++axis) {
            text +=
                fmt::format("  for (int64_t lift_{0} = {1}; lift_{0} < {2}; ++lift_{0})\n", axis,
                            tree.text(sweep.region[axis].from), tree.text(sweep.region[axis].to));
            index = fmt::format("({}) * ({}) + lift_{} + ({})", index,
                                tree.text(extentInC(grid, array, axis)), axis,
                                tree.text(array.around[axis].first));
          }
          const bool isWhole = tree.buffers[storage.buffer].whole.has_value();
          text += fmt::format("    ({})[({}) * {}] = {}random_number(lift_state);\n",
                              at(array, storage), index, step, isWhole ? "0 * " : "");
        }
    }
    return text;
  }

  std::string at(const GridArray &array, const Storage &storage) const {
    return storageText(tree, grid, array, storage, mine());
  }

  std::function<std::string(unsigned)> mine() const {
    return [](unsigned number) { return fmt::format("lift_start_{}.data()", number); };
  }

  /// Copies what the original has left in globals.
  std::string fetchText() const {
    std::string text;
    for (unsigned number = 0; number < tree.buffers.size(); ++number)
      if (isGlobal(number) && !tree.buffers[number].isFixed)
        text += fmt::format(
            "  std::memcpy(lift_theirs_{0}.data(), lift_arrays[{0}], lift_count_{0} * sizeof "
            "lift_theirs_{0}[0]);\n",
            number);
    return text;
  }

  std::string resultsText() const {
    std::string text = fetchText();
    std::string points = "\"";
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      points += (axis ? " x " : "") + std::string("%lld");
    points += " points\"";
    std::string extents;
    for (unsigned axis = 0; axis < grid.rank; ++axis)
      extents += fmt::format(", (long long)({})", tree.text(grid.extents[axis]));
    text += fmt::format(
        "  char lift_points[100];\n  std::snprintf(lift_points, sizeof lift_points, {}{});\n",
        points, extents);
    for (auto [number, array] : llvm::enumerate(found.lifted.stencil.arrays)) {
      if (array.kind != ArrayKind::Field)
        continue;
      const GridArray &source = grid.arrays[found.lifted.binding.arrays[number]];
      if (tree.buffers[source.current.buffer].isMadeAnew) // the original has none
        continue;
      const std::vector<Storage> ring = ringOf(source);
      for (auto [turn, storage] : llvm::enumerate(ring)) {
        text += compareText(source, storage, turn, 0);
        if (readsPrevious(found.lifted.stencil, number))
          text += compareText(source, storage, turn, 1);
      }
    }
    return text;
  }

  std::string compareText(const GridArray &array, const Storage &storage, size_t turn,
                          size_t behind) const {
    std::string extents;
    for (unsigned axis : array.axes)
      extents += "(long long)(" + tree.text(extentOf(grid, array, axis)) + "), ";
    const std::string theirs = storageText(tree, grid, array, storage, [](unsigned number) {
      return fmt::format("lift_theirs_{}.data()", number);
    });
    // Of other points the stencil knows nothing.
    if (const std::string part = partText(array); !part.empty())
      return fmt::format(
          "  if (const Shape part = {0}; {1} && differ(\"{2}\", widened({3}, part, "
          "{5}).data(), widened({4}, part, {5}).data(), 1, {{{6}}})) return false;\n",
          part, holdsText(tree, array, turn, behind, "lift_turns"), array.name, at(array, storage),
          theirs, stepText(tree, array), "part.all[0], part.all[1], part.all[2]");
    return fmt::format("  if ({} && differ(\"{}\", {}, {}, {}, {{{}}})) return false;\n",
                       holdsText(tree, array, turn, behind, "lift_turns"), array.name,
                       at(array, storage), theirs, stepText(tree, array), extents);
  }

  const LeftOut *leftOutOf(const GridArray &array) const {
    for (const LeftOut &left : tree.leftOut)
      if (llvm::is_contained(ringOf(array), left.storage))
        return &left;
    return nullptr;
  }

  /// The points to compare, where those are not all of them; else empty.
  std::string partText(const GridArray &array) const {
    const LeftOut *left = leftOutOf(array);
    if (!left)
      return array.around == decltype(GridArray::around){} ? "" : shapeText(tree, grid, array);
    GridArray part = array;
    Grid inside = grid;
    for (unsigned axis : array.axes) {
      part.around[axis] = {left->from[axis],
                           *difference(extentOf(grid, array, axis), left->to[axis])};
      inside.extents[axis] = *difference(left->to[axis], left->from[axis]);
      part.fewer[axis].reset();
    }
    return shapeText(tree, inside, part);
  }
};
} // namespace

std::string comparisonText(llvm::ArrayRef<Understood> functions) {
  std::string text;
  for (const Understood &found : functions)
    text += fmt::format("#include \"{}.h\"\n", found.lifted.stencil.name);
  text += R"(
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

extern "C" double lift_unseen() { return 0; }

namespace {
void failed(const char *why) { std::printf("the stencil failed: %s\n", why); }
)";
  text += hostMemoryText();
  if (llvm::any_of(functions, [](const Understood &found) {
        return needsWidening(found.grid) || !found.tree.leftOut.empty();
      }))
    text += wideningText();
  text += comparingText();
  text += R"(
}  // namespace

)";
  std::string calls;
  for (const Understood &found : functions) {
    text += Comparison(found).text();
    for (const char *sizes : {"0, false", "1, false", "1, true"})
      calls += fmt::format("  equal &= compare_{}({});\n", found.lifted.stencil.name, sizes);
  }
  return text + "int main() {\n  bool equal = true;\n" + calls + "  return equal ? 0 : 1;\n}\n";
}

} // namespace stencilc::lift
