// Resolver: an expression of the Ast to a Term: names, types, calls and literal arithmetic.
//
// It reports what is wrong wherever the expression may stand; what depends on offsets once lets and
// sums are expanded (boundaries, time levels) is the Expander's.
#pragma once

#include "frontend/language/SemaNames.h"

namespace stencilc {

/// Deepest nesting of a formula with its lets: bounds the recursion of the Expander.
constexpr unsigned kMaxFormulaDepth = 2000;
/// Highest order of `laplace`, `diff` and `diff2`.
constexpr int kMaxOrder = 40;

/// Nodes of the syntax tree that all calls of functions and turns of sums together may look at.
constexpr size_t kMaxFunctionNodes = 1'000'000;

/// Where an expression stands, which says what it may be made of.
enum class Place { Formula, Reduction, Init, InitOverTime, BoundaryValue, Factor, ParamDefault };

class Resolver {
public:
  Resolver(DiagnosticEngine &diagnostics, const Stencil &stencil, const Names &names,
           const std::vector<NamedTerm> &lets)
      : diagnostics(diagnostics), stencil(stencil), names(names), lets(lets) {}

  /// Makes known where every let of the file is defined, for uses that come too early.
  void expectLet(const ast::Name &name) { definitions[name.text] = name.range(); }

  /// Makes a function known by the number it is given.
  unsigned defineFunction(const ast::LetDecl &item);

  /// A number, or a truth value as a let may hold. Null if an error was reported.
  TermPtr resolve(const ast::Expr &expr, Place place);
  /// A number. Null if an error was reported.
  TermPtr resolveNumber(const ast::Expr &expr, Place place);
  /// The symbol of an array; null if there is none, which is reported.
  const Symbol *resolveArray(const ast::Name &name);
  /// The number of an axis; none if there is none, which is reported.
  std::optional<unsigned> resolveAxis(const ast::Name &name);

private:
  /// Of a range around, in the turn that is being resolved.
  struct Index {
    ast::Name name;
    int value;
  };
  const Index *findIndex(llvm::StringRef name) const;

  // ---- SemaResolve.cpp
  TermPtr term(const ast::Expr &expr);
  TermPtr number(const ast::Expr &expr);
  TermPtr truth(const ast::Expr &expr);
  bool isNumber(const Term &term);
  TermPtr node(const ast::Number &node, const ast::Expr &expr);
  TermPtr node(const ast::Access &node, const ast::Expr &expr);
  TermPtr node(const ast::Unary &node, const ast::Expr &expr);
  TermPtr node(const ast::Binary &node, const ast::Expr &expr);
  TermPtr node(const ast::Call &node, const ast::Expr &expr);
  TermPtr arithmetic(const ast::Binary &binary, BinaryOp op, const ast::Expr &expr);
  TermPtr exact(ExactTerm value, llvm::SMRange range);
  static bool isWhole(const Term &term);
  static TermPtr decide(TermPtr term, std::optional<bool> decided);
  std::optional<bool> decision(const ast::Binary &binary, const Term &left, const Term &right);
  std::optional<ScalarType> common(llvm::ArrayRef<const Term *> terms, llvm::SMRange where);
  TermPtr make(Term::Node node, std::optional<ScalarType> type, llvm::SMRange range,
               llvm::ArrayRef<const Term *> operands = {});

  // ---- SemaAccess.cpp
  TermPtr array(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr);
  TermPtr let(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr);
  TermPtr param(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr);
  TermPtr axis(const ast::Access &access, const Symbol &symbol, const ast::Expr &expr);
  TermPtr index(const Index &index, const ast::Access &access, const ast::Expr &expr);
  TermPtr step(const ast::Access &access, const ast::Expr &expr);
  bool isPlain(const ast::Access &access, const Symbol &symbol);
  std::optional<Move> move(const ast::Access &access, const Symbol *symbol);
  bool moveInTime(Move &move, const ast::Shift &shift, bool isOverTime);
  bool moveAlong(int &along, const ast::Shift &shift);
  void reportNoIndex(const ast::Name &name);
  bool isAllowed(const Uses &uses, llvm::StringRef what, llvm::SMRange range);
  void unknownName(const ast::Name &name);
  bool reportLater(const ast::Name &name);

  // ---- SemaCalls.cpp
  TermPtr builtin(Builtin function, const ast::Call &call, const ast::Expr &expr);
  TermPtr remainder(std::vector<TermPtr> &operands, const ast::Expr &expr);
  TermPtr where(const ast::Call &call, const ast::Expr &expr);
  TermPtr cast(ScalarType type, const ast::Call &call, const ast::Expr &expr);
  TermPtr sign(const ast::Call &call, const ast::Expr &expr);
  /// Of ranges; or what `min` or `max` make of them.
  TermPtr sum(const ast::Call &call, const ast::Expr &expr, std::optional<Builtin> extreme = {});
  const ast::Expr *declareRanges(const ast::Call &call, std::vector<ast::Option> &ranges);
  bool declareIndex(const ast::Name &name);
  std::optional<std::vector<TermPtr>> turns(llvm::ArrayRef<ast::Option> ranges,
                                            const ast::Expr &term);
  TermPtr chosen(TermPtr side, std::optional<ScalarType> type, const ast::Expr &expr);
  TermPtr difference(const ast::Call &call, const ast::Expr &expr);
  TermPtr unknownFunction(const ast::Call &call);
  /// The unnamed arguments, if there are `count` (`orMore`: at least); named ones other than
  /// `option` are faults.
  std::optional<std::vector<const ast::Expr *>> arguments(const ast::Call &call, unsigned count,
                                                          llvm::StringRef option = "",
                                                          bool orMore = false);
  std::optional<int> order(const ast::Call &call);

  // ---- SemaFunctions.cpp
  struct Function {
    const ast::LetDecl *item;
    bool isFaulty = false; ///< a call has shown it
  };
  /// The call that is being resolved.
  struct Scope {
    const Function &function;
    llvm::ArrayRef<TermPtr> arguments;
  };
  TermPtr call(Function &function, const ast::Call &call, const ast::Expr &expr);
  std::optional<unsigned> parameter(llvm::StringRef name) const;
  TermPtr argument(unsigned number, const ast::Access &access, const ast::Expr &expr);
  /// The symbol of a name, as far as it is known where the expression is written.
  const Symbol *find(llvm::StringRef name) const;

  DiagnosticEngine &diagnostics;
  const Stencil &stencil;
  const Names &names;
  const std::vector<NamedTerm> &lets;
  llvm::StringMap<llvm::SMRange> definitions;
  Place place = Place::Formula;
  std::vector<Index> indices; ///< of the enclosing sums, outermost first
  size_t turnsAround = 1;     ///< how often all of these come to what is being resolved
  bool isLeftOut = false;     ///< the side of a decided `where` that is not there
  std::vector<Function> functions;
  const Scope *scope = nullptr; ///< null outside functions
  unsigned nesting = 0;
  size_t functionNodes = 0;
  bool hasWarnedMixed = false;
};

} // namespace stencilc
