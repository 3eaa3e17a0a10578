// ReaderState.h: the Reader from inside, for the files that make it up: statements, whole numbers
// and places, numbers, calls.
#pragma once

#include "frontend/lift/Reader.h"
#include "frontend/lift/ReaderSyntax.h"
#include "frontend/lift/ReaderValues.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <set>

namespace stencilc::lift {

class Reader {
  /// What is supposed while it lives is forgotten then.
  class Supposed {
  public:
    explicit Supposed(Reader &reader)
        : reader(reader), known(reader.known.size()), excluded(reader.excluded.size()) {}
    Supposed(const Supposed &) = delete;
    ~Supposed() {
      reader.known.resize(known);
      reader.excluded.resize(excluded);
    }

  private:
    Reader &reader;
    size_t known, excluded;
  };

public:
  Reader(clang::ASTContext &context, Refusals &refusals, bool takesWeights)
      : context(context), refusals(refusals), takesWeights(takesWeights) {}

  std::optional<LoopTree> read(const clang::FunctionDecl &function, std::optional<Marked> marked);

private:
  template <class T> using Maybe = std::optional<T>;

  // ---- statements (Reader.cpp): false after a refusal
  bool run(const clang::Stmt &statement);
  bool isAssertion(const clang::Stmt &statement) const;
  // ---- what stands around the loop over time (ReaderPrograms.cpp)
  bool isFilling(const clang::Stmt &loop);
  /// True of a statement of the program itself that is left to whoever runs the stencil.
  bool isLeftOut(const clang::Stmt &statement);
  bool isUnderstood(const clang::Stmt &statement) const;
  bool leaveOut(const clang::Stmt &statement);
  void noteSettings();
  bool returnsArray(const clang::Expr &value);
  bool runBody(llvm::ArrayRef<const clang::Stmt *> statements);
  /// A block or a body that is left where `leaving` says so; the rest is done where it does not.
  bool runLeaving(const clang::IfStmt &leaving, llvm::ArrayRef<const clang::Stmt *> instead,
                  llvm::ArrayRef<const clang::Stmt *> rest, bool isBody);
  bool runMarked(const clang::Stmt &block, const Marked &marked);
  void declareGiven(const clang::DeclStmt &declaration);
  bool declare(const clang::VarDecl &variable);
  bool runBlock(llvm::ArrayRef<const clang::Stmt *> parts);
  /// `if (condition) return a;`, and what is done otherwise.
  bool runReturning(const clang::IfStmt &choice, llvm::ArrayRef<const clang::Stmt *> rest);
  /// `if (n < 3) return;` before anything is done, which is taken not to happen.
  bool givesUp(const clang::IfStmt &choice);
  /// A `switch` as choices by `if` (ReaderSwitch.cpp); null after a refusal.
  const clang::Stmt *asChoices(const clang::SwitchStmt &statement);
  /// The statement itself, or the choices that it is; null after a refusal.
  const clang::Stmt *withoutSwitch(const clang::Stmt &statement);
  /// True of `if (j < 0) j = 0;`, a position that is kept on the grid, which is then read.
  bool keepsPosition(const clang::IfStmt &statement);
  bool runIf(const clang::IfStmt &statement);
  bool runChoice(const clang::Expr &test, llvm::ArrayRef<const clang::Stmt *> all,
                 llvm::function_ref<bool()> runThen, llvm::function_ref<bool()> runElse);
  bool areBounds(llvm::ArrayRef<Guard> limits) const;
  /// The loop around that this variable counts.
  const Loop &loopOf(Symbol variable) const;
  bool runGuarded(const clang::Stmt &statement, std::vector<Guard> guards);
  /// `test` is none where nothing in the source says when which branch is taken.
  bool join(const Formula *condition, const clang::Expr *test, const Environment &then,
            const Environment &otherwise, clang::SourceLocation where);

  // ---- the turns of loops (ReaderTurns.cpp)
  bool runLoop(const clang::Stmt &loop);
  bool isOverGrid(const clang::ForStmt &loop) const;
  bool runTurnsOf(const LoopParts &loop, const Variable &variable, const Loop &bounds,
                  std::vector<Loop> flat = {});
  Maybe<Value> further(const Value &value, const Polynomial &by, clang::SourceLocation where);
  std::vector<Advance> advancesIn(const LoopParts &loop, const Loop &bounds, const Polynomial &turn,
                                  const std::vector<Variable> &moving);
  std::vector<Variable> endAdvances(const std::vector<Advance> &advances,
                                    std::vector<Variable> assigned);
  bool endCalls(Loop &loop, const LoopParts &parts, const Environment &before,
                const std::vector<Variable> &assigned);
  Value valueAfter(const Loop &loop);
  bool endLoop(Loop &loop, const Environment &before, const std::vector<Variable> &assigned);
  /// Where a function without a loop over time leaves arrays in each other's places, its body is
  /// one turn of such a loop.
  bool endStep(clang::SourceLocation where);
  void takeOver(const Variable &variable, clang::SourceLocation where);

  // ---- few turns, one after the other (ReaderFew.cpp)
  bool isSetByNumbers(const clang::VarDecl &array) const;
  bool isNumbered(const clang::VarDecl &array, unsigned dimension) const;
  bool countsLayers(llvm::ArrayRef<const clang::Stmt *> body, const Variable &variable) const;
  bool choosesArrays(llvm::ArrayRef<const clang::Stmt *> body, const Variable &variable,
                     int64_t turns);
  bool runTurns(const LoopParts &loop, const Variable &variable, const Loop &bounds, int64_t turns);

  // ---- windows cut off at the ends of the grid (ReaderWindows.cpp)
  Maybe<Polynomial> commonPlace(const Fold &fold, bool isBelow) const;
  Maybe<Limited> limitOf(const Polynomial &bound, bool isBelow) const;
  Maybe<Window> windowOf(const Loop &bounds) const;
  bool runWindow(const LoopParts &loop, const Variable &variable, const Window &window);
  /// The limits that its place in a turn may go beyond.
  Maybe<Guard> limitIn(const Window &window, const Polynomial &place) const;
  bool runOnGrid(const LoopParts &loop, const Variable &variable, const Window &window);
  bool runTurnWhere(const LoopParts &loop, const Formula &holds, const Guard &limit);

  // ---- assignments (ReaderStores.cpp)
  bool runExpression(const clang::Expr &expression);
  /// With the pointers moved, before or after, that the statement moves where it uses them.
  bool runWithSteps(const clang::Stmt &statement, llvm::function_ref<bool()> runIt);
  /// What the one who starts the program says: `n = atoi(argv[1])`. None in other functions.
  Maybe<Value> saidByUser(const Variable &variable);
  /// Memory that a function has taken, not before so many others, has the name of what holds it.
  void nameTaken(const Value &value, size_t before, const Variable &variable);
  bool leavesBehind(const Variable &variable, const Value &value);
  bool assign(const clang::Expr &target, const Value &value, clang::SourceLocation where);
  bool store(const Place &place, Formula value, clang::SourceLocation where);

  // ---- arrays of structs (ReaderRecords.cpp)
  /// The numbers that a struct is made of, if they are of one type and nothing else is in it.
  struct Numbers {
    clang::QualType type;
    std::vector<std::string> names;
  };
  Maybe<Numbers> numbersOf(clang::QualType type) const;
  bool isElement(const clang::ValueDecl &variable) const;
  bool isOfStructs(const Value &value) const;
  bool isNoStruct(const clang::ValueDecl &variable, unsigned buffer, clang::SourceLocation where);
  Maybe<Place> firstNumber(Place place, clang::SourceLocation where);
  Maybe<Place> placeOfMember(const clang::MemberExpr &member);
  bool copyElement(const clang::VarDecl &variable, const clang::Expr &source,
                   clang::SourceLocation where);
  Maybe<bool> runElement(const clang::Expr &target, const clang::Expr &source,
                         clang::SourceLocation where);
  /// The element of an array of structs that is copied; null for others.
  const clang::Expr *elementCopied(const clang::Expr &start);
  bool setElement(const clang::Expr &target, const clang::Expr &source,
                  clang::SourceLocation where);

  // ---- objects (ReaderObjects.cpp)
  /// An object of a class of the source: its members get values.
  bool declareObject(const clang::VarDecl &variable, const clang::Expr &start);
  bool setMember(const Variable &member, const clang::Expr &start);
  bool copyMember(const Variable &to, const Variable &from, const clang::Expr &copy);
  bool setObjects(const clang::ValueDecl &left, const clang::ValueDecl &right,
                  const clang::Expr *copy, clang::SourceLocation where);
  bool swap(const clang::Expr &left, const clang::Expr &right, clang::SourceLocation where);

  // ---- loops (ReaderLoops.cpp)
  struct Step {
    const clang::Expr *variable;
    Polynomial size;
    bool isDownward;
  };
  Maybe<Step> stepOf(const clang::Expr &expression);
  bool startsAlike(const clang::Stmt *start, const clang::Expr &step) const;
  LoopParts partsOf(const clang::Stmt &loop);
  Maybe<Loop> boundsOf(const LoopParts &loop, Variable &variable);
  Maybe<Polynomial> startOf(const LoopParts &loop, const Variable &variable);
  Loop openEnded(const LoopParts &loop);
  std::string countedTurns() const;
  Symbol turnsLeft();
  void endTurns(const clang::Expr &condition, const std::string &instead);

  // ---- one loop over all points (ReaderFlat.cpp)
  /// Those over the axes that such a loop stands for, outermost first; none for others.
  std::vector<Loop> flatLoops(const LoopParts &loop, const Variable &variable, const Loop &bounds);
  Maybe<Polynomial>
  wholeOutside(const clang::Expr &given,
               llvm::function_ref<const clang::Expr *(const clang::Expr &)> valueOf,
               unsigned steps);
  Maybe<Polynomial> turnOf(llvm::ArrayRef<Loop> flat) const;
  bool isCounted(const Polynomial &value) const;
  bool isCountedBelow(const Polynomial &value, const Polynomial &end) const;
  /// Quotient and remainder as C has them, where loops say what they are.
  Maybe<Division> rowsOf(const Polynomial &dividend, const Polynomial &divisor) const;

  // ---- numbers over all points (ReaderReductions.cpp)
  bool isReduced(const Variable &variable) const;
  bool namesReduced(const clang::Stmt &statement) const;
  /// Reads what gathers such a number or hangs on one; none for other statements.
  Maybe<bool> runReduction(const clang::Stmt &statement);
  bool givesUpTurns(const clang::IfStmt &choice) const;
  bool endsOrPrints(const clang::IfStmt &choice) const;
  /// Notes that the caller gets such a number, by that C text; does nothing for other values.
  void noteResult(const clang::Expr &value, const std::string &place);

  // ---- whole numbers and places (ReaderWhole.cpp)
  Maybe<Value> evaluate(const clang::Expr &expression);
  Maybe<Polynomial> whole(const clang::Expr &expression);
  Maybe<Polynomial> wholeBinary(const clang::BinaryOperator &operation);
  Maybe<Polynomial> wholeOperation(clang::BinaryOperatorKind operation, const Polynomial &left,
                                   const Polynomial &right, const clang::Expr &where);
  Maybe<Polynomial> quotient(const Polynomial &dividend, const Polynomial &divisor,
                             const clang::Expr &where);
  Maybe<Polynomial> opposite(const Polynomial &value) const;
  Maybe<Polynomial> modulo(const Polynomial &dividend, int64_t modulus);
  Maybe<Place> place(const clang::Expr &expression);
  Maybe<Place> element(const clang::Expr &base, const clang::Expr &index);
  Maybe<Place> moved(Place place, const Polynomial &by, clang::SourceLocation where);

  // ---- variables (ReaderVariables.cpp)
  /// The variable that an expression names, if it names one; variableOf refuses others.
  Maybe<Variable> namedVariable(const clang::Expr &expression);
  const clang::ValueDecl *objectOf(const clang::Expr &expression);
  Maybe<Variable> variableOf(const clang::Expr &expression);
  Maybe<Value> valueOf(const Variable &variable, clang::SourceLocation where);
  Maybe<Value> makeValue(const Variable &variable, clang::SourceLocation where);

  // ---- values that are not known (ReaderUnknown.cpp)
  /// Of a loop that adds up terms of a point: says how many there are, which only a run tells.
  void noteOpenSum(const LoopParts &loop, const Loop &bounds);
  std::nullopt_t refuseUnknown(const Variable &variable, clang::SourceLocation where);

  // ---- tables (ReaderTables.cpp)
  bool declareTable(const clang::VarDecl &variable);
  /// The numbers that an array starts with, where they are listed.
  Maybe<Table> tableOf(const clang::VarDecl &variable);
  bool addToTable(Table &table, const clang::Expr *start, clang::QualType type);
  /// An element of a table of whole numbers whose values stand in the source.
  Maybe<Polynomial> listedWhole(const clang::Expr &expression);
  /// True of a small array that loops set before all others; it is a table from here on.
  bool isWeights(const clang::VarDecl &variable, const Place &made);
  bool setWeight(Table &table, const Place &place, const Formula &value,
                 clang::SourceLocation where);
  /// True if the loop sets numbers and such arrays, and nothing else.
  bool setsWeights(const clang::Stmt &loop);
  /// Likewise of arrays that hold numbers of a point.
  bool setsPrivates(const clang::Stmt &loop);
  /// Which number of a table a place is; none if that is not known.
  Maybe<size_t> indexIn(const Place &place) const;
  /// The values of such a table; null for other variables.
  const clang::APValue *wholeTable(const clang::VarDecl &variable) const;

  // ---- arrays of neighbours (ReaderNeighbours.cpp)
  Maybe<unsigned> arrayOfNeighbours(const clang::Expr &base);
  bool isLookedUp(const clang::Expr &array);
  bool setsNeighbours(const clang::Stmt &statement);
  /// Takes such an element from an assignment. False for others; refuses nothing.
  bool setsNeighbour(const clang::Expr &target, const clang::Expr &value);
  Maybe<Polynomial> neighbourIn(const clang::Expr &element);

  // ---- small arrays as values (ReaderFewNumbers.cpp)
  /// The elements of a part of an array, if they are no more than that; empty if they are.
  std::vector<Place> elementsOf(const Place &part, size_t most) const;
  bool isNumberedWithin(const Place &part) const;
  bool storeAll(const Place &to, const std::vector<Formula> &values, clang::SourceLocation where);
  /// Number by number; none where there are many.
  Maybe<bool> copyFew(const Place &to, const Place &from, clang::SourceLocation where);
  Maybe<Place> listedArray(const clang::Expr &list);

  // ---- arrays set as a whole (ReaderCopies.cpp)
  bool setWhole(const Place &to, const std::variant<Place, Formula> &source,
                Maybe<Polynomial> elements, const clang::Expr &copy);
  Maybe<Place> wholeArray(const clang::Expr &given);
  std::string nameOfElements(unsigned buffer) const;
  Maybe<bool> copyPart(const clang::CallExpr &call, bool isFill);
  bool copyWhole(const clang::CallExpr &call, bool isFill);
  bool copyContainer(const clang::CXXOperatorCallExpr &call);
  bool declareCopy(const clang::VarDecl &variable, const clang::CXXConstructExpr &construct);
  const clang::Expr *containerOf(const clang::Expr &iterator, llvm::StringRef name) const;
  Maybe<bool> runAlgorithm(const clang::CallExpr &call);

  // ---- arrays that the number of the turn chooses (ReaderLevels.cpp)
  /// A condition that holds in every other turn, as a number that is 1 where it does: t % 2,
  /// 1 - t % 2. Refuses nothing.
  Maybe<Polynomial> parityOf(const clang::Expr &test);
  /// `chosen ? first : zeroth`, where it is 0 or 1.
  Maybe<Polynomial> inTurn(const Polynomial &zeroth, const Polynomial &first,
                           const Polynomial &chosen);
  /// Of so many places the one that `chosen` counts, a remainder.
  Maybe<Place> placeByTurn(std::vector<Place> places, const Polynomial &chosen,
                           clang::SourceLocation where);
  Maybe<Place> placeOf(const clang::ConditionalOperator &choice);
  /// `double *levels[2] = {a, b}`; false for other variables, and after a refusal.
  bool declareLevels(const clang::VarDecl &variable);
  /// Variables of a loop over time that hold 0, 1 and 2 and that its body may hand on in a ring.
  std::vector<Variable> ringIn(const LoopParts &loop, const Loop &bounds,
                               const std::vector<Variable> &assigned) const;
  /// Sets them to what they hold in the turn, if a turn hands them on; else they are unknown.
  void takeRing(const LoopParts &loop, const Loop &bounds, const std::vector<Variable> &ring);
  bool runInTurns(const clang::IfStmt &statement);
  /// Refuses what the turns between do not do, or what an expression may leave out; true outside
  /// of such conditions.
  bool isAlwaysDone();
  /// `levels[t % 2]`.
  bool isLevel(const clang::ArraySubscriptExpr &element) const;
  Maybe<Place> levelOf(const clang::ArraySubscriptExpr &element);

  // ---- rows in one block of memory (ReaderRows.cpp)
  bool isRow(const Place &element) const;
  /// True of what nobody has read or written.
  bool isUnused(unsigned buffer) const;
  bool refuseRow(const Place &row, clang::SourceLocation where);
  bool setRow(const Place &row, const clang::Expr &source, clang::SourceLocation where);
  bool moveRow(const Place &row, clang::SourceLocation where);
  bool staysBelow(Polynomial subscript, const Polynomial &end,
                  llvm::ArrayRef<unsigned> around) const;
  bool hasRowsApart(unsigned table) const;
  bool endRows(clang::SourceLocation where);

  // ---- structs of numbers as values (ReaderStructs.cpp)
  /// True of what gives one that is no variable and no element.
  bool makesStruct(const clang::Expr &given) const;
  Maybe<std::vector<Formula>> numbersOfStruct(const clang::Expr &given);
  void setStruct(const clang::ValueDecl &owner, const std::vector<Formula> &numbers);

  // ---- what the caller gives (ReaderGiven.cpp)
  Maybe<Place> makeBuffer(const std::string &name, clang::QualType type, bool isLocal,
                          clang::SourceLocation where, const clang::VarDecl *declared = nullptr);
  /// Of a container, those that it is made with: `v(n)`.
  void addExtents(unsigned buffer, const clang::CXXConstructExpr &construct);
  bool fillAnew(const Place &made, const clang::CXXConstructExpr &construct);
  std::string nameOf(const Variable &variable) const;
  Maybe<Polynomial> givenWhole(const clang::Expr &expression);
  Maybe<Place> givenMemory(const clang::CastExpr &cast);
  Maybe<Polynomial> sizeOf(clang::QualType type, clang::SourceLocation where);
  Maybe<Polynomial> sizeOfContainer(const clang::CXXMemberCallExpr &call);

  /// True of what only looks at a clock (ReaderTiming.cpp).
  bool runTiming(const clang::Stmt &statement);

  // ---- positions (ReaderPositions.cpp)
  /// True if a loop moves it.
  bool moves(Symbol symbol) const;
  bool moves(const Polynomial &value) const;
  Fold foldOf(const Polynomial &value) const;
  Polynomial folded(Fold fold, std::string name, clang::SourceLocation where);
  Maybe<Polynomial> limited(bool isSmaller, const Polynomial &left, const Polynomial &right,
                            const clang::Expr &where);
  Maybe<Polynomial> extremum(const clang::BinaryOperator &test, const Polynomial &then,
                             const Polynomial &otherwise, const clang::Expr &where);
  Maybe<Polynomial> replaced(Symbol variable, const Polynomial &place, const Polynomial &special,
                             const Polynomial &general, const clang::Expr &where);
  Maybe<Polynomial> alternating(const clang::Expr &test, const Polynomial &then,
                                const Polynomial &otherwise);
  /// `test ? then : otherwise` where that alternates, or is a position kept on the grid; refuses
  /// nothing.
  Maybe<Polynomial> choice(const clang::Expr &test, const Polynomial &then,
                           const Polynomial &otherwise, const clang::Expr &where);
  Maybe<Polynomial> wrapped(const Polynomial &position, const Polynomial &period,
                            const clang::Expr &where);
  /// Notes what a condition says about loop variables, from here on.
  void suppose(const clang::Expr &test, bool isTrue);
  /// The turns that are left of the loops around what is being read, where not all are.
  std::vector<Guard> turnsHere() const;

  // ---- numbers (ReaderNumbers.cpp)
  /// Reads a part of an expression that C may leave out, such as one side of a choice. Refuses it
  /// if it changes anything.
  bool readOptional(const clang::Expr &part, llvm::function_ref<bool()> readIt);
  Maybe<Formula> number(const clang::Expr &expression);
  /// `c ? a : b`, each side as `read` reads it; `alike` may bring both to one type, or refuses.
  Maybe<Formula> choiceOf(const clang::ConditionalOperator &choice,
                          llvm::function_ref<Maybe<Formula>(const clang::Expr &)> read,
                          llvm::function_ref<bool(Formula &, Formula &)> alike);
  Maybe<Formula> numberCast(const clang::CastExpr &cast);
  /// A whole number of the source as one of the grid, chosen by numbers of the grid perhaps.
  Maybe<Formula> numberOfWhole(const clang::Expr &expression, ScalarType to);
  Maybe<Formula> numberBinary(const clang::Expr &where, clang::BinaryOperatorKind op,
                              const Formula &left, const Formula &right);
  Maybe<Formula> load(const Place &place, clang::SourceLocation where);
  Maybe<Formula> formulaOf(const Polynomial &value, clang::SourceLocation where);
  Maybe<ScalarType> scalarType(clang::QualType type, clang::SourceLocation where);

  // ---- whole numbers that arrays hold (ReaderData.cpp)
  WholeType wholeType(clang::QualType type) const;
  static ScalarType heldAs(const WholeType &type) {
    return type.bits > 16 ? ScalarType::F64 : ScalarType::F32;
  }
  /// True of a whole number that hangs on what arrays hold.
  bool namesData(const clang::Expr &expression);
  bool returnsData(const clang::FunctionDecl &function) const;
  Maybe<Formula> datum(const clang::Expr &expression);
  /// As an array of whole numbers holds it.
  Maybe<Formula> datumHeld(const Buffer &buffer, const Formula &value, clang::SourceLocation where);
  /// `a[i] += b`
  bool changeDatum(const clang::CompoundAssignOperator &change);
  Maybe<Formula> datumOfCall(const clang::CallExpr &call);
  Maybe<Formula> datumBinary(const clang::Expr &where, clang::BinaryOperatorKind op, Formula left,
                             Formula right);
  Maybe<Formula> datumCompared(CompareOp op, const clang::BinaryOperator &comparison);
  /// Whether it is another number than zero.
  static Maybe<Formula> holdsOf(const Formula &value);
  /// As a variable or an array of that type takes it.
  Maybe<Formula> datumAs(clang::QualType type, Formula value, clang::QualType from,
                         clang::SourceLocation where);
  /// What a variable of whole numbers holds, as a formula. Refuses nothing.
  Maybe<Formula> datumIn(const Value &value);
  /// `condition ? then : otherwise` of two such values; none if one is no number.
  Maybe<Formula> datumChosen(const Formula &condition, const Value &then, const Value &otherwise);
  /// Without the -0 that no whole number is.
  Formula withoutMinusZero(Formula value) const;

  // ---- points that take turns (ReaderColours.cpp)
  /// A remainder by 2: it is 1 where `of` is odd, and 0 where that is even.
  struct Remainder {
    Polynomial of;
    bool isCounted; ///< of a number that is not below 0, so that it is not -1 in C
  };
  Maybe<Polynomial> parityIn(const Polynomial &value) const;
  Maybe<Formula> parityIs(const Polynomial &value, bool isOdd, clang::SourceLocation where);
  Maybe<Remainder> remainderIn(const Polynomial &value) const;
  /// `(i + j) % 2 == color` and its like; refuses nothing.
  Maybe<Formula> parityCondition(const clang::Expr &expression);
  /// True of a condition that other loops than the outermost one move, or under which points are
  /// written that this one moves: it chooses points, not turns.
  bool isOfPoints(const Polynomial &parity, const clang::IfStmt &statement);
  bool runEveryOther(const LoopParts &loop, const Variable &variable, Loop bounds);

  // ---- conditions (ReaderConditions.cpp)
  Maybe<Formula> condition(const clang::Expr &expression);
  Maybe<bool> knownCondition(const clang::Expr &expression);
  /// With `instead`, as if that were the comparison.
  Maybe<std::vector<Guard>> guardsOf(const clang::Expr &expression,
                                     std::optional<clang::BinaryOperatorKind> instead = {});
  /// What a condition that does not hold leaves of loops, if that is boxes of points.
  Maybe<std::vector<Guard>> guardsAgainst(const clang::Expr &expression);
  bool mayWrap(const clang::Expr &expression, const Polynomial &value) const;

  // ---- calls (ReaderCalls.cpp)
  Maybe<Value> call(const clang::CallExpr &call);
  Maybe<Value> callFunction(const clang::FunctionDecl &function,
                            llvm::ArrayRef<const clang::Expr *> arguments,
                            clang::SourceLocation where, const clang::ValueDecl *self = nullptr);
  Maybe<Formula> mathFunction(const clang::CallExpr &call, llvm::StringRef name);
  Maybe<Formula> kindOfNumber(const clang::CallExpr &call);

  // ---- small
  std::nullopt_t refuse(clang::SourceLocation where, const llvm::Twine &seen,
                        const llvm::Twine &wayOut = "") {
    return refusals.refuse(where, seen, wayOut);
  }
  std::string textOf(const clang::Stmt &statement) const;
  Symbol addSymbol(SymbolInfo info) {
    tree.symbols.push_back(std::move(info));
    return tree.symbols.size() - 1;
  }

  clang::ASTContext &context;
  Refusals &refusals;
  const bool takesWeights;
  LoopTree tree;
  std::map<unsigned, Neighbours> neighbours; ///< by buffer
  std::map<unsigned, Table> tables;          ///< by buffer
  std::map<unsigned, unsigned> blocks;       ///< that rows of tables lie in, by buffer: which table
  std::set<unsigned> rowsMoved;              ///< of which tables
  std::map<const clang::ValueDecl *, std::vector<Place>> levels; ///< tables of arrays
  llvm::SmallPtrSet<const clang::UnaryOperator *, 4> steps; ///< of pointers, within a statement
  std::map<Variable, Start> starts;                         ///< of numbers over all points
  std::map<Variable, clang::SourceLocation> named;          ///< arrays, in the outermost loop
  std::map<Variable, Lost> lost;                            ///< why nothing is known of them
  std::map<Variable, std::string> openSums;                 ///< what says how many terms they have
  llvm::SmallPtrSet<const clang::VarDecl *, 8> given;       ///< local by their place alone
  std::map<const clang::SwitchStmt *, const clang::Stmt *> choices; ///< that they are
  Environment environment;
  Environment firstValues;            ///< what is not declared where it is read, as it was found
  std::vector<unsigned> loops;        ///< around what is being read
  std::optional<LoopParts> outermost; ///< of those
  std::vector<Guard> guards;          ///< likewise
  std::vector<Formula> conditions;    ///< likewise: those on data
  std::map<unsigned, size_t> declaredUnder; ///< of buffers of the body's own: how many of those
  std::vector<Guard> known;                 ///< likewise: what holds of loop variables
  std::vector<std::vector<Guard>> excluded; ///< and what does not, all of each together
  std::vector<const clang::FunctionDecl *> callers;
  const clang::ValueDecl *object = nullptr; ///< whose member function is being run, if it is called
  /// Loops and conditions around the call that is being run.
  size_t outerLoops = 0, outerConditions = 0, outerGuards = 0;
  std::optional<Value> returned;
  bool hasReturned = false;
  bool mayLeaveOut = false; ///< what stands around the loop over time and is not understood
  bool isOneOfFew = false;  ///< the turns of the loop around are read one after the other
  const clang::Expr *tested = nullptr;     ///< the step that the test of a loop makes, in the test
  const clang::Expr *everyOther = nullptr; ///< the condition around that holds in every other turn
  const clang::Expr *optional =
      nullptr;             ///< the part around of an expression, if it may be left out
  unsigned depth = 0;      ///< of expressions and statements
  unsigned subscripts = 0; ///< around what is being read
};

/// True of subscripts that never name the same element in one turn.
bool isAnother(llvm::ArrayRef<Polynomial> left, llvm::ArrayRef<Polynomial> right);
} // namespace stencilc::lift
