// SumOrder: sums added up plane after plane, in place of the source's order (--fp=reassociate).
//
// A march along the slowest axis does least where the newest plane it reads is added last: fused
// steps then sum up all other terms before that plane is there (codegen/variants/MarchSums.h), and
// boxes are added plane by plane. What a source adds otherwise rounds otherwise: nobody but the
// user may ask for another order.
#pragma once

#include "ir/stencil/Stencil.h"

namespace stencilc {

/// The stencil with the terms of every sum in the order of the newest plane of a field that they
/// read, those that read none first; among those of one plane the source's order stays. A
/// difference is a sum; what is used twice, or has a name, stays one term; but a product of a sum
/// over several planes and what reads none is a term for each plane. No addition is added, only
/// signs where no term of the first plane is positive.
Stencil withNewestPlaneLast(Stencil stencil);

} // namespace stencilc
