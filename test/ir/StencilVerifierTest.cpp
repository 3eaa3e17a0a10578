// One faulty stencil for each rule of StencilVerifier.h, and what the verifier says of it.
#include "ir/stencil/StencilVerifier.h"
#include "ir/stencil/SourceError.h"
#include "test/ir/StencilBuilder.h"

#include <gtest/gtest.h>

#include <limits>

using namespace stencilc;

namespace stencil_verifier {
namespace {

using enum ArrayKind;
using enum BoundaryKind;

constexpr unsigned u = 0, c = 1, d = 2; // the arrays of right()

/// A right stencil over (y, x): field u, const c, temp d, param a; d' = u[x-1] + a, then u' = d' *
/// c.
Stencil right() {
  Stencil stencil = emptyStencil({"y", "x"});
  addArray(stencil, Field, "u", Clamp);
  addArray(stencil, Const, "c", Clamp);
  addArray(stencil, Temp, "d");
  stencil.params.push_back({"a", ScalarType::F64, 0.5, {}});
  addUpdate(stencil, 0, d, [](auto &f) { return f.plus(f.now(u, {0, -1}), f.param(0)); });
  addUpdate(stencil, 1, u, [](auto &f) { return f.times(f.next(d), f.now(c)); });
  return stencil;
}

std::string faultOf(const Stencil &stencil) { return llvm::toString(verify(stencil)); }

using Change = void (*)(Stencil &);

/// The same stencil with another formula for u.
template <class Build> Stencil making(const Build &build) {
  Stencil stencil = right();
  stencil.stages[1].updates[0].formula = formulaOf(build);
  return stencil;
}

struct Case {
  const char *name;
  Stencil (*make)();
  const char *fault;
};

Stencil changed(Change change) {
  Stencil stencil = right();
  change(stencil);
  return stencil;
}

const Case kCases[] = {
    {"NameIsNoIdentifier", [] { return changed([](Stencil &s) { s.arrays[u].name = "2u"; }); },
     "name: `2u` is no identifier"},
    {"NameIsAWord", [] { return changed([](Stencil &s) { s.params[0].name = "where"; }); },
     "name: `where` is a word of the language"},
    {"NameTwice", [] { return changed([](Stencil &s) { s.params[0].name = "u"; }); },
     "name: `u` is declared twice"},
    {"AxisIsTime", [] { return changed([](Stencil &s) { s.axes[0] = "t"; }); },
     "name: `t` is time"},
    {"FourAxes", [] { return changed([](Stencil &s) { s.axes = {"w", "z", "y", "x"}; }); },
     "axes: there are 4"},
    {"ParamDefaultOfAnotherType",
     [] {
       return changed([](Stencil &s) { s.params.push_back({"b", ScalarType::F32, 0.1, {}}); });
     },
     "param: 0.1 is no f32"},
    {"WholeDefaultWithAFraction",
     [] { return changed([](Stencil &s) { addParamInt(s, "k", 0.5); }); }, "param: 0.5 is no int"},
    {"ArrayOfWholeNumbers",
     [] { return changed([](Stencil &s) { s.arrays[c].type = ScalarType::Int; }); },
     "array: `c` is neither"},
    {"AxesDescend", [] { return changed([](Stencil &s) { s.arrays[c].axes = {1, 0}; }); },
     "array: `c` has axes that do not ascend"},
    {"FieldLacksAnAxis",
     [] {
       return changed([](Stencil &s) {
         s.arrays[u].axes = {1};
         s.arrays[u].boundary[0] = {};
       });
     },
     "array: `u` lacks axes"},
    {"FieldOverTime", [] { return changed([](Stencil &s) { s.arrays[u].isOverTime = true; }); },
     "array: `u` is over time"},
    {"InitOfATemp",
     [] {
       return changed(
           [](Stencil &s) { s.arrays[d].init = formulaOf([](auto &f) { return f.number(0); }); });
     },
     "array: `d` is a temp"},
    {"PreviousInitOfAConst",
     [] {
       return changed([](Stencil &s) {
         s.arrays[c].initPrevious = formulaOf([](auto &f) { return f.number(0); });
       });
     },
     "array: `c` is no field"},
    {"NoField", [] { return changed([](Stencil &s) { s.arrays[u].kind = Const; }); },
     "array: there is no field"},
    {"PeriodicAtOneEnd",
     [] { return changed([](Stencil &s) { s.arrays[u].boundary[0][Low].kind = Periodic; }); },
     "boundary: `u` is periodic at one end"},
    {"BoundaryOnAMissingAxis", [] { return changed([](Stencil &s) { s.arrays[c].axes = {1}; }); },
     "boundary: `c` has a boundary on an axis that it lacks"},
    {"ValueWithoutFormula",
     [] { return changed([](Stencil &s) { s.arrays[u].boundary[0][Low].kind = Value; }); },
     "boundary: `u` has a formula"},
    {"FactorWithoutMirror",
     [] { return changed([](Stencil &s) { s.arrays[u].boundary[0][Low].factor = -1; }); },
     "boundary: `u` has a factor and no mirror"},
    {"FactorOfAnotherType",
     [] {
       return changed([](Stencil &s) {
         s.arrays[c].type = ScalarType::F32;
         s.arrays[c].boundary[0][Low] = {Reflect, {}, 0.1};
       });
     },
     "boundary: `c` has a factor that is no number of its type"},

    {"OperandAfterUser",
     [] {
       Stencil stencil = right();
       Formula &formula = stencil.stages[1].updates[0].formula;
       formula.exprs[0].node = UnaryExpr{UnaryOp::Negate, 2};
       return stencil;
     },
     "order: %0 uses %2, which is not there yet"},
    {"ValueWithoutUser",
     [] {
       return making([](auto &f) {
         f.number(3);
         return f.next(d);
       });
     },
     "order: nothing uses %0"},
    {"ValueTwice",
     [] {
       Stencil stencil = making([](auto &f) { return f.plus(f.next(d), f.now(c)); });
       Formula &formula = stencil.stages[1].updates[0].formula;
       formula.exprs[1] = formula.exprs[0];
       return stencil;
     },
     "order: two values are equal"},
    {"TooManyValues",
     [] {
       return making([](auto &f) {
         ExprId sum = f.next(d);
         for (size_t i = 1; i <= kMaxFormulaValues / 2; ++i)
           sum = f.plus(sum, f.number(i));
         return sum;
       });
     },
     "size: a formula has 20001 values, more than 20000"},

    {"OperandsOfTwoTypes",
     [] {
       return changed([](Stencil &s) {
         s.params[0].type = ScalarType::F32;
         s.stages[1].updates[0].formula =
             formulaOf([](auto &f) { return f.plus(f.next(d), f.param(0, ScalarType::F32)); });
       });
     },
     "type: `a` is f32, not f64"},
    {"TruthIsAdded",
     [] {
       return making([](auto &f) {
         return f.formula.add(ScalarType::F64, UnaryExpr{UnaryOp::Not, f.next(d)});
       });
     },
     "type: `!` gives no f64"},
    {"WholeNumbersDivided",
     [] {
       return making([](auto &f) {
         return f.cast(ScalarType::F64, f.binary(BinaryOp::Divide, f.position(0), f.position(1)));
       });
     },
     "type: whole numbers have no `/`"},
    {"RemainderByWhatMayBeZero",
     [] {
       return making([](auto &f) {
         return f.cast(ScalarType::F64,
                       f.binary(BinaryOp::Remainder, f.position(0), f.position(1)));
       });
     },
     "type: `%` takes whole numbers, and a literal above 0"},
    {"CastToTheSame",
     [] { return making([](auto &f) { return f.cast(ScalarType::F64, f.next(d)); }); },
     "type: no cast leads from f64 to f64"},
    {"NumberAsCondition",
     [] { return making([](auto &f) { return f.where(f.next(d), f.next(d), f.number(0)); }); },
     "type: `where` asks a number"},
    {"TruthCompared",
     [] {
       return making([](auto &f) {
         const ExprId truth = f.compare(CompareOp::Less, f.next(d), f.number(0));
         return f.where(f.compare(CompareOp::Equal, truth, truth), f.next(d), f.number(0));
       });
     },
     "type: `==` compares truth values"},
    {"WholeNumberInAFunction",
     [] {
       return making(
           [](auto &f) { return f.cast(ScalarType::F64, f.call(Builtin::Abs, {f.position(0)})); });
     },
     "type: `abs` gives no int"},
    {"ResultOfAnotherType", [] { return making([](auto &f) { return f.position(0); }); },
     "type: a formula of f64 has the type int"},
    {"PositionOfATypeOfItsOwn",
     [] { return making([](auto &f) { return f.position(0, ScalarType::F64); }); },
     "type: a position is no f64 here"},

    {"LiteralIsInfinite",
     [] {
       return making([](auto &f) {
         return f.plus(f.next(d), f.number(std::numeric_limits<double>::infinity()));
       });
     },
     "literal: inf is no number of type f64"},
    {"LiteralIsNotWhole",
     [] {
       return making(
           [](auto &f) { return f.cast(ScalarType::F64, f.plus(f.step(), f.whole(0.5))); });
     },
     "literal: 0.5 is no number of type int"},
    {"LiteralsAdded",
     [] { return making([](auto &f) { return f.plus(f.number(1), f.number(2)); }); },
     "literal: `+` of two literals is not folded"},
    {"DividedByZero",
     [] {
       return making([](auto &f) { return f.binary(BinaryOp::Divide, f.next(d), f.number(0)); });
     },
     "literal: division by zero"},

    {"ParamThatIsNotThere", [] { return making([](auto &f) { return f.param(7); }); },
     "leaf: there is no param 7"},
    {"ArrayThatIsNotThere", [] { return making([](auto &f) { return f.now(7); }); },
     "leaf: there is no array 7"},
    {"ArrayWithoutTime", [] { return making([](auto &f) { return f.overTime(c); }); },
     "leaf: array 1 has no value a step"},
    {"ArrayInABoundary",
     [] {
       return changed([](Stencil &s) {
         s.arrays[u].boundary[0][Low] = {Value, formulaOf([](auto &f) { return f.now(c); })};
       });
     },
     "leaf: no array stands here"},
    {"PositionInABoundary",
     [] {
       return changed([](Stencil &s) {
         s.arrays[u].boundary[0][Low] = {
             Value, formulaOf([](auto &f) { return f.cast(ScalarType::F64, f.position(0)); })};
       });
     },
     "leaf: no position stands here"},
    {"StepInAReduction",
     [] {
       return changed([](Stencil &s) {
         addReduction(s, Reduction::Op::Sum, "r",
                      [](auto &f) { return f.cast(ScalarType::F64, f.step()); });
       });
     },
     "leaf: no step number stands here"},

    {"NextOfALaterStage",
     [] {
       return changed([](Stencil &s) {
         s.stages[0].updates[0].formula = formulaOf([](auto &f) { return f.next(u); });
       });
     },
     "level: `u'` is not made before stage 0"},
    {"TempThatALaterStageMakesToo",
     [] {
       return changed([](Stencil &s) {
         s.stages[0].updates[0].region[1].to = fromStart(1);
         addUpdate(s, 1, d, [](auto &f) { return f.now(u); }, {{{}, {fromStart(1), fromEnd(0)}}});
       });
     },
     "level: `d'` is not made before stage 1"},
    {"TempWithoutPrime", [] { return making([](auto &f) { return f.now(d); }); },
     "level: `d` is a temp"},
    {"NextOfAConst", [] { return making([](auto &f) { return f.next(c); }); },
     "level: `c` is const"},
    {"PreviousOfAConst", [] { return making([](auto &f) { return f.before(c); }); },
     "level: `c[t-1]` is of no field"},
    {"PreviousThatNoUpdateKeeps",
     [] {
       return changed([](Stencil &s) {
         addReduction(s, Reduction::Op::Max, "r", [](auto &f) { return f.before(u); });
       });
     },
     "level: `u[t-1]` is kept for no update"},
    {"NextInAReduction",
     [] {
       return changed([](Stencil &s) {
         addReduction(s, Reduction::Op::Max, "r", [](auto &f) { return f.next(u); });
       });
     },
     "level: `u'` is read outside a step"},

    {"OffsetTooLarge", [] { return making([](auto &f) { return f.now(c, {0, 10'001}); }); },
     "offset: 10001 is too far"},
    {"OffsetOnAMissingAxis",
     [] {
       return changed([](Stencil &s) {
         s.arrays[c].axes = {1};
         s.arrays[c].boundary[0] = {};
         s.stages[1].updates[0].formula =
             formulaOf([](auto &f) { return f.plus(f.next(d), f.now(c, {1, 0})); });
       });
     },
     "offset: `c` has no axis 0"},
    {"NoBoundaryWhereRead",
     [] { return changed([](Stencil &s) { s.arrays[u].boundary[1][Low].kind = None; }); },
     "outside: `u` has no boundary at `x-`"},
    {"ReductionThroughTime",
     [] {
       return changed([](Stencil &s) {
         s.arrays[c].boundary[1][High] = {
             Value, formulaOf([](auto &f) { return f.cast(ScalarType::F64, f.step()); })};
         addReduction(s, Reduction::Op::Max, "r", [](auto &f) { return f.now(c, {0, 1}); });
       });
     },
     "outside: a reduction reads `c` through a value that depends on time"},

    {"RegionStartsAtTheEnd",
     [] { return changed([](Stencil &s) { s.stages[1].updates[0].region[0].from = fromEnd(0); }); },
     "region: one starts at the end"},
    {"RegionBeforeTheStart",
     [] {
       return changed([](Stencil &s) { s.stages[1].updates[0].region[0].from = fromStart(-1); });
     },
     "region: a bound lies before the start"},
    {"RegionBeyondTheEnd",
     [] { return changed([](Stencil &s) { s.stages[1].updates[0].region[0].to = fromEnd(1); }); },
     "region: a bound lies beyond the end"},
    {"RegionBoundByANumber",
     [] {
       return changed([](Stencil &s) { s.stages[1].updates[0].region[0].to = fromParam(0, 0); });
     },
     "region: a bound is no `param int`"},
    {"RegionOfAMissingAxis",
     [] { return changed([](Stencil &s) { s.stages[1].updates[0].region[2].to = fromEnd(-1); }); },
     "region: there is no axis 2"},
    {"ThreeLanes", [] { return changed([](Stencil &s) { s.reductionTree.lanes = 3; }); },
     "tree: 3 lanes take 16 numbers each"},
    {"OneLane", [] { return changed([](Stencil &s) { s.reductionTree.lanes = 1; }); },
     "tree: 1 lanes take 16 numbers each"},
    {"LanesThatTakeNothing", [] { return changed([](Stencil &s) { s.reductionTree.turns = 0; }); },
     "tree: 256 lanes take 0 numbers each"},

    {"NoStage", [] { return changed([](Stencil &s) { s.stages.clear(); }); },
     "stage: there is none"},
    {"EmptyStage", [] { return changed([](Stencil &s) { s.stages.emplace_back(); }); },
     "stage: one is empty"},
    {"ConstIsMade",
     [] {
       return changed([](Stencil &s) { addUpdate(s, 1, c, [](auto &f) { return f.number(0); }); });
     },
     "stage: `c` is const and made"},
    {"FieldIsNotMade", [] { return changed([](Stencil &s) { addArray(s, Field, "v"); }); },
     "made: `v` never is"},

    {"PointsMadeTwice",
     [] {
       return changed([](Stencil &s) {
         addUpdate(s, 1, u, [](auto &f) { return f.number(0); },
                   {{{}, {fromStart(0), fromStart(1)}}});
       });
     },
     "apart: two updates of `u` make the same points"},
    {"NextAtPointsMadeLater",
     [] {
       return changed([](Stencil &s) {
         s.stages[1].updates[0].region[1].to = fromEnd(-1);
         addUpdate(s, 2, u, [](auto &f) { return f.next(u, {1, 0}); },
                   {{{}, {fromEnd(-1), fromEnd(0)}}});
       });
     },
     "apart: `u'` is read at points that no earlier stage has made yet"},

    {"TempInPieces",
     [] {
       return changed([](Stencil &s) {
         s.stages[0].updates[0].region[1].to = fromStart(1);
         addUpdate(s, 0, d, [](auto &f) { return f.now(u); }, {{{}, {fromStart(2), fromEnd(0)}}});
       });
     },
     "temp: what is made of `d` is not one box"},
    {"ClampedTempWithAFrame",
     [] {
       return changed([](Stencil &s) {
         s.arrays[u].boundary[1][Low].kind = Fixed;
         for (Boundary &side : s.arrays[d].boundary[1])
           side.kind = Clamp;
       });
     },
     "temp: `d` has a boundary on axis `x`"},
    {"GhostTempOfAClampedField",
     [] {
       return changed([](Stencil &s) {
         for (Boundary &side : s.arrays[d].boundary[1])
           side.kind = Halo;
         s.stages[1].updates[0].formula = formulaOf([](auto &f) { return f.next(d, {0, 1}); });
       });
     },
     "temp: `d` is evaluated beyond `x+`, where `u` is not `halo`"},
};

class StencilVerifierFault : public testing::TestWithParam<Case> {};

TEST_P(StencilVerifierFault, IsFound) {
  const std::string fault = faultOf(GetParam().make());
  EXPECT_TRUE(llvm::StringRef(fault).starts_with(GetParam().fault)) << fault;
}

INSTANTIATE_TEST_SUITE_P(Rules, StencilVerifierFault, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(StencilVerifier, PassesRightStencils) {
  EXPECT_EQ(faultOf(right()), "");
  // A temp that is evaluated at ghost points, and what only params decide.
  Stencil stencil = right();
  for (unsigned array : {u, c, d})
    for (Boundary &side : stencil.arrays[array].boundary[1])
      side.kind = Halo;
  stencil.stages[1].updates[0].formula = formulaOf([](auto &f) { return f.next(d, {0, 1}); });
  const unsigned k = addParamInt(stencil, "k", 3);
  stencil.stages[1].updates[0].region[0] = {fromParam(k, 0), fromParam(k, 1)};
  addUpdate(stencil, 2, u, [](auto &f) { return f.next(u, {0, 1}); },
            {{{fromStart(0), fromStart(1)}}});
  EXPECT_EQ(faultOf(stencil), "apart: `u'` is read at points that no earlier stage has made yet")
      << "a row is made of itself";
  stencil.stages[2].updates[0].formula = formulaOf([](auto &f) { return f.next(u, {1, 0}); });
  EXPECT_EQ(faultOf(stencil), "");
}

TEST(StencilVerifier, SaysWhere) {
  Stencil stencil = right();
  stencil.stages[1].updates[0].position = {12, 3};
  stencil.stages[1].updates[0].region[0].from = fromEnd(0);
  llvm::handleAllErrors(verify(stencil), [](const SourceError &error) {
    EXPECT_EQ(error.position.line, 12u);
    EXPECT_EQ(error.position.column, 3u);
  });
}

} // namespace
} // namespace stencil_verifier
