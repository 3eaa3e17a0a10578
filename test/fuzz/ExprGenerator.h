// Draws random expressions over the names of a program: the half of the generator that knows the
// language's operators.
#pragma once

#include "test/fuzz/Random.h"
#include "test/fuzz/Source.h"

namespace stencilc::fuzz {

/// How far accesses to one array may go, [axis][side].
using Window = std::array<std::array<int, 2>, kMaxRank>;

class ExprGenerator {
public:
  ExprGenerator(Random &random, const SourceProgram &program, std::vector<Window> windows)
      : random(random), program(program), windows(std::move(windows)) {}

  /// A number of at most `depth` nested operations that reads at least one array.
  SourceExpr number(int depth);
  /// A number of params and literals only.
  SourceExpr perRunNumber(int depth);
  /// A truth value; one of params and literals only, where there are params.
  SourceExpr truth(int depth);
  SourceExpr perRunTruth(int depth);

  // What expressions may use, beyond arrays, params and the lets of the program so far.
  bool previousLevels = false;        ///< `u[t-1]`
  bool transcendentals = false;       ///< exp log sin cos tanh pow
  std::vector<std::string> newFields; ///< u' of these may be read

private:
  struct Operand {
    std::string name;
    const SourceArray *array; ///< null: a let
  };

  SourceExpr leaf();
  SourceExpr literal();
  SourceExpr access();
  SourceExpr letAccess(const SourceAssignment &let);
  std::vector<const SourceAssignment *> lets(bool ofTruths) const;
  SourceExpr operation(int depth);
  SourceExpr functionCall(int depth);
  SourceExpr sum(int depth);
  SourceExpr difference();
  void shift(SourceExpr &access, llvm::ArrayRef<unsigned> axes, const Window &window);
  SourceExpr ensureRead(SourceExpr expr);

  Random &random;
  const SourceProgram &program;
  std::vector<Window> windows;            ///< per array
  std::vector<SourceSumIndex> sumIndices; ///< of the sums that enclose what is drawn
};

/// True for a truth value.
bool isTruth(const SourceProgram &program, const SourceExpr &expr);
/// True if the expression is made of literals alone.
bool isLiteral(const SourceExpr &expr);
/// Values that the expression has when lets and sums are expanded: a bound from above.
uint64_t expandedSize(const SourceProgram &program, const SourceExpr &expr);
/// True if the expression reads an array, possibly through a let.
bool readsArray(const SourceProgram &program, const SourceExpr &expr);

} // namespace stencilc::fuzz
