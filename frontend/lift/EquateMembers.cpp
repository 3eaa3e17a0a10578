#include "frontend/lift/LoopPasses.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc::lift {

namespace {
class MemberEquation {
public:
  explicit MemberEquation(LoopTree &tree) : tree(tree) {}

  void takeKnown() {
    for (const auto &[from, to] : tree.sameNumbers)
      if (from != to && !tree.symbols[from].sameAs)
        become(from, to);
  }

  /// Of arrays that are declared with members of objects, the last axes are the same.
  void find() {
    std::vector<std::optional<Symbol>> extents; // from the last axis on
    for (const Buffer &buffer : tree.buffers)
      for (auto [place, extent] : llvm::enumerate(llvm::reverse(buffer.extents))) {
        const auto symbol = extent ? memberIn(*extent) : std::nullopt;
        if (!symbol)
          continue;
        extents.resize(std::max<size_t>(extents.size(), place + 1));
        if (!extents[place])
          extents[place] = symbol;
        else if (*extents[place] != *symbol)
          become(*symbol, *extents[place]);
      }
    // Loops may end at the member of another object.
    for (const auto &extent : extents)
      for (Symbol symbol = 0; symbol < tree.symbols.size() && extent; ++symbol)
        if (symbol != *extent && !tree.symbols[symbol].sameAs && isBound(symbol) &&
            memberOf(symbol) == memberOf(*extent))
          become(symbol, *extent);
    // Positions may come in again after as many points as another object has.
    for (Symbol symbol = 0; symbol < tree.symbols.size(); ++symbol)
      for (Symbol bound = 0; bound < tree.symbols.size() && isPeriod(symbol); ++bound)
        if (symbol != bound && !tree.symbols[symbol].sameAs && !tree.symbols[bound].sameAs &&
            isBound(bound) && !isBound(symbol) && !memberOf(symbol).empty() &&
            memberOf(symbol) == memberOf(bound))
          become(symbol, bound);
  }

private:
  std::optional<Symbol> memberIn(const Polynomial &extent) const {
    const auto symbol = extent.symbol();
    return symbol && tree.symbols[*symbol].name.find_first_of(".>") != std::string::npos
               ? symbol
               : std::nullopt;
  }

  bool isBound(Symbol symbol) const {
    return llvm::any_of(tree.loops, [&](const Loop &loop) {
      return loop.begin.names(symbol) || loop.end.names(symbol);
    });
  }

  bool isPeriod(Symbol symbol) const {
    return llvm::any_of(tree.symbols, [&](const SymbolInfo &info) {
      return info.kind == SymbolInfo::Kind::Folded && info.fold.period == Polynomial::of(symbol);
    });
  }

  /// "nx" of `grid->nx`, "[0].size()" of `u[0].size()`: that of a row is not that of all rows.
  llvm::StringRef memberOf(Symbol symbol) const {
    const llvm::StringRef name = tree.symbols[symbol].name;
    size_t end = name.find_last_of(".>");
    if (name.ends_with("].size()"))
      end = name.find('[') - 1;
    return end == llvm::StringRef::npos ? llvm::StringRef() : name.drop_front(end + 1);
  }

  void become(Symbol from, Symbol to) {
    tree.symbols[from].sameAs = to;
    tree.assumptions.push_back(tree.symbols[from].name + " is " + tree.symbols[to].name);
    const auto change = [&](Polynomial &value) {
      if (const auto changed = value.with(from, Polynomial::of(to)))
        value = *changed;
    };
    const auto changeGuards = [&](std::vector<Guard> &guards) {
      for (Guard &guard : guards) {
        if (guard.from)
          change(*guard.from);
        if (guard.to)
          change(*guard.to);
      }
    };
    for (Buffer &buffer : tree.buffers)
      for (auto &extent : buffer.extents)
        if (extent)
          change(*extent);
    for (Loop &loop : tree.loops)
      change(loop.begin), change(loop.end);
    for (Access &access : tree.accesses) {
      llvm::for_each(access.subscripts, change);
      changeGuards(access.turns);
    }
    for (Assignment &assignment : tree.assignments) {
      llvm::for_each(assignment.target.subscripts, change);
      changeGuards(assignment.guards);
    }
    for (SymbolInfo &symbol : tree.symbols) {
      change(symbol.dividend);
      change(symbol.fold.inner);
      for (auto *limit : {&symbol.fold.least, &symbol.fold.most, &symbol.fold.period})
        if (*limit)
          change(**limit);
      for (Fold::Place &place : symbol.fold.instead)
        change(place.at), change(place.becomes);
    }
  }

  LoopTree &tree;
};
} // namespace

void equateNumbers(LoopTree &tree) { MemberEquation(tree).takeKnown(); }
void equateMembers(LoopTree &tree) { MemberEquation(tree).find(); }

} // namespace stencilc::lift
