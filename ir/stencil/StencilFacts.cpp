#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace stencilc {

static void forEachRead(const Formula &formula, llvm::function_ref<void(const Read &)> visit) {
  for (const Expr &expr : formula.exprs)
    if (const auto *read = std::get_if<Read>(&expr.node))
      visit(*read);
}

static void forEachRead(const Stencil &stencil, llvm::function_ref<void(const Read &)> visit) {
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates)
      forEachRead(update.formula, visit);
}

/// How far an offset goes beyond the point on one side.
static int distance(int offset, unsigned side) {
  return std::max(side == Low ? -offset : offset, 0);
}

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

Widths ghostWidths(const Stencil &stencil, unsigned array) {
  Widths widths = reach(stencil, array);
  for (unsigned axis = 0; axis < stencil.rank(); ++axis)
    for (unsigned side : {Low, High})
      if (stencil.arrays[array].boundary[axis][side].kind != BoundaryKind::Halo)
        widths[axis][side] = 0;
  return widths;
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

int minimumExtent(const Stencil &stencil, unsigned axis) {
  int least = 0;
  forEachRead(stencil, [&](const Read &read) {
    const auto &boundary = stencil.arrays[read.array].boundary;
    for (unsigned side : {Low, High})
      if (boundary[axis][side].kind == BoundaryKind::Periodic)
        least = std::max(least, distance(read.offset[axis], side));
  });
  return least;
}

bool readsPrevious(const Stencil &stencil, unsigned field) {
  bool found = false;
  forEachRead(stencil, [&](const Read &read) {
    found |= read.array == field && read.level == TimeLevel::Previous;
  });
  return found;
}

bool needsNextBuffer(const Stencil &stencil, unsigned field) {
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

/// Per Expr: whether its value differs from point to point, that is, depends on a read.
static std::vector<bool> variesByPoint(const Formula &formula) {
  std::vector<bool> varies;
  for (const Expr &expr : formula.exprs)
    varies.push_back(std::holds_alternative<Read>(expr.node) ||
                     llvm::any_of(operands(expr.node), [&](ExprId id) { return varies[id]; }));
  return varies;
}

PointCounts countPoint(const Stencil &stencil) {
  PointCounts counts;
  for (const Stage &stage : stencil.stages)
    for (const Update &update : stage.updates) {
      ++counts.stores;
      forEachRead(update.formula, [&](const Read &) { ++counts.loads; });
      const std::vector<bool> varies = variesByPoint(update.formula);
      for (auto [id, expr] : llvm::enumerate(update.formula.exprs))
        if (varies[id] && expr.type != ScalarType::Bool)
          counts.flops += std::holds_alternative<BinaryExpr>(expr.node) ||
                          std::holds_alternative<CallExpr>(expr.node);
    }
  for (auto [number, array] : llvm::enumerate(stencil.arrays)) {
    if (array.axes.size() != stencil.rank())
      continue;
    bool current = false;
    forEachRead(stencil, [&, field = number](const Read &read) {
      current |= read.array == field && read.level == TimeLevel::Current;
    });
    const unsigned levels =
        current + readsPrevious(stencil, number) + (array.kind == ArrayKind::Field);
    counts.compulsoryBytes += levels * sizeInBytes(array.type);
  }
  return counts;
}

} // namespace stencilc
