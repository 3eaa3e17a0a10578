// MarchSums: which parts of its updates a march that fuses steps (FusedMarch.h) makes early.
//
// A part that reads nothing of the newest plane of the level below can be summed up before that
// plane is made. The newest plane of a level then takes the place of the oldest one, which nothing
// reads any more: a level has a plane less in registers, and what is left to do once the newest
// plane is there is short. Where the source adds the newest plane's terms last, all but those are
// one part; no sum is formed in another order than the source's.
//
// Where other warps' points of the newest plane are read, it was made a turn ago. Then a march can
// go by planes: all that is read of a plane is read in one turn, from what it has around a thread's
// points once, and sums up as many planes of the level above as see it. Of older planes nothing is
// kept but the sums.
#pragma once

#include "codegen/lower/StepFormula.h"
#include "codegen/variants/MarchReach.h"

namespace stencilc {

/// The parts to be made early, the largest that can be; none if the oldest plane must be kept:
/// where they would take more registers than it does, or an end of the march sees it.
std::vector<ExprId> partsBeforeNewest(const Stencil &stencil, const StepFormula &formula,
                                      const MarchReach &reach);

/// A march can go by planes, if the parts are few: no update reads a plane of which it needs
/// another warp's points in the turn that makes it, and no end of the march turns planes round.
bool mayGoByPlanes(const Stencil &stencil, const MarchReach &reach);
/// The parts that are known once the planes up to each, from the lowest to the one below the
/// highest, have been read: by plane. None if a march does not go by planes.
std::vector<std::vector<ExprId>> partsByPlane(const Stencil &stencil, const StepFormula &formula,
                                              const MarchReach &reach);

} // namespace stencilc
