// Draws random expressions over the names of a program: the half of the generator that knows the
// language's operators.
#pragma once

#include "test/fuzz/Random.h"
#include "test/fuzz/Source.h"

namespace stencilc::fuzz {

/// How far accesses to one array may go, [axis][side].
using Window = std::array<std::array<int, 2>, kMaxRank>;

/// What expressions may use, beyond params and literals.
struct Vocabulary {
  std::vector<bool> readable;             ///< per array: may be read, `u'` of what is made before
  std::vector<std::string> made = {};     ///< u' of these may be read; of temps nothing else
  std::vector<std::string> previous = {}; ///< `u[t-1]` of these
  bool positions = false;                 ///< axes as numbers
  bool time = false;                      ///< `t` and arrays over time
  bool casts = false;                     ///< `f32(...)`, and literals with a type
  bool transcendentals = false;           ///< functions that are not the same in every library
};

class ExprGenerator {
public:
  ExprGenerator(Random &random, const SourceProgram &program, std::vector<Window> windows,
                Vocabulary vocabulary)
      : vocabulary(std::move(vocabulary)), random(random), program(program),
        windows(std::move(windows)) {}

  /// A number of at most `depth` nested operations that reads at least one array.
  SourceExpr number(int depth);
  /// A number of params and literals only, and of what depends on the step alone.
  SourceExpr perRunNumber(int depth);
  /// A truth value; one of params and literals only, where there are params.
  SourceExpr truth(int depth);
  SourceExpr perRunTruth(int depth);
  /// The formula of a function.
  SourceExpr body(std::vector<std::string> parameters, int depth);

  Vocabulary vocabulary;

private:
  SourceExpr leaf();
  SourceExpr literal();
  SourceExpr access();
  SourceExpr readOf(unsigned array);
  SourceExpr parameter();
  SourceExpr overTime();
  SourceExpr letAccess(const SourceAssignment &let);
  std::vector<const SourceAssignment *> lets(bool ofTruths) const;
  std::vector<const SourceAssignment *> functions() const;
  std::vector<std::string> typedParams() const;
  bool mayUse(const SourceExpr &expr) const;
  SourceExpr operation(int depth);
  SourceExpr functionCall(int depth);
  SourceExpr ownCall(int depth);
  SourceExpr sum(int depth);
  SourceExpr sumIndex();
  SourceExpr difference();
  bool hasWholes() const;
  SourceExpr whole(int depth);
  SourceExpr wholeMeetsType();
  SourceExpr wholeTruth();
  std::vector<unsigned> allAxes() const;
  void shift(SourceExpr &access, llvm::ArrayRef<unsigned> axes, const Window &window);
  SourceExpr ensureRead(SourceExpr expr);

  Random &random;
  const SourceProgram &program;
  std::vector<Window> windows;            ///< per array
  std::vector<SourceSumIndex> sumIndices; ///< of the sums that enclose what is drawn
  std::vector<std::string> parameters;    ///< of the function whose formula is drawn
};

/// True for a truth value.
bool isTruth(const SourceProgram &program, const SourceExpr &expr);
/// True if the expression is made of literals alone.
bool isLiteral(const SourceExpr &expr);
/// Values that the expression has when lets and sums are expanded: a bound from above.
uint64_t expandedSize(const SourceProgram &program, const SourceExpr &expr);
/// True if the expression reads an array that has points, possibly through a let.
bool readsArray(const SourceProgram &program, const SourceExpr &expr);
/// True if its value depends on the number of the step.
bool usesTime(const SourceProgram &program, const SourceExpr &expr);

} // namespace stencilc::fuzz
