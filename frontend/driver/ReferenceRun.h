// --emit=values: the reference interpreter on the extents, steps and starting values asked for.
#pragma once

#include "frontend/driver/CommandLine.h"
#include "frontend/driver/FileOutput.h"
#include "ir/stencil/Stencil.h"

namespace stencilc {

/// Runs the stencil and returns what to write: the newest level of each field as .npy, without
/// ghost points (`-o u.npy` is the only field's name; of several, field ex takes u_ex.npy), or for
/// standard output one line per field: shape, least, greatest, sum and a checksum of the bits.
///
/// An array starts from its `init`, or from its --input file: elements of the array's type, as many
/// as the extents say, or as extents and ghost points say.
llvm::Expected<std::vector<OutputFile>> runReference(const Stencil &stencil,
                                                     const CommandLine &line);

} // namespace stencilc
