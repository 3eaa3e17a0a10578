// The programs built by hand. README.md tells what each shows.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// The update of one point of heat.stn from 16-byte pieces of rows: each thread marches along z
/// with a piece in registers, loads planes `ahead` of their use, and takes what lies beside its
/// piece from its neighbours in the warp.
Program marchInVectors(const Stencil &stencil, int rows, int ahead, int chunk);

/// heat.stn by warps with roles: `rows` of them keep a row each of a plane in a shared tile, one
/// copies the rows around the tile and one the columns, a plane ahead; all meet once a plane.
Program marchInRoles(const Stencil &stencil, int rows, int chunk);

/// heat.stn, `steps` steps at once: the `warps` of a block march along z with `rows` rows of
/// 16-byte pieces a thread, and hold two planes of each step on the way in registers. They show
/// each other the rows at their rims, and meet once a plane.
Program fusedPlanes(const Stencil &stencil, int steps, int warps, int rows, int chunk);

/// test/mutation/Inputs/plate.stn, `steps` steps at once: each warp of a block makes one step of
/// the rows that the warp before it hands over, and waits for that warp and the next one alone.
Program fusedRows(const Stencil &stencil, int steps, int chunk);

/// Two fields on two axes, `steps` steps at once: each level of the fields lies in tiles, and the
/// parts that variants are made of make one from the other, boundaries applied.
Program fusedTiles(const Stencil &stencil, int steps);

/// The curvature of a plate smoothed: a temp in the workspace, which one launch makes and the next
/// one reads.
Stencil smoothing();

/// A field that flows along two of three axes, its ghost points the caller's: two temps, evaluated
/// at different ghost points, share the rows of the workspace.
Stencil flowing();

/// A field made on three boxes that leave points between them, one of them from new values of
/// another; and one made in a row.
Stencil shelf();
/// A temp and a field in layers and columns that params bound.
Stencil window();

/// Fields made of positions, the step's number, whole params and a value a step, inside the grid
/// and beyond its ends.
Stencil places();

/// Waves, damped by the level before the last: three buffers of the caller take turns.
Stencil dampedWaves();

/// A field updated in place, two steps a pass, by way of a buffer of the workspace.
Stencil spreading();
Program inPlace(const Stencil &stencil);

} // namespace stencilc
