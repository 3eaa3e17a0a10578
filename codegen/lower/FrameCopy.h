// FrameCopy: the launches that bring the points which no update writes (frames and ghost points)
// into each buffer that a run makes its target for the first time.
#pragma once

#include "ir/kernel/Program.h"

namespace stencilc {

/// A kernel that copies a box of points between two buffers of one type and shape.
struct CopyKernel {
  const SignatureArray *shape; ///< an array that it fits
  unsigned kernel;             ///< number in Program::kernels
  std::vector<IntegerBinding> integers;

  bool fits(const SignatureArray &array) const {
    return shape->type == array.type && shape->ghost == array.ghost && shape->axes == array.axes;
  }
};

class FrameCopies {
public:
  FrameCopies(Program &program, const Stencil &stencil) : program(program), stencil(stencil) {}

  /// What follows the launch that makes a stage: for every field it makes whose new level is stored
  /// in another buffer, one launch per slab around the points that are written, under the condition
  /// that the target is new. No earlier, since the stage may read what was in the target; no later,
  /// since the next one may read the new level. Adds kernels to the program; fields alike in type
  /// and ghost widths share one.
  std::vector<When> after(const Stage &stage);

private:
  Program &program;
  const Stencil &stencil;
  std::vector<CopyKernel> kernels;
};

} // namespace stencilc
