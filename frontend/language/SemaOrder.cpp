// A formula with a name that nothing has is not expanded, and the Expander, which tells of reads of
// what is being made, never sees it. Here such reads are found in the text, behind the lets and
// functions that are known where the update stands.
#include "frontend/language/Sema.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

#include <set>

namespace stencilc {

namespace {

/// How far an access is moved from the point: by axis, and whether a sum moves it.
struct Movement {
  std::map<llvm::StringRef, int64_t> offsets = {};
  bool isSummed = false;

  Movement by(llvm::ArrayRef<ast::Shift> shifts) const {
    Movement moved = *this;
    for (const ast::Shift &shift : shifts) {
      if (shift.axis.text == "t")
        continue;
      const std::optional<int64_t> amount = shift.amount();
      moved.offsets[shift.axis.text] += amount.value_or(0);
      moved.isSummed |= !amount;
    }
    return moved;
  }
  bool leavesPoint() const {
    return isSummed || llvm::any_of(offsets, [](const auto &offset) { return offset.second != 0; });
  }
};

/// Finds the reads of what an update makes.
class OrderSearch {
public:
  OrderSearch(llvm::StringRef made, llvm::ArrayRef<const ast::LetDecl *> lets)
      : made(made), lets(lets) {}

  std::vector<Sema::ReadInOrder> run(const ast::Expr &value) {
    search(value, {}, {unsigned(lets.size()), nullptr, nullptr, nullptr});
    return std::move(found);
  }

private:
  /// Where an expression stands: the lets before it are known there, and of a function what its
  /// parameters stand for.
  struct Scope {
    unsigned known;
    const ast::LetDecl *function;
    const ast::Call *call;
    const Scope *caller;
  };

  void search(const ast::Expr &part, const Movement &movement, const Scope &scope) {
    // Of a formula that grows beyond these, some reads are not told.
    constexpr unsigned most = 10'000, deepest = 1'000;
    if (++visits > most || depth == deepest)
      return;
    ++depth;
    const auto rise = llvm::make_scope_exit([&] { --depth; });
    const auto visit = [&](const auto &node) {
      using Node = std::decay_t<decltype(node)>;
      if constexpr (std::is_same_v<Node, ast::Access>) {
        searchAccess(node, part, movement.by(node.shifts), scope);
      } else if constexpr (std::is_same_v<Node, ast::Unary>) {
        search(*node.operand, movement, scope);
      } else if constexpr (std::is_same_v<Node, ast::Binary>) {
        search(*node.left, movement, scope);
        search(*node.right, movement, scope);
      } else if constexpr (std::is_same_v<Node, ast::Call>) {
        searchCall(node, part, movement, scope);
      } else {
        static_assert(std::is_same_v<Node, ast::Number>);
      }
    };
    std::visit(visit, part.node);
  }

  void searchAccess(const ast::Access &access, const ast::Expr &part, const Movement &movement,
                    const Scope &scope) {
    if (scope.function)
      for (auto [number, parameter] : llvm::enumerate(scope.function->parameters))
        if (parameter.text == access.name.text) {
          if (number < scope.call->arguments.size())
            searchArgument(scope.call->arguments[number], movement, *scope.caller);
          return;
        }
    if (access.isNext && access.name.text == made) {
      if (movement.leavesPoint() && told.insert(part.range.Start.getPointer()).second)
        found.push_back({part.range, use});
    } else if (const std::optional<unsigned> let = letOf(access.name, scope)) {
      searchLet(*let, nullptr, part, movement, scope);
    }
  }

  void searchCall(const ast::Call &call, const ast::Expr &part, const Movement &movement,
                  const Scope &scope) {
    const std::optional<unsigned> let = letOf(call.function, scope);
    if (let && !lets[*let]->parameters.empty())
      return searchLet(*let, &call, part, movement, scope);
    for (const ast::Argument &argument : call.arguments)
      searchArgument(argument, movement, scope);
  }

  void searchArgument(const ast::Argument &argument, const Movement &movement, const Scope &scope) {
    if (const auto *value = std::get_if<ast::ExprPtr>(&argument))
      search(**value, movement, scope);
  }

  void searchLet(unsigned number, const ast::Call *call, const ast::Expr &part,
                 const Movement &movement, const Scope &scope) {
    const std::optional<Sema::ReadInOrder::Use> outer = use;
    if (!use)
      use = {part.range, lets[number]->name.text};
    search(*lets[number]->value, movement, {number, call ? lets[number] : nullptr, call, &scope});
    use = outer;
  }

  /// A let knows those before it, so that nothing is searched for ever.
  std::optional<unsigned> letOf(const ast::Name &name, const Scope &scope) const {
    for (unsigned number = scope.known; number-- > 0;)
      if (lets[number]->name.text == name.text)
        return number;
    return std::nullopt;
  }

  const llvm::StringRef made;
  const llvm::ArrayRef<const ast::LetDecl *> lets;
  std::optional<Sema::ReadInOrder::Use> use; ///< the outermost let that is being searched
  std::vector<Sema::ReadInOrder> found;
  std::set<const char *> told;
  unsigned visits = 0, depth = 0;
};

} // namespace

std::vector<Sema::ReadInOrder> Sema::readsInOrder(const ast::UpdateDecl &item) const {
  return OrderSearch(item.field.text, knownLets).run(*item.value);
}

/// An earlier stage may make what is read.
void Sema::checkOrder(const FaultyUpdate &update) {
  if (llvm::any_of(makings[update.array],
                   [&](const Expander::Making &making) { return making.stage < update.stage; }))
    return;
  const std::string &made = stencil.arrays[update.array].name;
  const bool isTemp = stencil.arrays[update.array].kind == ArrayKind::Temp;
  for (const ReadInOrder &read : update.reads) {
    DiagnosticEngine::Report report = diagnostics.report(
        Diag::order_of_points, read.range, "`" + made + "'` is read where it is made");
    report.hint(isTemp ? Diag::order_of_points_temp_hint : Diag::order_of_points_hint, made);
    if (read.through)
      report.note(Diag::reached_through, read.through->range, read.through->name);
  }
}

} // namespace stencilc
