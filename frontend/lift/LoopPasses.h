// Passes over a LoopTree, between reading it and finding its grid: each undoes something that
// programs do to loops and that no stencil needs.
#pragma once

#include "frontend/lift/LoopTree.h"
#include "frontend/lift/Refusal.h"

namespace stencilc::lift {

/// A copy of an array before the loop over time, with which it changes places there, is what all
/// levels hold at points that no step writes: it is left out.
void dropStartingCopies(LoopTree &tree);
/// Of a program, only its loop over time stays: what `main` sets before it and looks at after it is
/// left to whoever runs the stencil. Does nothing where that is not plain to see.
void keepSteps(LoopTree &tree);
/// Likewise of a function that sets nothing but arrays of its own there. False if it sets none.
bool leaveSettings(LoopTree &tree);
/// What an array holds before the loop over time is as well set in each of its turns, where it is
/// read only behind all that the turn sets of it.
void repeatFirst(LoopTree &tree);

/// Of pointers that change places, and of which a step writes both, the swap becomes copies. False
/// if there are none.
bool writeSwapsOut(LoopTree &tree);

/// Refuses what reads or writes an array by its name that the number of the turn chooses elsewhere.
bool checkTurns(const LoopTree &tree, Refusals &refusals);

/// Members of objects that change places, or of which one is a copy, are the same numbers.
void equateNumbers(LoopTree &tree);
/// Members of two objects that are extents of arrays along one axis are taken for the same number.
void equateMembers(LoopTree &tree);

/// Loops from a param up count from 0 up, where subscripts take that param away again:
///   for (j = x_min; j <= x_max; j++) a[j - x_min + 2]
void rebaseLoops(LoopTree &tree);
/// Loops to whose variables all subscripts add the same param count from that param up:
///   for (j = 0; j < n; j++) a[j + halo]
void countOffsets(LoopTree &tree);
/// One loop counts from `by` more up, if its variable stands in subscripts alone.
void countFrom(LoopTree &tree, unsigned loop, const Polynomial &by);

/// Loops over blocks and within them become one:
///   for (ii = a; ii < b; ii += s) for (i = ii; i < min(ii + s, b); i++)
///   for (ii = a; ii < b; ii += s) for (i = 0; i < min(s, b - ii); i++) of u[ii + i]
void mergeBlocks(LoopTree &tree);

/// A loop over all points of a flat array becomes loops over rows and their points where other
/// loops take the array so:
///   for (p = 0; p < ny * nx; p++) b[p] = a[p]
void splitFlatLoops(LoopTree &tree);

/// Distances of rows and planes that are numbers of their own are taken to be multiples of each
/// other:
///   a[i + j*row + k*plane]
void assumeStrides(LoopTree &tree);

/// Loops that were unrolled by hand make a point a turn again.
void rollLoops(LoopTree &tree);

/// Remainders that change nothing, `(j + n) % n` where j counts from 0 to n - 1, are left out.
void unwrapPositions(LoopTree &tree);

/// What loops hand on to points round the ends of an axis is fetched by those points.
void pullScatters(LoopTree &tree);

/// The elements of a local array that are all named by their numbers, such as what flows into a
/// point of a lattice, become arrays of their own.
void splitPrivates(LoopTree &tree);

/// Local arrays that start anew in each turn of outer loops, such as a row of sums, get the axes of
/// those loops.
void widenPrivates(LoopTree &tree);

/// Updates in place of points that take turns, like those of a chessboard, get arrays of their own:
///   if ((i + j) % 2 == 0) u[i][j] = f(u[i - 1][j], ...)
/// False if there are none.
bool splitColours(LoopTree &tree, Refusals &refusals);

/// Arrays that a step fills anew, and reads again, get arrays of their own for all but the last
/// time:
///   k = f(u); v = u + k; k = f(v); u += k
/// With `splitsSums` those too that are made of what they hold: `k += f(v)`. False if there are
/// none.
bool splitLives(LoopTree &tree, bool splitsSums);

/// Of loops that are no stencil: refuses an update that reads what an earlier turn of it has made,
/// which says more than whatever else is wrong with them.
void refuseRecurrences(const LoopTree &tree, Refusals &refusals);
/// The words of it: the turn `here` reads what the turn `there` has made.
void refuseOrder(Refusals &refusals, clang::SourceLocation where, const std::string &here,
                 const std::string &there, const std::string &array);

/// Copies of whole arrays, and fills, become loops. The shapes of arrays are known by then.
bool writeCopiesOut(LoopTree &tree, Refusals &refusals);

} // namespace stencilc::lift
