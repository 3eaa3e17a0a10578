// The rules that every Stencil keeps, whoever built it. What is behind it (facts, interpreter,
// lowerings, printers) takes them for granted.
//
// Rules, by the first word of the error message:
//   name       names of the stencil, axes, arrays, params and reductions are identifiers, no words
//              of the language, and distinct; no axis is called `t`
//   axes       there are 1 to 3 axes
//   param      a param is f32, f64 or a whole number, and its default one of that type
//   array      arrays are f32 or f64, their axes exist and ascend; fields and temps have all axes;
//              an array over time is const and has none; there is a field; temps have no `init`,
//              and `u[t-1]` has one of fields alone
//   boundary   boundaries stand on axes the array has; both ends of an axis are periodic or none;
//              `value` alone has a formula; `reflect` and `symmetric` alone have a factor, a finite
//              number of the array's type
//   order      operands come before their users, all values are used and no two are equal
//   size       a formula has at most kMaxFormulaValues values
//   type       operands have the types their operator takes, casts go to f32 and f64 and change the
//              type, and the formula has the type of what it is for
//   literal    literals are finite numbers of their type; sums, products, signs and casts of
//              literals alone are folded, as are comparisons of whole ones; none divides by zero
//   leaf       what a formula names exists, and may stand where it stands: an update reads arrays,
//              params, positions, the step number and arrays over time; a reduction no step number
//              and nothing over time; a boundary's value no array and no position; an `init` params
//              and positions, that of an array over time params and the step number
//   level      `u[t-1]` is of a field; `u'` is of a field or a temp, after a stage that makes it,
//              of a temp after all that make it; a temp has no other level; a reduction reads no
//              `u'`, and `u[t-1]` only where an update does
//   offset     offsets are at most kMaxOffset, and 0 on axes that the array lacks
//   outside    a read away from the point has a boundary on that side, unless it is of a temp; what
//              a reduction reads through does not depend on time
//   region     bounds count from the start upwards, from the end downwards, or from a `param int`;
//              no region starts at the end
//   stage      there is a stage, none is empty, and updates make fields and temps
//   made       every field and temp is made in a step
//   tree       the lanes of reductions are a power of two, at least 2, and each takes a number
//   apart      updates of one array make no point twice, and `u'` is read only at points that
//              earlier stages make or none makes, unless params decide it (a run then checks)
//   temp       all that is made of a temp is one box, from end to end of an axis on which it has a
//              boundary other than `fixed`; where it is evaluated at ghost points, all it reads
//              there is `halo`
#pragma once

#include "ir/stencil/Stencil.h"

#include "llvm/Support/Error.h"

namespace stencilc {

/// Larger formulas are refused: no stencil needs them, and a few nested sums reach any size.
constexpr size_t kMaxFormulaValues = 20'000;
/// Largest offset of an access along an axis, or in time.
constexpr int kMaxOffset = 10'000;
/// Largest offset of a region's bound.
constexpr int64_t kMaxBound = 2'000'000'000;

/// The first fault, a SourceError: "rule: what is wrong".
llvm::Error verify(const Stencil &stencil);

} // namespace stencilc
