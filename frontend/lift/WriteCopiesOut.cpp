#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class CopyWriter {
public:
  CopyWriter(LoopTree &tree, Refusals &refusals) : tree(tree), refusals(refusals) {}

  bool writeOut(Assignment &assignment) {
    Buffer &to = tree.buffers[assignment.target.buffer];
    const auto *read = std::get_if<Read>(&assignment.value.exprs[assignment.value.result].node);
    Access *from = read ? &tree.accesses[read->array] : nullptr;
    if (from && !shapeAlike(to, tree.buffers[from->buffer]))
      return refuse(assignment, "is copied from an array of another shape");
    if (assignment.elements && !countRows(assignment, to))
      return false;
    if (from && assignment.elements)
      tree.buffers[from->buffer].extents[0] = to.extents[0];
    const size_t given = assignment.target.subscripts.size();
    std::vector<std::optional<Polynomial>> extents = to.extents;
    for (size_t dimension = given; dimension < extents.size(); ++dimension)
      if (!extents[dimension] && !reachAll(assignment, dimension, extents[dimension]))
        return false;
    if (from && llvm::is_contained(to.extents, std::nullopt))
      assumeSize(to, tree.buffers[from->buffer]);
    const std::vector<std::string> names = namesOf(to.extents.size());
    for (auto [dimension, extent] : llvm::enumerate(extents)) {
      if (dimension < given) // a row of it
        continue;
      SymbolInfo info;
      info.kind = SymbolInfo::Kind::Loop;
      info.name = names[dimension];
      info.where = assignment.where;
      tree.symbols.push_back(std::move(info));
      const Symbol variable = tree.symbols.size() - 1;
      Loop loop{variable, 0, *extent};
      loop.where = assignment.where;
      tree.loops.push_back(std::move(loop));
      assignment.loops.push_back(tree.loops.size() - 1);
      assignment.target.subscripts.push_back(Polynomial::of(variable));
      if (from)
        from->subscripts.push_back(Polynomial::of(variable));
    }
    assignment.isWhole = false;
    assignment.elements.reset();
    return true;
  }

private:
  bool countRows(const Assignment &assignment, Buffer &to) {
    Polynomial rows = 1;
    for (const auto &extent : llvm::ArrayRef(to.extents).drop_front()) {
      const auto product = extent ? lift::product(rows, *extent) : std::nullopt;
      if (!product)
        return refuse(assignment, "is set as a whole, but how long its rows are is not known");
      rows = *product;
    }
    const auto count = divide(*assignment.elements, rows);
    if (!count || count->rest != Polynomial() ||
        (to.extents[0] && *to.extents[0] != count->quotient))
      return refuse(assignment, "is set in part by its " + tree.text(*assignment.elements) +
                                    " elements, which is no box of points");
    to.extents[0] = count->quotient;
    return true;
  }

  /// Where no extent is declared, the copy reaches as far as loops do. A point that is named by its
  /// number is taken for one of theirs.
  bool reachAll(const Assignment &assignment, size_t dimension, std::optional<Polynomial> &extent) {
    const size_t rank = tree.buffers[assignment.target.buffer].extents.size();
    bool isKnown = true;
    const auto reach = [&](const Access &access, llvm::ArrayRef<Guard> guards) {
      if (access.subscripts.size() != rank)
        return;
      const Polynomial &subscript = access.subscripts[dimension];
      const bool isOverTime = llvm::any_of(assignment.loops, [&](unsigned loop) {
        return subscript.names(tree.loops[loop].variable);
      });
      const auto end = isOverTime ? std::nullopt : endOf(subscript, guards);
      if (!end)
        return;
      auto further = extent ? distance(*end, *extent) : 1;
      if (!further && (end->number() || extent->number()))
        further = extent->number() ? 1 : 0;
      isKnown &= further.has_value();
      if (further.value_or(0) > 0)
        extent = end;
    };
    for (const Assignment &other : tree.assignments) {
      if (other.isWhole)
        continue;
      reach(other.target, other.guards);
      for (const Expr &expr : other.value.exprs)
        if (const auto *read = std::get_if<Read>(&expr.node))
          reach(tree.accesses[read->array], tree.accesses[read->array].turns);
    }
    return (extent && isKnown) ||
           refuse(assignment, "is set as a whole, but how many elements it has is not known");
  }

  void assumeSize(const Buffer &to, const Buffer &from) {
    const std::string note = to.name + " has as many elements as " + from.name;
    if (to.isObject && !to.isLocal && !llvm::is_contained(tree.assumptions, note))
      tree.assumptions.push_back(note);
  }

  /// What a subscript stays below.
  std::optional<Polynomial> endOf(const Polynomial &subscript, llvm::ArrayRef<Guard> guards) const {
    for (const Loop &loop : tree.loops) {
      const auto shift = distance(subscript, Polynomial::of(loop.variable));
      if (!shift)
        continue;
      Polynomial end = loop.end;
      for (const Guard &guard : guards)
        if (guard.variable == loop.variable && guard.to && distance(*guard.to, end).value_or(0) < 0)
          end = *guard.to;
      return sum(end, *shift);
    }
    const bool isFixed = !subscript.namesAny(
        [&](Symbol symbol) { return tree.symbols[symbol].kind != SymbolInfo::Kind::Param; });
    return isFixed && subscript.number() ? sum(subscript, 1) : std::nullopt;
  }

  bool refuse(const Assignment &assignment, const llvm::Twine &why) {
    refusals.refuse(assignment.where,
                    "`" + tree.buffers[assignment.target.buffer].name + "` " + why,
                    "write the copy as loops");
    return false;
  }

  /// An array that nothing else shows the shape of has that of the other one.
  static bool shapeAlike(Buffer &left, Buffer &right) {
    for (auto [plain, shaped] : {std::pair(&left, &right), std::pair(&right, &left)})
      if (plain->extents.size() == 1 && shaped->extents.size() > 1)
        plain->extents = shaped->extents;
    if (left.extents.size() != right.extents.size())
      return false;
    for (auto [mine, theirs] : llvm::zip(left.extents, right.extents)) {
      if (mine && theirs && *mine != *theirs)
        return false;
      mine = theirs = mine ? mine : theirs;
    }
    return true;
  }

  /// The names of loops that move such arrays, so that all agree.
  std::vector<std::string> namesOf(size_t rank) const {
    std::vector<std::string> names;
    for (const Assignment &assignment : tree.assignments) {
      if (assignment.target.subscripts.size() != rank)
        continue;
      names.clear();
      for (const Polynomial &subscript : assignment.target.subscripts)
        for (unsigned loop : assignment.loops)
          if (subscript.names(tree.loops[loop].variable))
            names.push_back(tree.symbols[tree.loops[loop].variable].name);
      if (names.size() == rank)
        return names;
    }
    names = {"i", "j", "k", "l"};
    names.resize(rank, "m");
    return names;
  }

  LoopTree &tree;
  Refusals &refusals;
};
} // namespace

bool writeCopiesOut(LoopTree &tree, Refusals &refusals) {
  CopyWriter writer(tree, refusals);
  return llvm::all_of(tree.assignments, [&](Assignment &assignment) {
    return !assignment.isWhole || writer.writeOut(assignment);
  });
}

} // namespace stencilc::lift
