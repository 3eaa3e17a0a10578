// Aliases: the kernels of papers by the names they have there. Each is a schedule of a variant.
#pragma once

#include "codegen/lower/Variant.h"

namespace stencilc {

struct Alias {
  llvm::StringLiteral name;   ///< for the command line
  llvm::StringLiteral paper;  ///< "Maruyama & Aoki 2014"
  llvm::StringLiteral kernel; ///< its name there
  llvm::StringLiteral text;   ///< its schedule on three axes, with the paper's block and chunk
  llvm::StringLiteral note;   ///< where ours is not theirs to the letter; empty: nowhere
  /// What stands in for it where it is not legal, and of which stencils; empty: nothing.
  llvm::StringLiteral elsewhere = "", where = "";

  /// The schedule for a stencil: on two axes a block that marches has all its threads along x, on
  /// one axis nothing marches. A block has more rows than the paper's, or fewer, where that makes
  /// it legal. Threads that have several points have as many as reads of the stencil reach.
  Schedule scheduleFor(const Stencil &stencil) const;
  /// The first alias of another paper that differs in block and chunk alone, in whether planes are
  /// peeled, or in whether loads ask for the path that they take anyway; if there is one.
  const Alias *twin() const;
};

/// All of them, by paper.
llvm::ArrayRef<Alias> aliases();
/// Null if there is none of that name.
const Alias *findAlias(llvm::StringRef name);

} // namespace stencilc
