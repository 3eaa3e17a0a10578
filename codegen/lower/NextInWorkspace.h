// NextInWorkspace: new levels that are made in the workspace, since the caller passes one buffer.
//
// The C interface gives a field a second buffer where the stencil as written needs one. What is
// computed otherwise may need one where the caller has none (codegen/lower/TempsAgain.h): then two
// names take turns with memory of the caller and of the workspace, and a level that ends there is
// copied back.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// Takes the second buffers of these fields, whose oldest level is the current one, from the
/// workspace.
void makeInWorkspace(Program &program, llvm::ArrayRef<unsigned> fields);

} // namespace stencilc
