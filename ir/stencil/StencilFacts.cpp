#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace stencilc {

void forEachRead(const Formula &formula, llvm::function_ref<void(const Read &)> visit) {
  for (const Expr &expr : formula.exprs)
    if (const auto *read = std::get_if<Read>(&expr.node))
      visit(*read);
}

void forEachUpdate(const Stencil &stencil, llvm::function_ref<void(const Update &)> visit) {
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      visit(update);
}

void forEachRead(const Stencil &stencil, llvm::function_ref<void(const Read &)> visit) {
  forEachUpdate(stencil, [&](const Update &update) { forEachRead(update.formula, visit); });
  for (const Reduction &reduction : stencil.reductions)
    forEachRead(reduction.formula, visit);
}

void forEachFormula(const Stencil &stencil, llvm::function_ref<void(const Formula &)> visit) {
  forEachUpdate(stencil, [&](const Update &update) { visit(update.formula); });
  for (const Array &array : stencil.arrays)
    for (unsigned axis : array.axes)
      for (const Boundary &boundary : array.boundary[axis])
        if (boundary.kind == BoundaryKind::Value)
          visit(boundary.value);
}

bool dependsOnStep(const Formula &formula) {
  return llvm::any_of(formula.exprs, [](const Expr &expr) {
    return std::holds_alternative<StepValue>(expr.node) ||
           std::holds_alternative<TimeRead>(expr.node);
  });
}

int distance(int offset, unsigned side) { return side == Low ? -offset : offset; }

Widths reach(const Stencil &stencil, unsigned array) {
  Widths widths = {};
  forEachRead(stencil, [&](const Read &read) {
    if (read.array != array)
      return;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (unsigned side : {Low, High})
        widths[axis][side] = std::max(widths[axis][side], distance(read.offset[axis], side));
  });
  return widths;
}

/// Ghost points of all arrays. Later stages first: what they read of a temp says where the temp is
/// evaluated, and so what it reads itself.
static std::vector<Widths> allGhostWidths(const Stencil &stencil) {
  std::vector<Widths> ghosts(stencil.arrays.size(), Widths{});
  const auto addReads = [&](const Formula &formula, const Widths &evaluated) {
    forEachRead(formula, [&](const Read &read) {
      const Array &array = stencil.arrays[read.array];
      for (unsigned axis : array.axes)
        for (unsigned side : {Low, High})
          if (array.boundary[axis][side].kind == BoundaryKind::Halo) {
            int &width = ghosts[read.array][axis][side];
            width = std::max(width, evaluated[axis][side] + distance(read.offset[axis], side));
          }
    });
  };
  for (const Reduction &reduction : stencil.reductions)
    addReads(reduction.formula, {});
  for (const Stage &stage : llvm::reverse(stencil.stages))
    for (const Update &update : stage.updates) {
      Widths evaluated = {};
      if (stencil.arrays[update.array].kind == ArrayKind::Temp)
        for (unsigned axis = 0; axis < stencil.rank(); ++axis) {
          const Slice &slice = update.region[axis];
          if (slice.from == fromStart(0))
            evaluated[axis][Low] = ghosts[update.array][axis][Low];
          if (slice.to == fromEnd(0))
            evaluated[axis][High] = ghosts[update.array][axis][High];
        }
      addReads(update.formula, evaluated);
    }
  return ghosts;
}

Widths ghostWidths(const Stencil &stencil, unsigned array) {
  return allGhostWidths(stencil)[array];
}

Widths frame(const Stencil &stencil, const Update &update) {
  Widths widths = {};
  forEachRead(update.formula, [&](const Read &read) {
    const auto &boundary = stencil.arrays[read.array].boundary;
    for (unsigned axis = 0; axis < stencil.rank(); ++axis)
      for (unsigned side : {Low, High})
        if (boundary[axis][side].kind == BoundaryKind::Fixed)
          widths[axis][side] = std::max(widths[axis][side], distance(read.offset[axis], side));
  });
  return widths;
}

bool readsPrevious(const Stencil &stencil, unsigned field) {
  bool found = false;
  forEachUpdate(stencil, [&](const Update &update) {
    forEachRead(update.formula, [&](const Read &read) {
      found |= read.array == field && read.level == TimeLevel::Previous;
    });
  });
  return found;
}

bool evolves(const Stencil &stencil) {
  std::vector<bool> isMade(stencil.arrays.size());
  forEachUpdate(stencil, [&](const Update &update) { isMade[update.array] = true; });
  bool found = false;
  forEachUpdate(stencil, [&](const Update &update) {
    forEachRead(update.formula, [&](const Read &read) {
      found |= isMade[read.array] && read.level != TimeLevel::Next;
    });
  });
  return found;
}

bool needsNextBuffer(const Stencil &stencil, unsigned field) {
  if (stencil.arrays[field].hasOwnNext)
    return true;
  const TimeLevel oldest = readsPrevious(stencil, field) ? TimeLevel::Previous : TimeLevel::Current;
  bool written = false; // by a stage before this one
  for (const Stage &stage : stencil.stages) {
    const bool writes =
        llvm::any_of(stage.updates, [&](const Update &update) { return update.array == field; });
    bool inTheWay = false;
    for (const Update &update : stage.updates)
      forEachRead(update.formula, [&](const Read &read) {
        if (read.array == field && read.level == oldest)
          inTheWay |= written || (writes && read.offset != Offset{});
      });
    if (inTheWay)
      return true;
    written |= writes;
  }
  return false;
}

std::vector<bool> variesByPoint(const Formula &formula) {
  std::vector<bool> varies;
  for (const Expr &expr : formula.exprs)
    varies.push_back(std::holds_alternative<Read>(expr.node) ||
                     std::holds_alternative<AxisValue>(expr.node) ||
                     llvm::any_of(operands(expr.node), [&](ExprId id) { return varies[id]; }));
  return varies;
}

static unsigned readsOf(const Update &update) {
  unsigned reads = 0;
  forEachRead(update.formula, [&](const Read &) { ++reads; });
  return reads;
}

/// What the updates of a stage make, each distinct value once.
static Formula valuesOf(llvm::ArrayRef<const Update *> updates) {
  Formula values;
  for (const Update *update : updates)
    values.result = values.merge(update->formula);
  return values;
}

size_t countValues(const Stencil &stencil) {
  size_t values = 0;
  for (const Stage &stage : stencil.stages) {
    llvm::SmallVector<const Update *> updates;
    for (const Update &update : stage.updates)
      updates.push_back(&update);
    values += valuesOf(updates).exprs.size();
  }
  return values;
}

PointCounts countPoint(const Stencil &stencil) {
  std::vector<const Update *> counted(stencil.arrays.size());
  forEachUpdate(stencil, [&](const Update &update) {
    const Update *&chosen = counted[update.array];
    if (!chosen || readsOf(*chosen) < readsOf(update))
      chosen = &update;
  });
  PointCounts counts;
  for (const Stage &stage : stencil.stages) {
    llvm::SmallVector<const Update *> updates;
    for (const Update &update : stage.updates)
      if (counted[update.array] == &update)
        updates.push_back(&update);
    counts.stores += updates.size();
    const Formula values = valuesOf(updates);
    forEachRead(values, [&](const Read &) { ++counts.loads; });
    for (const auto &[expr, varies] : llvm::zip_equal(values.exprs, variesByPoint(values)))
      if (varies && isFloat(expr.type))
        counts.flops += std::holds_alternative<BinaryExpr>(expr.node) ||
                        std::holds_alternative<CallExpr>(expr.node);
  }
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    if (array.axes.size() != stencil.rank() || array.kind == ArrayKind::Temp)
      continue;
    bool current = false;
    forEachUpdate(stencil, [&, field = number](const Update &update) {
      forEachRead(update.formula, [&](const Read &read) {
        current |= read.array == field && read.level == TimeLevel::Current;
      });
    });
    const unsigned levels =
        current + readsPrevious(stencil, number) + (array.kind == ArrayKind::Field);
    counts.compulsoryBytes += levels * sizeInBytes(array.type);
  }
  return counts;
}

} // namespace stencilc
