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
    if (from)
      tree.buffers[from->buffer].extents[0] = count->quotient;
    const std::vector<std::string> names = namesOf(to.extents.size());
    for (auto [dimension, extent] : llvm::enumerate(to.extents)) {
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
    assignment.elements.reset();
    return true;
  }

private:
  bool refuse(const Assignment &assignment, const llvm::Twine &why) {
    refusals.refuse(assignment.where,
                    "`" + tree.buffers[assignment.target.buffer].name + "` " + why,
                    "write the copy as loops");
    return false;
  }

  /// An array that nothing else shows the shape of has that of the other one.
  static bool shapeAlike(Buffer &left, Buffer &right) {
    for (auto [plain, shaped] : {std::pair(&left, &right), std::pair(&right, &left)})
      if (plain->extents.size() == 1)
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
    return !assignment.elements || writer.writeOut(assignment);
  });
}

} // namespace stencilc::lift
