// Sema: a parsed file to a Stencil.
//
// Three steps: all declarations are made known; then every expression is resolved to a Term, in
// the order of the file; then, with boundaries and stages known, terms are expanded to formulas.
#pragma once

#include "frontend/language/Frontend.h"
#include "frontend/language/SemaExpand.h"
#include "frontend/language/SemaResolve.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

/// What fits the arguments of a kernel, of which CUDA passes 32764 bytes: three pointers for an
/// array, a number for a param.
constexpr size_t kMaxArrays = 500, kMaxParams = 500;

class Sema {
public:
  Sema(DiagnosticEngine &diagnostics, const FrontendOptions &options)
      : diagnostics(diagnostics), options(options), names(diagnostics),
        resolver(diagnostics, stencil, names, lets) {}

  /// None if an error was reported.
  std::optional<Stencil> run(const ast::File &file);

  /// A read, elsewhere, of what an update makes.
  struct ReadInOrder {
    struct Use {
      llvm::SMRange range;
      llvm::StringRef name;
    };
    llvm::SMRange range;
    std::optional<Use> through; ///< the let or function of the formula that leads there
  };

private:
  // ---- Sema.cpp: declarations and values
  void setName(const ast::File &file);
  void declareAxes(const ast::File &file);
  void declare(const ast::FieldDecl &item);
  void declare(const ast::ConstDecl &item);
  void declare(const ast::ParamsDecl &item);
  void declare(const ast::ReduceDecl &item);
  template <class Other> void declare(const Other &) {}
  void declareArray(const ast::Name &name, ast::TypeWord word, ArrayKind kind,
                    llvm::ArrayRef<ast::Name> axes);
  void setAxes(Array &array, llvm::ArrayRef<ast::Name> axes);
  ScalarType typeOf(ast::TypeWord word) const;
  void checkInterface(const ast::File &file);
  bool checkCounts();

  void resolve(const ast::FieldDecl &) {}
  void resolve(const ast::ConstDecl &) {}
  void resolve(const ast::ParamsDecl &item);
  void resolve(const ast::BoundaryDecl &item);
  void resolve(const ast::LetDecl &item);
  void resolve(const ast::InitDecl &item);
  void resolve(const ast::UpdateDecl &item);
  void resolve(const ast::StageDecl &item);
  void resolve(const ast::ReduceDecl &item);
  void expectLets(const ast::File &file);
  void makeField(const ast::UpdateDecl &item, unsigned stage);

  void setDefaults();
  void setDefault(unsigned number, const Term &value);
  bool checkDefault(unsigned number, const Term &value, const Formula &formula);
  void checkMade(const ast::File &file);
  void expandAll(bool hasFaultyBoundary);

  // ---- SemaOrder.cpp: updates that need an order of points, among those that were not resolved
  struct FaultyUpdate {
    unsigned stage, array;
    std::vector<ReadInOrder> reads;
  };
  std::vector<ReadInOrder> readsInOrder(const ast::UpdateDecl &item) const;
  void checkOrder(const FaultyUpdate &update);

  // ---- SemaRegion.cpp
  std::optional<Region> resolve(const ast::Region &region);
  std::optional<AxisBound> resolve(const ast::Bound &bound);

  // ---- SemaMade.cpp: which points are made, whatever the extents
  void checkPoints();
  void checkGhostReads();
  void checkTemp(unsigned number, const std::optional<Area> &made);
  llvm::SMRange placeOf(SourcePosition position) const;

  // ---- SemaUnused.cpp
  void warnOfUnused(const ast::File &file) const;

  // ---- SemaBoundary.cpp
  /// Which kind each side of an array has, and who says so.
  struct Sides {
    struct Side {
      BoundaryKind kind = BoundaryKind::None;
      const Term *value = nullptr;
      llvm::SMRange place;
    };
    std::array<std::array<Side, 2>, kMaxRank> sides;
  };
  Sides::Side sideOf(const ast::BoundaryClause &clause);
  void cover(unsigned array, const ast::BoundaryDecl &item);
  void coverRest();
  void checkPeriodic(unsigned array);
  double factorOf(const Sides::Side &side, const Array &array, Expander &expander);
  void setBoundaries();

  struct PendingInit {
    unsigned array;
    bool isPrevious;
    TermPtr value;
  };
  struct PendingUpdate {
    unsigned stage, array;
    Region region;
    TermPtr value;
    const ast::UpdateDecl *item;
  };
  struct PendingReduction {
    unsigned number;
    Region region;
    TermPtr value;
    const ast::ReduceDecl *item;
  };

  DiagnosticEngine &diagnostics;
  const FrontendOptions &options;
  Stencil stencil;
  Names names;
  std::vector<NamedTerm> lets;
  std::vector<const ast::LetDecl *> knownLets; ///< here, functions too, as they are written
  Resolver resolver;

  std::map<unsigned, TermPtr> defaults; ///< by number of the param
  std::vector<PendingInit> inits;
  std::map<std::pair<unsigned, bool>, llvm::SMRange> initPlaces; ///< by array and level
  std::vector<PendingUpdate> updates;
  std::vector<FaultyUpdate> faultyUpdates; ///< their values were not resolved
  std::vector<PendingReduction> reductions;
  std::vector<std::vector<Expander::Making>> makings; ///< by array
  unsigned stageCount = 0;
  llvm::SMRange firstStage;

  std::map<const ast::BoundaryClause *, TermPtr> boundaryValues;
  std::map<unsigned, llvm::SMRange> covered; ///< arrays with a boundary of their own
  std::map<unsigned, Sides> sides;
  const ast::BoundaryDecl *rest = nullptr; ///< `boundary:` for all other arrays
};

} // namespace stencilc
