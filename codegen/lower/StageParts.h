// StageParts: which updates of a stage one launch makes.
//
// Updates of neighbouring points share what they read, so all that are made everywhere but near the
// ends of the grid stand in one kernel, under guards where their frames differ. What is made in a
// region of its own (a face, a layer bounded by a param) has a launch on its own points, which are
// few or none of the others'. On the host every area has loops of its own: guards in them would
// keep them from vectors.
//
// Launches follow one another. What one would overwrite in place before another has read it keeps
// both in one kernel, unless the other makes temps alone: those come first and overwrite nothing,
// so that what is made beyond the grid shares no kernel with what has no memory there.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

struct StagePart {
  unsigned stage;
  std::vector<unsigned> updates;  ///< by number in the stage
  unsigned number = 0, count = 1; ///< among the parts of the stage
};

/// Of all stages, in order. `areas` is of their updates.
std::vector<StagePart> partsOf(const Stencil &stencil, const StencilAreas &areas,
                               const Signature &signature, Target target);

} // namespace stencilc
