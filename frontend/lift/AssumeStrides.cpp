// Distances of rows and planes that are numbers of their own: a[i + j*row + k*plane].
//
// Nothing says that a plane is so many rows, nor that the smallest of such numbers is 1: both are
// taken for granted, in the order of the loops that count them.
#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class StrideFinder {
public:
  explicit StrideFinder(LoopTree &tree) : tree(tree) {}

  void run() {
    for (const Assignment &assignment : tree.assignments) {
      if (!assignment.isWhole)
        collect(assignment.target, assignment.loops);
      for (const Expr &part : assignment.value.exprs)
        if (const auto *read = std::get_if<Read>(&part.node))
          collect(tree.accesses[read->array], assignment.loops);
    }
    for (auto &[_, strides] : buffers)
      if (!strides.isMixed)
        assume(strides);
  }

private:
  struct Strides {
    std::vector<std::pair<size_t, Symbol>> numbers; ///< by the depth of the loops that count them
    bool isMixed = false, hasUnit = false;
  };

  /// By how much loops move the subscript of a flat array.
  void collect(const Access &access, llvm::ArrayRef<unsigned> loops) {
    if (access.subscripts.size() != 1 || tree.buffers[access.buffer].extents.size() != 1)
      return;
    Strides &strides = buffers[access.buffer];
    for (const auto &[depth, number] : llvm::enumerate(loops)) {
      const auto factor = access.subscripts[0].factorOf(tree.loops[number].variable);
      if (!factor || *factor == Polynomial())
        continue;
      const auto symbol = factor->symbol();
      if (*factor == Polynomial(1))
        strides.hasUnit = true;
      else if (!symbol || tree.symbols[*symbol].kind != SymbolInfo::Kind::Param ||
               tree.symbols[*symbol].isMade)
        strides.isMixed = true;
      else if (const auto known = llvm::find_if(
                   strides.numbers, [&](const auto &entry) { return entry.second == *symbol; });
               known != strides.numbers.end())
        strides.isMixed |= known->first != depth;
      else
        strides.numbers.push_back({depth, *symbol});
    }
  }

  void assume(Strides &strides) {
    if (strides.numbers.size() < 2)
      return;
    llvm::sort(strides.numbers, std::greater<>()); // the innermost first
    Polynomial row = 1;
    for (const auto &[_, symbol] : strides.numbers) {
      if (tree.symbols[symbol].rowsOf)
        continue;
      tree.symbols[symbol].rowsOf = row;
      const bool isUnit = row == Polynomial(1) && !strides.hasUnit;
      strides.hasUnit = true;
      if (isUnit) {
        tree.symbols[symbol].rowsOf = Polynomial();
        replace(symbol, 1);
        tree.assumptions.push_back(tree.symbols[symbol].name + " is 1");
        continue;
      }
      if (row != Polynomial(1)) {
        const Symbol rows = tree.made(Polynomial::of(symbol), row, tree.symbols[symbol].where);
        if (const auto stride = product(Polynomial::of(rows), row))
          replace(symbol, *stride);
        tree.assumptions.push_back(tree.symbols[symbol].name + " is a multiple of " +
                                   tree.text(row));
      }
      row = Polynomial::of(symbol);
    }
  }

  void replace(Symbol symbol, const Polynomial &by) {
    const auto inAll = [&](Access &access) {
      for (Polynomial &subscript : access.subscripts)
        if (auto replaced = subscript.with(symbol, by))
          subscript = std::move(*replaced);
    };
    for (Access &access : tree.accesses)
      inAll(access);
    for (Assignment &assignment : tree.assignments)
      inAll(assignment.target);
  }

  LoopTree &tree;
  std::map<unsigned, Strides> buffers;
};
} // namespace

void assumeStrides(LoopTree &tree) { StrideFinder(tree).run(); }

} // namespace stencilc::lift
