// JoinedStages: stages that one launch makes, because no point asks for what others made.
//
// A stage joins the one before where it reads what that one makes at the same point alone: the
// formula stands in place of the read, so that the value comes from a register. It is stored as
// before, unless it is that of a temp which nothing else reads; such a temp takes no memory.
//
// Stages stay apart
// - where what is read is made in parts, is one number, or is made on other points than those of
//   the update that reads it, which finds there what no update writes;
// - where the C interface would change, as a field would need a second buffer; one that needs it no
//   longer has it still (Array::hasOwnNext);
// - where no launch is saved, as the updates have points of their own (codegen/lower/StageParts.h).
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// The stencil in as few stages as that gives, one after the other. Arrays keep their numbers.
Stencil withStagesJoined(Stencil stencil);

} // namespace stencilc
