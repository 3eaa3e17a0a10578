#include "codegen/lower/JoinedStages.h"

#include "codegen/lower/StageParts.h"
#include "ir/stencil/StencilVerifier.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

namespace {

/// Tries to join two neighbouring stages of a stencil.
class StageJoin {
public:
  StageJoin(const Stencil &apart, unsigned first)
      : apart(apart), first(first), areas(areasOf(apart)), makers(apart.arrays.size()) {
    forEachUpdate(apart, [&](const Update &update) { makers[update.array].total++; });
    for (auto [number, update] : llvm::enumerate(apart.stages[first].updates))
      makers[update.array].update = number;
  }

  /// The stencil with one stage less, if that is legal and saves a launch.
  std::optional<Stencil> joined() const {
    Stencil result = apart;
    std::vector<Update> &updates = result.stages[first].updates;
    std::vector<Area> kept = areas.updates[first];
    for (auto [update, area] :
         llvm::zip_equal(apart.stages[first + 1].updates, areas.updates[first + 1])) {
      std::optional<Formula> formula = putIn(update.formula, area);
      if (!formula)
        return std::nullopt;
      updates.push_back(update);
      updates.back().formula = std::move(*formula);
      kept.push_back(area);
    }
    result.stages.erase(result.stages.begin() + first + 1);
    leaveOutUnread(result, kept);
    keepNextBuffers(result);
    const StencilAreas now = areasOf(result);
    if (now.updates[first] != kept || !isSameInterface(signatureOf(apart), signatureOf(result)) ||
        launches(result, now) >= launches(apart, areas))
      return std::nullopt;
    return result;
  }

private:
  /// What makes an array: how many updates in all, and which of the first stage.
  struct Maker {
    unsigned total = 0;
    std::optional<unsigned> update;
  };

  /// The formula of an update of the second stage, without reads of what the first one makes.
  std::optional<Formula> putIn(const Formula &formula, const Area &area) const {
    Formula whole;
    std::vector<ExprId> numbers;
    for (const Expr &expr : formula.exprs) {
      const auto *read = std::get_if<Read>(&expr.node);
      if (read && read->level == TimeLevel::Next && makers[read->array].update) {
        const std::optional<ExprId> value = valueOf(whole, *read, area);
        if (!value)
          return std::nullopt;
        numbers.push_back(*value);
      } else {
        numbers.push_back(whole.add(expr.type, withOperands(expr.node, numbers)));
        name(whole, numbers.back(), expr.name, expr.shift);
      }
      if (whole.exprs.size() > kMaxFormulaValues)
        return std::nullopt;
    }
    whole.result = numbers[formula.result];
    return whole;
  }

  std::optional<ExprId> valueOf(Formula &whole, const Read &read, const Area &area) const {
    const Maker &maker = makers[read.array];
    const Formula &made = apart.stages[first].updates[*maker.update].formula;
    if (maker.total > 1 || read.offset != Offset{} || areas.updates[first][*maker.update] != area ||
        std::holds_alternative<Literal>(made[made.result].node))
      return std::nullopt;
    const ExprId id = whole.merge(made);
    if (!operands(whole[id].node).empty()) {
      const Array &array = apart.arrays[read.array];
      name(whole, id, array.name + (array.kind == ArrayKind::Temp ? "" : "_new"), {});
    }
    return id;
  }

  /// The first name that a value gets is kept.
  static void name(Formula &whole, ExprId id, const std::string &name, const Offset &shift) {
    if (!whole.exprs[id].name.empty())
      return;
    whole.exprs[id].name = name;
    whole.exprs[id].shift = shift;
  }

  /// Leaves out the updates of temps that no update reads any more, with their areas.
  void leaveOutUnread(Stencil &result, std::vector<Area> &kept) const {
    std::vector<bool> wasRead(apart.arrays.size()), isRead(apart.arrays.size());
    forEachRead(apart, [&](const Read &read) { wasRead[read.array] = true; });
    forEachRead(result, [&](const Read &read) { isRead[read.array] = true; });
    std::vector<Update> &updates = result.stages[first].updates;
    for (size_t number = updates.size(); number-- > 0;) {
      const unsigned array = updates[number].array;
      if (apart.arrays[array].kind != ArrayKind::Temp || !wasRead[array] || isRead[array])
        continue;
      updates.erase(updates.begin() + number);
      kept.erase(kept.begin() + number);
    }
  }

  /// What had a second buffer, as a later stage reads its old values, has it still: callers pass
  /// it.
  void keepNextBuffers(Stencil &result) const {
    for (auto [number, array] : llvm::enumerate(result.arrays))
      array.hasOwnNext = array.kind == ArrayKind::Field && needsNextBuffer(apart, number);
  }

  static size_t launches(const Stencil &stencil, const StencilAreas &areas) {
    return partsOf(stencil, areas, signatureOf(stencil), Target::Device).size();
  }

  const Stencil &apart;
  const unsigned first; ///< of the two stages
  const StencilAreas areas;
  std::vector<Maker> makers; ///< by array
};

} // namespace

Stencil stencilc::withStagesJoined(Stencil stencil) {
  for (unsigned stage = 0; stage + 1 < stencil.stages.size();)
    if (std::optional<Stencil> joined = StageJoin(stencil, stage).joined())
      stencil = std::move(*joined);
    else
      ++stage;
  return stencil;
}
