#include "codegen/variants/MarchSums.h"

#include "codegen/lower/Outside.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

/// A plane beyond the end of the march is the oldest one, or becomes it when the newest one comes:
/// mirrors put planes in other orders there, and of an update that reads nothing ahead the oldest
/// plane is the one before the newest.
static bool endSeesOldest(const Stencil &stencil, const MarchReach &reach) {
  const bool isFar = std::max(-reach.lowest, reach.highest) > 1, readsAhead = reach.lag > 0;
  return llvm::any_of(stencil.stages.front().updates, [&](const Update &update) {
    return llvm::any_of(stencil.arrays[update.array].boundary[0], [&](const Boundary &boundary) {
      return seesGrid(boundary.kind) && (!readsAhead || boundary.kind == BoundaryKind::Reflect ||
                                         (boundary.kind == BoundaryKind::Symmetric && isFar));
    });
  });
}

std::vector<ExprId> stencilc::partsBeforeNewest(const Stencil &stencil, const StepFormula &formula,
                                                const MarchReach &reach) {
  // Where planes keep their values, the point's own one must outlive the newest.
  if (stencil.stages.size() > 1 || reach.lowest == 0 || endSeesOldest(stencil, reach))
    return {};
  const unsigned updates = stencil.stages.front().updates.size();
  // Other points of the planes between, and all of the oldest one, are at hand no longer.
  llvm::BitVector readsPassing(formula.size()), readsNewest(formula.size()), isMade(formula.size());
  for (ExprId id = 0; id < formula.size(); ++id) {
    const auto *read = std::get_if<Read>(&formula[id].node);
    if (read && stencil.arrays[read->array].kind == ArrayKind::Field) {
      readsNewest[id] = read->offset[0] == reach.lag;
      readsPassing[id] = !readsNewest[id] && (read->offset[0] == reach.lowest ||
                                              llvm::any_of(llvm::drop_begin(read->offset),
                                                           [](int offset) { return offset != 0; }));
    }
    for (ExprId operand : operands(formula[id].node)) {
      if (readsPassing[operand])
        readsPassing.set(id);
      if (readsNewest[operand])
        readsNewest.set(id);
    }
  }
  for (unsigned update = 0; update < updates; ++update)
    isMade.set(formula.result(0, update));
  std::vector<ExprId> parts;
  for (ExprId id = formula.size(); id-- > 0;) {
    if (!isMade[id] || !readsPassing[id])
      continue;
    if (!readsNewest[id])
      parts.push_back(id);
    else
      for (ExprId operand : operands(formula[id].node))
        isMade.set(operand);
  }
  constexpr unsigned kMostOfAField = 2;
  if (parts.size() > kMostOfAField * updates ||
      llvm::any_of(parts, [&](ExprId part) { return formula[part].type == ScalarType::Bool; }))
    return {};
  return parts;
}

bool stencilc::mayGoByPlanes(const Stencil &stencil, const MarchReach &reach) {
  if (stencil.stages.size() > 1 || stencil.rank() < 3 || reach.lag != reach.highest + 1 ||
      reach.highest == reach.lowest)
    return false;
  for (const Side side : {Low, High}) {
    const auto kindOf = [&](const Update &update) {
      return stencil.arrays[update.array].boundary[0][side].kind;
    };
    const std::vector<Update> &updates = stencil.stages.front().updates;
    // Mirrors see planes in another order.
    const auto clamps = llvm::count_if(
        updates, [&](const Update &update) { return kindOf(update) == BoundaryKind::Clamp; });
    if (llvm::any_of(updates, [&](const Update &update) { return isMirror(kindOf(update)); }) ||
        (clamps > 0 && clamps < int64_t(updates.size())))
      return false;
  }
  return true;
}

std::vector<std::vector<ExprId>> stencilc::partsByPlane(const Stencil &stencil,
                                                        const StepFormula &formula,
                                                        const MarchReach &reach) {
  if (!mayGoByPlanes(stencil, reach))
    return {};
  const unsigned updates = stencil.stages.front().updates.size();
  constexpr int kNone = INT_MIN;
  std::vector<int> newest(formula.size(), kNone); // plane that is read
  llvm::BitVector isUsed(formula.size());
  for (ExprId id = 0; id < formula.size(); ++id) {
    const auto *read = std::get_if<Read>(&formula[id].node);
    if (read && stencil.arrays[read->array].kind == ArrayKind::Field)
      newest[id] = read->offset[0];
    for (ExprId operand : operands(formula[id].node))
      newest[id] = std::max(newest[id], newest[operand]);
  }
  const int planes = reach.highest - reach.lowest;
  std::vector<std::vector<ExprId>> parts(planes);
  // The plane as of which each is asked for.
  std::vector<int> asked(formula.size(), kNone);
  for (unsigned update = 0; update < updates; ++update) {
    asked[formula.result(0, update)] = reach.highest;
    isUsed.set(formula.result(0, update));
  }
  for (ExprId id = formula.size(); id-- > 0;) {
    if (!isUsed[id] || newest[id] == kNone)
      continue;
    for (int plane = newest[id]; plane < asked[id]; ++plane)
      parts[plane - reach.lowest].push_back(id);
    for (ExprId operand : operands(formula[id].node)) {
      isUsed.set(operand);
      asked[operand] = std::max(asked[operand], newest[id]);
    }
  }
  // A part takes the registers that a plane takes.
  size_t all = 0;
  for (const std::vector<ExprId> &ofPlane : parts) {
    all += ofPlane.size();
    if (llvm::any_of(ofPlane, [&](ExprId part) { return formula[part].type == ScalarType::Bool; }))
      return {};
  }
  if (all > updates * size_t(planes + 1))
    return {};
  return parts;
}
