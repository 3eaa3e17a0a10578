// The levels of a FusedMarch that goes by planes.
#include "codegen/variants/FusedMarch.h"

#include "llvm/ADT/STLExtras.h"

using namespace stencilc;

static Index c(int64_t value) { return constant(value); }

std::vector<Value> FusedMarch::partsUpTo(Body &body, int plane, const Index &level,
                                         const Index &row, const Index &i) {
  std::vector<ExprId> wanted;
  if (plane == reach.highest)
    for (unsigned update = 0; update < fields.size(); ++update)
      wanted.push_back(formula.result(0, update));
  else
    for (const Sum &sum : sumsByPlane[plane - reach.lowest])
      wanted.push_back(sum.part);
  KnownValues known;
  if (plane > reach.lowest)
    for (const Sum &sum : sumsByPlane[plane - 1 - reach.lowest])
      known[sum.part] = element(formula[sum.part].type, sum.patch, {level, row, i});
  return valuesOf(body, std::move(wanted), 0, level, add(madeAt(0, level), reach.highest - plane),
                  row, i, std::move(known));
}

void FusedMarch::updateByPlane(Body &body, const Index &level, const Index &row, const Index &i) {
  for (auto [field, value] : llvm::zip(fields, partsUpTo(body, reach.highest, level, row, i))) {
    const PatchElement newest = planeAt(field, 0, add(level, 1), row, i);
    body.push_back({AssignElement{newest.patch, newest.at, value}});
  }
  // A sum is read before the next one takes its place.
  for (int plane = reach.highest - 1; plane >= reach.lowest; --plane)
    for (auto [sum, value] :
         llvm::zip(sumsByPlane[plane - reach.lowest], partsUpTo(body, plane, level, row, i)))
      body.push_back({AssignElement{sum.patch, {level, row, i}, value}});
}

void FusedMarch::sumUpBeforeFirst(Body &body, const Index &level) {
  const Index newest = add(madeAt(0, level), reach.highest);
  If isFirst{{{newest, c(0), c(1)}}, {}, {}};
  builder.unroll(isFirst.then, "row", 0, rows, [&](Body &body, const Index &row) {
    builder.unroll(body, "i", 0, points, [&](Body &body, const Index &i) {
      for (int plane = reach.lowest; plane < 0; ++plane) {
        std::vector<ExprId> wanted;
        for (const Sum &sum : sumsByPlane[plane - reach.lowest])
          wanted.push_back(sum.part);
        for (auto [sum, value] : llvm::zip(
                 sumsByPlane[plane - reach.lowest],
                 valuesOf(body, std::move(wanted), 0, level, add(newest, -1 - plane), row, i)))
          body.push_back({AssignElement{sum.patch, {level, row, i}, value}});
      }
    });
  });
  body.push_back({std::move(isFirst)});
}

void FusedMarch::advanceByPlane(Body &body, const Index &level, bool isLast) {
  const auto isClamped = [&](Side side) {
    return seesGrid(stencil.arrays[fields.front().array].boundary[0][side].kind);
  };
  const Index next = add(level, 1);
  // The last plane of the grid stays, in place of those behind it.
  If isOnGrid{{{madeAt(0, level), nullptr, extent(0)}}, {}, {}};
  Body &made = isClamped(High) && !isLast && !withinPlanes ? isOnGrid.then : body;
  for (auto [plane, around] : llvm::zip(seen, surroundings))
    surround(made, level, plane, around);
  if (isClamped(Low) && !withinPlanes)
    where(made, room, [&](Body &body) { sumUpBeforeFirst(body, level); });
  builder.unroll(made, "row", 0, rows, [&](Body &body, const Index &row) {
    builder.unroll(body, "i", 0, points,
                   [&](Body &body, const Index &i) { updateByPlane(body, level, row, i); });
  });
  if (isLast)
    return;
  if (!isOnGrid.then.empty())
    body.push_back({std::move(isOnGrid)});
  where(body, room, [&](Body &body) {
    // Those that came before the first never did.
    If hasCome{{{turn, scale(next, reach.lag), nullptr}}, {}, {}};
    keepBeside(hasCome.then, 0, next);
    for (const Field &field : fields)
      keep(hasCome.then, next, field, 0);
    if (!hasCome.then.empty())
      body.push_back({std::move(hasCome)});
  });
  if (!partsTurns)
    showStage(body, 0, next);
}

void FusedMarch::appendLevelsByPlane(Body &body) {
  body.push_back({Phase{"Makes a plane of the last level from what the turn before has made of the "
                        "one below, and of its next planes what that gives them."}});
  advanceByPlane(body, c(levels - 1), /*isLast=*/true);
  for (const Field &field : fields)
    leave(body, field);
  body.push_back({Phase{partsTurns ? "So of the levels below."
                                   : "So of the levels below, which show their rows at the rims to "
                                     "other warps in the next turn."}});
  builder.unroll(body, "step", 0, levels - 1, [&](Body &body, const Index &step) {
    advanceByPlane(body, add(c(levels - 2), scale(step, -1)), /*isLast=*/false);
  });
}
