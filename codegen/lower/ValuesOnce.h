// ValuesOnce: what several points ask for is computed once, at its own point, in a temp.
//
// A flux reads what its formula makes of the point, and the same of the neighbours: a temperature
// of an enthalpy, a speed of a momentum. Written as functions, each point computes them for all of
// its neighbours. Here each is a temp of a stage before, which a lowering keeps in a tile or stores
// like any other. That saves operations, and costs the temp's memory and its traffic; the values
// are the same, bit for bit, as a temp has the type of its value.
//
// So it is with a value
// - that reads all its arrays at one and the same point, asks for no position, and is an f32 or an
//   f64;
// - of which a stage wants the values at two points at least;
// - that takes kLeastWork: less is dearer to store and to load;
// - that ends as what it reads does: on a side where reads of it leave the grid, its arrays have
//   one kind of boundary. Beyond `value` it is what its formula makes of those numbers.
//
// The C interface stays as it is: a field that needed a second buffer, as its neighbours were read,
// has it still (Array::hasOwnNext).
#pragma once

#include "codegen/lower/TempsAgain.h"

namespace stencilc {

/// The flag of schedules that have it so, whatever their variant.
inline constexpr llvm::StringLiteral kValuesOnce = "precompute";

/// In operations; a division or a function counts as so many. Chosen without a measurement, so that
/// each of them is worth it: by the forecast a candidate with little gain loses anyway.
inline constexpr unsigned kLeastWork = 8;
/// Of a value beside its operands; of a formula, of what differs from point to point.
unsigned workOf(const Expr &expr);
unsigned workOf(const Formula &formula);

/// The stencil with temps for such values, numbered behind its arrays, or why it has none.
llvm::Expected<StencilForm> withValuesOnce(const Stencil &stencil);

} // namespace stencilc
