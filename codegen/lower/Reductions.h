// Reductions: the launches that leave the numbers of a stencil's reductions where the caller wants
// them, at the end of a run.
//
// One launch combines the runs of all rows into a list of the workspace, a second one that list
// into one number. Points outside a reduction's area take no part: they would add the neutral
// number.
#pragma once

#include "codegen/lower/StepFormula.h"
#include "ir/stencil/StencilAreas.h"

namespace stencilc {

/// What the plan does for a reduction, by number: where it is wanted. Adds kernels and the list.
When reductionOf(Program &program, const Stencil &stencil, const StencilAreas &areas,
                 const StepFormula &formula, unsigned number);

} // namespace stencilc
