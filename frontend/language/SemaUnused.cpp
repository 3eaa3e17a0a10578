// Names that nothing uses. They change no value, and most are slips: a neighbour's name in a
// formula, a temp whose reader is gone.
#include "frontend/language/Sema.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

namespace {

/// Goes through a file in its order and marks what is used of what is known there.
class UseSearch {
public:
  explicit UseSearch(const ast::File &file) {
    // Arrays and params are known everywhere, a let behind its definition.
    for (const ast::Item &item : file.items)
      std::visit([&](const auto &item) { declare(item); }, item);
    for (const ast::Item &item : file.items)
      std::visit([&](const auto &item) { visit(item); }, item);
    end(0);
  }

  /// In the order of the text.
  void report(DiagnosticEngine &diagnostics) {
    llvm::sort(unused, [](const Declared &one, const Declared &other) {
      return one.name.text.begin() < other.name.text.begin();
    });
    for (const Declared &declared : unused)
      diagnostics.report(Diag::unused_name, declared.name.range(), declared.name.text,
                         describe(declared.kind));
  }

private:
  struct Declared {
    ast::Name name;
    Symbol::Kind kind;
    bool isUsed = false;
  };

  void declare(const ast::FieldDecl &item) {
    if (item.kind == ArrayKind::Temp)
      for (const ast::Name &name : item.names)
        known.push_back({name, Symbol::Kind::Temp});
  }
  void declare(const ast::ConstDecl &item) {
    for (const ast::ArrayDecl &array : item.arrays)
      known.push_back({array.name, Symbol::Kind::Const});
  }
  void declare(const ast::ParamsDecl &item) {
    for (const ast::ParamDecl &param : item.params)
      known.push_back({param.name, Symbol::Kind::Param});
  }
  template <class Other> void declare(const Other &) {}

  /// Of what has been declared from number `first` on nothing more is to come.
  void end(size_t first) {
    for (const Declared &declared : llvm::ArrayRef(known).drop_front(first))
      if (!declared.isUsed)
        unused.push_back(declared);
    known.resize(first);
  }

  void use(const ast::Name &name) {
    const auto isOfName = [&](const auto &other) { return other.text == name.text; };
    if (llvm::any_of(parameters, isOfName))
      return;
    for (Declared &declared : llvm::reverse(known))
      if (declared.name.text == name.text) {
        declared.isUsed = true;
        return;
      }
  }

  void visit(const ast::FieldDecl &) {}
  void visit(const ast::ConstDecl &) {}
  void visit(const ast::ParamsDecl &item) {
    for (const ast::ParamDecl &param : item.params)
      visit(param.defaultValue);
  }
  void visit(const ast::BoundaryDecl &item) {
    for (const ast::BoundaryClause &clause : item.clauses)
      visit(clause.value);
  }
  void visit(const ast::LetDecl &item) {
    parameters = item.parameters;
    visit(item.value);
    parameters = {};
    known.push_back(
        {item.name, item.parameters.empty() ? Symbol::Kind::Let : Symbol::Kind::Function});
  }
  void visit(const ast::InitDecl &item) { visit(item.value); }
  void visit(const ast::UpdateDecl &item) {
    visit(item.region);
    visit(item.value);
  }
  void visit(const ast::ReduceDecl &item) {
    visit(item.region);
    visit(item.value);
  }
  void visit(const ast::StageDecl &item) {
    const size_t first = known.size();
    for (const auto &inner : item.items)
      std::visit([&](const auto &inner) { visit(inner); }, inner);
    end(first);
  }
  void visit(const ast::Region &region) {
    for (const ast::SliceOf &slice : region)
      for (const std::optional<ast::Bound> &bound : {slice.from, slice.to})
        if (bound && bound->param)
          use(*bound->param);
  }

  void visit(const ast::ExprPtr &expr) {
    if (expr)
      std::visit([&](const auto &node) { visit(node); }, expr->node);
  }
  void visit(const ast::Number &) {}
  void visit(const ast::Access &access) { use(access.name); }
  void visit(const ast::Unary &unary) { visit(unary.operand); }
  void visit(const ast::Binary &binary) {
    visit(binary.left);
    visit(binary.right);
  }
  void visit(const ast::Call &call) {
    use(call.function);
    for (const ast::Argument &argument : call.arguments)
      if (const auto *expr = std::get_if<ast::ExprPtr>(&argument))
        visit(*expr);
  }

  std::vector<Declared> known, unused;
  llvm::ArrayRef<ast::Name> parameters; ///< of the function whose body this is
};

} // namespace

void Sema::warnOfUnused(const ast::File &file) const { UseSearch(file).report(diagnostics); }

} // namespace stencilc
