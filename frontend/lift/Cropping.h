// Cropping: layers of points around the grid taken away from buffers, and the loops that set them.
#pragma once

#include "frontend/lift/GhostContents.h"

namespace stencilc::lift {

/// Takes layers away from buffers.
class Cropping {
public:
  Cropping(LoopTree &tree, const Levels &levels, const Box &box, llvm::ArrayRef<Spot> spots,
           const std::vector<bool> &ghosts)
      : tree(tree), levels(levels), box(box), spots(spots), ghosts(ghosts) {}

  /// The buffer has the layers.
  void crop(unsigned buffer);
  /// False if that would change what is done inside.
  bool apply();
  /// Takes the loops that set them away.
  void dropGhosts();

private:
  bool findDimensions();
  bool note(unsigned buffer, unsigned dimension, unsigned axis, const Range &points);
  bool clipAssignments();
  bool cropBuffers();

  struct Dimension {
    unsigned buffer, number, axis;
    bool isInside; ///< nothing but points inside is read or written
  };
  LoopTree &tree;
  const Levels &levels;
  const Box &box;
  llvm::ArrayRef<Spot> spots;
  const std::vector<bool> &ghosts;
  std::vector<unsigned> cropped;
  std::vector<Dimension> dimensions;
};

/// Loops over a few layers become a statement for each.
void unrollLayers(LoopTree &tree);

} // namespace stencilc::lift
