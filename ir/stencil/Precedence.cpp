#include "ir/stencil/Precedence.h"

#include <cassert>

using namespace stencilc;

Precedence stencilc::precedenceOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Subtract:
    return Precedence::Additive;
  case BinaryOp::Multiply:
  case BinaryOp::Divide:
  case BinaryOp::Remainder:
    return Precedence::Multiplicative;
  case BinaryOp::And:
    return Precedence::And;
  case BinaryOp::Or:
    return Precedence::Or;
  }
  llvm_unreachable("every operator has a precedence");
}

Precedence stencilc::precedenceOf(CompareOp op) {
  return op == CompareOp::Equal || op == CompareOp::NotEqual ? Precedence::Equality
                                                             : Precedence::Relational;
}

Precedence stencilc::tighterThan(Precedence precedence) {
  assert(precedence != Precedence::Primary && "nothing binds tighter");
  return static_cast<Precedence>(static_cast<int>(precedence) + 1);
}
