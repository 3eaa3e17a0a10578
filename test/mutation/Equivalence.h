// Equivalence: facts that make a mutated Program do what the right one does. None looks at
// what the mutation is called.
#pragma once

#include "ir/kernel/Program.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencilc::mutation {

/// For all extents and params, each launch has the same box, or none in both.
bool haveSameBoxes(const Program &right, const Program &mutated);
/// For all extents and params, launches begin at the same points and have at least the blocks of
/// the right ones; where they end reaches no kernel.
bool haveMoreBlocks(const Program &right, const Program &mutated);
/// Launches differ at most in a lower begin along axes where their kernels guard against the points
/// before it.
bool beginBeforeGuard(const Program &right, const Program &mutated);
/// Launches differ at most in an end one point before that of the right one.
bool endOnePointEarlier(const Program &right, const Program &mutated);
/// Launches differ at most in a begin one point after that of the right one, along the contiguous
/// axis, where blocks start at a memory line.
bool beginOnePointLaterInALine(const Program &right, const Program &mutated);
/// Launches differ at most in a begin one point after that of the right one, along the contiguous
/// axis.
bool beginOnePointLaterInARow(const Program &right, const Program &mutated);
/// Some branch asks of a coordinate to be one more, and no thread has the number between: threads
/// have pieces of a row, which begin so many points apart.
bool guardsPiecesAlike(const Program &right, const Program &mutated);
/// Some branch may ask that: of the right Program.
bool mayGuardPiecesAlike(const Program &program);
/// Some branch that moves elements of a row at once, and else the same ones singly, moves them
/// singly at more points.
bool movesSinglesMoreOften(const Program &right, const Program &mutated);
/// Some guard ends threads less far along an axis where launches have a block for each point, or
/// not at all: no block stands beyond.
bool guardsSinglesLess(const Program &right, const Program &mutated);
/// Some guard is dropped, or a minimum, that holds where blocks begin: all begin inside their box.
bool boundsWhereBlocksBegin(const Program &right, const Program &mutated);
/// Launches differ at most in which `first` reaches the kernel on axes that begin alike. If
/// `inSlabs`, that must hold for grids cut into slabs too.
bool beginAlike(const Program &right, const Program &mutated, bool inSlabs);
/// Some launch begins at the same coordinate on two axes.
bool beginAlikeSomewhere(const Program &program);
/// Every launch has a legal grid that leaves it no points along the contiguous axis.
bool mayBeEmptyAlongX(const Program &program);
/// The kernels' stores happen under the same bounds, whichever guards and loops say so.
bool haveSameStores(const Program &right, const Program &mutated);
/// The kernels' stores happen under the same bounds, and so does each choice between two ways to
/// store; what is loaded may differ.
bool differInLoads(const Program &right, const Program &mutated);
/// Some kernel has a loop that stores nothing, over a local of such a name.
bool hasLoopOfLoads(const Program &program, llvm::function_ref<bool(llvm::StringRef)> isIt);
/// The kernel copies points, and of all that lie behind the boxes of its launches along the axis,
/// one deep, the same actions copy the same again.
bool mayCopyBehind(const Program &program, unsigned kernel, unsigned axis);
/// Some element of the patch is given a number.
bool clears(const Body &body, unsigned patch);
/// If the mutated Program differs in one serial loop that begins a turn earlier: itself, but after
/// that turn there is NaN in all patches that the kernel clears.
std::optional<Program> withAnEarlierTurnSpoilt(const Program &right, const Program &mutated);
/// If the mutated Program lacks a store to a tile, or gives a register another number at first: the
/// right one with NaN in the place of what is stored or given.
std::optional<Program> withNaNInItsPlace(const Program &right, const Program &mutated);
/// The mutated Program lacks a barrier outside loops, or has it earlier, and its kernel uses no
/// tile behind it.
bool movesLastBarrier(const Program &right, const Program &mutated);
/// The mutated Program counts at least as many of what is left of a constant number, and no more
/// than that.
bool countsMoreLists(const Program &right, const Program &mutated);
/// The mutated Program has another step of a loop that has one turn, or another factor of its
/// counter, which is 0 then.
bool countsTurnsOfOne(const Program &right, const Program &mutated);
/// No kernel has branches that keep out all that its first guard keeps out.
bool guardIsNeeded(const Program &program);
/// Some kernel has loops, and branches that keep out what one more turn of them would add.
bool loopsMayRunLonger(const Program &program);
/// For all extents and params, launches on the host leave the same formulas in the same elements.
bool haveSameFormulas(const Program &right, const Program &mutated);
/// Some loop of a kernel on the host begins at the later of two points, and makes again what loops
/// before it have made if that one, as the text names it, comes one earlier.
bool loopMayBeginEarlier(const Program &program, llvm::function_ref<bool(llvm::StringRef)> isIt);
/// Some kernel marches with a queue and stores in branches alone.
bool marchesThroughBranches(const Program &program);
/// Some kernel has more threads than the right one, whose warps all play roles; and there is
/// nothing to do outside roles.
bool haveIdleWarps(const Program &right, const Program &mutated);

} // namespace stencilc::mutation
