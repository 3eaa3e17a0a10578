// CheckedFunction: a function under check, in names that both languages take.
#pragma once

#include "frontend/lift/Understood.h"

namespace stencilc::lift {

class CheckedFunction {
protected:
  explicit CheckedFunction(const Understood &source);

  const Gathered &gatheredAs(unsigned reduction) const;
  /// It is beside a sum and says how large the terms are.
  bool isSize(unsigned reduction) const;
  /// The argument that such a number is given back through; null for others.
  const Prototype::Argument *argumentOf(const Gathered &gathered) const;
  /// How many points there are along each axis of a table of pointers, in terms of `whole`; empty
  /// where that is not known.
  std::vector<std::string> rowsOfTable(unsigned buffer) const;
  bool isGlobal(unsigned buffer) const;
  /// A global container, which takes memory of its own.
  bool isGlobalContainer(unsigned buffer) const;
  /// Its name in the file.
  const std::string &nameInFile(unsigned buffer) const {
    return tree.buffers[buffer].path.empty() ? tree.buffers[buffer].name
                                             : tree.buffers[buffer].path;
  }
  /// A global that points to memory which somebody else has to take.
  bool isGlobalPointer(unsigned number) const;

  const Understood &source;
  const Understood found; ///< with names that are identifiers: `s_nx` for `s->nx`
  const LoopTree &tree;
  const Grid &grid;
  const std::string &name;
  std::vector<Symbol> whole, numbers; ///< that the caller gives

private:
  /// No argument and no member: a global.
  bool isOutside(unsigned buffer) const;
  /// Of a variable that whoever starts a program sets twice, the last value counts.
  void addNumber(std::vector<Symbol> &list, Symbol number) const;
  static Understood withPlainNames(Understood found);
};

/// `float` or `double`.
llvm::StringRef elementTypeText(ScalarType type);

/// Why tables of pointers, or vectors of vectors, cannot be made for the function; empty if they
/// can.
std::string whyNoTables(const Understood &source);

} // namespace stencilc::lift
