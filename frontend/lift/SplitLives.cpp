// Arrays that a step uses for one thing after the other, such as the slope and the state of the
// stages of a Runge-Kutta method: all uses but the last get arrays of their own.
#include "frontend/lift/LoopPasses.h"
#include "frontend/lift/Numbers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

namespace stencilc::lift {

namespace {
/// Points from one to before another, by dimension.
struct Box {
  std::vector<Polynomial> from, to;
  bool operator==(const Box &) const = default;
};

class Lives {
public:
  Lives(LoopTree &tree, unsigned buffer, bool splitsSums)
      : tree(tree), buffer(buffer), splitsSums(splitsSums) {}

  bool split() {
    const Buffer &meant = tree.buffers[buffer];
    if (meant.isByTurn || meant.isFixed || meant.isPointerTable || !findTimes() || !findUses() ||
        !findStarts() || !findBoxes())
      return false;
    // From the last one on, so that what comes before keeps its number.
    std::vector<unsigned> arrays;
    for (unsigned life = 0; life + 1 < starts.size(); ++life)
      arrays.push_back(addBuffer(life));
    arrays.push_back(buffer);
    rename(arrays);
    for (unsigned life = starts.size(); life-- > 0;)
      copyOthers(life, arrays[life], life == 0 ? buffer : arrays[life - 1]);
    return true;
  }

private:
  /// An access, and the loops and guards around it.
  struct Use {
    Access *access;
    const std::vector<unsigned> *loops;
    const std::vector<Guard> *guards;
    unsigned life = 0; ///< none before the first one
  };

  bool findTimes() {
    for (const Loop &loop : tree.loops)
      for (const auto &[from, to] : loop.becomes)
        if (from == buffer || to == buffer)
          return false;
    if (tree.assignments.empty() || tree.assignments[0].loops.empty())
      return false;
    const unsigned outermost = tree.assignments[0].loops[0];
    const Symbol moved = tree.loops[outermost].variable;
    const bool isTime = llvm::all_of(tree.assignments, [&](const Assignment &assignment) {
      return !assignment.loops.empty() && assignment.loops[0] == outermost &&
             llvm::none_of(assignment.target.subscripts,
                           [&](const Polynomial &subscript) { return subscript.names(moved); });
    });
    time = isTime ? std::optional(outermost) : std::nullopt;
    return true;
  }

  bool findUses() {
    const auto addReads = [&](const Formula &value, const std::vector<unsigned> &loops,
                              const std::vector<Guard> &guards, std::vector<Access *> *own) {
      for (const Expr &expr : value.exprs) {
        const auto *read = std::get_if<Read>(&expr.node);
        if (!read || tree.accesses[read->array].buffer != buffer)
          continue;
        reads.push_back({&tree.accesses[read->array], &loops, &guards});
        if (own)
          own->push_back(reads.back().access);
      }
    };
    for (auto [number, assignment] : llvm::enumerate(tree.assignments)) {
      if (assignment.isWhole)
        return false;
      std::vector<Access *> own;
      addReads(assignment.value, assignment.loops, assignment.guards, &own);
      if (assignment.target.buffer != buffer)
        continue;
      writers.push_back(number);
      ownReads.push_back(std::move(own));
    }
    for (const Gathered &gathered : tree.reductions)
      addReads(gathered.value, gathered.loops, gathered.guards, nullptr);
    // Turns that write and read see one another's points, but for the very same.
    for (unsigned writer : writers) {
      const Assignment &made = tree.assignments[writer];
      const auto isApart = [&](const Access &access, const std::vector<unsigned> &loops) {
        return access.subscripts == made.target.subscripts ||
               llvm::none_of(loops, [&](unsigned loop) {
                 return loop != time && llvm::is_contained(made.loops, loop);
               });
      };
      for (const Use &read : reads)
        if (!isApart(*read.access, *read.loops))
          return false;
      for (unsigned other : writers)
        if (!isApart(tree.assignments[other].target, tree.assignments[other].loops))
          return false;
    }
    return writers.size() > 1;
  }

  /// The box of points of a place; none of others than sums of a loop's variable and a number.
  std::optional<Box> boxOf(const Access &access, llvm::ArrayRef<unsigned> loops,
                           llvm::ArrayRef<Guard> guards) const {
    Box box;
    for (const Polynomial &subscript : access.subscripts) {
      const auto range = rangeOf(subscript, loops, guards, access.turns);
      if (!range)
        return std::nullopt;
      box.from.push_back(range->first);
      box.to.push_back(range->second);
    }
    return box;
  }

  using Ends = std::pair<Polynomial, Polynomial>;
  std::optional<Ends> rangeOf(const Polynomial &subscript, llvm::ArrayRef<unsigned> loops,
                              llvm::ArrayRef<Guard> guards, llvm::ArrayRef<Guard> turns) const {
    if (const auto symbol = subscript.symbol()) {
      const SymbolInfo &info = tree.symbols[*symbol];
      const Fold &fold = info.fold;
      if (info.kind == SymbolInfo::Kind::Modulo && !isTurn(info))
        return Ends{0, info.modulus};
      if (fold.period && !fold.least && !fold.most && fold.instead.empty())
        return Ends{0, *fold.period};
      if (info.kind == SymbolInfo::Kind::Folded)
        return std::nullopt;
    }
    std::optional<Ends> range;
    const bool isMoved = subscript.namesAny(
        [&](Symbol symbol) { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; });
    if (!isMoved) {
      const auto end = sum(subscript, 1);
      return end ? std::optional(Ends{subscript, *end}) : std::nullopt;
    }
    for (unsigned number : loops) {
      const Loop &loop = tree.loops[number];
      const auto rest = difference(subscript, Polynomial::of(loop.variable));
      if (!rest || rest->namesAny([&](Symbol symbol) {
            return tree.symbols[symbol].kind != SymbolInfo::Kind::Param;
          }))
        continue;
      if (loop.stride != Polynomial(1) || loop.isBlocked || number == time)
        return std::nullopt;
      Ends ends{loop.begin, loop.end};
      for (const auto &list : {guards, turns})
        for (const Guard &guard : list)
          if (guard.variable == loop.variable && !narrow(ends, guard))
            return std::nullopt;
      const auto from = sum(ends.first, *rest), to = sum(ends.second, *rest);
      if (from && to)
        range = Ends{*from, *to};
    }
    return range;
  }

  /// A remainder of the number of the turn chooses a level of time.
  bool isTurn(const SymbolInfo &remainder) const {
    return time && remainder.dividend.names(tree.loops[*time].variable);
  }

  static bool narrow(Ends &ends, const Guard &guard) {
    if (guard.from) {
      const auto further = distance(*guard.from, ends.first);
      if (!further)
        return false;
      ends.first = *further > 0 ? *guard.from : ends.first;
    }
    if (guard.to) {
      const auto further = distance(ends.second, *guard.to);
      if (!further)
        return false;
      ends.second = *further > 0 ? *guard.to : ends.second;
    }
    return true;
  }

  std::optional<Box> boxOf(unsigned writer) const {
    const Assignment &made = tree.assignments[writer];
    for (const Guard &guard : made.guards) // that on a loop which no subscript names
      if (llvm::none_of(made.target.subscripts, [&](const Polynomial &subscript) {
            return subscript.names(guard.variable);
          }))
        return std::nullopt;
    return boxOf(made.target, made.loops, made.guards);
  }

  /// True if no point is in both; a third box may lie between them.
  static bool areApart(const Box &one, const Box &other, llvm::ArrayRef<Box> between) {
    const auto isBefore = [](const Box &first, const Box &second, size_t dimension) {
      return distance(second.from[dimension], first.to[dimension]).value_or(-1) >= 0;
    };
    return llvm::any_of(llvm::seq<size_t>(0, one.from.size()), [&](size_t dimension) {
      return isBefore(one, other, dimension) || isBefore(other, one, dimension) ||
             llvm::any_of(between, [&](const Box &box) {
               return (isBefore(one, box, dimension) && isBefore(box, other, dimension)) ||
                      (isBefore(other, box, dimension) && isBefore(box, one, dimension));
             });
    });
  }

  /// A life begins where points are set anew after others have read them, or all those of an
  /// earlier assignment, of other values than what they hold.
  bool findStarts() {
    std::vector<Box> before;
    starts = {writers[0]};
    for (auto [number, writer] : llvm::enumerate(writers)) {
      const auto box = boxOf(writer);
      if (!box)
        return false;
      const auto isSeen = [&](const Use &read) {
        return read.access->time > starts.back() && read.access->time <= writer &&
               !llvm::is_contained(ownReads[number], read.access);
      };
      const bool isSetAgain = llvm::any_of(
          before, [&](const Box &earlier) { return !areApart(earlier, *box, before); });
      if (isSetAgain &&
          (llvm::any_of(reads, isSeen) ||
           (llvm::is_contained(before, *box) && (splitsSums || ownReads[number].empty())))) {
        starts.push_back(writer);
        before.clear();
      }
      before.push_back(*box);
    }
    return starts.size() > 1;
  }

  unsigned lifeOfWriter(unsigned writer) const {
    return llvm::count_if(starts, [&](unsigned start) { return start <= writer; }) - 1;
  }

  /// What each life sets, and the points that are read of it beside those.
  bool findBoxes() {
    made.resize(starts.size());
    others.resize(starts.size());
    for (unsigned writer : writers)
      made[lifeOfWriter(writer)].push_back(*boxOf(writer));
    // What an earlier life has set, and the next one does not, goes on.
    for (unsigned life = 1; life < starts.size(); ++life)
      for (const Box &box : made[life - 1])
        if (!isMade(life, box))
          others[life].push_back(box);
    for (unsigned life = 0; life < starts.size(); ++life)
      for (const Box &box : others[life])
        made[life].push_back(box);
    std::vector<std::optional<Box>> read(starts.size());
    for (const Use &use : reads) {
      const unsigned begun =
          llvm::count_if(starts, [&](unsigned start) { return start < use.access->time; });
      if (begun == 0 || begun == starts.size())
        continue;
      const auto box = boxOf(*use.access, *use.loops, *use.guards);
      if (!box || !widen(read[begun - 1], *box))
        return false;
    }
    return llvm::all_of(llvm::seq<unsigned>(0, starts.size()), [&](unsigned life) {
      return !read[life] || coverFrame(life, *read[life]);
    });
  }

  static bool widen(std::optional<Box> &box, const Box &other) {
    if (!box)
      box = other;
    for (size_t dimension = 0; dimension < other.from.size(); ++dimension) {
      const auto before = distance(other.from[dimension], box->from[dimension]);
      const auto behind = distance(other.to[dimension], box->to[dimension]);
      if (!before || !behind)
        return false;
      if (*before < 0)
        box->from[dimension] = other.from[dimension];
      if (*behind > 0)
        box->to[dimension] = other.to[dimension];
    }
    return true;
  }

  bool isMade(unsigned life, const Box &box) const {
    return llvm::any_of(made[life], [&](const Box &known) {
      return llvm::all_of(llvm::seq<size_t>(0, box.from.size()), [&](size_t dimension) {
        return distance(box.from[dimension], known.from[dimension]).value_or(-1) >= 0 &&
               distance(known.to[dimension], box.to[dimension]).value_or(-1) >= 0;
      });
    });
  }

  /// Points of the box that the life does not set are copied: those around one of its boxes.
  bool coverFrame(unsigned life, const Box &box) {
    const std::vector<Box> known = made[life], copied = others[life];
    return llvm::any_of(known, [&](const Box &inside) {
      made[life] = known;
      others[life] = copied;
      return coverFrame(life, box, inside);
    });
  }
  bool coverFrame(unsigned life, const Box &box, const Box &inside) {
    Box rest = box;
    for (size_t dimension = 0; dimension < box.from.size(); ++dimension) {
      const auto before = distance(inside.from[dimension], box.from[dimension]);
      const auto behind = distance(box.to[dimension], inside.to[dimension]);
      if (!before || !behind)
        return false;
      for (bool isLow : {true, false}) {
        Box frame = rest;
        if ((isLow ? *before : *behind) <= 0)
          continue;
        (isLow ? frame.to : frame.from)[dimension] = (isLow ? inside.from : inside.to)[dimension];
        if (!isMade(life, frame)) {
          if (llvm::any_of(made[life],
                           [&](const Box &known) { return !areApart(known, frame, {inside}); }))
            return false;
          others[life].push_back(frame);
          made[life].push_back(frame);
        }
      }
      rest.from[dimension] = inside.from[dimension];
      rest.to[dimension] = inside.to[dimension];
    }
    return true;
  }

  unsigned addBuffer(unsigned life) {
    Buffer copy = tree.buffers[buffer];
    unsigned number = life + 1;
    const auto isTaken = [&](const std::string &name) {
      return llvm::any_of(tree.buffers, [&](const Buffer &other) { return other.name == name; }) ||
             llvm::any_of(tree.symbols,
                          [&](const SymbolInfo &other) { return other.name == name; });
    };
    while (isTaken(tree.buffers[buffer].name + std::to_string(number)))
      ++number;
    copy.name += std::to_string(number);
    copy.isLocal = copy.isRestrict = copy.isMadeAnew = true;
    copy.isPointer = copy.isObject = false;
    tree.buffers.push_back(std::move(copy));
    return tree.buffers.size() - 1;
  }

  void rename(llvm::ArrayRef<unsigned> arrays) {
    for (const Use &read : reads) {
      // An access stands for all reads of the same place at the same time.
      const unsigned begun =
          llvm::count_if(starts, [&](unsigned start) { return start < read.access->time; });
      if (begun > 0)
        read.access->buffer = arrays[begun - 1];
    }
    for (unsigned writer : writers)
      tree.assignments[writer].target.buffer = arrays[lifeOfWriter(writer)];
  }

  /// Copies of what the array held before, ahead of the life.
  void copyOthers(unsigned life, unsigned to, unsigned from) {
    const unsigned place = starts[life];
    const clang::SourceLocation where = tree.assignments[place].where;
    std::vector<Assignment> copies;
    const unsigned count = others[life].size();
    for (Access &access : tree.accesses)
      access.time += access.time >= place ? count : 0;
    for (Gathered &gathered : tree.reductions)
      gathered.time += gathered.time >= place ? count : 0;
    for (Assignment &assignment : tree.assignments)
      assignment.target.time += assignment.target.time >= place ? count : 0;
    for (const Box &box : others[life]) {
      const unsigned number = place + copies.size();
      Assignment copy;
      copy.where = where;
      if (time)
        copy.loops.push_back(*time);
      std::vector<Polynomial> subscripts;
      for (size_t dimension = 0; dimension < box.from.size(); ++dimension) {
        if (distance(box.to[dimension], box.from[dimension]) == 1) {
          subscripts.push_back(box.from[dimension]);
          continue;
        }
        SymbolInfo info;
        info.kind = SymbolInfo::Kind::Loop;
        info.name = nameAlong(dimension);
        info.where = where;
        tree.symbols.push_back(info);
        Loop loop{Symbol(tree.symbols.size() - 1), box.from[dimension], box.to[dimension]};
        loop.where = where;
        copy.loops.push_back(tree.loops.size());
        subscripts.push_back(Polynomial::of(loop.variable));
        tree.loops.push_back(std::move(loop));
      }
      tree.accesses.push_back({from, subscripts, number, where});
      copy.target = {to, subscripts, number, where};
      copy.value = leaf(tree.buffers[buffer].type,
                        Read{unsigned(tree.accesses.size() - 1), TimeLevel::Current, {}});
      copies.push_back(std::move(copy));
    }
    tree.assignments.insert(tree.assignments.begin() + place, copies.begin(), copies.end());
  }

  /// What the loop of the first assignment is called.
  std::string nameAlong(size_t dimension) const {
    const Assignment &first = tree.assignments[writers[0]];
    for (unsigned number : first.loops)
      if (first.target.subscripts[dimension].names(tree.loops[number].variable))
        return tree.symbols[tree.loops[number].variable].name;
    return "i";
  }

  LoopTree &tree;
  const unsigned buffer;
  const bool splitsSums;
  std::optional<unsigned> time; ///< the loop over it
  std::vector<Use> reads;
  std::vector<unsigned> writers;
  std::vector<std::vector<Access *>> ownReads; ///< by writer
  std::vector<unsigned> starts;                ///< of lives: assignments
  std::vector<std::vector<Box>> made, others; ///< by life: what it sets, and what of that is copied
};
} // namespace

bool splitLives(LoopTree &tree, bool splitsSums) {
  bool isSplit = false;
  const unsigned count = tree.buffers.size();
  for (unsigned buffer = 0; buffer < count; ++buffer)
    isSplit |= Lives(tree, buffer, splitsSums).split();
  return isSplit;
}

} // namespace stencilc::lift
