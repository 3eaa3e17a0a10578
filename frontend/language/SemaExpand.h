// Expander: a Term to a Formula: lets and arguments moved and put in, sums and differences written
// out, types made equal by casts, literals rounded and folded.
//
// Here every read has its final offset and time level, so here it is checked that a boundary
// answers it and that what it reads exists.
#pragma once

#include "frontend/language/Diagnostics.h"
#include "frontend/language/SemaTerm.h"
#include "ir/stencil/FormulaVerifier.h"
#include "ir/stencil/StencilVerifier.h"

#include <map>
#include <set>

namespace stencilc {

/// Most values of a formula, counted as often as they are used; those of its list are at most
/// kMaxFormulaValues.
constexpr size_t kMaxFormulaUses = 40 * kMaxFormulaValues;

class Expander {
public:
  /// Where a field or temp is made.
  struct Making {
    unsigned stage;
    llvm::SMRange place;
  };

  /// `makings`: by number of the array, in the order of stages.
  Expander(DiagnosticEngine &diagnostics, const Stencil &stencil,
           const std::vector<NamedTerm> &lets, const std::vector<std::vector<Making>> &makings)
      : diagnostics(diagnostics), stencil(stencil), lets(lets), makings(makings) {}

  /// Tells that a boundary could not be read, so that none is missed.
  void excuseBoundaries() { hasFaultyBoundary = true; }

  /// The formula for its place; of an update, of the array with the number `makes`. What is wrong
  /// is reported, the formula is then of no use.
  Formula expand(const Term &term, const FormulaPlace &place,
                 std::optional<unsigned> makes = std::nullopt);

private:
  /// How far the surrounding lets were moved: accesses go on from here.
  struct View {
    Offset offset = {};
    bool isPrevious = false;
  };

  /// The call of a function that is being expanded; what its arguments are worth is found in the
  /// frame around.
  struct Frame {
    const FunctionTerm *call;
    Frame *outer;
    /// Arguments that were built, by number, place, type and numberType.
    std::map<std::tuple<unsigned, Offset, bool, ScalarType, ScalarType>, ExprId> built = {};
  };

  ScalarType typeOf(const Term &term, ScalarType wanted) const;
  ExprId value(const Term &term, ScalarType type, const View &view);
  ExprId build(const Term &term, ScalarType type, const View &view);
  ExprId node(const ExactTerm &, const Term &, ScalarType, const View &);
  ExprId node(const ParamTerm &, const Term &, ScalarType, const View &);
  ExprId node(const AxisTerm &, const Term &, ScalarType, const View &);
  ExprId node(const StepTerm &, const Term &, ScalarType, const View &);
  ExprId node(const TimeReadTerm &, const Term &, ScalarType, const View &);
  ExprId node(const ReadTerm &, const Term &, ScalarType, const View &);
  ExprId node(const LetTerm &, const Term &, ScalarType, const View &);
  ExprId node(const ArgumentTerm &, const Term &, ScalarType, const View &);
  ExprId node(const FunctionTerm &, const Term &, ScalarType, const View &);
  ExprId node(const UnaryTerm &, const Term &, ScalarType, const View &);
  ExprId node(const BinaryTerm &, const Term &, ScalarType, const View &);
  ExprId node(const CompareTerm &, const Term &, ScalarType, const View &);
  ExprId node(const SelectTerm &, const Term &, ScalarType, const View &);
  ExprId node(const CallTerm &, const Term &, ScalarType, const View &);
  ExprId node(const CastTerm &, const Term &, ScalarType, const View &);
  ExprId node(const SignTerm &, const Term &, ScalarType, const View &);
  ExprId node(const SumTerm &, const Term &, ScalarType, const View &);
  ExprId node(const DifferenceTerm &, const Term &, ScalarType, const View &);

  ExprId literal(const Rational &value, ScalarType type, const Term &term);
  ExprId power(const Term &operand, double exponent, ScalarType type, const View &view);
  // Operations; those of literals alone are made here and now.
  ExprId cast(ExprId operand, ScalarType type, const Term &term);
  ExprId negate(ExprId operand, ScalarType type);
  ExprId binary(BinaryOp op, ExprId left, ExprId right, ScalarType type, const Term &term);
  ExprId rounded(double value, ScalarType type, const Term &term);
  const Literal *literalAt(ExprId id) const { return std::get_if<Literal>(&formula[id].node); }
  View moved(const View &view, const Move &move) const;
  bool checkOffset(const Offset &offset, const Term &term);
  bool checkLevel(const ReadTerm &read, const Term &term, const View &view);
  void checkNext(const Read &read, const Term &term);
  void checkBoundaries(const Read &read, const Term &term);
  void reportShiftedTwice(const Term &reader, std::string read);
  /// True the first time: what is expanded often is reported once.
  bool isNew(Diag id, const Term &term) {
    return faults.insert({id, term.range.Start.getPointer()}).second;
  }
  template <class... Args> void fault(Diag id, const Term &term, Args &&...args);
  /// Adds the use of the let, outside all others, that led here.
  void notePath(DiagnosticEngine::Report &report) const;

  DiagnosticEngine &diagnostics;
  const Stencil &stencil;
  const std::vector<NamedTerm> &lets;
  const std::vector<std::vector<Making>> &makings;

  // ---- of the formula in the making
  Formula formula;
  /// Of the formula or the `where` around: what a comparison of literals alone is made in.
  ScalarType numberType = ScalarType::F64;
  FormulaPlace place = {FormulaPlace::Update, ScalarType::F64};
  std::optional<unsigned> makes;
  size_t uses = 0;
  bool gaveUp = false;    ///< it is too large; what is built from here on is thrown away
  Frame *frame = nullptr; ///< null outside functions
  const Term *outermostUse = nullptr; ///< of a let or function
  const Term *shiftedUse = nullptr;   ///< the innermost one that is moved by `t-1`
  /// Lets that were built, by number, place, type and numberType.
  std::map<std::tuple<unsigned, Offset, bool, ScalarType, ScalarType>, ExprId> built;

  bool hasFaultyBoundary = false; ///< one that could not be read: none is missed

  // ---- of all formulas: faults that were reported
  std::set<std::tuple<unsigned, unsigned, unsigned>> missingBoundaries; ///< array, axis, side
  std::set<std::pair<Diag, const char *>> faults;
};

} // namespace stencilc
