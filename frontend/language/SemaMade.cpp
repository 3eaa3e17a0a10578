// Which points updates make: what the meaning of regions, temps and `u'` asks for all extents.
#include "frontend/language/Sema.h"

#include "ir/stencil/StencilFacts.h"

#include "llvm/ADT/STLExtras.h"

namespace stencilc {

void Sema::checkPoints() {
  checkGhostReads();
  const StencilAreas areas = areasOf(stencil);
  for (auto [number, array] : llvm::enumerate(stencil.arrays))
    if (array.kind == ArrayKind::Temp)
      checkTemp(number, areas.temps[number]);
  const ParamRanges ranges = paramRanges(stencil);
  std::set<std::pair<unsigned, const char *>> reported;
  for (const Separation &separation : separations(stencil, areas)) {
    if (disjointness(separation.left, separation.right, stencil.rank(), ranges).answer !=
        Disjointness::Refuted)
      continue;
    const llvm::SMRange place = placeOf(separation.position);
    if (!reported.insert({separation.array, place.Start.getPointer()}).second)
      continue;
    const std::string &name = stencil.arrays[separation.array].name;
    const llvm::SMRange made = placeOf(separation.made);
    if (separation.isRead)
      diagnostics.report(Diag::next_not_there, place, name).note(Diag::made_here, made, name);
    else
      diagnostics.report(Diag::made_twice, place, name)
          .note(Diag::first_here, made)
          .hint(Diag::made_twice_hint);
  }
}

/// Of the name of the array that the update at the position makes.
llvm::SMRange Sema::placeOf(SourcePosition position) const {
  for (const PendingUpdate &update : updates) {
    const llvm::SMRange range = update.item->field.range();
    const SourcePosition there = diagnostics.position(range.Start);
    if (there.line == position.line && there.column == position.column)
      return range;
  }
  return {};
}

/// What a temp is evaluated with at ghost points is read there too.
void Sema::checkGhostReads() {
  forEachUpdate(stencil, [&](const Update &update) {
    const Array &temp = stencil.arrays[update.array];
    if (temp.kind != ArrayKind::Temp)
      return;
    const Widths ghosts = ghostWidths(stencil, update.array);
    std::set<unsigned> reported;
    forEachRead(update.formula, [&](const Read &read) {
      const Array &array = stencil.arrays[read.array];
      for (unsigned axis : array.axes)
        for (unsigned side : {Low, High})
          if (ghosts[axis][side] > 0 && array.boundary[axis][side].kind != BoundaryKind::Halo &&
              reported.insert(read.array).second)
            diagnostics.report(Diag::temp_ghost_read, placeOf(update.position), temp.name,
                               stencil.axes[axis] + (side == Low ? "-" : "+"), array.name);
    });
  });
}

/// All that is made of a temp is one box, from end to end where reads go on beyond the ends.
void Sema::checkTemp(unsigned number, const std::optional<Area> &made) {
  const Array &array = stencil.arrays[number];
  const llvm::SMRange place = makings[number].front().place;
  if (!made) {
    diagnostics.report(Diag::temp_not_a_box, place, array.name);
    return;
  }
  for (unsigned axis : array.axes)
    for (const Boundary &boundary : array.boundary[axis]) {
      const bool goesOn =
          boundary.kind != BoundaryKind::None && boundary.kind != BoundaryKind::Fixed;
      if (!goesOn || ((*made)[axis].isOpen(Low) && (*made)[axis].isOpen(High)))
        continue;
      diagnostics.report(Diag::temp_not_whole, place, array.name, spelling(boundary.kind),
                         stencil.axes[axis]);
      return;
    }
}

} // namespace stencilc
