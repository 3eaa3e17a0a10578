#include "frontend/lift/RunText.h"

#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace stencilc::lift {

static bool isPlainName(llvm::StringRef name) {
  return llvm::all_of(name, [](char letter) {
    return isalnum(static_cast<unsigned char>(letter)) || letter == '_';
  });
}

/// `s->nx` of a struct, `*n` and `n[2]` of an argument that points to whole numbers.
static bool isMemberOfArgument(llvm::StringRef name, const Prototype &prototype) {
  using Kind = Prototype::Argument::Kind;
  const auto *owner = prototype.ownerOf(name);
  const size_t members = name.count("->") + name.count('.'), elements = name.count('[');
  const bool isSize = name.ends_with(".size()") && elements == 0;
  return owner && ((owner->kind == Kind::Vector && isSize) ||
                   (owner->kind == Kind::VectorOfVectors && name.ends_with(".size()")) ||
                   (owner->kind == Kind::Object && members == 1 && elements == 0) ||
                   (owner->kind == Kind::ObjectPointer && members == 1 && elements <= 1) ||
                   (owner->kind == Kind::WholePointer && members == 0));
}

/// The subscripts that are numbers come before the axes: one array lies behind the other.
static bool isTogether(const GridArray &array) {
  return array.fixedSubscripts.empty() ||
         array.fixedSubscripts.rbegin()->first < array.fixedSubscripts.size();
}

/// They come behind the axes: the arrays' elements take turns.
static bool isInterleaved(const GridArray &array, const Buffer &buffer) {
  return !array.fixedSubscripts.empty() && array.fixedSubscripts.begin()->first ==
                                               buffer.extents.size() - array.fixedSubscripts.size();
}

std::string whyNotRunnable(const LoopTree &tree, const Grid &grid, const Lifted &lifted,
                           const Prototype &prototype, bool makesMemory) {
  if (!tree.endsWhen.empty())
    return fmt::format("how many steps it makes depends on `{}`", tree.endsWhen);
  if (!tree.setOutside.empty())
    return fmt::format("`{}` is set before the loop over time", tree.setOutside);
  if (!tree.leftBehind.empty() && !makesMemory)
    return fmt::format("`{}` is a number that outlives the call", tree.leftBehind[0]);
  for (const Buffer &buffer : tree.buffers) {
    if (!buffer.isLocal && !isPlainName(buffer.name) && !isMemberOfArgument(buffer.name, prototype))
      return fmt::format("`{}` is a member of a struct", buffer.name);
    if (prototype.isVectorOfVectors(buffer.name) && !makesMemory)
      return fmt::format("`{}` is a vector of vectors, whose rows may lie anywhere", buffer.name);
    if (buffer.saysNeighbours && !buffer.isLocal && !makesMemory)
      return fmt::format("`{}`, which says which points are neighbours, outlives the call",
                         buffer.name);
    if (buffer.isReturned)
      return fmt::format("`{}` is made by the function, and returned", buffer.name);
    if (buffer.isPointerTable && !makesMemory)
      return fmt::format("`{}` is a table of pointers, whose rows may lie anywhere", buffer.name);
  }
  for (const SymbolInfo &symbol : tree.symbols)
    if (symbol.kind == SymbolInfo::Kind::Param && !symbol.isMade && !isPlainName(symbol.name) &&
        !isMemberOfArgument(symbol.name, prototype))
      return fmt::format("`{}` is a member of a struct", symbol.name);
  for (const auto &argument : prototype.arguments)
    if (argument.kind == Prototype::Argument::Kind::Other)
      return fmt::format("the argument `{}` is of type `{}`", argument.name, argument.type);
  for (const GridArray &array : grid.arrays) {
    const Buffer &buffer = tree.buffers[array.current.buffer];
    if (array.isLocal)
      continue;
    for (const Storage &level : ringOf(array))
      if (array.hasLevels() && tree.buffers[level.buffer].isLocal)
        return fmt::format("`{}`, which holds a time level, is local; it can be made an argument",
                           tree.buffers[level.buffer].name);
    for (unsigned dimension = 1; dimension < buffer.extents.size(); ++dimension)
      if (!buffer.extents[dimension] && !buffer.isPointerTable &&
          !prototype.isVectorOfVectors(buffer.name))
        return fmt::format("how long the rows of `{}` are is not known", buffer.name);
    if (!isTogether(array) && (!isInterleaved(array, buffer) || array.current.slot))
      return fmt::format("what is read of `{}` does not lie together", buffer.name);
  }
  for (const auto &[number, _] : grid.elements)
    if (const Buffer &buffer = tree.buffers[tree.accesses[number].buffer];
        !isPlainName(buffer.name))
      return fmt::format("`{}` is a member of a struct", buffer.name);
    else if (!llvm::all_of(llvm::ArrayRef(buffer.extents).drop_front(),
                           [](const auto &extent) { return extent.has_value(); }))
      return fmt::format("how long the rows of `{}` are is not known", buffer.name);
  for (const auto &local : lifted.binding.arrays)
    if (const GridArray &array = grid.arrays[local];
        array.isLocal &&
        (!array.isWritten || (!makesMemory && tree.buffers[array.current.buffer].isMadeAnew)))
      return fmt::format("`{}` is local", grid.arrays[local].name);
  return "";
}

static std::string wide(const std::string &text) { return "(int64_t)(" + text + ")"; }

std::string stepsText(const LoopTree &tree, const Grid &grid) {
  if (!grid.timeLoop)
    return "1";
  const Loop &loop = tree.loops[*grid.timeLoop];
  const std::string stride = tree.text(loop.stride);
  const std::string turns = fmt::format("({} - ({}) + {} - 1) / ({})", wide(tree.text(loop.end)),
                                        tree.text(loop.begin), stride, stride);
  return tree.endings.empty() ? turns : fmt::format("std::min<int64_t>({}, {})", turns, kTurnsLeft);
}

std::vector<Storage> ringOf(const GridArray &array) {
  std::vector<Storage> ring = {array.current};
  if (array.partner)
    ring.push_back(*array.partner);
  if (array.hasLevels())
    ring.push_back(array.next);
  if (array.previous && !(*array.previous == array.next))
    ring.push_back(*array.previous);
  return ring;
}

std::string holdsText(const LoopTree &tree, const GridArray &array, size_t place, size_t behind,
                      llvm::StringRef steps) {
  const size_t levels = ringOf(array).size();
  const Buffer &buffer = tree.buffers[array.current.buffer];
  if (buffer.keepsName && !buffer.isByTurn)
    return (levels - behind) % levels == place ? "true" : "false";
  return fmt::format("({} + {}) % {} == {}", steps.str(), levels - behind, levels, place);
}

/// The modulus of a buffer whose first subscript chooses a level.
static size_t levelsOf(const Grid &grid, unsigned buffer) {
  for (const GridArray &array : grid.arrays)
    if (array.current.buffer == buffer && array.current.slot)
      return ringOf(array).size();
  return 0;
}

std::string pointsText(const LoopTree &tree, const Grid &grid, const GridArray &array) {
  if (array.isOverTime)
    return "lift_steps_of_" + array.name;
  std::string text;
  for (unsigned axis : array.axes)
    text += (text.empty() ? "" : " * ") + wide(tree.text(extentInC(grid, array, axis)));
  return text;
}

bool hasOtherPoints(const GridArray &array) {
  return llvm::any_of(array.fewer, [](const auto &fewer) { return fewer.has_value(); }) ||
         array.around != decltype(GridArray::around){};
}

llvm::StringRef wideningText() {
  return R"(
// An array that lacks points of the grid, or has others around them.
struct Shape {
  int64_t own[3], all[3], before[3];
  int64_t common(int axis) const { return std::min(own[axis] - before[axis], all[axis]); }
};
template <class T> void copy_part(T *wide, T *narrow, const Shape &shape, int64_t step, bool back) {
  for (int64_t z = 0; z < shape.common(0); ++z)
    for (int64_t y = 0; y < shape.common(1); ++y)
      for (int64_t x = 0; x < shape.common(2); ++x) {
        T &mine = wide[(z * shape.all[1] + y) * shape.all[2] + x];
        T &theirs = narrow[(((z + shape.before[0]) * shape.own[1] + y + shape.before[1]) * shape.own[2] + x +
                            shape.before[2]) * step];
        (back ? theirs : mine) = back ? mine : theirs;
      }
}
template <class T> std::vector<T> widened(const T *from, const Shape &shape, int64_t step) {
  std::vector<T> wide(shape.all[0] * shape.all[1] * shape.all[2] + 1);
  copy_part(wide.data(), const_cast<T *>(from), shape, step, false);
  return wide;
}
)";
}

bool needsConverting(const LoopTree &tree, const Grid &grid) {
  return llvm::any_of(grid.arrays, [&](const GridArray &array) {
    return tree.buffers[array.current.buffer].whole.has_value();
  });
}

llvm::StringRef convertingText() {
  return R"(
// Whole numbers of the program, which are float or double in the stencil.
template <class T, class W> std::vector<T> numbers_of(const W *from, int64_t count, int64_t step) {
  std::vector<T> numbers(count > 0 ? count : 1);
  for (int64_t place = 0; place < count; ++place) numbers[place] = T(from[place * step]);
  return numbers;
}
template <class T, class W> void give_whole(W *to, const T *memory, int64_t count, int64_t step) {
  std::vector<T> numbers(count > 0 ? count : 1);
  give(numbers.data(), memory, count, 1);
  for (int64_t place = 0; place < count; ++place) to[place * step] = W(numbers[place]);
}
)";
}

bool needsWidening(const Grid &grid) { return llvm::any_of(grid.arrays, hasOtherPoints); }

std::string shapeText(const LoopTree &tree, const Grid &grid, const GridArray &array) {
  std::string own, all, before;
  for (unsigned missing = array.axes.size(); missing < kMaxRank; ++missing)
    own += "1, ", all += "1, ", before += "0, ";
  for (unsigned axis : array.axes) {
    own += wide(tree.text(extentInC(grid, array, axis))) + ", ";
    all += wide(tree.text(grid.extents[axis])) + ", ";
    before += wide(tree.text(array.around[axis].first)) + ", ";
  }
  return fmt::format("Shape{{{{{}}}, {{{}}}, {{{}}}}}", own, all, before);
}

std::string elementsText(const LoopTree &tree, const Grid &grid, unsigned number) {
  const Buffer &buffer = tree.buffers[number];
  std::string text;
  for (const GridArray &array : grid.arrays) {
    if (!llvm::is_contained(ringOf(array), array.current))
      continue;
    for (const Storage &storage : ringOf(array))
      if (storage.buffer == number && (text.empty() || array.fixedSubscripts.empty()))
        text = pointsText(tree, grid, array);
  }
  if (const size_t levels = levelsOf(grid, number))
    return fmt::format("{} * {}", levels, text);
  // Numbers beside the axes: all that are declared, or enough for what is read.
  std::string beside;
  for (const auto &extent : buffer.extents)
    if (extent && text.empty())
      beside += (beside.empty() ? "" : " * ") + wide(tree.text(*extent));
  const auto isOf = [&](const GridArray &array) {
    return llvm::any_of(ringOf(array), [&](const Storage &at) { return at.buffer == number; });
  };
  const auto isAll = [&](const GridArray &array) {
    return isOf(array) && array.fixedSubscripts.empty();
  };
  const auto part = llvm::find_if(grid.arrays, isOf);
  if (part != grid.arrays.end() && llvm::none_of(grid.arrays, isAll))
    for (const auto &[dimension, subscript] : part->fixedSubscripts) {
      const auto &extent = buffer.extents[dimension];
      int64_t last = 7;
      for (const GridArray &array : grid.arrays)
        if (const auto named = array.fixedSubscripts.find(dimension);
            isOf(array) && named != array.fixedSubscripts.end())
          last = std::max(last, named->second.number().value_or(0));
      text += " * " + (extent ? wide(tree.text(*extent)) : std::to_string(last + 1));
    }
  if (text.empty())
    return beside.empty() ? "64" : beside;
  return text;
}

std::string storageText(const LoopTree &tree, const Grid &grid, const GridArray &array,
                        const Storage &storage, llvm::function_ref<std::string(unsigned)> pointer) {
  std::string text = pointer(storage.buffer);
  if (storage.slot) {
    const Loop &loop = tree.loops[*grid.timeLoop];
    text += fmt::format(" + ({} + {}) % {} * ({})", wide(tree.text(loop.begin)), *storage.slot,
                        ringOf(array).size(), pointsText(tree, grid, array));
  }
  const Buffer &buffer = tree.buffers[storage.buffer];
  for (const auto &[dimension, subscript] : array.fixedSubscripts) {
    std::string stride = isTogether(array) ? pointsText(tree, grid, array) : "1";
    for (const auto &[inner, _] : array.fixedSubscripts)
      if (inner > dimension && buffer.extents[inner])
        stride += " * " + wide(tree.text(*buffer.extents[inner]));
    text += fmt::format(" + {} * {}", wide(tree.text(subscript)), stride);
  }
  return text;
}

std::string stepText(const LoopTree &tree, const GridArray &array) {
  std::string text;
  if (!isTogether(array))
    for (const auto &[dimension, _] : array.fixedSubscripts)
      text += (text.empty() ? "" : " * ") +
              wide(tree.text(*tree.buffers[array.current.buffer].extents[dimension]));
  return text.empty() ? "1" : text;
}

std::string resultsText(const LoopTree &tree, const Lifted &lifted) {
  std::string text;
  for (auto [reduction, number] : llvm::zip(lifted.stencil.reductions, lifted.binding.reductions))
    if (!tree.reductions[number].result.empty())
      text += fmt::format("  double lift_result_{} = 0;\n", reduction.name);
  return text;
}

std::string runText(const LoopTree &tree, const Grid &grid, const Lifted &lifted,
                    llvm::function_ref<std::string(unsigned)> pointer, llvm::StringRef onFailure,
                    bool isOfOriginal) {
  const Stencil &stencil = lifted.stencil;
  const std::string &name = stencil.name;
  std::string text, release;
  const auto line = [&](const std::string &what) { text += "  " + what + "\n"; };

  line(fmt::format("const int64_t lift_steps = {};", stepsText(tree, grid)));
  line(fmt::format("{0}_args lift_args = {0}_args_default();", name));
  for (auto [axis, axisName] : llvm::enumerate(stencil.axes))
    line(fmt::format("lift_args.n{} = {};", axisName, tree.text(grid.extents[axis])));
  std::string stride;
  for (unsigned axis = stencil.rank(); axis-- > 1;) {
    stride += (stride.empty() ? "" : " * ") + ("lift_args.n" + stencil.axes[axis]);
    line(fmt::format("lift_args.stride_{} = {};", stencil.axes[axis - 1], stride));
  }
  for (auto [param, value] : llvm::zip(stencil.params, lifted.binding.params))
    line(fmt::format("lift_args.{} = {};", param.name, value));

  std::string after;
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    if (array.kind == ArrayKind::Temp)
      continue;
    const GridArray &source = grid.arrays[lifted.binding.arrays[number]];
    std::string count = pointsText(tree, grid, source);
    const bool isWidened = hasOtherPoints(source);
    const bool isConverted = isOfOriginal && tree.buffers[source.current.buffer].whole;
    const std::string step = stepText(tree, source);
    if (isWidened) {
      line(fmt::format("const Shape lift_shape_{} = {};", array.name,
                       shapeText(tree, grid, source)));
      count.clear();
      for (unsigned axis : source.axes)
        count += (count.empty() ? "" : " * ") + ("lift_args.n" + stencil.axes[axis]);
    }
    const auto at = [&](const Storage &storage) {
      return storageText(tree, grid, source, storage, pointer);
    };
    const auto take = [&](const std::string &member, const std::string &from) {
      if (isWidened) {
        line(fmt::format("auto lift_wide_{} = widened({}, lift_shape_{}, {});", member, from,
                         array.name, step));
        line(fmt::format("lift_args.{0} = take(lift_wide_{0}.data(), {1}, 1);", member, count));
      } else if (isConverted) {
        line(fmt::format("const auto lift_numbers_{} = numbers_of<{}>({}, {}, {});", member,
                         array.type == ScalarType::F32 ? "float" : "double", from, count, step));
        line(fmt::format("lift_args.{0} = take(lift_numbers_{0}.data(), {1}, 1);", member, count));
      } else
        line(fmt::format("lift_args.{} = take({}, {}, {});", member, from, count, step));
      release += fmt::format("  release(lift_args.{});\n", member);
    };
    if (array.isOverTime) {
      int64_t most = 0;
      for (const Sweep &sweep : grid.sweeps)
        for (const auto &[_, read] : sweep.reads)
          if (read.array == lifted.binding.arrays[number])
            most = std::max(most, read.timeOffset);
      line(fmt::format("const int64_t lift_steps_of_{} = lift_steps + {};", source.name, most));
      line(fmt::format("lift_args.{}_steps = lift_steps_of_{};", array.name, source.name));
    }
    take(array.name, at(source.current));
    if (array.kind != ArrayKind::Field)
      continue;
    const std::vector<Storage> ring = ringOf(source);
    if (readsPrevious(stencil, number))
      take(array.name + "_prev", at(ring.back()));
    if (needsNextBuffer(stencil, number))
      take(array.name + "_next", at(ring.size() > 1 ? ring[1] : ring[0]));
    // The newest level goes where the loops leave it.
    const auto give = [&](const std::string &member, size_t behind) {
      if (isWidened)
        after +=
            fmt::format("  give(lift_wide_{0}.data(), lift_args.{0}, {1}, 1);\n", member, count);
      for (auto [turn, storage] : llvm::enumerate(ring))
        if (isWidened)
          after += fmt::format(
              "  if ({}) copy_part(lift_wide_{}.data(), {}, lift_shape_{}, {}, true);\n",
              holdsText(tree, source, turn, behind, "lift_steps"), member, at(storage), array.name,
              step);
        else
          after += fmt::format("  if ({}) give{}({}, lift_args.{}, {}, {});\n",
                               holdsText(tree, source, turn, behind, "lift_steps"),
                               isConverted ? "_whole" : "", at(storage), member, count, step);
    };
    give(array.name, 0);
    if (readsPrevious(stencil, number))
      give(array.name + "_prev", 1);
  }
  for (auto [reduction, number] : llvm::zip(stencil.reductions, lifted.binding.reductions))
    if (!tree.reductions[number].result.empty()) {
      line(fmt::format("lift_args.{} = take((const double *)nullptr, 1, 1);", reduction.name));
      after += fmt::format("  give(&lift_result_{0}, lift_args.{0}, 1, 1);\n", reduction.name);
      release += fmt::format("  release(lift_args.{});\n", reduction.name);
    }
  line("const int64_t lift_run = lift_steps > 0 ? lift_steps : 0;");
  line(fmt::format("const size_t lift_bytes = {}_workspace_bytes(&lift_args, lift_run);", name));
  line("char *lift_workspace = take((const char *)nullptr, (int64_t)lift_bytes, 1);");
  line(fmt::format("const {}_status lift_status =\n      {}_run(&lift_args, lift_run, "
                   "lift_workspace, lift_bytes, nullptr);",
                   name, name));
  line("release(lift_workspace);");
  line(fmt::format("if (lift_status != 0) {{ failed({}_strerror(lift_status)); {} }}", name,
                   onFailure.str()));
  return text + after + release;
}

} // namespace stencilc::lift
