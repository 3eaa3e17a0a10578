// Generator: draws the parts of a random case, one after the other.
#pragma once

#include "test/fuzz/ExprGenerator.h"
#include "test/fuzz/Generate.h"
#include "test/fuzz/Random.h"

#include <set>

namespace stencilc::fuzz {

class Generator {
public:
  Generator(uint64_t seed, Dialect dialect) : random(seed), dialect(dialect) { result.seed = seed; }
  Case generate();
  Case generateFor(const std::string &text, const Stencil &stencil);

private:
  void drawTypes();
  void drawArrays();
  void drawParams();
  void drawWholeParams();
  void drawFormulas();
  void drawLets(ExprGenerator &exprs, int depth);
  void drawUpdates(ExprGenerator &exprs, int depth);
  std::optional<SourceExpr> madeAtPoint(const ExprGenerator &exprs, const SourceArray &target);
  std::vector<SourceAssignment> endsFromInside(ExprGenerator &exprs, const std::string &field);
  void drawReductions(ExprGenerator &exprs);
  void drawSizes();
  void drawLongAxis();
  void drawSchedule();
  std::string typeWord();
  std::string freshName(std::string usual);
  SourceBoundary boundary(bool mayBePeriodic);
  SourceArray array(std::string name, ArrayKind kind);
  SourceArray temp(std::string name);
  Window window();
  bool formulasAreSmall() const;
  Vocabulary vocabulary() const;
  std::vector<std::vector<unsigned>> stages();
  std::vector<bool> readableFor(const SourceArray &target, const Vocabulary &words) const;
  std::string bound();
  std::string slice(const std::string &axis);
  std::vector<std::vector<std::string>> regions();

  Random random;
  Dialect dialect;
  Case result;
  ScalarType type = ScalarType::F64;
  bool mixesTypes = false, hasFewerAxes = false, hasStages = false, leapfrogs = false;
  bool hasTemps = false, hasRegions = false, hasFunctions = false, hasReductions = false;
  bool hasPositions = false, hasTime = false, hasWholeParams = false, hasCasts = false;
  int radius = 1;
  std::vector<Window> windows;
  std::set<std::string> names; ///< of arrays, params and lets
};

} // namespace stencilc::fuzz
