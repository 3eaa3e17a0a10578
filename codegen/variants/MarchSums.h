// MarchSums: which parts of its updates a march that fuses steps (FusedMarch.h) makes early.
//
// A part that reads nothing of the newest plane of the level below can be summed up before that
// plane is made. The newest plane of a level then takes the place of the oldest one, which nothing
// reads any more: a level has a plane less in registers, and what is left to do once the newest
// plane is there is short. Where the source adds the newest plane's terms last, all but those are
// one part; no sum is formed in another order than the source's.
#pragma once

#include "codegen/lower/StepFormula.h"
#include "codegen/variants/MarchReach.h"

namespace stencilc {

/// The parts to be made early, the largest that can be; none if the oldest plane must be kept:
/// where they would take more registers than it does, or an end of the march sees it.
std::vector<ExprId> partsBeforeNewest(const Stencil &stencil, const StepFormula &formula,
                                      const MarchReach &reach);

} // namespace stencilc
