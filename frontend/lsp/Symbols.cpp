#include "frontend/lsp/Symbols.h"

#include "frontend/language/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace stencilc::lsp {

using namespace ast;

llvm::StringRef describe(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Stencil:
    return "the stencil";
  case SymbolKind::Axis:
    return "an axis";
  case SymbolKind::Field:
    return "a field";
  case SymbolKind::Temp:
    return "a temp";
  case SymbolKind::Const:
    return "a const array";
  case SymbolKind::Param:
    return "a param";
  case SymbolKind::Let:
    return "a formula";
  case SymbolKind::Function:
    return "a function";
  case SymbolKind::Parameter:
    return "a parameter";
  case SymbolKind::Index:
    return "an index of a sum";
  case SymbolKind::Reduction:
    return "a reduction";
  }
  llvm_unreachable("all kinds are listed");
}

const Occurrence *Symbols::at(const char *place) const {
  const Occurrence *found = nullptr;
  // Of two that touch, the second, which starts there.
  for (const Occurrence &occurrence : occurrences)
    if (occurrence.name.begin() <= place && place <= occurrence.name.end())
      found = &occurrence;
  return found;
}

namespace {

llvm::StringRef sliceOf(llvm::SMRange range) {
  return {range.Start.getPointer(), size_t(range.End.getPointer() - range.Start.getPointer())};
}
llvm::StringRef between(llvm::StringRef first, llvm::StringRef last) {
  return {first.begin(), size_t(last.end() - first.begin())};
}

class Finder {
public:
  Symbols find(const File &file) {
    scopes.emplace_back();
    declare(SymbolKind::Stencil, file.name, "");
    scopes.back().clear(); // no formula sees it
    for (const Name &axis : file.axes)
      declare(SymbolKind::Axis, axis, "axis " + axis.text.str());
    // Names are known before their declaration too, if only to be found.
    for (const Item &item : file.items)
      std::visit([&](const auto &item) { declareAll(item); }, item);
    for (const Item &item : file.items)
      std::visit([&](const auto &item) { visit(item); }, item);
    llvm::stable_sort(symbols.occurrences, [](const Occurrence &left, const Occurrence &right) {
      return left.name.begin() < right.name.begin();
    });
    return std::move(symbols);
  }

private:
  using Scope = llvm::StringMap<unsigned>;

  void declare(SymbolKind kind, const Name &name, std::string text, llvm::StringRef scope = {}) {
    const auto [place, isNew] = scopes.back().try_emplace(name.text, symbols.all.size());
    // A second declaration is a fault, and this one's name.
    symbols.occurrences.push_back({name.text, place->second, true});
    if (isNew)
      symbols.all.push_back({kind, name.text, withSingleBlanks(text), scope});
  }
  std::optional<unsigned> find(llvm::StringRef name) const {
    for (const Scope &scope : llvm::reverse(scopes))
      if (const auto found = scope.find(name); found != scope.end())
        return found->second;
    return std::nullopt;
  }
  std::optional<unsigned> use(const Name &name) {
    const std::optional<unsigned> symbol = find(name.text);
    if (symbol)
      symbols.occurrences.push_back({name.text, *symbol});
    return symbol;
  }
  /// Of an axis of a shift, a slice or an array, where `t` is time.
  void useAxis(const Name &name) {
    if (name.text != "t")
      use(name);
  }

  // ---- declarations
  void declareAll(const FieldDecl &item) {
    const bool isField = item.kind == ArrayKind::Field;
    for (const Name &name : item.names)
      declare(isField ? SymbolKind::Field : SymbolKind::Temp, name,
              (stencilc::spelling(item.kind) + " " + spelling(item.type) + " " + name.text).str());
  }
  void declareAll(const ConstDecl &item) {
    for (const ArrayDecl &array : item.arrays) {
      const std::string axes =
          array.axes.empty()
              ? ""
              : "(" + between(array.axes.front().text, array.axes.back().text).str() + ")";
      declare(SymbolKind::Const, array.name,
              ("const " + spelling(item.type) + " " + array.name.text + axes).str());
    }
  }
  void declareAll(const ParamsDecl &item) {
    for (const ParamDecl &param : item.params) {
      llvm::StringRef text = param.name.text;
      if (param.defaultValue)
        text = between(text, sliceOf(param.defaultValue->range));
      declare(SymbolKind::Param, param.name, ("param " + spelling(item.type) + " " + text).str());
    }
  }
  void declareAll(const LetDecl &item, llvm::StringRef scope = {}) {
    declare(item.parameters.empty() ? SymbolKind::Let : SymbolKind::Function, item.name,
            "let " + between(item.name.text, sliceOf(item.value->range)).str(), scope);
  }
  void declareAll(const ReduceDecl &item) {
    declare(SymbolKind::Reduction, item.name, item.text.str());
  }
  void declareAll(const BoundaryDecl &) {}
  void declareAll(const InitDecl &) {}
  void declareAll(const UpdateDecl &) {}
  void declareAll(const StageDecl &) {}

  // ---- uses
  void visit(const FieldDecl &) {}
  void visit(const ConstDecl &item) {
    for (const ArrayDecl &array : item.arrays)
      for (const Name &axis : array.axes)
        useAxis(axis);
  }
  void visit(const ParamsDecl &item) {
    for (const ParamDecl &param : item.params)
      if (param.defaultValue)
        visit(*param.defaultValue);
  }
  void visit(const BoundaryDecl &item) {
    for (const Name &array : item.arrays)
      use(array);
    for (const BoundaryClause &clause : item.clauses) {
      if (clause.axis)
        useAxis(*clause.axis);
      if (clause.value)
        visit(*clause.value);
    }
  }
  void visit(const LetDecl &item) {
    scopes.emplace_back();
    for (const Name &parameter : item.parameters)
      declare(SymbolKind::Parameter, parameter,
              "parameter " + parameter.text.str() + " of " + item.name.text.str(),
              sliceOf(item.value->range));
    visit(*item.value);
    scopes.pop_back();
  }
  void visit(const InitDecl &item) {
    use(item.array);
    visit(*item.value);
  }
  void visit(const UpdateDecl &item) {
    use(item.field);
    visit(item.region);
    visit(*item.value);
  }
  void visit(const ReduceDecl &item) {
    visit(item.region);
    visit(*item.value);
  }
  void visit(const StageDecl &item) {
    scopes.emplace_back();
    const llvm::StringRef whole = textOf(item);
    for (const auto &inner : item.items)
      if (const auto *let = std::get_if<LetDecl>(&inner))
        declareAll(*let, whole);
    for (const auto &inner : item.items)
      std::visit([&](const auto &inner) { visit(inner); }, inner);
    scopes.pop_back();
  }
  static llvm::StringRef textOf(const StageDecl &item) {
    llvm::StringRef text = sliceOf(item.keyword);
    for (const auto &inner : item.items)
      std::visit([&](const auto &inner) { text = between(text, sliceOf(inner.value->range)); },
                 inner);
    return text;
  }
  void visit(const ast::Region &region) {
    for (const SliceOf &slice : region) {
      useAxis(slice.axis);
      for (const std::optional<Bound> &bound : {slice.from, slice.to})
        if (bound && bound->param)
          use(*bound->param);
    }
  }

  // ---- expressions
  void visit(const ast::Expr &expr) {
    std::visit([&](const auto &node) { visitNode(node, expr); }, expr.node);
  }
  void visitNode(const Number &, const ast::Expr &) {}
  void visitNode(const Access &access, const ast::Expr &expr) {
    use(access.name);
    symbols.reads.push_back({sliceOf(expr.range), &access});
    for (const Shift &shift : access.shifts) {
      useAxis(shift.axis);
      for (const Step &step : shift.steps)
        if (step.index)
          use(*step.index);
    }
  }
  void visitNode(const Unary &unary, const ast::Expr &) { visit(*unary.operand); }
  void visitNode(const Binary &binary, const ast::Expr &) {
    visit(*binary.left);
    visit(*binary.right);
  }
  void visitNode(const Call &call, const ast::Expr &expr) {
    const std::optional<unsigned> function = use(call.function);
    symbols.calls.push_back({call.function.text, function});
    scopes.emplace_back();
    for (const Argument &argument : call.arguments)
      if (const auto *option = std::get_if<Option>(&argument); option && option->last && !function)
        declare(SymbolKind::Index, option->name,
                "index " + option->name.text.str() + " from " +
                    std::to_string(option->first.value) + " to " +
                    std::to_string(option->last->value),
                sliceOf(expr.range));
    for (const Argument &argument : call.arguments)
      if (const auto *value = std::get_if<ExprPtr>(&argument))
        visit(**value);
    scopes.pop_back();
  }

  Symbols symbols;
  std::vector<Scope> scopes; ///< innermost last
};

} // namespace

Symbols findSymbols(const File &file) { return Finder().find(file); }

} // namespace stencilc::lsp
