// Precedence: how tightly C's operators bind, so that every printer puts parentheses where they are
// needed and nowhere else.
#pragma once

#include "ir/stencil/Scalar.h"

namespace stencilc {

/// From the loosest to the tightest.
enum class Precedence {
  Conditional,
  Or,
  And,
  Equality,
  Relational,
  Additive,
  Multiplicative,
  Unary,
  Primary
};

Precedence precedenceOf(BinaryOp op);
Precedence precedenceOf(CompareOp op);
/// The next tighter one: what the right operand of a left-associative operator needs.
Precedence tighterThan(Precedence precedence);

} // namespace stencilc
