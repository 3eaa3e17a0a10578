#include "frontend/lift/LoopPasses.h"

#include "ir/stencil/Stencil.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
/// An axis that a private array gets: a loop, and its place among the subscripts.
struct Widening {
  unsigned loop;
  size_t place;
};

class Widener {
public:
  explicit Widener(LoopTree &tree) : tree(tree) {}

  /// An array whose elements are all named by their numbers: each is one of its own.
  void split(unsigned buffer) {
    if (!isPrivate(buffer) || loopsAround(buffer).empty())
      return;
    const std::vector<Access *> accesses = accessesOf(buffer);
    const auto isNumber = [](const Polynomial &subscript) {
      return subscript.number().has_value();
    };
    const size_t dimensions = tree.buffers[buffer].extents.size();
    if (!llvm::all_of(accesses, [&](const Access *access) { // of whole arrays nothing is named
          return dimensions > 0 && access->subscripts.size() == dimensions &&
                 llvm::all_of(access->subscripts, isNumber);
        }))
      return;
    std::map<std::string, unsigned> elements;
    for (Access *access : accesses) {
      std::string name = tree.buffers[buffer].name;
      for (const Polynomial &subscript : access->subscripts)
        name += "_" + std::to_string(*subscript.number());
      const auto [element, isNew] = elements.try_emplace(name, tree.buffers.size());
      if (isNew) {
        Buffer made = tree.buffers[buffer];
        made.name = name;
        made.extents.clear();
        made.around.clear();
        tree.buffers.push_back(std::move(made));
      }
      access->buffer = element->second;
      access->subscripts.clear();
    }
  }

  /// What no loop has widened is one point.
  void close(unsigned buffer) {
    if (!tree.buffers[buffer].extents.empty())
      return;
    tree.buffers[buffer].extents.push_back(Polynomial(1));
    for (Access *access : accessesOf(buffer))
      access->subscripts.push_back(0);
  }

  void widen(unsigned buffer) {
    if (!isPrivate(buffer))
      return;
    const std::vector<Access *> accesses = accessesOf(buffer);
    std::vector<Widening> widenings;
    for (unsigned loop : loopsAround(buffer)) {
      const Symbol variable = tree.loops[loop].variable;
      const bool isNamed = llvm::any_of(accesses, [&](const Access *access) {
        return llvm::any_of(access->subscripts,
                            [&](const Polynomial &subscript) { return subscript.names(variable); });
      });
      if (const auto place = placeOf(loop); place && !isNamed)
        widenings.push_back({loop, *place});
    }
    llvm::sort(widenings, [](const Widening &a, const Widening &b) { return a.place < b.place; });
    std::vector<std::optional<Polynomial>> &extents = tree.buffers[buffer].extents;
    if (extents.size() + widenings.size() > kMaxRank)
      return;
    if (extents.empty()) // subscripts of others that are numbers take no place
      for (auto [place, widening] : llvm::enumerate(widenings))
        widening.place = place;
    // Its rows may be longer than those of the arrays that outlive the turn.
    if (!widenings.empty())
      extents.assign(extents.size(), std::nullopt);
    for (const Widening &widening : widenings) {
      if (widening.place > extents.size())
        return;
      extents.insert(extents.begin() + widening.place, std::nullopt);
      for (Access *access : accesses)
        access->subscripts.insert(access->subscripts.begin() + widening.place,
                                  Polynomial::of(tree.loops[widening.loop].variable));
    }
  }

private:
  bool isPrivate(unsigned buffer) const {
    return tree.buffers[buffer].isLocal && !tree.buffers[buffer].isPointerTable;
  }

  std::vector<Access *> accessesOf(unsigned buffer) {
    std::vector<Access *> result;
    for (Access &access : tree.accesses)
      if (access.buffer == buffer)
        result.push_back(&access);
    for (Assignment &assignment : tree.assignments)
      if (assignment.target.buffer == buffer)
        result.push_back(&assignment.target);
    return result;
  }

  bool reads(const Assignment &assignment, unsigned buffer) const {
    return llvm::any_of(assignment.value.exprs, [&](const Expr &expr) {
      const auto *read = std::get_if<Read>(&expr.node);
      return read && tree.accesses[read->array].buffer == buffer;
    });
  }

  /// Loops around all that writes or reads it, outermost first; none if nothing writes it.
  std::vector<unsigned> loopsAround(unsigned buffer) const {
    std::optional<std::vector<unsigned>> common;
    bool isWritten = false;
    for (const Assignment &assignment : tree.assignments) {
      const bool writes = assignment.target.buffer == buffer;
      isWritten |= writes;
      if (!writes && !reads(assignment, buffer))
        continue;
      if (!common)
        common = assignment.loops;
      const auto shorter = std::min(common->size(), assignment.loops.size());
      const auto ends =
          std::mismatch(common->begin(), common->begin() + shorter, assignment.loops.begin());
      common->erase(ends.first, common->end());
    }
    return isWritten ? common.value_or(std::vector<unsigned>()) : std::vector<unsigned>();
  }

  /// Where arrays that outlive the turn name the loop: the same place in all.
  std::optional<size_t> placeOf(unsigned loop) const {
    std::optional<size_t> result;
    for (const Assignment &assignment : tree.assignments) {
      if (tree.buffers[assignment.target.buffer].isLocal)
        continue;
      for (auto [place, subscript] : llvm::enumerate(assignment.target.subscripts)) {
        if (!subscript.names(tree.loops[loop].variable))
          continue;
        if (result && *result != place)
          return std::nullopt;
        result = place;
      }
    }
    return result;
  }

  LoopTree &tree;
};
} // namespace

void splitPrivates(LoopTree &tree) {
  Widener widener(tree);
  for (unsigned buffer = 0, given = tree.buffers.size(); buffer < given; ++buffer)
    widener.split(buffer);
}

void widenPrivates(LoopTree &tree) {
  Widener widener(tree);
  for (unsigned buffer = 0; buffer < tree.buffers.size(); ++buffer)
    widener.widen(buffer);
  for (unsigned buffer = 0; buffer < tree.buffers.size(); ++buffer)
    widener.close(buffer);
}

} // namespace stencilc::lift
