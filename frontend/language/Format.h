// Format: a .stn text laid out as the examples are; what `stencilc --format` writes.
//
// Tokens and comments stay as they are and in their order, and so do lines: none is split or
// joined, which statements share one is the writer's choice. What is laid out anew:
// - indentation: two columns a block; a line that goes on with a statement stands under what it
// goes
//   on with: the first thing after the innermost open bracket, `=`, the `:` of a boundary or the
//   type of a declaration. An operator that starts a line hangs to the left of that column;
// - blanks within a statement: none inside brackets and round `*` and `/`, one round other
//   operators;
// - what two blanks or more set apart, a comment behind code or a further statement of a line,
// stays
//   at its distance from the start of the line as far as there is room. A comment alone on its line
//   right below another one stays in its column;
// - empty lines: one at most, and none at the ends of a block. In a text with `#line` all stay, as
//   positions are counted by them; such a mark starts in the first column.
//
// What is laid out stays so when it is laid out again.
#pragma once

#include "frontend/language/Diagnostics.h"

namespace stencilc {

/// The text of `diagnostics`, laid out. None if its form is wrong, which was reported; its meaning
/// may be.
std::optional<std::string> format(DiagnosticEngine &diagnostics);

} // namespace stencilc
