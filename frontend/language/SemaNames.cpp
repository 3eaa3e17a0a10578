#include "frontend/language/SemaNames.h"

#include "frontend/language/CNames.h"
#include "ir/kernel/InterfaceEntries.h"
#include "ir/stencil/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace stencilc {

llvm::StringRef describe(Symbol::Kind kind) {
  switch (kind) {
  case Symbol::Kind::Axis:
    return "an axis";
  case Symbol::Kind::Field:
    return "a field";
  case Symbol::Kind::Temp:
    return "a temp";
  case Symbol::Kind::Const:
    return "a const array";
  case Symbol::Kind::Param:
    return "a param";
  case Symbol::Kind::Let:
    return "a let";
  case Symbol::Kind::Function:
    return "a function";
  case Symbol::Kind::Reduction:
    return "a reduction";
  }
  llvm_unreachable("all kinds are listed");
}

std::string listed(llvm::ArrayRef<llvm::StringRef> names) {
  return names.empty() ? "none" : "`" + llvm::join(names, "`, `") + "`";
}

bool Names::checkWord(const ast::Name &name, llvm::StringRef role) const {
  if (isReservedWord(name.text))
    diagnostics.report(Diag::reserved_word, name.range(), name.text, role)
        .hint(Diag::c_name_hint, freeName(name.text));
  else if (llvm::StringRef kept = keptAs(name.text); !kept.empty())
    diagnostics.report(Diag::c_name, name.range(), name.text, kept, role)
        .hint(Diag::c_name_hint, freeName(name.text));
  else
    return true;
  return false;
}

void Names::declare(const ast::Name &name, Symbol::Kind kind, unsigned number) {
  checkWord(name, describe(kind));
  auto [place, isNew] = symbols.try_emplace(name.text, Symbol{kind, number, name.range()});
  if (isNew)
    return;
  diagnostics.report(Diag::duplicate_name, name.range(), name.text)
      .note(Diag::first_declared_here, place->second.declared);
  excuse(name.text);
}

void Names::forget(const ast::Name &name) {
  auto found = symbols.find(name.text);
  if (found != symbols.end() && found->second.declared.Start == name.range().Start)
    symbols.erase(found);
}

void Names::reserveInterface(const Stencil &stencil) {
  auto quoted = [](llvm::StringRef text) { return ("`" + text + "`").str(); };
  for (const std::string &axis : stencil.axes) {
    interface["n" + axis] = "the extent of " + quoted(axis);
    interface["stride_" + axis] = "the stride of " + quoted(axis);
  }
  for (const Array &array : stencil.arrays) {
    if (array.isOverTime)
      interface[array.name + "_steps"] = "the number of values of " + quoted(array.name);
    if (array.kind != ArrayKind::Field)
      continue;
    interface[array.name + "_next"] = "the new level of " + quoted(array.name);
    interface[array.name + "_prev"] = "the previous level of " + quoted(array.name);
  }
  for (llvm::StringRef entry : kInterfaceEntries)
    interface[(stencil.name + "_" + entry).str()] = "an entry";
  constantPrefix = llvm::StringRef(stencil.name).upper() + "_";
}

void Names::checkInterface(const ast::Name &name, llvm::StringRef role) const {
  const auto member = interface.find(name.text);
  const bool isConstant = name.text.starts_with(constantPrefix);
  if (member == interface.end() && !isConstant)
    return;
  diagnostics
      .report(Diag::interface_name, name.range(), name.text,
              isConstant ? "a constant" : member->second, role)
      .hint(Diag::c_name_hint, "my_" + name.text);
}

const Symbol *Names::find(llvm::StringRef name) const {
  auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : &found->second;
}

std::vector<llvm::StringRef> Names::list(llvm::ArrayRef<Symbol::Kind> kinds) const {
  std::vector<llvm::StringRef> result;
  for (const auto &entry : symbols)
    if (llvm::is_contained(kinds, entry.second.kind))
      result.push_back(entry.first());
  llvm::sort(result);
  return result;
}

} // namespace stencilc
