// NextInWorkspace: new levels that are made in the workspace, since the caller passes one buffer.
//
// The C interface gives a field a second buffer where the stencil as written needs one. What is
// computed otherwise may need one where the caller has none: with temps computed again
// (codegen/lower/TempsAgain.h), or in tiles that overlap, as those of fused steps do. Then two
// names take turns with memory of the caller and of the workspace, and a level that ends there is
// copied back.
#pragma once

#include "codegen/lower/FrameCopy.h"

namespace stencilc {

/// The epilogue brings levels home that a run leaves in the workspace: copies them, but for next
/// levels, whose contents do not matter, and exchanges the names.
void bringHome(Program &program, llvm::ArrayRef<LevelAway> levels);

/// Fields that the stencil updates in place, and the program does not: it has second buffers.
std::vector<unsigned> fieldsBeside(const Stencil &stencil, const Program &program);
/// Takes the second buffers of these fields, whose oldest level is the current one, from the
/// workspace.
void makeInWorkspace(Program &program, llvm::ArrayRef<unsigned> fields);

} // namespace stencilc
