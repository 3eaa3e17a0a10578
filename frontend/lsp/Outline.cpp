// What a file holds, as a tree: the stencil, its names, its stages with their updates.
#include "frontend/lsp/Answers.h"

namespace stencilc::lsp {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;
using namespace ast;

namespace {

// SymbolKind of the protocol.
enum Kind {
  Namespace = 3,
  Class = 5,
  Property = 7,
  Field = 8,
  Function = 12,
  Variable = 13,
  Constant = 14,
  Number = 16,
  Event = 24
};

class Outline {
public:
  explicit Outline(const View &view) : view(view) {}

  Value of(const File &file) {
    Array items;
    for (const Item &item : file.items)
      std::visit([&](const auto &item) { add(items, item); }, item);
    const llvm::StringRef source = view.analysis.text();
    Object whole = entry(file.name.text.str(), Class, file.name.text,
                         {file.name.text.begin(), size_t(source.end() - file.name.text.begin())});
    whole["children"] = std::move(items);
    return Array{std::move(whole)};
  }

private:
  Object entry(std::string name, Kind kind, llvm::StringRef selected, llvm::StringRef whole) const {
    return Object{{"name", std::move(name)},
                  {"kind", int(kind)},
                  {"range", view.range(whole)},
                  {"selectionRange", view.range(selected)}};
  }
  Object entry(const Name &name, Kind kind) const {
    return entry(name.text.str(), kind, name.text, name.text);
  }
  static llvm::StringRef upTo(const Name &name, llvm::SMRange last) {
    return {name.text.begin(), size_t(last.End.getPointer() - name.text.begin())};
  }

  void add(Array &items, const FieldDecl &item) const {
    for (const Name &name : item.names)
      items.push_back(entry(name, item.kind == ArrayKind::Field ? Field : Variable));
  }
  void add(Array &items, const ConstDecl &item) const {
    for (const ArrayDecl &array : item.arrays)
      items.push_back(entry(array.name, Constant));
  }
  void add(Array &items, const ParamsDecl &item) const {
    for (const ParamDecl &param : item.params)
      items.push_back(entry(param.name, Property));
  }
  void add(Array &, const BoundaryDecl &) const {}
  void add(Array &, const InitDecl &) const {}
  void add(Array &items, const LetDecl &item) const {
    items.push_back(entry(item.name.text.str(), item.parameters.empty() ? Number : Function,
                          item.name.text, upTo(item.name, item.value->range)));
  }
  void add(Array &items, const UpdateDecl &item) const {
    items.push_back(entry(item.field.text.str() + "'", Event, item.field.text, item.text));
  }
  void add(Array &items, const ReduceDecl &item) const {
    items.push_back(entry(item.name.text.str(), Variable, item.name.text, item.text));
  }
  void add(Array &items, const StageDecl &item) {
    const Name keyword{{item.keyword.Start.getPointer(),
                        size_t(item.keyword.End.getPointer() - item.keyword.Start.getPointer())}};
    llvm::SMRange last = item.keyword;
    Array updates;
    for (const auto &inner : item.items)
      std::visit(
          [&](const auto &inner) {
            add(updates, inner);
            last = inner.value->range;
          },
          inner);
    Object stage =
        entry("stage " + std::to_string(++stages), Namespace, keyword.text, upTo(keyword, last));
    stage["children"] = std::move(updates);
    items.push_back(std::move(stage));
  }

  const View &view;
  unsigned stages = 0;
};

} // namespace

Value outline(const View &view) {
  return view.analysis.file() ? Outline(view).of(*view.analysis.file()) : Value(Array());
}

} // namespace stencilc::lsp
