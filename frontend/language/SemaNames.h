// Names: which words a stencil may declare, and what each declared name stands for.
#pragma once

#include "frontend/language/Ast.h"
#include "frontend/language/Diagnostics.h"
#include "frontend/language/SemaTerm.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace stencilc {

struct Symbol {
  enum class Kind { Axis, Field, Temp, Const, Param, Let, Function, Reduction };
  Kind kind;
  unsigned number; ///< among the stencil's axes, arrays, params, the lets, functions or reductions
  llvm::SMRange declared;

  bool isArray() const { return kind == Kind::Field || kind == Kind::Temp || kind == Kind::Const; }
};

/// "an axis", "a field", "a const array", "a let", ...
llvm::StringRef describe(Symbol::Kind kind);

/// "`z`, `y`, `x`"; "none" if there are none.
std::string listed(llvm::ArrayRef<llvm::StringRef> names);

/// All names of a stencil. A faulty declaration is reported; its name is still known afterwards,
/// so that its uses are not reported too.
class Names {
public:
  explicit Names(DiagnosticEngine &diagnostics) : diagnostics(diagnostics) {}

  /// Reports words that may not name `role` ("a field"): those of the language and those of C++.
  bool checkWord(const ast::Name &name, llvm::StringRef role) const;
  void declare(const ast::Name &name, Symbol::Kind kind, unsigned number);
  /// Ends the life of a name that was declared in a stage; one that had been there before stays.
  void forget(const ast::Name &name);
  /// Makes known that the generated interface has members for these, which nothing else may use.
  void reserveInterface(const Stencil &stencil);
  /// Reports a name that the interface uses for something else.
  void checkInterface(const ast::Name &name, llvm::StringRef role) const;

  const Symbol *find(llvm::StringRef name) const;
  /// Makes known that a declaration with this name could not be read, or took another one's.
  void excuse(llvm::StringRef name) { excused.insert(name); }
  /// Whether that a name is unknown, or something else, needs no further word.
  bool isExcused(llvm::StringRef name) const { return excused.contains(name); }
  /// Names of the given kinds, in alphabetical order.
  std::vector<llvm::StringRef> list(llvm::ArrayRef<Symbol::Kind> kinds) const;

private:
  DiagnosticEngine &diagnostics;
  llvm::StringMap<Symbol> symbols;
  llvm::StringSet<> excused;
  llvm::StringMap<std::string> interface; ///< what each member is
  std::string constantPrefix;             ///< "HEAT_"
};

} // namespace stencilc
